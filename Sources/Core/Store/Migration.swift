import Crypto

/// One step in the definition of a room's tables. Steps are numbered from 1, run once and in order, and never change
/// once they have run anywhere: a later step corrects an earlier one.
public struct Migration: Sendable {
  /// The room that owns the tables, such as "kettle".
  public var room: String
  public var number: Int
  public var sql: String
  /// The statements for PostgreSQL, where they are others.
  public var onServer: String?
  /// The tables whose number of rows it changes on purpose, or that it removes. If another table has fewer or more rows
  /// afterwards, the migration is refused.
  public var changesRowsOf: Set<String>

  public init(
    room: String, number: Int, sql: String, onServer: String? = nil, changesRowsOf: Set<String> = []
  ) {
    self.room = room
    self.number = number
    self.sql = sql
    self.onServer = onServer
    self.changesRowsOf = changesRowsOf
  }

  var name: String { "\(room) \(number)" }

  /// True if hubs of the version before can go on beside it: all that it does is to make tables, indexes that refuse no
  /// row of theirs, and columns that their rows need not name.
  package var onlyAdds: Bool {
    var made: Set<Substring> = []
    return ServerDialect.statements(of: onServer ?? sql).allSatisfy { statement in
      let words = statement.uppercased().split { $0.isWhitespace || $0 == "(" }
      switch words.prefix(2) {
      case ["CREATE", "TABLE"]:
        made.insert(words[2])
        return true
      case ["CREATE", "INDEX"]: return true
      case ["CREATE", "UNIQUE"]: return words.firstIndex(of: "ON").map { made.contains(words[$0 + 1]) } ?? false
      case ["ALTER", "TABLE"]:
        return words.dropFirst(3).first == "ADD" && (!words.contains("NOT") || words.contains("DEFAULT"))
      default: return false
      }
    }
  }

  /// The SHA-256 of the statements, which shows whether they were changed.
  var fingerprint: [UInt8] { Digest.sha256(sql.utf8) }
}

extension Database {
  /// Brings the tables up to date: all steps in one transaction, which waits for the disk once, together with the
  /// record that they have run.
  func migrate(_ migrations: [Migration], now: Double) throws(StoreError) {
    // Another process may start on the same data: checking and changing are one transaction.
    try inTransaction { () throws(StoreError) in try take(migrations, now: now) }
  }

  /// Runs the steps that have not run yet, in the transaction of the caller.
  func take(_ migrations: [Migration], now: Double) throws(StoreError) {
    try run(
      """
      CREATE TABLE IF NOT EXISTS migrations (
        room TEXT NOT NULL, number INTEGER NOT NULL, fingerprint BLOB NOT NULL, applied_at REAL NOT NULL,
        PRIMARY KEY (room, number))
      """)
    for steps in Self.byRoom(migrations) {
      for step in try pending(steps) {
        try script(ofFile == nil ? step.onServer ?? step.sql : step.sql)
        try run(
          "INSERT INTO migrations (room, number, fingerprint, applied_at) VALUES (?, ?, ?, ?)", .text(step.room),
          .int(step.number), .blob(step.fingerprint), .double(now))
      }
    }
  }

  /// The steps that have not run yet; changes nothing.
  /// - Throws: `.migration` when one that has run was changed, or a newer program has run more.
  func pendingMigrations(_ migrations: [Migration]) throws(StoreError) -> [Migration] {
    guard try hasTable("migrations") else { return Self.byRoom(migrations).flatMap { $0 } }
    var all: [Migration] = []
    let known = Self.byRoom(migrations)
    for steps in known { all += try pending(steps) }
    let rooms = Set(known.map { $0[0].room })
    let unknown = try rows("SELECT DISTINCT room FROM migrations ORDER BY room") { $0.text(0) }.first {
      !rooms.contains($0)
    }
    guard let unknown else { return all }
    throw StoreError(
      .migration,
      "The database has a room that this version of Eightbells does not know; use a newer one, or restore a backup "
        + "from before it",
      context: unknown)
  }

  func hasTable(_ name: String) throws(StoreError) -> Bool { try tableNames().contains(name) }
  func tableNames() throws(StoreError) -> [String] { try rows(Dialect.tables) { $0.text(0) } }

  /// The store's own tables first, then those of the rooms in the order in which they are given: a room can take over
  /// what one before it has kept.
  private static func byRoom(_ migrations: [Migration]) -> [[Migration]] {
    let all = BlobTables.migrations + migrations
    var rooms: [String] = []
    for step in all where !rooms.contains(step.room) { rooms.append(step.room) }
    return rooms.map { room in
      let steps = all.filter { $0.room == room }.sorted { $0.number < $1.number }
      precondition(steps.map(\.number) == Array(1...steps.count), "\(room): migrations are numbered 1, 2, 3 …")
      return steps
    }
  }

  private func pending(_ steps: [Migration]) throws(StoreError) -> [Migration] {
    let room = steps[0].room
    let done = try rows("SELECT number, fingerprint FROM migrations WHERE room = ? ORDER BY number", .text(room)) {
      (number: $0.int(0), fingerprint: $0.blob(1))
    }
    if done.count > steps.count {
      throw StoreError(
        .migration,
        "The database was written by a newer version of Eightbells; use that one, or restore a backup from before it",
        context: "\(room) \(done.count)")
    }
    for (step, old) in zip(steps, done) where step.fingerprint != old.fingerprint || step.number != old.number {
      throw StoreError(.migration, "A migration that has run was changed afterwards", context: step.name)
    }
    return Array(steps.dropFirst(done.count))
  }
}
