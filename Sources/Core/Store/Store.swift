public import Lifecycle

/// The hub's records and blobs, in a file (SQLite in WAL mode) or on a PostgreSQL server: one writer with group commit
/// and several readers, each on a thread of its own.
///
/// `write` returns when its changes are on the disk. Other processes may use the same store at the same time, such as a
/// command beside a running hub.
public final class Store: Sendable {
  /// The rights of a process that opens a store.
  public enum Access: Sendable {
    /// The only owner of the folder: migrates the tables, and cleans up after a crash.
    case owner
    /// A process beside a hub that may be running: requires current tables, and changes no files.
    case guest
  }

  /// The programs that use a server's records now, in words for people.
  public typealias Running = @Sendable (Database) throws(StoreError) -> [String]

  /// A program that uses a server's records now and keeps large blobs elsewhere than in the place with this id, in
  /// words for people; nil if there is none.
  public typealias Elsewhere = @Sendable (Database, _ placeID: String) throws(StoreError) -> String?

  let writer: Writer
  private let readers: ReadPool
  private let lookups: Lookups
  private let folder: BlobFolder
  /// The file, if this is its owner.
  private let owned: StoreFile?
  let time: any TimeSource
  /// The blobs of a bucket; nil where all of them are in the folder.
  package let bucket: BucketBlobs?

  /// Opens the store of a file: see `init(_:migrations:time:access:backups:progress:)`.
  public convenience init(
    path: String, migrations: [Migration], time: any TimeSource, access: Access = .owner,
    backups: MigrationBackups? = nil, progress: @escaping StoreProgress.Listener = { _ in }
  ) async throws(StoreError) {
    try await self.init(
      .file(path), migrations: migrations, time: time, access: access, backups: backups, progress: progress)
  }

  /// Opens the store and, as its owner, brings it up to date: see `Upgrade`, and for a server `ServerUpgrade`.
  /// - Parameters:
  ///   - bucket: where large blobs are, if they are not in the folder alone.
  ///   - backups: where a backup of a file is kept before a migration; none is taken without it.
  ///   - running: the hubs on a server that a migration must not take tables away from.
  ///   - elsewhere: a hub on a server whose unfinished uploads are in another folder.
  /// - Throws: `.bucket` if large blobs are in a bucket and none was given, or a new one cannot be used, `.damaged` for
  ///   an owner if all large blobs are missing, `.outdated` for a guest if the tables are not current, `.inUse` if
  ///   others prevent an upgrade or have another folder of blobs, `.unavailable` if the server cannot be reached,
  ///   `.migration` for tables that a newer program has written, or if the migration would lose data.
  public init(
    _ place: StorePlace, bucket: (any BlobBucket)? = nil, migrations: [Migration], time: any TimeSource,
    access: Access = .owner, backups: MigrationBackups? = nil,
    running: @escaping Running = { _ throws(StoreError) in [] },
    elsewhere: @escaping Elsewhere = { _, _ throws(StoreError) in nil },
    progress: @escaping StoreProgress.Listener = { _ in }
  ) async throws(StoreError) {
    let writer = Writer(place, time: time)
    let folder = BlobFolder(path: place.blobs, threads: StoreLimits.blobThreads, hasCopies: bucket != nil)
    let bucket = bucket.map { BucketBlobs($0, folder) }
    self.writer = writer
    self.folder = folder
    self.time = time
    self.bucket = bucket
    owned = if access == .owner, case .file(let path) = place { StoreFile(path: path) } else { nil }
    readers = ReadPool(place, time)
    lookups = Lookups(place)
    let sweep: @Sendable () -> Void = { [weak writer] in writer?.submit(Self.sweep(folder, writer)) }
    try await writer.open { () throws(StoreError) in
      let database: Database
      switch place {
      case .file(let path):
        let lock = try Self.prepare(StoreFile(path: path), migrations, now: time.now, access, backups, progress)
        database = try place.open(isReadOnly: false)
        database.keptOpen = lock
      case .server(let address, _):
        database = try place.open(isReadOnly: false)
        let upgrade = ServerUpgrade(
          database: database, address: address, migrations: migrations, now: time.now, running: running)
        try upgrade.run(access)
      }
      if bucket == nil { try database.demandNoBucket() }
      if access == .owner {
        // Other hubs may be in the middle of uploads to the same folder.
        let users = place.isServer ? try folder.enter() : nil
        if let users { database.keptOpen = users.lock }
        let hasMore = try database.inTransaction { () throws(StoreError) in
          try database.endMove()
          // Where this is the wrong folder, what others are uploading would seem lost.
          if place.isServer, bucket == nil, let other = try elsewhere(database, folder.id()) {
            throw Self.isElsewhere(other)
          }
          if bucket == nil { try database.demandLargeBlobs(in: folder) }
          if users?.isAlone ?? true { try database.recover(folder, isShared: place.isServer && bucket != nil) }
          return try database.sweep(folder)
        }
        if let users, users.isAlone { try folder.letOthersIn(users.lock) }
        database.runHooks()
        if hasMore { sweep() }
      }
      database.time = time
      database.sweep = sweep
      database.folder = folder
      return database
    }
    if access == .owner, let bucket { try await bucket.begin(self) }
  }

