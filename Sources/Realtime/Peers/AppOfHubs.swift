import EventLoop
import Synchronization
import Wire

/// Changes of an app's channels here that other hubs have still to be told.
struct Untold {
  /// Channels of which something has changed, with the members who have come or gone.
  var channels: [String: Set<String>] = [:]
  var users: Set<String> = []
  var isDue = false

  var isEmpty: Bool { channels.isEmpty && users.isEmpty }
}

/// The channels of one app on several hubs. All of it is called under the app's lock, or takes it.
extension AppChannels {
  func join(_ peers: Peers) {
    state.withLock { state in
      state.peers = peers
      state.table.isOneOfSeveral = true
      listen(&state)
    }
  }

  /// Hears the events of other hubs while somebody here may want to.
  func listen(_ state: inout State) {
    guard let peers = state.peers else { return }
    let isWanted = state.connections > 0 || state.isWatched
    guard isWanted != state.isListening else { return }
    state.isListening = isWanted
    state.unheard = nil
    guard isWanted else { return peers.leave(id) }
    state.timesListened += 1
    state.unheard = []
    let time = state.timesListened
    peers.listen(to: id) { [weak self] in self?.heard(time) }
    later(RealtimeLimits.hearSeconds) { [weak self] in self?.heard(time) }
  }

  private func heard(_ time: Int) {
    let waiting = state.withLock { state in
      guard state.timesListened == time else { return [@Sendable () -> Void]() }
      defer { state.unheard = nil }
      return state.unheard ?? []
    }
    for work in waiting { work() }
  }

  /// Calls back once no event of another hub is missed, on any thread; at once where that is so already. Whoever is
  /// told before that it is connected could miss one.
  func whenHeard(_ work: @escaping @Sendable () -> Void) {
    let isHeard = state.withLock { state in
      state.unheard?.append(work)
      return state.unheard == nil
    }
    if isHeard { work() }
  }

  // MARK: What happens here

  /// True if the presence channel has no room for one more member, at all hubs together.
  func isFull(_ channel: String, for member: User, _ state: borrowing State) -> Bool {
    guard state.peers != nil, !state.others.hasMember(member.id, channel) else { return false }
    let presence = presence(of: channel, state)
    return presence.user(member.id) == nil && presence.ids.count >= RealtimeLimits.members
  }

  /// Widens the consequences of a subscription to all hubs.
  func widen(_ joined: inout ChannelTable.Joined, _ channel: String, _ member: User?, _ state: inout State) {
    guard state.peers != nil else { return }
    changed(channel, joined.isNewMember ? member?.id : nil, &state)
    let others = state.others.subscriptions(of: channel)
    joined.isOccupied = joined.isOccupied && others == 0
    joined.count += others
    if let member { joined.isNewMember = joined.isNewMember && !state.others.hasMember(member.id, channel) }
    joined.presence = joined.presence?.joined(by: state.others.members(of: channel))
  }

  /// Widens the consequences of the end of one.
  func widen(_ left: inout ChannelTable.Left, _ channel: String, _ member: String?, _ state: inout State) {
    guard state.peers != nil else { return }
    changed(channel, left.isMemberGone ? member : nil, &state)
    let others = state.others.subscriptions(of: channel)
    left.isVacated = left.isVacated && others == 0
    left.count += others
    if let member { left.isMemberGone = left.isMemberGone && !state.others.hasMember(member, channel) }
  }

  private func changed(_ channel: String, _ member: String?, _ state: inout State) {
    state.untold.channels[channel, default: []].formUnion(member.map { [$0] } ?? [])
    // Who is there is told at once; counts may change by thousands.
    if member == nil { tellSoon(&state) } else { tellUntold(&state) }
  }

  func signedIn(
    _ user: User, _ found: inout (isFirst: Bool, online: [String], offline: [String]), _ state: inout State
  ) {
    guard state.peers != nil else { return }
    if found.isFirst {
      state.untold.users.insert(user.id)
      tellSoon(&state)
    }
    found.isFirst = found.isFirst && !state.others.isOnline(user.id)
    let others = state.others
    found.online = user.watchlist.filter { found.online.contains($0) || others.isOnline($0) }
    found.offline.removeAll { others.isOnline($0) }
  }

  /// - Returns: true if the user is signed in at no other hub either.
  func isLastSignOut(_ user: String, _ state: inout State) -> Bool {
    guard state.peers != nil else { return true }
    state.untold.users.insert(user)
    tellSoon(&state)
    return !state.others.isOnline(user)
  }

  // MARK: Telling it

  /// Tells other hubs of an event, behind all that was before it.
  func pass(_ event: PeerMessage.Event, _ state: inout State) {
    guard let peers = state.peers else { return }
    tellUntold(&state)
    let isKept = state.app.options.keepsHistory || event.channels.contains { ChannelName($0).isCache }
    peers.pass(event, toAll: isKept)
  }

  private func tellSoon(_ state: inout State) {
    guard !state.untold.isDue else { return }
    state.untold.isDue = true
    later(RealtimeLimits.tellSeconds) { [self] in self.state.withLock { tellUntold(&$0) } }
  }

  private func tellUntold(_ state: inout State) {
    let untold = state.untold
    state.untold = Untold()
    guard !untold.isEmpty else { return }
    tell(untold.channels.mapValues(Optional.init), untold.users, state)
  }

