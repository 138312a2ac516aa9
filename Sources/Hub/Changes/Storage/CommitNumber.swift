import Store

/// One row: the number below which the next start does not begin.
enum CommitNumber {
  static let migration = Migration(
    room: "realtime", number: 2,
    sql: """
      CREATE TABLE realtime_commits (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        above INTEGER NOT NULL
      )
      """)
}

extension Database {
  func keptCommitNumber() throws(StoreError) -> Int {
    try first("SELECT above FROM realtime_commits") { $0.int(0) } ?? 0
  }

  func keep(commitNumber above: Int) throws(StoreError) {
    try run(
      "INSERT INTO realtime_commits (id, above) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET above = excluded.above",
      .int(above))
  }
}
