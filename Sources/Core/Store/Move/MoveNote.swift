/// What the target of a move notes in a table of its own, so that nobody takes a part for the whole.
struct MoveNote {
  static let table = "store_move"
  static let notEmpty = StoreError(
    .notEmpty, "The target has tables already; name a database that is empty", context: "the target")

  var name: String
  var isComplete: Bool
}

extension Database {
  /// The move that has brought the records here, or is about to; nil if there is none.
  func move() throws(StoreError) -> MoveNote? {
    guard try hasTable(MoveNote.table) else { return nil }
    return try first("SELECT name, is_complete FROM store_move") { MoveNote(name: $0.text(0), isComplete: $0.bool(1)) }
  }

  /// Makes all tables, empty but for the note of this move, unless it was begun before.
  /// - Parameter file: the one of both that is a file, which knows the tables' order.
  func beginMove(_ name: String, _ migrations: [Migration], now: Double, tablesOf file: Database) throws(StoreError) {
    if let move = try move() {
      guard move.name == name else {
        throw StoreError(.notEmpty, "Another move into it was begun", context: "the target")
      }
      return
    }
    guard try tableNames().isEmpty else { throw MoveNote.notEmpty }
    try inTransaction { () throws(StoreError) in
      try take(migrations, now: now)
      // What the steps themselves have written comes from the source.
      for table in try MovedTable.all(of: file).reversed() { try run("DELETE FROM \(table.quoted)") }
      try run("CREATE TABLE store_move (name TEXT PRIMARY KEY, is_complete INTEGER NOT NULL)")
      try run("INSERT INTO store_move (name, is_complete) VALUES (?, 0)", .text(name))
    }
  }

  func completeMove() throws(StoreError) { try run("UPDATE store_move SET is_complete = 1") }

  /// Removes the note of a move that is complete.
  /// - Throws: `.outdated` for one that was cut short.
  func endMove() throws(StoreError) {
    guard let move = try move() else { return }
    guard move.isComplete else {
      throw StoreError(
        .outdated, "A move into this store was cut short; go on with eightbells store move", context: "store_move")
    }
    try run("DROP TABLE store_move")
  }
}
