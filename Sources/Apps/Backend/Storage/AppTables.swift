import Store
import Wire

/// The tables of the room.
enum AppTables {
  /// - `apps_secrets` has a row for each pair of secret and master key; `until` is null for the present one.
  /// - `apps_usage` has a row for each hour (since 1970) in which an app was used.
  static let migration = Migration(
    room: BackendRoom.id, number: 1,
    sql: """
      CREATE TABLE apps_apps (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE, application_id TEXT NOT NULL UNIQUE,
        rest_key TEXT NOT NULL, created_at REAL NOT NULL, rotated_at REAL NOT NULL, options TEXT NOT NULL);
      CREATE TABLE apps_secrets (
        app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, number INTEGER NOT NULL, secret TEXT NOT NULL,
        master_digest BLOB NOT NULL, until REAL, PRIMARY KEY (app, number));
      CREATE TABLE apps_usage (
        app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, hour INTEGER NOT NULL, messages INTEGER NOT NULL,
        connections INTEGER NOT NULL, PRIMARY KEY (app, hour));
      CREATE INDEX apps_usage_hour ON apps_usage (hour)
      """)
}

extension Database {
  /// All apps, the oldest first, with the secrets that count.
  func apps(now: Double) throws(StoreError) -> [App] {
    let secrets = Dictionary(
      grouping: try rows(
        """
        SELECT app, secret, master_digest, until FROM apps_secrets WHERE until IS NULL OR until > ?
        ORDER BY app, number DESC
        """, .double(now)
      ) { row in (row.int(0), Self.secret(row, from: 1)) },
      by: \.0)
    return try rows("\(Self.selectApps) WHERE removed_at IS NULL ORDER BY created_at, id") { row in
      var app = Self.app(row)
      app.secrets = secrets[app.id]?.map(\.1) ?? []
      return app
    }
  }

  func app(_ id: Int, now: Double) throws(StoreError) -> App? { try app(with: "id", .int(id), now) }

  func app(key: String, now: Double) throws(StoreError) -> App? { try app(with: "key", .text(key), now) }

  func app(applicationID: String, now: Double) throws(StoreError) -> App? {
    try app(with: "application_id", .text(applicationID), now)
  }

  func appCount() throws(StoreError) -> Int {
    try first("SELECT COUNT(*) FROM apps_apps WHERE removed_at IS NULL", read: { $0.int(0) }) ?? 0
  }

  func add(_ app: App) throws(StoreError) {
    try run(
      """
      INSERT INTO apps_apps (id, name, key, application_id, rest_key, created_at, rotated_at, options)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, .int(app.id), .text(app.name), .text(app.key), .text(app.applicationID), .text(app.restKey),
      .double(app.createdAt), .double(app.rotatedAt), .text(app.options.json.text))
  }

  /// Saves its name and its options.
  func save(_ app: App) throws(StoreError) {
    try run(
      "UPDATE apps_apps SET name = ?, options = ? WHERE id = ?", .text(app.name), .text(app.options.json.text),
      .int(app.id))
  }

  /// Removes an app, which has nothing left.
  func remove(app id: Int) throws(StoreError) { try run("DELETE FROM apps_apps WHERE id = ?", .int(id)) }

  /// An app is gone for everybody, and what it has is removed later. Its number stays taken so long.
  func hide(app id: Int, now: Double) throws(StoreError) {
    try run("UPDATE apps_apps SET removed_at = ? WHERE id = ?", .double(now), .int(id))
  }

  /// An app that is gone and has something left.
  func hiddenApp() throws(StoreError) -> Int? {
    try first("SELECT id FROM apps_apps WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 1") { $0.int(0) }
  }

  /// Makes these the present secrets.
  /// - Parameter until: the time at which those before end.
  func save(_ made: MadeSecrets, of app: Int, now: Double, until: Double) throws(StoreError) {
    try run("DELETE FROM apps_secrets WHERE app = ? AND until <= ?", .int(app), .double(now))
    try run(
      "UPDATE apps_secrets SET until = ? WHERE app = ? AND (until IS NULL OR until > ?)", .double(until), .int(app),
      .double(until))
    try run("DELETE FROM apps_secrets WHERE app = ? AND until <= ?", .int(app), .double(now))
    try run(
      """
      INSERT INTO apps_secrets (app, number, secret, master_digest, until)
      VALUES (?, (SELECT COALESCE(MAX(number), 0) + 1 FROM apps_secrets WHERE app = ?), ?, ?, NULL)
      """, .int(app), .int(app), .text(made.secret), .blob(made.masterDigest))
    try run("UPDATE apps_apps SET rotated_at = ? WHERE id = ?", .double(now), .int(app))
  }

  private func app(with column: String, _ value: Value, _ now: Double) throws(StoreError) -> App? {
    let found = try first("\(Self.selectApps) WHERE \(column) = ? AND removed_at IS NULL", value, read: Self.app)
    guard var app = found else { return nil }
    app.secrets = try rows(
      """
      SELECT secret, master_digest, until FROM apps_secrets WHERE app = ? AND (until IS NULL OR until > ?)
      ORDER BY number DESC
      """, .int(app.id), .double(now)
    ) { Self.secret($0, from: 0) }
    return app
  }

  private static func secret(_ row: Row, from column: Int) -> AppSecret {
    AppSecret(
      text: row.text(column), masterDigest: row.blob(column + 1), until: row.optionalDouble(column + 2))
  }

  private static let selectApps = """
    SELECT id, name, key, application_id, rest_key, created_at, rotated_at, options FROM apps_apps
    """

  private static func app(_ row: Row) -> App {
    App(
      id: row.int(0), name: row.text(1), key: row.text(2), applicationID: row.text(3), restKey: row.text(4),
      createdAt: row.double(5), rotatedAt: row.double(6), options: AppOptions(kept: row.text(7)))
  }
}
