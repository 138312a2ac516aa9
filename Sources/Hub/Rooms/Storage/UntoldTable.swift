import Store

/// The people who were removed, or lost rights, while a room was switched off: it is told when it is on again.
enum UntoldTable {
  static let migration = Migration(
    room: "hubuntold", number: 1,
    sql: """
      CREATE TABLE hub_untold (
        room TEXT NOT NULL,
        -- The key that the person has, or had.
        person INTEGER NOT NULL,
        removed INTEGER NOT NULL,
        PRIMARY KEY (room, person)
      ) \(Database.inKeyOrder)
      """)
}

extension Database {
  /// Keeps what a room has to be told of a person.
  func keep(untold person: Int, to room: String, isRemoved: Bool) throws(StoreError) {
    try run(
      """
      INSERT INTO hub_untold (room, person, removed) VALUES (?, ?, ?)
      ON CONFLICT (room, person) DO UPDATE SET removed = excluded.removed WHERE excluded.removed = 1
      """, .text(room), .int(person), .int(isRemoved ? 1 : 0))
  }

  /// The rooms that have to be told of somebody.
  func untoldRooms() throws(StoreError) -> [String] {
    try rows("SELECT DISTINCT room FROM hub_untold ORDER BY room") { $0.text(0) }
  }

  func untold(to room: String) throws(StoreError) -> [(person: Int, isRemoved: Bool)] {
    try rows("SELECT person, removed FROM hub_untold WHERE room = ? ORDER BY person", .text(room)) { row in
      (person: row.int(0), isRemoved: row.int(1) != 0)
    }
  }

  func removeUntold(to room: String) throws(StoreError) {
    try run("DELETE FROM hub_untold WHERE room = ?", .text(room))
  }
}
