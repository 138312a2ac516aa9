/// What the store has done since it was opened, and what it has to do.
public struct StoreStatistics: Equatable, Sendable {
  /// Writes that were asked for and have ended, well or not.
  public var writes = 0
  /// Transactions that held them: one sync of the disk each.
  public var commits = 0
  /// Times that a batch waited a moment for more writes; never for somebody who writes alone.
  public var gatherings = 0
  /// Writes that were asked for and have not ended: those of the batch under way, and those that wait for it.
  public var writesWaiting = 0
  /// Questions asked.
  public var reads = 0
  /// Questions that wait for a free connection.
  public var readsWaiting = 0
  /// Connections that read: opened, and at work.
  public var readers = 0
  public var busyReaders = 0

  public init() {}
}
