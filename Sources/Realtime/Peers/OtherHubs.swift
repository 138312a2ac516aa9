/// An app at the other hubs, as they have told: who is on its channels there, and which users are signed in.
package struct OtherHubs: Sendable {
  private struct Share: Sendable {
    var subscriptions = 0
    var members: [User] = []
    var isEmpty: Bool { subscriptions == 0 && members.isEmpty }
  }
  /// By channel and hub.
  private var channels: [String: [String: Share]] = [:]
  /// The hubs at which a user is signed in.
  private var users: [String: Set<String>] = [:]
  /// The channels with their members, and the users, that a hub has told since it began to tell everything.
  private var told: [String: (channels: [String: Set<String>], users: Set<String>)] = [:]

  package init() {}

  package func subscriptions(of channel: String) -> Int {
    channels[channel]?.values.reduce(0) { $0 + $1.subscriptions } ?? 0
  }

  /// The members of a presence channel at all other hubs, each once, in no order of coming.
  package func members(of channel: String) -> [User] {
    guard let shares = channels[channel] else { return [] }
    var found: [User] = []
    var ids: Set<String> = []
    for hub in shares.keys.sorted() {
      for user in shares[hub]?.members ?? [] where ids.insert(user.id).inserted { found.append(user) }
    }
    return found
  }

  package func hasMember(_ id: String, _ channel: String) -> Bool {
    channels[channel]?.values.contains { $0.members.contains { $0.id == id } } ?? false
  }

  package func isOnline(_ user: String) -> Bool { users[user] != nil }

  /// The channels with subscribers.
  package var occupied: some Sequence<String> {
    channels.lazy.filter { $0.value.values.contains { $0.subscriptions > 0 } }.map(\.key)
  }

  // MARK: What they tell

  package mutating func set(_ subscriptions: Int, of channel: String, at hub: String) {
    change(channel, hub) { $0.subscriptions = subscriptions }
    told[hub]?.channels[channel, default: []].formUnion([])
  }

  package mutating func set(_ member: PeerMessage.Member, of channel: String, at hub: String) {
    change(channel, hub) { share in
      share.members.removeAll { $0.id == member.user.id }
      if member.isThere { share.members.append(member.user) }
    }
    told[hub]?.channels[channel, default: []].insert(member.user.id)
  }

  private mutating func change(_ channel: String, _ hub: String, _ change: (inout Share) -> Void) {
    var share = channels[channel]?[hub] ?? Share()
    change(&share)
    channels[channel, default: [:]][hub] = share.isEmpty ? nil : share
    if channels[channel]?.isEmpty == true { channels[channel] = nil }
  }

  package mutating func set(_ user: String, isOnline: Bool, at hub: String) {
    if isOnline { users[user, default: []].insert(hub) } else { users[user]?.remove(hub) }
    if users[user]?.isEmpty == true { users[user] = nil }
    told[hub]?.users.insert(user)
  }

  /// A hub begins to tell everything.
  package mutating func begin(_ hub: String) { told[hub] = ([:], []) }

  /// The rest, which a hub has not told again since it began: it is not there any more. Empty where it has not begun.
  package mutating func rest(of hub: String) -> PeerMessage.Told {
    var rest = PeerMessage.Told(app: "")
    guard let told = told.removeValue(forKey: hub) else { return rest }
    for (name, shares) in channels {
      guard let share = shares[hub] else { continue }
      let known = told.channels[name]
      let gone = share.members.filter { known?.contains($0.id) != true }
      guard known == nil || !gone.isEmpty else { continue }
      rest.channels.append(
        PeerMessage.Channel(
          name: name, subscriptions: known == nil ? 0 : share.subscriptions,
          members: gone.map { PeerMessage.Member(user: $0, isThere: false) }))
    }
    for (user, hubs) in users where hubs.contains(hub) && !told.users.contains(user) {
      rest.users.append(PeerMessage.Standing(user: user, isOnline: false))
    }
    return rest
  }
}
