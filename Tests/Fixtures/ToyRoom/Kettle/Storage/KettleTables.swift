import Store

enum KettleTables {
  static let migrations = [
    Migration(
      room: KettleRoom.id, number: 1,
      sql: """
        CREATE TABLE kettle_state (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          is_hot INTEGER NOT NULL,
          since REAL NOT NULL,
          name TEXT,
          person INTEGER,
          tea TEXT
        )
        """)
  ]
}

extension Database {
  /// Nil before anything was done with it.
  func kettle() throws(StoreError) -> Kettle? {
    try first("SELECT is_hot, since, name, tea FROM kettle_state") { row in
      Kettle(isHot: row.bool(0), since: row.double(1), by: row.optionalText(2), tea: row.optionalText(3))
    }
  }

  /// Saves everything but the tea.
  func save(_ kettle: Kettle, person: Int?) throws(StoreError) {
    try run(
      """
      INSERT INTO kettle_state (id, is_hot, since, name, person) VALUES (1, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET is_hot = excluded.is_hot, since = excluded.since, name = excluded.name,
        person = excluded.person
      """, Value(kettle.isHot), .double(kettle.since), Value(kettle.by), Value(person))
  }

  func save(tea: String, at now: Double) throws(StoreError) {
    try run(
      """
      INSERT INTO kettle_state (id, is_hot, since, tea) VALUES (1, 0, ?, ?)
      ON CONFLICT (id) DO UPDATE SET tea = excluded.tea
      """, .double(now), .text(tea))
  }

  /// Removes the person's name from the kettle.
  func forgetKettle(of person: Int) throws(StoreError) {
    try run("UPDATE kettle_state SET name = NULL, person = NULL WHERE person = ?", .int(person))
  }
}
