public import Lifecycle

/// The result of a migration, or of a trial.
public struct MigrationSummary: Equatable, Sendable {
  /// The steps, such as "space 2".
  public var steps: [String]
  /// Rows and blobs present before and after.
  public var rows: Int
  public var blobs: Int
  /// Faults that existed before and still do, as sentences.
  public var damage: [String]
}

extension Store {
  /// Migrates the tables of a server, or tries it and takes it back. Blocks the thread.
  /// - Parameter running: the hubs that it must not take tables away from.
  /// - Returns: nil when there was nothing to do, or no table yet.
  public static func migrate(
    server: ServerAddress, migrations: [Migration], time: any TimeSource, isTrial: Bool, running: @escaping Running
  ) throws(StoreError) -> MigrationSummary? {
    let database = Database(try PostgresConnection(server, isReadOnly: false))
    let upgrade = ServerUpgrade(
      database: database, address: server, migrations: migrations, now: time.now, running: running)
    return isTrial ? try upgrade.rehearse() : try upgrade.run(.owner)
  }

  /// Brings the file of a store up to date: see `Upgrade`. The caller keeps hubs away from the folder; this waits a
  /// while for other processes that have it open.
  /// - Returns: nil when there was nothing to do. It holds `lock` shared afterwards, so that no other process can
  ///   migrate in between.
  static func bringUpToDate(
    _ file: StoreFile, _ migrations: [Migration], now: Double, lock: FileLock,
    _ backups: MigrationBackups?, _ progress: @escaping StoreProgress.Listener
  ) throws(StoreError) -> MigrationSummary? {
    let upgrade = Upgrade(file: file, migrations: migrations, now: now, tell: progress)
    if !file.hasLeftovers, try upgrade.pending()?.isEmpty == true { return nil }
    try file.take(.exclusive, lock)
    try upgrade.tidy()
    var summary: MigrationSummary?
    switch try upgrade.pending() {
    case nil: try Database(path: file.path, .readWrite).migrate(migrations, now: now)
    case .some(let steps) where !steps.isEmpty:
      try backups?.take(file, now: now, progress)
      summary = try upgrade.run()
    case .some: break
    }
    try file.take(.shared, lock)
    return summary
  }

  /// Migrates a store that no hub uses. Blocks the thread.
  /// - Parameter backups: where a backup is kept before; none is taken without it.
  /// - Returns: nil when it was current, or had no tables yet.
  public static func migrate(
    path: String, migrations: [Migration], time: any TimeSource, backups: MigrationBackups? = nil,
    progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> MigrationSummary? {
    let file = StoreFile(path: path)
    let lock = try file.lock(.shared)
    defer { withExtendedLifetime(lock) {} }
    return try bringUpToDate(file, migrations, now: time.now, lock: lock, backups, progress)
  }

  /// Tries the migration on a copy of the database, which is removed again; a hub may use the store meanwhile. Blocks
  /// the thread.
  /// - Returns: nil when the store is current.
  public static func tryMigration(
    path: String, migrations: [Migration], time: any TimeSource, progress: @escaping StoreProgress.Listener
  ) throws(StoreError) -> MigrationSummary? {
    let file = StoreFile(path: path)
    guard Files.exists(path) else { throw StoreError(.open, "There is no database", context: path) }
    let lock = try file.lock(.shared)
    defer { withExtendedLifetime(lock) {} }
    guard !file.hasLeftovers else {
      throw StoreError(.outdated, "A migration was cut short; start the hub once, or run store migrate", context: path)
    }
    let upgrade = Upgrade(file: file, migrations: migrations, now: time.now, tell: progress)
    guard try upgrade.pending()?.isEmpty == false else { return nil }
    return try upgrade.rehearse(at: file.trial)
  }
}
