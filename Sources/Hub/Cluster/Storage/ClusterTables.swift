import Store

/// What the hubs on a database server tell each other. In a file they stay empty.
enum ClusterTables {
  static let migration = Migration(
    room: "hub", number: 12,
    sql: """
      -- One row for each transaction of which others must know; its number is that of the transaction's last change.
      CREATE TABLE hub_news (
        number INTEGER PRIMARY KEY,
        hub TEXT NOT NULL,
        at REAL NOT NULL,
        touches TEXT NOT NULL
      );
      -- Who does the work of which there may be only one. The token grows with each new holder: a former one that wakes
      -- up is recognised by its old token.
      CREATE TABLE hub_leases (
        name TEXT PRIMARY KEY,
        hub TEXT NOT NULL,
        token INTEGER NOT NULL,
        until REAL NOT NULL
      );
      -- The hubs that run.
      CREATE TABLE hub_members (
        hub TEXT PRIMARY KEY,
        -- The machine's name, for people.
        host TEXT NOT NULL,
        version TEXT NOT NULL,
        -- What stands in its folder of large blobs, to see that it is the same for all.
        blobs TEXT NOT NULL,
        since REAL NOT NULL,
        until REAL NOT NULL
      )
      """)
}
