import EventLoop
import Lifecycle
import Synchronization
import Wire

/// The channels of one app: its listeners on every loop, and what is known of all of them together.
///
/// State that concerns all loops is changed under one lock, and events are handed to them while it is held: all
/// listeners get everything in one order, and a new subscriber misses nothing between what it is told and the next
/// event.
final class AppChannels: Sendable {
  let id: String
  /// One for each loop.
  let shards: [Shard]
  let loops: [EventLoop]
  let directory: AppDirectory?
  struct State {
    var app: RealtimeApp
    var table: ChannelTable
    var users = Users<Client>()
    var connections = 0
    var isWatched = false
    /// True once the app was deleted.
    var isRemoved = false
    /// The rest is for the other hubs, where there are any.
    var peers: Peers?
    var others = OtherHubs()
    var untold = Untold()
    /// True while the events of other hubs are listened to, and how often that has begun.
    var isListening = false
    var timesListened = 0
    /// What waits until they are heard; nil where nothing is to be waited for.
    var unheard: [@Sendable () -> Void]?
  }
  let state: Mutex<State>

  /// - Parameter directory: nil for the hub's own app, which nobody counts and nobody watches.
  init(_ app: RealtimeApp, loops: [EventLoop], directory: AppDirectory?, budget: HistoryBudget) {
    id = app.id
    self.loops = loops
    self.directory = directory
    var count: (@Sendable (Int) -> Void)?
    if let directory { count = { [id = app.id] messages in directory.count(id, messages) } }
    shards = loops.map { [count] loop in Shard(loop, count) }
    var table = ChannelTable(loops: loops.count, budget: budget)
    table.options = app.options
    state = Mutex(State(app: app, table: table))
  }

  var isHubs: Bool { directory == nil }

  var moment: ChannelTable.Moment {
    ChannelTable.Moment(uptime: loops.first?.time.uptime ?? 0, unix: loops.first?.time.now ?? 0)
  }

  func shard(of loop: EventLoop) -> Shard { shards[index(of: loop)] }

  private func index(of loop: EventLoop) -> Int {
    guard let index = loops.firstIndex(where: { $0 === loop }) else {
      preconditionFailure("a connection came on a loop that has no channels")
    }
    return index
  }

  // MARK: Connections

  var options: RealtimeOptions { state.withLock { $0.app.options } }
  var connections: Int { state.withLock { $0.connections } }

  /// Counts a new connection.
  /// - Returns: the code and the reason for which it is not served; nil if it is.
  func enter(_ client: Client) -> (Int, String)? {
    let others = directory?.others(id) ?? 0
    return state.withLock { state in
      if let refusal = Self.refusal(state.app.options, state.connections + others, isRemoved: state.isRemoved) {
        note(state.isWatched, ConsoleEntry("refused", socketID: client.socketID, reason: refusal.1))
        return refusal
      }
      state.connections += 1
      listen(&state)
      note(state.isWatched, ConsoleEntry("connected", socketID: client.socketID))
      return nil
    }
  }

  private static func refusal(_ options: RealtimeOptions, _ connections: Int, isRemoved: Bool) -> (Int, String)? {
    if isRemoved { return (4001, "The app was deleted.") }
    if !options.isEnabled { return (4003, "The app is switched off.") }
    if options.isOverQuota { return (4004, "The app is over its quota.") }
    if options.connections > 0, connections >= options.connections {
      return (4004, "The app has \(options.connections) connections, and no more are accepted.")
    }
    return nil
  }

  func left(_ client: Client) {
    state.withLock { state in
      state.connections -= 1
      listen(&state)
      note(state.isWatched, ConsoleEntry("disconnected", socketID: client.socketID))
    }
  }

  func update(_ app: RealtimeApp) {
    let (refusal, hasSecretEnded) = state.withLock { state -> ((Int, String)?, Bool) in
      guard app.version >= state.app.version else { return (nil, false) }
      let before = state.app
      state.app = app
      if before == app { return (nil, false) }
      state.table.options = app.options
      // Those who are there may stay, however many.
      let refusal = Self.refusal(app.options, 0, isRemoved: state.isRemoved)
      return (refusal, before.secrets.contains { !app.secrets.contains($0) })
    }
    if let refusal { return close(refusal.0, refusal.1) }
    guard hasSecretEnded else { return }
    reconnectVouchedFor("A secret of the app has ended.")
  }

  func remove() {
    state.withLock { state in
      state.isRemoved = true
      state.table.clear()
      state.others = OtherHubs()
    }
    close(4001, "The app was deleted.")
  }

  func close(_ code: Int, _ reason: String) {
    for shard in shards { shard.loop.perform { shard.close(code, reason) } }
  }

  private func reconnectVouchedFor(_ reason: String) {
    for shard in shards { shard.loop.perform { shard.reconnectVouchedFor(reason) } }
  }

  // MARK: Signatures

  /// True for a signature of the app's server: `KEY:` and the HMAC of one of these texts.
  func isSigned(_ auth: String, _ texts: [String]) -> Bool {
    let app = state.withLock { $0.app }
    return AppSignature.isRight(auth, of: texts, app)
  }

