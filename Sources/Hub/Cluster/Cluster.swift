import Crypto
import EventLoop
import Lifecycle
import Observe
import Realtime
import Settings
public import Store
import Synchronization
import Wire

/// This program among others on the same database server: it learns what they have changed, tells them what it has, and
/// passes live events on.
///
/// Changes of all hubs come one after the other, and their numbers grow in that order. A transaction that others must
/// know of leaves a row (`NewsTable`). At the beginning of its next transaction, or when the bus or the clock wakes it,
/// a hub reads the rows that it has not seen, and has its rooms read again what these name. So no change looks at
/// memory that lacks an earlier one. The bus carries the live events themselves; listeners for whom one was lost are
/// told to connect again, whereupon they ask.
public final class Cluster: StoreSharing {
  /// Seconds between two looks while the bus works, and while it does not.
  static let lookSeconds = 2.0
  static let lookSecondsWithoutBus = 0.5
  /// Seconds between two removals of old rows.
  static let tidySeconds = 60.0

  /// Such as "7f3a91c2".
  let id = Digest.hex(Digest.random(4))
  let hub: Hub
  let bus: any Bus
  let poller: Poller
  let leases: Leases
  private struct State {
    var order = NewsOrder<[PassedEvent]>()
    /// What the server had at the beginning of the transaction.
    var above = 0
    /// Events of the writes that are on the disk, to be told.
    var outgoing: [PassedEvent] = []
    /// The uptime at which old rows were removed.
    var tidiedAt = 0.0
    var server = ServerHistory()
    /// True while rooms read anew what others have changed, and if that has failed: some have done so then.
    var isRefreshing = false
  }
  private let state = Mutex(State())
  private let unheard = Mutex(UnheardHubs())

  /// - Parameter number: that of the last change before the rooms have read the store.
  init(_ hub: Hub, _ bus: any Bus, asOf number: Int) {
    self.hub = hub
    self.bus = bus
    poller = Poller(hub.loop)
    leases = Leases(id, hub)
    state.withLock { $0.order.applied = number }
  }

  /// The changes that the database was found to lack since this hub was started.
  var lostChanges: LostChanges? { state.withLock { $0.server.lost } }

  /// Notes that this hub runs.
  func enter() async throws(StoreError) {
    let me = Member(
      hub: id, host: hostName() ?? "?", version: productVersion, blobs: try await hub.store.blobs.placeID())
    try await hub.store.write { [leases] database throws(StoreError) in
      try leases.compareClocks(database)
      if try database.members().isEmpty { try database.forgetLeases() }
      if let other = try database.member(withoutBlobsAt: me.blobs) { throw Store.isElsewhere(other) }
      try database.add(me, for: LeaseTimes.seconds)
    }
    leases.enter(as: me)
  }

  // MARK: On the writer's thread

  public func takeOver(_ database: Database) throws(StoreError) {
    let applied = state.withLock { $0.order.applied }
    let news = try database.news(after: applied)
    let above = news.last
    let next = news.rows.first?.number ?? above
    let isSame = state.withLock { state in
      state.above = above
      return state.server.isSame(news.timeline, before: news.before) && state.order.goesOn(at: next)
    }
    hub.commits.give(above: above)
    guard isSame else { return try beginAnew(database, news, applied: applied) }
    guard above > applied else { return }
    if !news.rows.isEmpty {
      // Rooms that were told before one of them failed are not told the same once more.
      let isComplete = state.withLock { state in
        defer { state.isRefreshing = true }
        return news.isComplete && !state.isRefreshing
      }
      let touches = Touches(isComplete ? news.rows.flatMap(\.touches) : nil, after: applied, commit: above)
      try hub.refresh(touches, in: database)
      state.withLock { $0.isRefreshing = false }
      // What was told is not known either.
      if !isComplete { hub.channels.close() }
    }
    let now = hub.time.uptime
    state.withLock { state in
      state.order.takeOver(news.rows, upTo: above, at: now)
      state.server.newest = news.newest
    }
    hub.commits.told(above)
    if !news.rows.isEmpty { poller.wake() }
  }

  public func conclude(_ touches: [Touch], _ database: Database) throws(StoreError) {
    let above = state.withLock { $0.above }
    if !touches.isEmpty, hub.commits.lastGiven == above { _ = hub.commits.next() }
    let number = hub.commits.lastGiven
    guard number > above else { return }
    try database.keep(commitNumber: number)
    if !touches.isEmpty { try database.add(news: number, of: id, Set(touches), now: hub.time.now) }
    database.afterCommit { [self] in
      let (events, isNext) = state.withLock { state in
        let events = state.outgoing
        state.outgoing = []
        let row = NewsRow(number: number, hub: id, touches: touches)
        if !touches.isEmpty { state.server.newest = row.name }
        return (events, state.order.takeOwn(row, events, at: hub.time.uptime))
      }
      if isNext { tell(events) } else { poller.wake() }
      if !touches.isEmpty { send(BusMessage(number: number, events)) }
    }
  }

