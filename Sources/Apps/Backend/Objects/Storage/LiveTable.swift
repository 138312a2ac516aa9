import Store

/// The hubs that have live queries of an app. In a file it stays empty.
enum LiveTable {
  static let migration = Migration(
    room: BackendRoom.id, number: 7,
    sql: """
      CREATE TABLE apps_live (
        app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, hub TEXT NOT NULL, PRIMARY KEY (app, hub))
      """)
}

extension Database {
  func liveHubs() throws(StoreError) -> [(app: Int, hub: String)] {
    try rows("SELECT app, hub FROM apps_live") { ($0.int(0), $0.text(1)) }
  }

  /// Does nothing if the app is gone.
  func addLive(hub: String, _ app: Int) throws(StoreError) {
    try run(
      "INSERT INTO apps_live (app, hub) SELECT id, ? FROM apps_apps WHERE id = ? ON CONFLICT DO NOTHING", .text(hub),
      .int(app))
  }

  func removeLive(hub: String, _ app: Int) throws(StoreError) {
    try run("DELETE FROM apps_live WHERE app = ? AND hub = ?", .int(app), .text(hub))
  }
}