  /// Ends the subscriptions for which the hub has signed for a session, if it has ended meanwhile.
  func check(_ session: String, on loop: EventLoop) {
    guard let directory else { return }
    Task(executorPreference: loop) { [self] in
      if await !directory.isSession(session, id) { end([session]) }
    }
  }

  /// Ends the subscriptions for which the hub has signed for these sessions.
  /// - Parameter sessions: nil if it is not known which have ended.
  func end(_ sessions: Set<String>?) {
    guard let sessions else { return reconnectVouchedFor("A session may have ended.") }
    for shard in shards { shard.loop.execute { shard.end(sessions) } }
  }

  // MARK: The console

  func watch(_ isWatched: Bool) {
    state.withLock { state in
      state.isWatched = isWatched
      listen(&state)
    }
  }

  func note(_ entry: @autoclosure () -> ConsoleEntry) { state.withLock { note($0.isWatched, entry()) } }

  func note(_ isWatched: Bool, _ entry: @autoclosure () -> ConsoleEntry) {
    if isWatched { directory?.console(id, entry()) }
  }

  // MARK: Subscriptions

  /// Counts a reader of an event stream, or one that leaves.
  func count(readers: Int, of channel: String, on loop: EventLoop) {
    let index = index(of: loop)
    state.withLock { $0.table.count(readers: readers, of: channel, loop: index) }
  }

  /// - Returns: false if the channel is full.
  func join(_ client: Client, _ subscription: Subscription, on loop: EventLoop) -> Bool {
    let (index, moment) = (index(of: loop), moment)
    let visitor = client.visitor(member: subscription.member?.id)
    return state.withLock { state in
      if let member = subscription.member, isFull(subscription.channel, for: member, state) { return false }
      guard var joined = state.table.join(subscription, as: visitor, loop: index, moment) else { return false }
      let channel = subscription.channel
      widen(&joined, channel, subscription.member, &state)
      if joined.isNewMember, let member = subscription.member {
        // The new member joins behind this, and is not told of itself.
        hand(News(ServerEvent.memberAdded, on: channel, text: Presence.added(member).text), state.table)
      }
      let welcome = Welcome(subscription, joined)
      let shard = shards[index]
      loop.execute { client.joined(welcome, shard) }
      tell(joined, subscription, client.socketID, &state)
      return true
    }
  }

  private func tell(
    _ joined: ChannelTable.Joined, _ subscription: Subscription, _ socketID: String, _ state: inout State
  ) {
    let channel = subscription.channel
    note(
      state.isWatched,
      ConsoleEntry("subscribed", channel: channel, data: subscription.channelData, socketID: socketID))
    guard let directory, ChannelName(channel).user == nil else { return }
    if joined.isOccupied { webhook(WebhookEvent(.channelOccupied, channel: channel), state) }
    if joined.isNewMember, let member = subscription.member {
      webhook(WebhookEvent(.memberAdded, channel: channel, userID: member.id), state)
    }
    if joined.tellsMiss { directory.webhook(id, WebhookEvent(.cacheMiss, channel: channel)) }
    countChanged(channel, joined.count, &state)
  }

  enum Leaving {
    case willingly
    /// The connection was lost, and the client may come back: the last event that it was sent; nil if it is unknown
    /// which one arrived.
    case lost(at: Int?)
  }

  /// Counts a client that leaves a channel.
  func leave(_ client: Client, _ channel: String, member: String?, _ leaving: Leaving, on loop: EventLoop) {
    let (index, moment) = (index(of: loop), moment)
    var (visitor, serial): (History.Visitor?, Int?) = (nil, nil)
    if case .lost(let last) = leaving { (visitor, serial) = (client.visitor(member: member), last) }
    state.withLock { [visitor, serial] state in
      var left = state.table.leave(channel, member: member, loop: index, lost: visitor, at: serial, moment)
      widen(&left, channel, member, &state)
      note(state.isWatched, ConsoleEntry("unsubscribed", channel: channel, socketID: client.socketID))
      if left.isMemberGone, let member {
        hand(News(ServerEvent.memberRemoved, on: channel, text: Presence.removed(member).text), state.table)
      }
      guard directory != nil, ChannelName(channel).user == nil else { return }
      if left.isMemberGone {
        webhook(WebhookEvent(.memberRemoved, channel: channel, userID: member), state)
      }
      if left.isVacated { webhook(WebhookEvent(.channelVacated, channel: channel), state) }
      countChanged(channel, left.count, &state)
    }
  }

  /// Tells of what other hubs have to do with too: one of them does.
  func webhook(_ event: WebhookEvent, _ state: borrowing State) {
    guard let directory else { return }
    guard let peers = state.peers else { return directory.webhook(id, event) }
    peers.webhook(event, of: id) { directory.webhook($0, $1) }
  }

