import Store

/// The webhooks of apps' objects. A function has no class.
enum HookTable {
  static let migration = Migration(
    room: BackendRoom.id, number: 4,
    sql: """
      CREATE TABLE apps_hooks (
        app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, class TEXT NOT NULL, name TEXT NOT NULL,
        url TEXT NOT NULL, PRIMARY KEY (app, class, name))
      """)
}

extension Database {
  func hooks() throws(StoreError) -> [(app: Int, hook: Hook)] {
    try rows("SELECT app, class, name, url FROM apps_hooks ORDER BY app, class, name") { row in
      (row.int(0), row.text(1), row.text(2), row.text(3))
    }.compactMap { app, className, name, url in
      Hook.Name(columns: className, name).map { (app, Hook(name: $0, url: url)) }
    }
  }

  func save(_ hook: Hook, of app: Int) throws(StoreError) {
    let (className, name) = hook.name.columns
    try run(
      """
      INSERT INTO apps_hooks (app, class, name, url) VALUES (?, ?, ?, ?)
      ON CONFLICT (app, class, name) DO UPDATE SET url = excluded.url
      """, .int(app), .text(className), .text(name), .text(hook.url))
  }

  func removeHook(_ name: Hook.Name, of app: Int) throws(StoreError) {
    let (className, name) = name.columns
    try run("DELETE FROM apps_hooks WHERE app = ? AND class = ? AND name = ?", .int(app), .text(className), .text(name))
  }
}

extension Hook.Name {
  init?(columns className: String, _ name: String) {
    if className.isEmpty {
      self = .function(name)
    } else if let trigger = Hook.Trigger(rawValue: name) {
      self = .trigger(trigger, className: className)
    } else {
      return nil
    }
  }

  var columns: (className: String, name: String) {
    switch self {
    case .function(let name): ("", name)
    case .trigger(let trigger, let className): (className, trigger.rawValue)
    }
  }
}
