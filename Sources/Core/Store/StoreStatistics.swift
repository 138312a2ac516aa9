/// The store's counters since it was opened, and its current queues.
public struct StoreStatistics: Equatable, Sendable {
  /// Writes that have ended, successfully or not.
  public var writes = 0
  /// Transactions that contained them, with one sync of the disk each.
  public var commits = 0
  /// The number of times that a batch waited a moment for more writes; never for a single writer.
  public var gatherings = 0
  /// Writes that have not ended: those of the current batch, and those waiting.
  public var writesWaiting = 0
  /// Queries made.
  public var reads = 0
  /// Queries waiting for a free connection.
  public var readsWaiting = 0
  /// Connections for reading: open, and busy.
  public var readers = 0
  public var busyReaders = 0

  public init() {}
}
