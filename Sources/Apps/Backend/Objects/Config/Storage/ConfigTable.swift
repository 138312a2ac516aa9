import Store
import Wire

/// The parameters of apps, which their clients read.
enum ConfigTable {
  /// `hidden` is the list of the parameters that only the master key reads.
  static let sql = """
    CREATE TABLE apps_config (
      app INTEGER PRIMARY KEY REFERENCES apps_apps ON DELETE CASCADE, parameters TEXT NOT NULL, hidden TEXT NOT NULL);
    """
}

/// The parameters of an app.
struct AppConfig: Equatable, Sendable {
  var parameters: [JSON.Member] = []
  /// The names of those that only the master key reads.
  var hidden: Set<String> = []
}

extension Database {
  func config(of app: Int) throws(StoreError) -> AppConfig {
    try first("SELECT parameters, hidden FROM apps_config WHERE app = ?", .int(app)) { row in
      let names = (try? JSON(parsing: row.text(1)))?.array ?? []
      return AppConfig(
        parameters: (try? JSON(parsing: row.text(0)))?.members ?? [], hidden: Set(names.compactMap(\.string)))
    } ?? AppConfig()
  }

  func save(_ config: AppConfig, of app: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO apps_config (app, parameters, hidden) VALUES (?, ?, ?)
      ON CONFLICT (app) DO UPDATE SET parameters = excluded.parameters, hidden = excluded.hidden
      """, .int(app), .text(JSON.object(config.parameters).text),
      .text(JSON.array(config.hidden.sorted().map { .string($0) }).text))
  }
}
