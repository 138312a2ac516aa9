public import EventLoop
public import Lifecycle
public import Observe
public import Store
import Synchronization

/// Sends the notifications whose time has come, within a transaction.
public typealias SendingDue = @Sendable (Database) throws -> [Submitted]
/// Runs it in a transaction, in which the caller may add what follows from it; returns what was sent.
public typealias CommitDue = @Sendable (@escaping SendingDue) async throws -> [Submitted]

/// The engine of notifications. It wakes the channels that send, and does everything that depends on the clock:
/// scheduled notifications, attempts after a pause, expiry, and the removal of old rows.
///
/// Notifications are written by the extensions of `Database` in the caller's own transaction; after the commit the
/// caller hands the wakes to `wake`. If the process ends in between, the deliveries are still pending in the store.
public final class Delivery: Sendable {
  public let store: Store
  public let loop: EventLoop
  public let time: any TimeSource
  public let log: Log
  private let channels = Mutex<[ChannelKind: any PushChannel]>([:])
  private let listeners = Mutex<[any TopicListener]>([])
  private let nextDay: LocalTime.NextDay
  private let members: RoleMembers
  private let commitDue: CommitDue?
  private let poller: Poller
  /// The uptime (seconds) at which old rows are looked for next.
  private let nextTidying: Mutex<Double>
  /// The clock's time less the uptime, at the last look; nil before the first one.
  private let clock = Mutex<Double?>(nil)
  private let scheduled = Mutex(0)
  private let sendsMany = Atomic(false)

  /// - Parameters:
  ///   - nextDay: the days that a rule (RRULE) names, for what is scheduled by one.
  ///   - members: the persons of a role, for what is scheduled.
  ///   - commitDue: commits what sends those whose time has come, with the caller's own work on what was sent; nil for
  ///     a plain transaction.
  public init(
    store: Store, loop: EventLoop, time: any TimeSource, log: Log,
    nextDay: @escaping LocalTime.NextDay = { _, _, _ in nil }, members: @escaping RoleMembers = { _, _ in [] },
    commitDue: CommitDue? = nil
  ) {
    self.store = store
    self.loop = loop
    self.time = time
    self.log = log
    self.nextDay = nextDay
    self.members = members
    self.commitDue = commitDue
    poller = Poller(loop)
    nextTidying = Mutex(time.uptime)
  }

  /// Adds a channel; to be called before `run`.
  public func add(_ channel: any PushChannel) { channels.withLock { $0[channel.kind] = channel } }

  /// Adds a listener to all topics; to be called before `run`.
  public func add(_ listener: any TopicListener) { listeners.withLock { $0.append(listener) } }

  /// Has sent what was submitted: devices are woken, and listeners told. To be called after the commit, in the order of
  /// the commits.
  public func announce(_ submitted: [Submitted]) {
    // Told together: each loop is woken once.
    wake(submitted.flatMap(\.wakes))
    let news = submitted.compactMap(\.news)
    if news.isEmpty { return }
    for listener in listeners.withLock({ $0 }) { listener.sent(news) }
  }

  /// Tells the channels to send messages that a transaction has written. To be called after the commit, in the order of
  /// the commits.
  public func wake(_ wakes: [Wake]) {
    for (kind, channel) in channels.withLock({ $0 }) {
      let own = wakes.filter { $0.channel == kind }
      if !own.isEmpty { channel.wake(own) }
    }
  }

  /// Other hubs on the same database server have written something for devices, or removed some.
  /// - Parameter rows: the devices of a touch; nil for any, empty for none.
  public func refresh(
    has: (Touch) -> Bool, rows: (Touch) -> Set<Int>?, in database: Database
  ) throws(StoreError) {
    let channels = channels.withLock { $0 }
    for (kind, channel) in channels where has(.channel(kind)) { channel.look(for: rows(.channel(kind))) }
    if let gone = rows(.removed), !gone.isEmpty { removed(Array(gone)) }
    if let elsewhere = rows(.connected), !elsewhere.isEmpty { channels[.gateway]?.connectedElsewhere(elsewhere) }
    if has(.times) { timesChanged() }
    try tellListeners(rows(.topics), in: database)
  }

  /// - Parameter sent: the notifications that others have sent to topics, whose numbers grow as they are sent; nil for
  ///   any.
  private func tellListeners(_ sent: Set<Int>?, in database: Database) throws(StoreError) {
    let listeners = listeners.withLock { $0 }.filter(\.isHeard)
    if listeners.isEmpty || sent?.isEmpty == true { return }
    guard let sent else { return listeners.forEach { $0.missedSome() } }
    var news: [TopicNews] = []
    for id in sent { if let one = try database.topicNews(id) { news.append(one) } }
    news = news.oldestFirst
    for listener in listeners { listener.sent(news) }
  }

  /// Works out again when the next thing is due. To be called when a notification was scheduled, or has an expiry time.
  public func timesChanged() { poller.wake() }

  /// Ends the connections of removed devices; to be called after the commit.
  public func removed(_ devices: [Int]) {
    if devices.isEmpty { return }
    for channel in channels.withLock({ Array($0.values) }) { channel.removed(devices) }
  }

