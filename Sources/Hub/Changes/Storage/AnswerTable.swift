import Store

/// Answers to requests with an Idempotency-Key, for repeated requests.
enum AnswerTable {
  /// An answer as it is kept: the digest of its request, and what was said, sealed.
  typealias Kept = (request: [UInt8], status: Int, sealed: [UInt8])

  static let migration = Migration(
    room: "hub", number: 8,
    sql: """
      -- The key and the request are digests, the answer is sealed with the key.
      CREATE TABLE hub_answers (
        id INTEGER PRIMARY KEY,
        caller TEXT NOT NULL,
        key BLOB NOT NULL,
        request BLOB NOT NULL,
        status INTEGER NOT NULL,
        answer BLOB NOT NULL,
        at REAL NOT NULL,
        UNIQUE (caller, key)
      );
      CREATE INDEX hub_answers_at ON hub_answers (at)
      """)
}

extension Database {
  /// The answer kept for a key, unless it has expired.
  func answer(to key: IdempotencyKey, now: Double) throws(StoreError) -> AnswerTable.Kept? {
    try first(
      "SELECT request, status, answer FROM hub_answers WHERE caller = ? AND key = ? AND at >= ?", .text(key.caller),
      .blob(key.digest), .double(Self.oldestAnswer(now))
    ) { ($0.blob(0), $0.int(1), $0.blob(2)) }
  }

  private static func oldestAnswer(_ now: Double) -> Double { now - Double(IdentityLimits.answerDays) * 86_400 }

  /// Expired answers are removed, and of a caller with very many the oldest.
  func keep(status: Int, _ sealed: [UInt8], for key: IdempotencyKey, now: Double) throws(StoreError) {
    try run("DELETE FROM hub_answers WHERE at < ?", .double(Self.oldestAnswer(now)))
    let id = try inserted(
      """
      INSERT INTO hub_answers (caller, key, request, status, answer, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(key.caller), .blob(key.digest), .blob(key.request), .int(status), .blob(sealed), .double(now))
    guard id % IdentityLimits.answersRoom == 0 else { return }
    try run(
      """
      DELETE FROM hub_answers WHERE caller = ? AND id <= (
        SELECT id FROM hub_answers WHERE caller = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, .text(key.caller), .text(key.caller), .int(IdentityLimits.answersOfOne))
  }
}
