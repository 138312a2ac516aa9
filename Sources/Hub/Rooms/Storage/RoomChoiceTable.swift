import Store
import Wire

/// The owner's choice of rooms: one row, or none.
enum RoomChoiceTable {
  static let migration = Migration(
    room: "hub", number: 9,
    sql: """
      -- A list of ids in JSON, in the owner's order; the front room is one of them.
      CREATE TABLE hub_room_choice (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        shown TEXT NOT NULL,
        front TEXT NOT NULL
      )
      """)
}

extension Database {
  func roomChoice() throws(StoreError) -> RoomChoice? {
    try first("SELECT shown, front FROM hub_room_choice") { row in
      // Written by the hub, so it is valid JSON.
      let list = try? JSON(parsing: row.text(0))
      return RoomChoice(shown: list?.array?.compactMap(\.string) ?? [], front: row.text(1))
    }
  }

  func save(_ choice: RoomChoice) throws(StoreError) {
    try run(
      """
      INSERT INTO hub_room_choice (id, shown, front) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET shown = excluded.shown, front = excluded.front
      """, .text(JSON.array(choice.shown.map(JSON.string)).text), .text(choice.front))
  }
}
