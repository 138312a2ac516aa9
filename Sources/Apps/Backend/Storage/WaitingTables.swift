import Store

/// What waits to be told to others after a commit: written in it, so that a restart loses nothing.
enum WaitingTables {
  /// - `apps_hook_calls` has a row for each change that a webhook is to hear of; `person` is the user who made it.
  /// - `apps_mails` has a row for each mail to a user that the mail server has not taken. The secret of its link is
  ///   drawn when it is sent.
  static let migration = Migration(
    room: BackendRoom.id, number: 6,
    sql: """
      CREATE TABLE apps_hook_calls (
        number INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, class TEXT NOT NULL,
        name TEXT NOT NULL, question TEXT NOT NULL, person TEXT, made_at REAL NOT NULL);
      CREATE INDEX apps_hook_calls_hook ON apps_hook_calls (app, class, name);
      CREATE TABLE apps_mails (
        number INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE,
        person INTEGER NOT NULL REFERENCES apps_users ON DELETE CASCADE, purpose TEXT NOT NULL, email TEXT NOT NULL,
        name TEXT NOT NULL, german INTEGER NOT NULL, made_at REAL NOT NULL, attempts INTEGER NOT NULL,
        next_at REAL NOT NULL);
      CREATE INDEX apps_mails_app ON apps_mails (app);
      CREATE INDEX apps_mails_person ON apps_mails (person);
      CREATE INDEX apps_mails_next ON apps_mails (next_at)
      """)

  /// Has no call get the number of one that was told already: servers know by it what they have heard. What waits keeps
  /// its number; new ones begin above all that may have been told, with the help of a row that goes at once. PostgreSQL
  /// has never given a number twice.
  static let numbered = Migration(
    room: BackendRoom.id, number: 8,
    sql: """
      CREATE TABLE apps_hook_calls_numbered (
        number \(Database.neverReusedKey), app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE,
        class TEXT NOT NULL, name TEXT NOT NULL, question TEXT NOT NULL, person TEXT, made_at REAL NOT NULL);
      INSERT INTO apps_hook_calls_numbered (number, app, class, name, question, made_at)
        SELECT 1000000000000, id, '', '', '', 0 FROM apps_apps ORDER BY id LIMIT 1;
      DELETE FROM apps_hook_calls_numbered;
      INSERT INTO apps_hook_calls_numbered (number, app, class, name, question, person, made_at)
        SELECT number, app, class, name, question, person, made_at FROM apps_hook_calls;
      DROP TABLE apps_hook_calls;
      ALTER TABLE apps_hook_calls_numbered RENAME TO apps_hook_calls;
      CREATE INDEX apps_hook_calls_hook ON apps_hook_calls (app, class, name)
      """, onServer: "")
}

/// A change that a webhook is to hear of.
struct WaitingCall: Sendable {
  var number: Int
  /// An object, as a text: what the webhook is told, without the user who made the change.
  var question: String
  /// The id of that user.
  var user: String?
  /// Seconds since 1970.
  var madeAt: Double
  /// Bytes of the question.
  var bytes: Int
}

extension Database {
  func add(_ question: String, by user: String?, for target: HookTarget, now: Double) throws(StoreError) {
    let (className, name) = target.name.columns
    try run(
      "INSERT INTO apps_hook_calls (app, class, name, question, person, made_at) VALUES (?, ?, ?, ?, ?, ?)",
      .int(target.app), .text(className), .text(name), .text(question), Value(user), .double(now))
  }

  /// The call that a webhook is to hear of next.
  func nextCall(for target: HookTarget) throws(StoreError) -> WaitingCall? {
    let (className, name) = target.name.columns
    return try first(
      """
      SELECT number, question, person, made_at FROM apps_hook_calls WHERE app = ? AND class = ? AND name = ?
      ORDER BY number LIMIT 1
      """, .int(target.app), .text(className), .text(name)
    ) {
      WaitingCall(
        number: $0.int(0), question: $0.text(1), user: $0.optionalText(2), madeAt: $0.double(3), bytes: $0.byteCount(1))
    }
  }

