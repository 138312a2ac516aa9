import COpenSSL

/// One step of a room's tables. Steps are numbered from 1, run once and in order, and never change once they have run
/// anywhere: a later step corrects an earlier one.
public struct Migration: Sendable {
  /// Whose tables these are, such as "space".
  public var room: String
  public var number: Int
  public var sql: String

  public init(room: String, number: Int, sql: String) {
    self.room = room
    self.number = number
    self.sql = sql
  }

  var name: String { "\(room) \(number)" }

  /// SHA-256 of the statements, to see that they have not changed.
  var fingerprint: [UInt8] {
    let bytes = Array(sql.utf8)
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, initialized in
      SHA256(bytes, bytes.count, buffer.baseAddress)
      initialized = Int(SHA256_DIGEST_LENGTH)
    }
  }
}

extension Database {
  /// Brings the tables up to date: each step in a transaction of its own, together with the row that says it has run.
  func migrate(_ migrations: [Migration], now: Double) throws(StoreError) {
    try run(
      """
      CREATE TABLE IF NOT EXISTS migrations (
        room TEXT NOT NULL, number INTEGER NOT NULL, fingerprint BLOB NOT NULL, applied_at REAL NOT NULL,
        PRIMARY KEY (room, number))
      """)
    for room in Set(migrations.map(\.room)).sorted() {
      try migrate(room: room, migrations.filter { $0.room == room }.sorted { $0.number < $1.number }, now: now)
    }
  }

  private func migrate(room: String, _ steps: [Migration], now: Double) throws(StoreError) {
    precondition(steps.map(\.number) == Array(1...steps.count), "\(room): migrations are numbered 1, 2, 3 …")
    // Another process may be starting on the same data: the look and the change are one transaction.
    try inTransaction { () throws(StoreError) in
      let done = try rows("SELECT number, fingerprint FROM migrations WHERE room = ? ORDER BY number", .text(room)) {
        (number: $0.int(0), fingerprint: $0.blob(1))
      }
      if done.count > steps.count {
        throw StoreError(
          .migration, "The database was written by a newer version of Eightbells; use that one or a backup",
          context: "\(room) \(done.count)")
      }
      for (step, old) in zip(steps, done) where step.fingerprint != old.fingerprint || step.number != old.number {
        throw StoreError(.migration, "A migration that has run was changed afterwards", context: step.name)
      }
      for step in steps.dropFirst(done.count) {
        try script(step.sql)
        try run(
          "INSERT INTO migrations (room, number, fingerprint, applied_at) VALUES (?, ?, ?, ?)", .text(room),
          .int(step.number), .blob(step.fingerprint), .double(now))
      }
    }
  }
}
