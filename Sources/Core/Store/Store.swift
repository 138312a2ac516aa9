public import Lifecycle

/// The hub's records: SQLite in WAL mode, one writer whose commits are shared, and several readers, each on a thread of
/// its own.
///
/// `write` returns when what it did is on the disk. Other processes may use the same file at the same time, such as a
/// command beside a running hub.
public final class Store: Sendable {
  private let writer: Writer
  private let readers: ReadPool

  /// Opens the database and brings its tables up to date.
  public init(path: String, migrations: [Migration], time: any TimeSource) async throws(StoreError) {
    writer = Writer(time: time)
    readers = ReadPool(path: path)
    try await writer.open { () throws(StoreError) in
      let database = try Database(path: path, .readWrite)
      try database.migrate(migrations, now: time.now)
      return database
    }
  }

  /// Closes the database after what is under way: everything is then in the one file. What is asked afterwards fails.
  public func close() async {
    await readers.close()
    await writer.close()
  }

  /// Runs `body` in a transaction; it is durable when this returns, and undone if `body` throws. Writes that come
  /// together share one sync, so `body` must do nothing but ask and change the database.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { writer.submit(Asked(body, $0)) }
    return try result.get()
  }

  /// Runs `body` on what was last committed; all of its queries see the same moment.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result = await withUnsafeContinuation { readers.submit(Asked(body, $0)) }
    return try result.get()
  }

  /// What it has done and has to do, at this moment.
  public var statistics: StoreStatistics {
    var statistics = StoreStatistics()
    writer.addStatistics(to: &statistics)
    readers.addStatistics(to: &statistics)
    return statistics
  }
}
