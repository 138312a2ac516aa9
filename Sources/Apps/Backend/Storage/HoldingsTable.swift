import Store

/// The holdings of apps, as counts in their rows: asking for one costs nothing, however much there is.
///
/// `apps_apps.removed_at` is null but for an app that is gone, and whose objects are being removed piece by piece.
enum HoldingsTable {
  static let migration = Migration(
    room: BackendRoom.id, number: 5,
    sql: """
      ALTER TABLE apps_apps ADD COLUMN objects INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE apps_apps ADD COLUMN object_bytes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE apps_apps ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE apps_apps ADD COLUMN file_bytes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE apps_apps ADD COLUMN removed_at REAL;
      UPDATE apps_apps SET
        objects = (SELECT COUNT(*) FROM apps_objects JOIN apps_classes ON apps_classes.number = class
          WHERE apps_classes.app = apps_apps.id),
        object_bytes = (SELECT COALESCE(SUM(\(Database.bytes(of: "body"))), 0) FROM apps_objects
          JOIN apps_classes ON apps_classes.number = class WHERE apps_classes.app = apps_apps.id),
        files = (SELECT COUNT(*) FROM apps_files WHERE apps_files.app = apps_apps.id),
        file_bytes = (SELECT COALESCE(SUM(size), 0) FROM apps_files WHERE apps_files.app = apps_apps.id)
      """)
}

extension Database {
  /// Adds to an app's number of objects and their bytes: see `Database.add(_:by:to:)`.
  static let countObjects = "UPDATE apps_apps SET objects = objects + ?, object_bytes = object_bytes + ? WHERE id = ?"

  func holdings(of app: Int) throws(StoreError) -> AppHoldings {
    try first("SELECT objects, object_bytes, files, file_bytes FROM apps_apps WHERE id = ?", .int(app)) {
      AppHoldings(objects: $0.int(0), objectBytes: $0.int(1), files: $0.int(2), fileBytes: $0.int(3))
    } ?? AppHoldings()
  }

  /// Those of all apps, by their ids.
  func holdings() throws(StoreError) -> [Int: AppHoldings] {
    let all = try rows("SELECT id, objects, object_bytes, files, file_bytes FROM apps_apps WHERE removed_at IS NULL") {
      ($0.int(0), AppHoldings(objects: $0.int(1), objectBytes: $0.int(2), files: $0.int(3), fileBytes: $0.int(4)))
    }
    return Dictionary(all) { first, _ in first }
  }

  /// Adds to an app's number of files and their bytes.
  func count(files: Int, bytes: Int, of app: Int) throws(StoreError) {
    try run(
      "UPDATE apps_apps SET files = files + ?, file_bytes = file_bytes + ? WHERE id = ?", .int(files), .int(bytes),
      .int(app))
  }
}
