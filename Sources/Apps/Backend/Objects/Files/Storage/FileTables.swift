import Store

/// The files of apps. Their bytes are blobs.
enum FileTables {
  /// - `apps_files` has a row for each file; `unused_since` is when no object was found to name it.
  /// - `apps_file_uses` has a row for each object that names a file.
  static let sql = """
    CREATE TABLE apps_files (
      number INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, name TEXT NOT NULL,
      type TEXT NOT NULL, size INTEGER NOT NULL, created_at REAL NOT NULL, unused_since REAL, UNIQUE (app, name));
    CREATE INDEX apps_files_unused ON apps_files (unused_since);
    CREATE TABLE apps_file_uses (
      object INTEGER NOT NULL REFERENCES apps_objects ON DELETE CASCADE,
      file INTEGER NOT NULL REFERENCES apps_files ON DELETE CASCADE, PRIMARY KEY (object, file));
    CREATE INDEX apps_file_uses_file ON apps_file_uses (file);
    """
}

/// A file of an app.
struct KeptFile: Equatable, Sendable {
  var app: Int
  var name: String
  var type: String
  /// Bytes.
  var size: Int

  var blob: BlobName { Self.blob(app, name) }

  static func blob(_ app: Int, _ name: String) -> BlobName {
    BlobName(room: BackendRoom.id, "files/\(app)/\(name)")
  }
}

extension Database {
  /// Keeps a file; it goes unless an object soon points to it.
  func add(_ file: KeptFile, _ blob: Blob, now: Double) throws(StoreError) {
    try run(
      "INSERT INTO apps_files (app, name, type, size, created_at, unused_since) VALUES (?, ?, ?, ?, ?, ?)",
      .int(file.app), .text(file.name), .text(file.type), .int(file.size), .double(now), .double(now))
    try name(blob, as: file.blob)
    try count(files: 1, bytes: file.size, of: file.app)
  }

  func file(_ name: String, of app: Int) throws(StoreError) -> KeptFile? {
    try first("SELECT type, size FROM apps_files WHERE app = ? AND name = ?", .int(app), .text(name)) {
      KeptFile(app: app, name: name, type: $0.text(0), size: $0.int(1))
    }
  }

  /// - Returns: false if there was none.
  func remove(file name: String, of app: Int) throws(StoreError) -> Bool {
    guard let file = try file(name, of: app) else { return false }
    try run("DELETE FROM apps_files WHERE app = ? AND name = ?", .int(app), .text(name))
    try removeName(file.blob)
    try count(files: -1, bytes: -file.size, of: app)
    return true
  }

  /// All files of an app, by their names.
  func files(of app: Int) throws(StoreError) -> [KeptFile] {
    try rows("SELECT name, type, size FROM apps_files WHERE app = ? ORDER BY name", .int(app)) {
      KeptFile(app: app, name: $0.text(0), type: $0.text(1), size: $0.int(2))
    }
  }

  /// Removes some files of an app, at most `AppsLimits.filesPerCommit`.
  /// - Returns: true if there may be more.
  func removeSomeFiles(of app: Int) throws(StoreError) -> Bool {
    let names = try rows(
      "SELECT name FROM apps_files WHERE app = ? LIMIT ?", .int(app), .int(AppsLimits.filesPerCommit)
    ) { $0.text(0) }
    for name in names { _ = try remove(file: name, of: app) }
    return names.count == AppsLimits.filesPerCommit
  }

  // MARK: What names files

  /// Notes the files that an object names now.
  /// - Parameters:
  ///   - object: the number of the object.
  ///   - before: those in the object before the change.
  func use(
    _ files: Set<FileDigits>, insteadOf before: Set<FileDigits>, in object: Int, of app: Int
  ) throws(StoreError) {
    for file in files.subtracting(before) {
      guard let number = try number(of: file, app) else { continue }
      try run(
        "INSERT INTO apps_file_uses (object, file) VALUES (?, ?) ON CONFLICT (object, file) DO NOTHING", .int(object),
        .int(number))
    }
    for file in before.subtracting(files) {
      guard let number = try number(of: file, app) else { continue }
      try run("DELETE FROM apps_file_uses WHERE object = ? AND file = ?", .int(object), .int(number))
    }
  }

  private func number(of file: FileDigits, _ app: Int) throws(StoreError) -> Int? {
    // The character behind _ is `.
    try first(
      "SELECT number FROM apps_files WHERE app = ? AND name >= ? AND name < ?", .int(app), .text("\(file.text)_"),
      .text("\(file.text)`")
    ) { $0.int(0) }
  }
}
