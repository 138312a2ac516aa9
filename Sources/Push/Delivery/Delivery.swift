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

  /// The soonest times at which something is due; infinite for never.
  private struct Times {
    var scheduled = Double.infinity
    var expiry = Double.infinity
    var attempts: [ChannelKind: Double] = [:]
  }

  /// Does what is due now.
  /// - Returns: the seconds until there is more to do.
  package func work() async throws -> Double {
    // Nearly always nothing is due, and a look costs neither a write nor a sync.
    var times = try await times()
    while min(times.scheduled, times.expiry) <= time.now {
      if times.scheduled <= time.now { try await sendDue() }
      if times.expiry <= time.now { try await expire() }
      times = try await self.times()
    }
    if time.uptime >= nextTidying.withLock({ $0 }) {
      try await tidy()
      nextTidying.withLock { $0 = time.uptime + DeliveryLimits.tidySeconds }
    }
    let now = time.now
    for (kind, next) in times.attempts where next <= now { channels.withLock { $0[kind] }?.wake([]) }
    // The attempts that are due are under way; only later ones are waited for. The clock may be set meanwhile.
    let next = times.attempts.values.filter { $0 > now } + [times.scheduled, times.expiry]
    return min(DeliveryLimits.recheckSeconds, max(0, next.min()! - now))
  }

  private func times() async throws(StoreError) -> Times {
    let kinds = channels.withLock { $0.keys.filter(\.isAttempted) }
    return try await store.read { database throws(StoreError) in
      var times = Times()
      times.scheduled = try database.nextScheduled() ?? .infinity
      times.expiry = try database.nextExpiry() ?? .infinity
      for kind in kinds { times.attempts[kind] = try database.nextAttempt(channel: kind) }
      return times
    }
  }

  private func sendDue() async throws {
    let now = time.now
    try await store.change { [self] database in
      let sent = try database.sendDue(now: now).sent
      database.afterCommit { for each in sent { self.wake(each.wakes) } }
    }
  }

  private func expire() async throws(StoreError) {
    let now = time.now
    try await store.write { database throws(StoreError) in _ = try database.expire(now: now) }
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
