public import EventLoop
public import Lifecycle
public import Observe
public import Store
import Synchronization

/// Has channels send what was written, and does what is due: scheduled notifications, attempts after a pause, expiry,
/// and the removal of what is old.
///
/// Notifications are written by the extensions of `Database` in the caller's own transaction; after the commit the
/// caller hands the wakes to `wake`. What is lost in between, by a crash, is still pending in the store.
public final class Delivery: Sendable {
  public let store: Store
  public let loop: EventLoop
  public let time: any TimeSource
  public let log: Log
  private let channels = Mutex<[ChannelKind: any PushChannel]>([:])
  private let poller: Poller

  public init(store: Store, loop: EventLoop, time: any TimeSource, log: Log) {
    self.store = store
    self.loop = loop
    self.time = time
    self.log = log
    poller = Poller(loop)
  }

  /// Adds a channel; to be called before `run`.
  public func add(_ channel: any PushChannel) { channels.withLock { $0[channel.kind] = channel } }

  /// Has messages sent that were written; to be called after the commit, in the order of the commits.
  public func wake(_ wakes: [Wake]) {
    if wakes.isEmpty { return }
    let channels = channels.withLock { $0 }
    if wakes.count == 1 {
      channels[wakes[0].channel]?.wake(wakes)
    } else {
      for (kind, channel) in channels {
        let own = wakes.filter { $0.channel == kind }
        if !own.isEmpty { channel.wake(own) }
      }
    }
  }

  /// A notification was scheduled: the time of the next one may have changed.
  public func scheduleChanged() { poller.wake() }

  /// Ends the connections of removed devices; to be called after the commit.
  public func removed(_ devices: [Int]) {
    for channel in channels.withLock({ Array($0.values) }) { channel.removed(devices) }
  }

  /// Does what is due until the task is cancelled.
  public func run() async throws {
    try await poller.run { [self] in try await work() }
  }

  /// - Returns: the seconds until there is more to do.
  func work() async throws -> Double? {
    while true {
      let (time, now) = (time, time.now)
      let hasMore = try await store.change { [self] database in
        let (sent, hasMore) = try database.sendDue(now: now)
        let wakes = sent.flatMap(\.wakes)
        database.afterCommit { self.wake(wakes) }
        return hasMore
      }
      if hasMore { continue }
      let next = try await store.read { database throws(StoreError) in try database.nextScheduled() }
      return min(DeliveryLimits.recheckSeconds, max(0, (next ?? .infinity) - time.now))
    }
  }
}
