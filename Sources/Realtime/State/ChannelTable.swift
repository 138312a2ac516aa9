/// The channels of one app on all loops: who is there, what is kept. It has no sockets; its owner tells what follows.
package struct ChannelTable {
  package struct Channel {
    /// The number of listeners on each loop, readers of event streams included.
    var listeners: [Int]
    var subscriptions = 0
    var presence: Presence?
    var cached: Cached?
    var history: History?
    /// True if the app's server knows that the channel has no cached event.
    var isMissTold = false
    /// True while a count of subscribers waits to be told.
    var isCountWaiting = false

    var isUseless: Bool {
      subscriptions == 0 && cached == nil && history == nil && !isCountWaiting && listeners.allSatisfy { $0 == 0 }
    }
  }

  /// The share of a channel in what an app may keep.
  private struct Share {
    var historyBytes = 0
    var eventBytes = 0
    var places = 0
    var placeBytes = 0
    var isCached = false
    /// True if nobody is there any more, and the channel is kept for those who may come back, before any event.
    var isAwaiting = false

    init() {}

    init(_ channel: Channel) {
      isCached = channel.cached != nil
      guard let history = channel.history else { return }
      isAwaiting = channel.subscriptions == 0 && !history.hasEvents
      historyBytes = history.bytes + (isAwaiting ? RealtimeLimits.vacantBytes : 0)
      eventBytes = history.eventBytes
      (places, placeBytes) = (history.placeCount, history.placeBytes)
    }
  }

  package struct Cached {
    var event: String
    package var data: String
    var serial: Int?
    var uptime: Double
  }

  /// A moment by the uptime and by the wall clock.
  package struct Moment {
    var uptime: Double
    /// Seconds since 1970.
    var unix: Double

    package init(uptime: Double, unix: Double) {
      self.uptime = uptime
      self.unix = unix
    }
  }

  /// The consequences of a subscription.
  package struct Joined {
    /// True for the first subscription of the channel.
    package var isOccupied: Bool
    /// True for the first connection of a member.
    package var isNewMember: Bool
    package var count: Int
    /// The members; nil unless it is a presence channel.
    package var presence: Presence?
    package var serial: Int?
    package var missed: History.Missed
    package var cached: Cached?
    /// True for a cache channel that has no event.
    package var lacksCached: Bool
    /// True for the first subscription that found that.
    package var tellsMiss: Bool
  }

  package struct Left {
    package var isVacated: Bool
    package var isMemberGone: Bool
    package var count: Int
  }

  package var options = RealtimeOptions()
  /// True if other hubs have channels of the app too.
  package var isOneOfSeveral = false
  package private(set) var channels: [String: Channel] = [:]
  private var cachedCount = 0
  private var awaitingCount = 0
  private var placeCount = 0
  private var placeBytes = 0
  /// These alone are bounded by `RealtimeLimits.historyBytes`: clients that come and go take no room from events.
  private var eventBytes = 0
  private let loops: Int
  private let budget: HistoryBudget
  /// Bytes of events and places, and of channels that are kept without subscribers and events.
  package private(set) var historyBytes = 0
  private var nextSweep = 0.0

  package init(loops: Int, budget: HistoryBudget) {
    self.loops = loops
    self.budget = budget
  }

  /// Changes a channel, which is made if there is none, and forgotten if nothing is left of it. Whoever is too many to
  /// wait for is not waited for.
  private mutating func change<Value>(_ name: String, _ change: (inout Channel) -> Value) -> Value {
    guard let index = channels.index(forKey: name) else {
      var channel = Channel(listeners: Array(repeating: 0, count: loops))
      let value = change(&channel)
      if lacksRoom(Share(), Share(channel)) { channel.history = nil }
      account(Share(), Share(channel))
      if !channel.isUseless { channels[name] = channel }
      return value
    }
    let before = Share(channels.values[index])
    let value = change(&channels.values[index])
    if lacksRoom(before, Share(channels.values[index])) { channels.values[index].history = nil }
    account(before, Share(channels.values[index]))
    if channels.values[index].isUseless { channels.remove(at: index) }
    return value
  }

  /// True for a channel that is left now, while too many others already wait for those who may come back: strangers
  /// could make any number of them.
  private func lacksRoom(_ before: Share, _ after: Share) -> Bool {
    after.isAwaiting && !before.isAwaiting
      && (budget.isSpent || awaitingCount >= RealtimeLimits.awaitingChannels)
  }

  private mutating func account(_ before: Share, _ after: Share) {
    cachedCount += (after.isCached ? 1 : 0) - (before.isCached ? 1 : 0)
    awaitingCount += (after.isAwaiting ? 1 : 0) - (before.isAwaiting ? 1 : 0)
    placeCount += after.places - before.places
    placeBytes += after.placeBytes - before.placeBytes
    eventBytes += after.eventBytes - before.eventBytes
    let more = after.historyBytes - before.historyBytes
    if more == 0 { return }
    historyBytes += more
    budget.change(by: more)
  }

  /// The listeners on each loop; nil for a channel without any.
  package func listeners(of name: String) -> [Int]? { channels[name]?.listeners }

  /// Counts a reader of an event stream, or one that leaves.
  package mutating func count(readers: Int, of name: String, loop: Int) {
    change(name) { $0.listeners[loop] += readers }
  }

  // MARK: Subscriptions

  /// - Returns: nil if the presence channel is full.
  package mutating func join(
    _ subscription: Subscription, as visitor: History.Visitor, loop: Int, _ now: Moment
  ) -> Joined? {
    sweep(now)
    let name = subscription.channel
    let kind = ChannelName(name)
    let (options, isOneOfSeveral) = (options, isOneOfSeveral)
    return change(name) { channel -> Joined? in
      var isNewMember = false
      if let member = subscription.member {
        var presence = channel.presence ?? Presence()
        switch presence.enter(member) {
        case .first: isNewMember = true
        case .another: break
        case .full: return nil
        }
        channel.presence = presence
      }
      channel.listeners[loop] += 1
      channel.subscriptions += 1
      var missed = History.Missed.nothing
      if options.keepsHistory {
        if channel.history == nil { channel.history = History(now: now.unix, isOneOfSeveral: isOneOfSeveral) }
        Self.trim(&channel, options, now)
        missed = channel.history?.missed(by: visitor, since: subscription.since) ?? .nothing
      }
      Self.expire(&channel, now)
      // Whoever gets everything that was missed has the cached event already.
      var isResumed = false
      if case .events = missed { isResumed = true }
      let lacksCached = kind.isCache && !isResumed && channel.cached == nil
      let tellsMiss = lacksCached && !channel.isMissTold
      if tellsMiss { channel.isMissTold = true }
      return Joined(
        isOccupied: channel.subscriptions == 1, isNewMember: isNewMember, count: channel.subscriptions,
        presence: channel.presence, serial: channel.history?.serial, missed: missed,
        cached: isResumed ? nil : channel.cached, lacksCached: lacksCached, tellsMiss: tellsMiss)
    }
  }

  /// - Parameters:
  ///   - member: the connection's user in a presence channel.
  ///   - visitor: set for a client that was lost, which may come back.
  ///   - serial: the last event that it was sent; nil if it is unknown which one arrived.
  package mutating func leave(
    _ name: String, member: String?, loop: Int, lost visitor: History.Visitor? = nil, at serial: Int? = nil,
    _ now: Moment
  ) -> Left {
    let options = options
    let mayGrow =
      !budget.isSpent && placeCount < RealtimeLimits.placesOfApp && placeBytes < RealtimeLimits.placeBytes
    return change(name) { channel in
      channel.listeners[loop] -= 1
      channel.subscriptions -= 1
      var isMemberGone = false
      if let member { isMemberGone = channel.presence?.leave(member) == true }
      if options.keepsHistory, let visitor {
        channel.history?.leave(visitor, at: serial, uptime: now.uptime, mayGrow: mayGrow)
      }
      if channel.subscriptions == 0 {
        channel.presence = nil
        channel.isMissTold = false
      }
      return Left(isVacated: channel.subscriptions == 0, isMemberGone: isMemberGone, count: channel.subscriptions)
    }
  }

  // MARK: Events

  /// Keeps an event, where the channel or the app's options want that.
  /// - Parameter isServers: true for events of the app's server; those of clients are not cached.
  /// - Returns: its number, where the app keeps a history.
  package mutating func record(
    _ event: String, data: String, on name: String, commit: Int? = nil, userID: String? = nil, isServers: Bool,
    _ now: Moment
  ) -> Int? {
    let isCached = isServers && ChannelName(name).isCache
    guard isCached || options.keepsHistory else { return nil }
    sweep(now)
    let (options, isOneOfSeveral) = (options, isOneOfSeveral)
    let (isSpent, all) = (budget.isSpent, eventBytes)
    let mayCache = isCached && (channels[name]?.cached != nil || cachedCount < RealtimeLimits.cachedChannels)
    return change(name) { channel -> Int? in
      var serial: Int?
      if options.keepsHistory {
        var history = channel.history ?? History(now: now.unix, isOneOfSeveral: isOneOfSeveral)
        channel.history = nil
        let before = history.eventBytes
        serial = history.append(event, data: data, commit: commit, userID: userID, uptime: now.uptime)
        history.trim(bytes: isSpent ? 0 : RealtimeLimits.historyBytes - (all - before))
        channel.history = history
        Self.trim(&channel, options, now)
      }
      if mayCache {
        channel.cached = Cached(event: event, data: data, serial: serial, uptime: now.uptime)
        channel.isMissTold = false
      }
      return serial
    }
  }

  // MARK: What becomes old

  private static func trim(_ channel: inout Channel, _ options: RealtimeOptions, _ now: Moment) {
    channel.history?.trim(
      count: min(options.historyCount, RealtimeLimits.historyCount),
      seconds: Double(min(options.historySeconds, RealtimeLimits.historySeconds)), uptime: now.uptime)
  }

  private static func expire(_ channel: inout Channel, _ now: Moment) {
    if let cached = channel.cached, cached.uptime <= now.uptime - RealtimeLimits.cacheSeconds { channel.cached = nil }
  }

  /// Forgets, now and then, what nobody may want any more.
  private mutating func sweep(_ now: Moment) {
    guard now.uptime >= nextSweep else { return }
    nextSweep = now.uptime + RealtimeLimits.sweepSeconds
    let options = options
    for name in Array(channels.keys) {
      change(name) { channel in
        Self.expire(&channel, now)
        if options.keepsHistory { Self.trim(&channel, options, now) } else { channel.history = nil }
        if channel.subscriptions == 0, channel.history?.isEmpty == true { channel.history = nil }
      }
    }
  }

  /// Forgets everything that is kept.
  package mutating func clear() {
    for name in Array(channels.keys) {
      change(name) { channel in
        channel.cached = nil
        channel.history = nil
      }
    }
  }

  // MARK: Counts of subscribers

  package enum Telling { case now, later, waits }

  /// When a new count of subscribers is told: of a crowd, every few seconds.
  /// - Parameter others: the subscribers at other hubs.
  package mutating func countTelling(of name: String, others: Int = 0) -> Telling {
    change(name) { channel in
      if channel.isCountWaiting { return .waits }
      channel.isCountWaiting = channel.subscriptions + others > RealtimeLimits.countedAtOnce
      return channel.isCountWaiting ? .later : .now
    }
  }

  /// The count that had to wait.
  package mutating func waitingCount(of name: String) -> Int {
    change(name) { channel in
      channel.isCountWaiting = false
      return channel.subscriptions
    }
  }

  // MARK: Looking

  /// The channels with subscribers.
  package var occupied: [String] { channels.filter { $0.value.subscriptions > 0 }.map(\.key) }

  package func summary(of name: String, _ now: Moment) -> ChannelSummary {
    let channel = channels[name]
    var summary = ChannelSummary(name: name, subscriptions: channel?.subscriptions ?? 0)
    if ChannelName(name).isPresence { summary.users = channel?.presence?.ids.count ?? 0 }
    if let cached = channel?.cached {
      let left = cached.uptime + RealtimeLimits.cacheSeconds - now.uptime
      if left > 0 { summary.cached = (cached.data, Int(left.rounded(.up))) }
    }
    return summary
  }

  package func presence(of name: String) -> Presence? { channels[name]?.presence }

  package func subscriptions(of name: String) -> Int { channels[name]?.subscriptions ?? 0 }
}