  func countChanged(_ channel: String, _ count: Int, _ state: inout State) {
    guard state.app.options.subscriptionCount, !ChannelName(channel).isPresence else { return }
    switch state.table.countTelling(of: channel, others: state.others.subscriptions(of: channel)) {
    case .now: tellCount(channel, count, state)
    case .waits: break
    case .later:
      later(RealtimeLimits.countSeconds) { [self] in
        self.state.withLock { state in
          let count = state.table.waitingCount(of: channel) + state.others.subscriptions(of: channel)
          tellCount(channel, count, state)
        }
      }
    }
  }

  /// Does something on the first loop after some seconds.
  func later(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
    guard let loop = loops.first else { return }
    loop.execute { loop.schedule(after: seconds, work) }
  }

  private func tellCount(_ channel: String, _ count: Int, _ state: borrowing State) {
    let data: JSON = ["subscription_count": .int(count)]
    hand(News(ServerEvent.subscriptionCount, on: channel, text: data.text), state.table)
    webhook(WebhookEvent(.subscriptionCount, channel: channel, count: count), state)
  }

  // MARK: Events

  /// Hands news to all loops that have listeners.
  func tell(_ news: News) { state.withLock { hand(news, $0.table) } }

  func hand(_ news: News, _ table: ChannelTable) {
    guard let listeners = table.listeners(of: news.channel) else { return }
    for (index, shard) in shards.enumerated() where listeners[index] > 0 { shard.loop.execute { shard.tell(news) } }
  }

  /// Sends an event of the app's server.
  func trigger(_ event: String, data: String, on channels: [String], except socketID: String?, commit: Int?) {
    let event = PeerMessage.Event(
      app: id, event: event, data: data, channels: channels, except: socketID, commit: commit, isServers: true)
    let moment = moment
    state.withLock { state in
      if state.isRemoved { return }
      send(event, moment, &state)
      pass(event, &state)
      directory?.count(id, channels.count)
    }
  }

  /// Sends what a client tells the others.
  func tell(_ said: ClientEvent, from client: Client) {
    let event = PeerMessage.Event(
      app: id, event: said.event, data: said.data, channels: [said.channel], except: client.socketID,
      userID: said.userID, isServers: false)
    let moment = moment
    state.withLock { state in
      send(event, moment, &state)
      pass(event, &state)
      directory?.webhook(
        id,
        WebhookEvent(
          .clientEvent, channel: said.channel, userID: said.userID, event: said.event, data: said.data,
          socketID: client.socketID))
      directory?.count(id, 1)
    }
  }

  /// Keeps an event where it is to be kept, hands it to the listeners here, and notes it for the console.
  func send(_ event: PeerMessage.Event, _ moment: ChannelTable.Moment, _ state: inout State) {
    for channel in event.channels {
      let serial = state.table.record(
        event.event, data: event.data, on: channel, commit: event.commit, userID: event.userID,
        isServers: event.isServers, moment)
      hand(
        News(
          event.event, on: channel, commit: event.commit, userID: event.userID, serial: serial, except: event.except,
          text: event.data), state.table)
      note(
        state.isWatched,
        ConsoleEntry(
          event.isServers ? "event" : "client event", channel: channel, event: event.event, data: event.data,
          socketID: event.except))
    }
  }

  // MARK: Users

  func signIn(_ client: Client, _ user: User) {
    state.withLock { state in
      var found = state.users.signIn(user, client)
      signedIn(user, &found, &state)
      note(state.isWatched, ConsoleEntry("signed in", data: user.id, socketID: client.socketID))
      if let message = PusherMessage.watchlist(online: found.online, offline: found.offline) {
        client.send(later: message)
      }
      guard found.isFirst else { return }
      tell(state.users.watchers(of: user.id).subtracting([client]), online: [user.id], offline: [])
    }
  }

  func signOut(_ client: Client, _ user: User) {
    state.withLock { state in
      guard state.users.signOut(user, client), isLastSignOut(user.id, &state) else { return }
      tell(state.users.watchers(of: user.id), online: [], offline: [user.id])
    }
  }

  func tell(_ watchers: Set<Client>, online: [String], offline: [String]) {
    guard !watchers.isEmpty, let message = PusherMessage.watchlist(online: online, offline: offline) else { return }
    for watcher in watchers { watcher.send(later: message) }
  }

  func terminate(user: String) {
    terminateHere(user: user)
    state.withLock { $0.peers }?.terminate(user, of: id)
  }

  func terminateHere(user: String) {
    state.withLock { state in
      for client in state.users.connections(of: user) { client.refuse(later: 4009, "The app has ended it.") }
    }
  }

  // MARK: Looking

  /// The channels with subscribers whose names begin so, but those of single users; in the order of their names.
  func occupied(prefix: String) -> [ChannelSummary] {
    let moment = moment
    return state.withLock { state in
      Set(state.table.occupied).union(state.others.occupied)
        .filter { $0.hasPrefix(prefix) && ChannelName($0).user == nil }
        .sorted().map { summary(of: $0, moment, state) }
    }
  }

  func summary(of channel: String) -> ChannelSummary {
    let moment = moment
    return state.withLock { summary(of: channel, moment, $0) }
  }

  func users(of channel: String) -> [String] { state.withLock { presence(of: channel, $0).ids } }
}