  /// All that other hubs are to be told of this app. Each piece tells what is so when its turn comes.
  func everything() -> [Peers.Piece] {
    state.withLock { state in
      state.untold = Untold()
      var pieces: [Peers.Piece] = []
      var (names, bytes): ([String], Int) = ([], 0)
      func add() {
        let all = names
        if !all.isEmpty { pieces.append(Peers.Piece(bytes: bytes) { [self] in tell(all, []) }) }
        (names, bytes) = ([], 0)
      }
      for name in state.table.occupied {
        names.append(name)
        bytes += weight(members: state.table.presence(of: name)?.ids.count ?? 0)
        if bytes > RealtimeLimits.toldBytes { add() }
      }
      add()
      var users = Array(state.users.all)[...]
      let most = RealtimeLimits.toldBytes / RealtimeLimits.userID
      while !users.isEmpty {
        let some = users.prefix(most)
        users = users.dropFirst(most)
        pieces.append(Peers.Piece(bytes: some.count * RealtimeLimits.userID) { [self] in tell([], some) })
      }
      return pieces
    }
  }

  private func tell(_ names: [String], _ users: ArraySlice<String>) {
    state.withLock { tell(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }), users, $0) }
  }

  /// The most bytes of a channel in a message.
  private func weight(members: Int) -> Int {
    RealtimeLimits.channelName + members * (RealtimeLimits.userID * 4 + RealtimeLimits.userInfoBytes)
  }

  /// - Parameter channels: with the members to be told of; nil for all.
  private func tell(_ channels: [String: Set<String>?], _ users: some Sequence<String>, _ state: borrowing State) {
    guard let peers = state.peers else { return }
    var (told, bytes) = (PeerMessage.Told(app: id), 0)
    func send(_ more: Int) {
      bytes += more
      guard bytes > RealtimeLimits.toldBytes else { return }
      peers.tell(told)
      (told, bytes) = (PeerMessage.Told(app: id), 0)
    }
    for (name, ids) in channels {
      let presence = state.table.presence(of: name)
      let members = (ids.map { Array($0) } ?? presence?.ids ?? []).map { id in
        let user = presence?.user(id)
        return PeerMessage.Member(user: user ?? User(id: id), isThere: user != nil)
      }
      told.channels.append(
        PeerMessage.Channel(name: name, subscriptions: state.table.subscriptions(of: name), members: members))
      send(weight(members: members.count))
    }
    for user in users {
      told.users.append(PeerMessage.Standing(user: user, isOnline: state.users.isOnline(user)))
      send(user.utf8.count)
    }
    if !told.isEmpty { peers.tell(told) }
  }

  // MARK: What happens at other hubs

  func take(_ told: PeerMessage.Told, from hub: String) {
    state.withLock { state in if !state.isRemoved { take(told, from: hub, &state) } }
  }

  private func take(_ told: PeerMessage.Told, from hub: String, _ state: inout State) {
    for channel in told.channels { take(channel, from: hub, &state) }
    for one in told.users {
      let was = state.users.isOnline(one.user) || state.others.isOnline(one.user)
      state.others.set(one.user, isOnline: one.isOnline, at: hub)
      let isOnline = state.users.isOnline(one.user) || state.others.isOnline(one.user)
      guard was != isOnline else { continue }
      let user = [one.user]
      tell(state.users.watchers(of: one.user), online: isOnline ? user : [], offline: isOnline ? [] : user)
    }
  }

  private func take(_ channel: PeerMessage.Channel, from hub: String, _ state: inout State) {
    let name = channel.name
    let before = subscriptions(of: name, state)
    state.others.set(channel.subscriptions, of: name, at: hub)
    let count = subscriptions(of: name, state)
    let isTold = ChannelName(name).user == nil
    if before == 0, count > 0, isTold { webhook(WebhookEvent(.channelOccupied, channel: name), state) }
    for member in channel.members {
      let id = member.user.id
      let was = isMember(id, name, state)
      state.others.set(member, of: name, at: hub)
      let isThere = isMember(id, name, state)
      guard was != isThere else { continue }
      let (event, kind): (String, WebhookEvent.Kind) =
        isThere ? (ServerEvent.memberAdded, .memberAdded) : (ServerEvent.memberRemoved, .memberRemoved)
      let text = isThere ? Presence.added(member.user).text : Presence.removed(id).text
      hand(News(event, on: name, text: text), state.table)
      webhook(WebhookEvent(kind, channel: name, userID: id), state)
    }
    guard before != count, isTold else { return }
    if count == 0 { webhook(WebhookEvent(.channelVacated, channel: name), state) }
    countChanged(name, count, &state)
  }

  /// A hub begins to tell everything.
  func begins(_ hub: String) { state.withLock { $0.others.begin(hub) } }

  /// Forgets all that the hub has not told again, since it is not there any more.
  func forgetRest(of hub: String) {
    state.withLock { state in take(state.others.rest(of: hub), from: hub, &state) }
  }

  /// Sends an event that another hub has passed on.
  func take(_ event: PeerMessage.Event) {
    let moment = moment
    state.withLock { state in if !state.isRemoved { send(event, moment, &state) } }
  }

  // MARK: Looking

  private func subscriptions(of channel: String, _ state: borrowing State) -> Int {
    state.table.subscriptions(of: channel) + state.others.subscriptions(of: channel)
  }

  private func isMember(_ id: String, _ channel: String, _ state: borrowing State) -> Bool {
    state.table.presence(of: channel)?.user(id) != nil || state.others.hasMember(id, channel)
  }

  /// The members of a presence channel at all hubs.
  func presence(of channel: String, _ state: borrowing State) -> Presence {
    (state.table.presence(of: channel) ?? Presence()).joined(by: state.others.members(of: channel))
  }

  func summary(of channel: String, _ moment: ChannelTable.Moment, _ state: borrowing State) -> ChannelSummary {
    var summary = state.table.summary(of: channel, moment)
    guard state.peers != nil else { return summary }
    summary.subscriptions += state.others.subscriptions(of: channel)
    if summary.users != nil { summary.users = presence(of: channel, state).ids.count }
    return summary
  }
}