  func remove(_ call: WaitingCall) throws(StoreError) {
    try run("DELETE FROM apps_hook_calls WHERE number = ?", .int(call.number))
  }

  /// Removes the calls that were made before a time, at most `AppsLimits.removedPerCommit`.
  /// - Returns: their number, and their bytes.
  func removeCalls(for target: HookTarget, before time: Double) throws(StoreError) -> (count: Int, bytes: Int) {
    let (className, name) = target.name.columns
    let old = try rows(
      """
      SELECT number, \(Self.bytes(of: "question")) FROM apps_hook_calls
      WHERE app = ? AND class = ? AND name = ? AND made_at <= ? ORDER BY number LIMIT ?
      """, .int(target.app), .text(className), .text(name), .double(time), .int(AppsLimits.removedPerCommit)
    ) { ($0.int(0), $0.int(1)) }
    for (number, _) in old { try run("DELETE FROM apps_hook_calls WHERE number = ?", .int(number)) }
    return (old.count, old.reduce(0) { $0 + $1.1 })
  }

  /// The number of calls that wait for each webhook, and their bytes.
  func waitingCalls() throws(StoreError) -> [(target: HookTarget, count: Int, bytes: Int)] {
    let all = try rows(
      """
      SELECT app, class, name, COUNT(*), SUM(\(Self.bytes(of: "question"))) FROM apps_hook_calls
      GROUP BY app, class, name
      """
    ) { (app: $0.int(0), name: Hook.Name(columns: $0.text(1), $0.text(2)), count: $0.int(3), bytes: $0.int(4)) }
    return all.compactMap { row in row.name.map { (HookTarget(app: row.app, name: $0), row.count, row.bytes) } }
  }
}

extension Database {
  /// The apps that have calls which were made before a time, with the number of these.
  func lateCalls(before time: Double) throws(StoreError) -> [Int: Int] {
    let all = try rows("SELECT app, COUNT(*) FROM apps_hook_calls WHERE made_at < ? GROUP BY app", .double(time)) {
      ($0.int(0), $0.int(1))
    }
    return Dictionary(all) { first, _ in first }
  }
}

// MARK: Mails

extension Database {
  func add(_ mail: AccountMail) throws(StoreError) {
    try run(
      """
      INSERT INTO apps_mails (app, person, purpose, email, name, german, made_at, attempts, next_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
      """, .int(mail.app), .int(mail.person), .text(mail.purpose.rawValue), .text(mail.to), .text(mail.name),
      Value(mail.isGerman), .double(mail.madeAt), .double(mail.madeAt))
  }

  /// The number of an app's mails that wait.
  func mailCount(of app: Int) throws(StoreError) -> Int {
    try first("SELECT COUNT(*) FROM apps_mails WHERE app = ?", .int(app)) { $0.int(0) } ?? 0
  }

  /// The mail to be sent first, and when.
  func nextMail() throws(StoreError) -> (mail: AccountMail, at: Double)? {
    try first(
      """
      SELECT number, app, person, purpose, email, name, german, made_at, attempts, next_at FROM apps_mails
      ORDER BY next_at, number LIMIT 1
      """
    ) { row in
      let mail = AccountMail(
        number: row.int(0), app: row.int(1), person: row.int(2),
        purpose: AccountMail.Purpose(rawValue: row.text(3)) ?? .verify, to: row.text(4), name: row.text(5),
        isGerman: row.bool(6), madeAt: row.double(7), attempts: row.int(8))
      return (mail, row.double(9))
    }
  }

  /// Does nothing for a mail whose user was removed while it was sent: another one may have its number.
  func remove(_ mail: AccountMail) throws(StoreError) {
    try run("DELETE FROM apps_mails WHERE number = ? AND made_at = ?", .int(mail.number), .double(mail.madeAt))
  }

  /// Notes an attempt that failed, in the same way.
  func wait(_ mail: AccountMail, until time: Double) throws(StoreError) {
    try run(
      "UPDATE apps_mails SET attempts = attempts + 1, next_at = ? WHERE number = ? AND made_at = ?", .double(time),
      .int(mail.number), .double(mail.madeAt))
  }
}
