public import Lifecycle

/// What a migration has done, or would do.
public struct MigrationSummary: Equatable, Sendable {
  /// The steps: "space 2".
  public var steps: [String]
  /// Rows and blobs that were there before and are there after.
  public var rows: Int
  public var blobs: Int
  /// What was wrong before and still is, in sentences.
  public var damage: [String]
}

extension Store {
  /// Brings the file of a store up to date: see `Upgrade`. The caller keeps hubs away from the folder; other processes
  /// that have it open are waited for, a while.
  /// - Returns: nil when there was nothing to do. It holds `lock` afterwards, shared, so that nobody can come between.
  static func bringUpToDate(
    _ file: StoreFile, _ migrations: [Migration], now: Double, lock: FileLock,
    _ progress: @escaping StoreProgress.Listener
  ) throws(StoreError) -> MigrationSummary? {
    let upgrade = Upgrade(file, migrations, now: now, progress)
    if !file.hasLeftovers, try upgrade.pending()?.isEmpty == true { return nil }
    try file.take(.exclusive, lock)
    try upgrade.tidy()
    var summary: MigrationSummary?
    switch try upgrade.pending() {
    case nil: try Database(path: file.path, .readWrite).migrate(migrations, now: now)
    case .some(let steps) where !steps.isEmpty: summary = try upgrade.run()
    case .some: break
    }
    try file.take(.shared, lock)
    return summary
  }

  /// Migrates a store that no hub is at work on. It blocks the thread.
  /// - Returns: nil when it was up to date, or had no tables yet.
  public static func migrate(
    path: String, migrations: [Migration], time: any TimeSource, progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> MigrationSummary? {
    let file = StoreFile(path: path)
    let lock = try file.lock(.shared)
    defer { withExtendedLifetime(lock) {} }
    return try bringUpToDate(file, migrations, now: time.now, lock: lock, progress)
  }

  /// Tries the migration on a copy of the database, which is removed again; a hub may be at work on the store. It
  /// blocks the thread.
  /// - Returns: nil when the store is up to date.
  public static func tryMigration(
    path: String, migrations: [Migration], time: any TimeSource, progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> MigrationSummary? {
    let file = StoreFile(path: path)
    guard Files.exists(path) else { throw StoreError(.open, "There is no database", context: path) }
    let lock = try file.lock(.shared)
    defer { withExtendedLifetime(lock) {} }
    guard !file.hasLeftovers else {
      throw StoreError(.outdated, "A migration was cut short; start the hub once, or run store migrate", context: path)
    }
    let upgrade = Upgrade(file, migrations, now: time.now, progress)
    guard try upgrade.pending()?.isEmpty == false else { return nil }
    return try upgrade.rehearse(at: file.trial)
  }
}
