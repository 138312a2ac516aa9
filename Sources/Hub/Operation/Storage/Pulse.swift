import Store

/// One row that is read and written to check that the store works.
enum Pulse {
  static let migration = Migration(
    room: "hub", number: 2,
    sql: """
      CREATE TABLE pulse (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        at REAL NOT NULL
      )
      """)
}

extension Database {
  func readPulse() throws(StoreError) {
    _ = try first("SELECT at FROM pulse") { $0.double(0) }
  }

  func writePulse(at now: Double) throws(StoreError) {
    try run("INSERT INTO pulse (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at", .double(now))
  }
}
