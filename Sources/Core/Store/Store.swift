public import Lifecycle

/// The hub's records: SQLite in WAL mode, one writer and one reader, each on a thread of its own.
///
/// `write` returns when what it did is on the disk. Other processes may use the same file at the same time, such as a
/// command beside a running hub.
public final class Store: Sendable {
  private let writer: Lane
  private let reader: Lane

  /// Opens the database and brings its tables up to date.
  public init(path: String, migrations: [Migration], time: any TimeSource) async throws(StoreError) {
    writer = Lane("store-writer")
    reader = Lane("store-reader")
    try await writer.open(path, readOnly: false) { database throws(StoreError) in
      try database.migrate(migrations, now: time.now)
    }
    try await reader.open(path, readOnly: true) { _ in }
  }

  /// Closes the database after what is under way: everything is then in the one file. What is asked afterwards fails.
  public func close() async {
    await reader.close()
    await writer.close()
  }

  /// Runs `body` in a transaction; it is durable when this returns, and undone if `body` throws.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    try await writer.run { database throws(StoreError) in
      try database.inTransaction { () throws(StoreError) in try body(database) }
    }
  }

  /// Runs `body` on what was last committed; all of its queries see the same moment.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    try await reader.run { database throws(StoreError) in
      try database.inTransaction("BEGIN") { () throws(StoreError) in try body(database) }
    }
  }
}

/// A connection and the thread it is used on, since a sync of the disk must not hold up anything else.
private actor Lane {
  private nonisolated let worker: WorkerThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
  private var database: Database?

  init(_ name: String) { worker = WorkerThread(name: name) }

  func open(
    _ path: String, readOnly: Bool, _ prepare: @Sendable (Database) throws(StoreError) -> Void
  ) throws(StoreError) {
    let database = try Database(path: path, readOnly: readOnly)
    try prepare(database)
    self.database = database
  }

  func close() { database = nil }

  func run<T: Sendable>(_ body: @Sendable (Database) throws(StoreError) -> T) throws(StoreError) -> T {
    // A look at a calendar may end while the hub is going down.
    guard let database else { throw StoreError(.closed, "The store is closed", context: "the hub is going down") }
    return try body(database)
  }
}
