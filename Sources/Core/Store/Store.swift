public import Lifecycle

/// The hub's records: SQLite in WAL mode, one writer whose commits are shared, and several readers, each on a thread of
/// its own; and blobs.
///
/// `write` returns when what it did is on the disk. Other processes may use the same store at the same time, such as a
/// command beside a running hub.
public final class Store: Sendable {
  /// Who opens a store.
  public enum Access: Sendable {
    /// The only one on its folder: may bring it up to date, and tidies up what a crash has left.
    case owner
    /// Somebody beside a hub that may be running: finds the store as it must be, or leaves it alone.
    case guest
  }

  let writer: Writer
  private let readers: ReadPool
  private let lookups: Lookups
  private let folder: BlobFolder

  /// Opens the store and, as its owner, brings it up to date: see `Upgrade`.
  /// - Parameter path: the database's file; large blobs are kept in the folder `blobs` beside it.
  /// - Throws: `.outdated` for a guest who would have to change it, `.inUse` when others are in the way, `.migration`
  ///   for one that a newer program has written, or when the migration does not hold what was there.
  public init(
    path: String, migrations: [Migration], time: any TimeSource, access: Access = .owner,
    progress: @escaping StoreProgress.Listener = { _ in }
  ) async throws(StoreError) {
    let file = StoreFile(path: path)
    let (writer, folder) = (Writer(time: time), BlobFolder(path: file.blobs, threads: StoreLimits.blobThreads))
    self.writer = writer
    self.folder = folder
    readers = ReadPool(path: path)
    lookups = Lookups(path: path)
    let sweep: @Sendable () -> Void = { [weak writer] in writer?.submit(Self.sweep(folder, writer)) }
    try await writer.open { () throws(StoreError) in
      let lock = try Self.prepare(file, migrations, now: time.now, access, progress)
      let database = try Database(path: path, .readWrite)
      database.keptOpen = lock
      if access == .owner {
        let hasMore = try database.inTransaction { () throws(StoreError) in
          try database.recover(folder)
          return try database.sweep(folder)
        }
        database.runHooks()
        if hasMore { sweep() }
      }
      database.sweep = sweep
      return database
    }
  }

  /// Brings the file into the state in which it can be opened.
  /// - Returns: the lock to be held as long as it is open.
  private static func prepare(
    _ file: StoreFile, _ migrations: [Migration], now: Double, _ access: Access,
    _ progress: @escaping StoreProgress.Listener
  ) throws(StoreError) -> FileLock {
    let lock = try file.lock(.shared)
    guard access == .guest else {
      _ = try bringUpToDate(file, migrations, now: now, lock: lock, progress)
      return lock
    }
    guard !file.hasLeftovers, try Upgrade(file, migrations, now: now).pending()?.isEmpty == true else {
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

  /// Closes the database after what is under way: everything is then in the one file. What is asked afterwards fails.
  public func close() async {
    await readers.close()
    await lookups.close()
    await writer.close()
    await folder.finish()
  }

  /// Runs `body` in a transaction; it is durable when this returns, and undone if `body` throws. Writes that come
  /// together share one sync, so `body` must do nothing but ask and change the database.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { writer.submit(DatabaseCall(body, $0)) }
    return try Self.answer(result)
  }

  /// Runs `body` as `write` does. What it throws, a refusal of its own as well, undoes all that it has written.
  /// - Throws: what `body` threw, or the `StoreError` of a commit that failed.
  public func change<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
    try await withUnsafeContinuation { writer.submit(DatabaseCall(body, $0)) }.get()
  }

  /// Runs `body` on what was last committed; all of its queries see the same moment.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { readers.submit(DatabaseCall(body, $0)) }
    return try Self.answer(result)
  }

  /// Runs `body` as `read` does, for a question that one or two rows by their key answer: others wait for it. Whoever
  /// comes in is looked up so, since that is asked with each request.
  public func look<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { lookups.submit(DatabaseCall(body, $0)) }
    return try Self.answer(result)
  }

  /// A body that throws nothing but `StoreError` has failed with one.
  private static func answer<T>(_ result: Result<T, any Error>) throws(StoreError) -> T {
    do {
      return try result.get()
    } catch let error as StoreError {
      throw error
    } catch {
      preconditionFailure("the store answered with an error that is not its own: \(error)")
    }
  }

  /// What is kept beside the records.
  public var blobs: Blobs { Blobs(store: self, folder: folder) }

  /// What it has done and has to do, at this moment.
  public var statistics: StoreStatistics {
    var statistics = StoreStatistics()
    writer.addStatistics(to: &statistics)
    readers.addStatistics(to: &statistics)
    lookups.addStatistics(to: &statistics)
    return statistics
  }
}