  /// The refusal of a program that has another place of large blobs than one that runs.
  package static func isElsewhere(_ other: String) -> StoreError {
    StoreError(
      .inUse, "Another hub on this database server keeps large blobs elsewhere; all need the same place (--blobs)",
      context: other)
  }

  /// Prepares the file for opening.
  /// - Returns: the lock to be held while it is open.
  private static func prepare(
    _ file: StoreFile, _ migrations: [Migration], now: Double, _ access: Access, _ backups: MigrationBackups?,
    _ progress: @escaping StoreProgress.Listener
  ) throws(StoreError) -> FileLock {
    let lock = try file.lock(.shared)
    guard access == .guest else {
      if file.isCopyOfOpen { try file.examineCopy(migrations) }
      _ = try bringUpToDate(file, migrations, now: now, lock: lock, backups, progress)
      try lock.note(file.path)
      return lock
    }
    let upgrade = Upgrade(file: file, migrations: migrations, now: now, tell: progress)
    guard !file.hasLeftovers, try upgrade.pending()?.isEmpty == true else {
      throw StoreError(
        .outdated, "The store has to be brought up to date first, by the hub or by eightbells store migrate",
        context: file.path)
    }
    return lock
  }

  private static func sweep(_ folder: BlobFolder, _ writer: Writer?) -> FileCleanup {
    FileCleanup { [weak writer] database throws(StoreError) in
      guard try database.sweep(folder) else { return }
      database.afterCommit { writer?.submit(sweep(folder, writer)) }
    }
  }

  /// Closes the database after the calls under way, with everything in the one file. Later calls fail.
  public func close() async {
    await readers.close()
    await lookups.close()
    await writer.close()
    await folder.finish()
    owned?.forgetOpen()
  }

  /// Runs `body` in a transaction; it is durable when this returns, and rolled back if `body` throws. Writes that come
  /// together share one sync, so `body` must only use the database.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let condition = WriteCondition.current
    let result = await withUnsafeContinuation { writer.submit(DatabaseCall(Self.body(body, if: condition), $0)) }
    return try Self.answer(result)
  }

  private static func body<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T, if condition: WriteCondition?
  ) -> @Sendable (Database) throws -> T {
    guard let condition else { return body }
    return { database in
      try condition.check(database)
      return try body(database)
    }
  }

  /// Runs `body` as `write` does, but lets it throw errors of its own, which roll back all its changes.
  /// - Throws: what `body` threw, or the `StoreError` of a commit that failed.
  public func change<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
    let condition = WriteCondition.current
    return try await withUnsafeContinuation { writer.submit(DatabaseCall(Self.body(body, if: condition), $0)) }.get()
  }

  /// Runs `body` on the last committed state; all of its queries see the same snapshot.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { readers.submit(DatabaseCall(body, $0)) }
    return try Self.answer(result)
  }

  /// Runs `body` as `read` does, on a connection for short queries of one or two rows by their key, such as the caller
  /// of a request: others wait for it.
  public func look<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { lookups.submit(DatabaseCall(body, $0)) }
    return try Self.answer(result)
  }

  /// The result with its error as a `StoreError`; the body throws no other.
  private static func answer<T>(_ result: Result<T, any Error>) throws(StoreError) -> T {
    do {
      return try result.get()
    } catch let error as StoreError {
      throw error
    } catch {
      preconditionFailure("the store answered with an error that is not its own: \(error)")
    }
  }

  /// The store's blobs.
  public var blobs: Blobs { Blobs(store: self, folder: folder) }

  /// The store's counters at this moment.
  public var statistics: StoreStatistics {
    var statistics = StoreStatistics()
    writer.addStatistics(to: &statistics)
    readers.addStatistics(to: &statistics)
    lookups.addStatistics(to: &statistics)
    return statistics
  }
}