  /// Another server has the records now, or the same one from an earlier moment. It may lack what came last, and others
  /// may have written since, so nothing is sure that is in memory.
  private func beginAnew(_ database: Database, _ news: News, applied: Int) throws(StoreError) {
    let above = news.last
    let lacks = state.withLock { $0.server.lacks(before: news.before) || above < applied }
    try hub.refresh(Touches(nil, after: applied, commit: above), in: database)
    hub.commits.give(above: ServerHistory.beginning(above: above, applied, now: hub.time.now))
    state.withLock { state in
      state.server.timeline = news.timeline
      state.server.newest = news.newest
      state.isRefreshing = false
      if lacks {
        state.server.lost = LostChanges(at: hub.time.now, last: applied, found: above)
        state.server.isToTell = true
      }
      state.order.beginAnew(at: above)
    }
    hub.log.info(
      "another database server answers, or this one from an earlier moment; everything was read anew",
      ["last": "\(applied)", "found": "\(above)"])
    if lacks {
      hub.log.error(
        "the database lacks changes that were acknowledged", ["last": "\(applied)", "found": "\(above)"])
    }
    hub.channels.close()
    poller.wake()
  }

  /// Tells listeners at all hubs of an event of a change, after its commit and behind what was committed before.
  func pass(_ event: PassedEvent) { state.withLock { $0.outgoing.append(event) } }

  // MARK: On any thread

  /// Passes on an event that reports no change.
  func passAtOnce(_ event: PassedEvent) { send(BusMessage(number: nil, [event])) }

  private func send(_ message: BusMessage) {
    let bytes = message.json.bytes
    bus.send(bytes.count <= BusMessage.bytes ? bytes : BusMessage(number: message.number, []).json.bytes)
  }

  private func take(_ bytes: [UInt8]) {
    guard let message = BusMessage(bytes) else { return }
    guard let number = message.number else { return tell(message.events) }
    if state.withLock({ $0.order.take(message.events, of: number) }) { poller.wake() }
  }

  /// The machines of hubs that are not heard over the bus.
  var unheardHosts: [String] { unheard.withLock { $0.hosts } }

  // MARK: On the loop

  /// Has the log tell of hubs that are not heard.
  func note(heard: Set<String>) {
    guard bus.isUp else { return }
    let silent = leases.others.filter { !heard.contains($0.hub) }
    let byID = Dictionary(silent.map { ($0.hub, $0.host) }) { first, _ in first }
    let now = hub.time.uptime
    let (isNews, hosts) = unheard.withLock { ($0.note(byID, now: now), $0.hosts) }
    guard isNews else { return }
    if hosts.isEmpty {
      hub.log.info("all hubs are heard over the bus again")
    } else {
      let list = hosts.joined(separator: ", ")
      hub.log.warning("hubs are not heard over the bus; does it hang, or have they another one?", ["hosts": list])
    }
  }

  /// Looks at what others have changed until the task is cancelled.
  func run() async throws {
    let now = hub.time.now
    let key = try await hub.store.write { database throws(StoreError) in
      try database.channelSecret(app: Channels.appKey, now: now)
    }
    // It stays when this fails, as it does while the server is away: `Hub.end` ends it.
    bus.begin(key: key, { [self] in take($0) }, changed: { [self] _ in poller.wake() })
    try await poller.run { [self] in
      try await hub.store.lookAtOthers()
      if state.withLock({ $0.server.isToTell }) {
        try await hub.tellOwnersOfLostChanges()
        state.withLock { $0.server.isToTell = false }
      }
      let uptime = hub.time.uptime
      let isTime = state.withLock { state in
        guard uptime - state.tidiedAt > Self.tidySeconds else { return false }
        state.tidiedAt = uptime
        return true
      }
      if isTime {
        let now = hub.time.now
        try await hub.store.write { database throws(StoreError) in try database.tidyNews(now: now) }
      }
      return deliver() ?? (bus.isUp ? Self.lookSeconds : Self.lookSecondsWithoutBus)
    }
  }

  /// Tells listeners what has arrived, in the order of the commits.
  /// - Returns: the seconds to wait for events that are on their way; nil if there are none.
  private func deliver() -> Double? {
    while true {
      let now = hub.time.uptime
      let next = state.withLock { state in
        state.order.next(at: now) { [self] row in !row.channels.isEmpty && bus.isUp && row.hub != id }
      }
      switch next {
      case .nothing: return nil
      case .wait(let seconds): return seconds
      case .tell(let row, let events):
        let told = Set((events ?? []).map(\.channel))
        tell(events ?? [])
        for channel in row.channels where !told.contains(channel) { hub.channels.missed(channel) }
      }
    }
  }

  private func tell(_ events: [PassedEvent]) {
    for one in events { hub.channels.publish(one.event, on: one.channel, commit: one.commit, one.data) }
  }
}

extension Touch {
  private static let live = "live:"

  /// Something was told to the listeners of a channel.
  static func channel(_ name: String) -> Touch { Touch(live + name) }

  fileprivate var channel: String? { name.hasPrefix(Self.live) ? String(name.dropFirst(Self.live.count)) : nil }
}

extension NewsRow {
  /// The channels whose listeners were told something.
  fileprivate var channels: [String] { touches.compactMap(\.channel) }
}
