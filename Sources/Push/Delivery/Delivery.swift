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
  /// The uptime of the next look for what is old.
  private let nextTidying: Mutex<Double>

  public init(store: Store, loop: EventLoop, time: any TimeSource, log: Log) {
    self.store = store
    self.loop = loop
    self.time = time
    self.log = log
    poller = Poller(loop)
    nextTidying = Mutex(time.uptime)
  }

  /// Adds a channel; to be called before `run`.
  public func add(_ channel: any PushChannel) { channels.withLock { $0[channel.kind] = channel } }

  /// Has messages sent that were written; to be called after the commit, in the order of the commits.
  public func wake(_ wakes: [Wake]) {
    guard let first = wakes.first else { return }
    let channels = channels.withLock { $0 }
    if wakes.allSatisfy({ $0.channel == first.channel }) {
      channels[first.channel]?.wake(wakes)
    } else {
      for (kind, channel) in channels {
        let own = wakes.filter { $0.channel == kind }
        if !own.isEmpty { channel.wake(own) }
      }
    }
  }

  /// Looks again for what is due soonest; to be called when a notification was scheduled, or has an end.
  public func timesChanged() { poller.wake() }

  /// Ends the connections of removed devices; to be called after the commit.
  public func removed(_ devices: [Int]) {
    if devices.isEmpty { return }
    for channel in channels.withLock({ Array($0.values) }) { channel.removed(devices) }
  }

  /// Does what is due until the task is cancelled.
  public func run() async throws {
    try await poller.run { [self] in try await work() }
  }

  /// Does what is due now.
  /// - Returns: the seconds until there is more to do.
  package func work() async throws -> Double {
    while try await sendDue() {}
    while try await expire() {}
    if time.uptime >= nextTidying.withLock({ $0 }) {
      try await tidy()
      nextTidying.withLock { $0 = time.uptime + DeliveryLimits.tidySeconds }
    }
    let kinds = channels.withLock { $0.values.filter(\.kind.isAttempted) }
    let (soonest, attempts) = try await store.read { database throws(StoreError) in
      var attempts: [ChannelKind: Double] = [:]
      for channel in kinds { attempts[channel.kind] = try database.nextAttempt(channel: channel.kind) }
      let times = [try database.nextScheduled(), try database.nextExpiry()].compactMap { $0 }
      return (times.min(), attempts)
    }
    let now = time.now
    for channel in kinds where attempts[channel.kind] ?? .infinity <= now { channel.wake([]) }
    // The attempts that are due are under way; only later ones are waited for.
    let next = (attempts.values.filter { $0 > now } + [soonest ?? .infinity]).min() ?? .infinity
    // The clock may be set meanwhile.
    return min(DeliveryLimits.recheckSeconds, max(0, next - now))
  }

  private func sendDue() async throws -> Bool {
    let now = time.now
    return try await store.change { [self] database in
      let (sent, hasMore) = try database.sendDue(now: now)
      database.afterCommit { for each in sent { self.wake(each.wakes) } }
      return hasMore
    }
  }

  private func expire() async throws -> Bool {
    let now = time.now
    // Nearly always nothing has expired, and a look costs no sync.
    let next = try await store.look { database throws(StoreError) in try database.nextExpiry() }
    guard let next, next <= now else { return false }
    return try await store.write { database throws(StoreError) in try database.expire(now: now) }
  }

  private func tidy() async throws {
    let now = time.now
    let count = try await store.read { database throws(StoreError) in try database.notificationCount() }
    var surplus = count - DeliveryLimits.kept
    var removed = 0
    while true {
      let left = surplus
      let gone = try await store.write { database throws(StoreError) in
        try database.tidyNotifications(surplus: left, now: now)
      }
      (surplus, removed) = (surplus - gone, removed + gone)
      if gone < DeliveryLimits.removedPerCommit { break }
    }
    let devices = try await store.write { database throws(StoreError) in try database.tidyDevices(now: now) }
    self.removed(devices)
    if removed > 0 { log.info("old notifications were removed", ["count": "\(removed)"]) }
  }
}