  /// True while thousands are sent that are due at once: what can wait for that leaves the store to it.
  public var isSendingMany: Bool { sendsMany.load(ordering: .relaxed) }

  /// True if `DeliveryLimits.scheduled` is reached. The count is refreshed now and then, so a few more may be accepted.
  public var isScheduleFull: Bool { scheduled.withLock { $0 } >= DeliveryLimits.scheduled }

  /// Runs the engine until the task is cancelled.
  public func run() async throws {
    try await poller.run { [self] in try await work() }
  }

  /// The soonest times at which something is due, in seconds since 1970; infinite for never.
  private struct Times {
    var scheduled = Double.infinity
    var expiry = Double.infinity
    var ring = Double.infinity
    /// The end of quiet hours, for devices that fetch by themselves.
    var held = Double.infinity
    var attempts: [ChannelKind: Double] = [:]
    var waiting = 0
  }

  /// Does what is due now.
  /// - Returns: the seconds until there is more to do.
  package func work() async throws -> Double {
    defer { sendsMany.store(false, ordering: .relaxed) }
    try await noticeClock()
    // Nearly always nothing is due, and a look costs neither a write nor a sync.
    var times = try await times()
    while min(times.scheduled, times.expiry, times.ring, times.held) <= time.now {
      // Many may be due at once, and looking at all times again takes as long as sending some of them.
      for _ in 0..<DeliveryLimits.dueCommitsInARow where times.scheduled <= time.now {
        let isFull = try await sendDue() == DeliveryLimits.duePerCommit
        sendsMany.store(isFull, ordering: .relaxed)
        if !isFull { break }
      }
      sendsMany.store(false, ordering: .relaxed)
      if times.ring <= time.now {
        try await wake { [members] database, now in try database.ringAgain(now: now, members: members) }
      }
      if times.expiry <= time.now { try await wake { database, now in try database.expire(now: now) } }
      if times.held <= time.now {
        try await wake { database, now in try database.release(channel: .gateway, now: now) }
      }
      times = try await self.times()
    }
    if time.uptime >= nextTidying.withLock({ $0 }) {
      try await tidy()
      nextTidying.withLock { $0 = time.uptime + DeliveryLimits.tidySeconds }
    }
    // Channels make their attempts by the machine's own time.
    let (now, ownNow) = (time.now, loop.time.now)
    for (kind, next) in times.attempts where next <= ownNow { channels.withLock { $0[kind] }?.wake([]) }
    // The attempts that are due are under way; only later ones are waited for. The clock may be set meanwhile.
    let attempts = times.attempts.values.filter { $0 > ownNow }.map { $0 - ownNow }
    let next = min(times.scheduled, times.expiry, times.ring, times.held) - now
    return min(DeliveryLimits.recheckSeconds, max(0, attempts.min() ?? .infinity), max(0, next))
  }

  /// A clock that is put back may have passed over days of rules; so may the one that a hub had before its start.
  private func noticeClock() async throws {
    let now = time.now
    let offset = now - time.uptime
    let isLater = clock.withLock { clock in clock.map { offset >= $0 - DeliveryLimits.clockStep } ?? false }
    if !isLater {
      try await store.write { [nextDay] database throws(StoreError) in
        try database.putRulesBack(nextDay, now: now)
      }
    }
    clock.withLock { $0 = offset }
  }

  private func times() async throws(StoreError) -> Times {
    let kinds = channels.withLock { $0.keys.filter(\.isAttempted) }
    let (now, ownNow) = (time.now, loop.time.now)
    let times = try await store.read { database throws(StoreError) in
      var times = Times()
      times.scheduled = try database.nextScheduled() ?? .infinity
      if times.scheduled < .infinity { times.waiting = try database.scheduledCount() }
      times.expiry = try database.nextExpiry() ?? .infinity
      times.ring = try database.nextRing(now: now) ?? .infinity
      times.held = try database.nextAttempt(channel: .gateway, now: now) ?? .infinity
      for kind in kinds { times.attempts[kind] = try database.nextAttempt(channel: kind, now: ownNow) }
      return times
    }
    scheduled.withLock { $0 = times.waiting }
    return times
  }

  /// - Returns: the number of notifications sent.
  private func sendDue() async throws -> Int {
    let now = time.now
    let work: SendingDue = { [self] database in
      let sent = try database.sendDue(now: now, nextDay: nextDay, members: members)
      announce(sent, after: database)
      return sent
    }
    let sent = if let commitDue { try await commitDue(work) } else { try await store.change(work) }
    return sent.count
  }

  /// Writes what is due now, and has the channels send what that comes to.
  private func wake(_ write: @escaping @Sendable (Database, _ now: Double) throws -> [Wake]) async throws {
    let now = time.now
    try await store.change { [self] database in wake(try write(database, now), after: database) }
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
    try await store.write { database throws(StoreError) in try database.tidyGoneTokens() }
    while true {
      let devices = try await store.write { [self] database throws(StoreError) in
        let devices = try database.tidyDevices(now: now)
        self.removed(devices.removed, after: database)
        return devices
      }
      if !devices.hasMore { break }
    }
    if removed > 0 { log.info("old notifications were removed", ["count": "\(removed)"]) }
  }
}
