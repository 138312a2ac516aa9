import Wire

/// A client's wish to listen to a channel.
package struct Subscription: Equatable, Sendable {
  package var channel: String
  package var auth: String
  /// Exactly as it came, since the signature is over it.
  package var channelData: String?
  /// The number of the last event that the client has got on this channel.
  package var since: Int?
  /// The member that it becomes in a presence channel, once the signature was checked.
  package var member: User?
  /// The credential with which the subscription ends, where the hub itself has signed: a device, a token or a guest in
  /// the hub's own channels, the session of a user in those of apps.
  package var holder: String?

  package init(
    _ channel: String, auth: String = "", channelData: String? = nil, since: Int? = nil, member: User? = nil
  ) {
    self.channel = channel
    self.auth = auth
    self.channelData = channelData
    self.since = since
    self.member = member
  }
}

extension Subscription {
  /// Takes the session out of a signature that the hub has made for a user of an app: `AppSignature.make(for:)`.
  package mutating func takeSession() {
    let parts = auth.split(separator: ".", maxSplits: 1)
    // It has no colon, so what is signed for it reads like nothing that an app's server signs.
    guard parts.count == 2, parts[1].isAlphanumeric() else { return }
    (auth, holder) = (String(parts[0]), String(parts[1]))
  }
}

extension PusherSession {
  mutating func subscribe(_ fields: Fields, _ options: RealtimeOptions?) -> [Action] {
    guard let channel = fields["channel"]?.string else { return [.send(PusherMessage.error(ChannelName.rule))] }
    let name = ChannelName(channel)
    let isUsers = options != nil && name.user != nil
    guard ChannelName.isRight(channel) || isUsers else { return [.send(PusherMessage.error(ChannelName.rule))] }
    if name.isPresence, options == nil {
      return [Self.refusal(of: channel, "Presence channels are not served here.", status: 403)]
    }
    if subscribed.contains(channel) {
      return [.send(PusherMessage.error("The connection is subscribed to \(channel) already."))]
    }
    guard subscribed.count < RealtimeLimits.channelsOfConnection else {
      return [
        .send(PusherMessage.error("A connection has at most \(RealtimeLimits.channelsOfConnection) channels."))
      ]
    }
    if isUsers, name.user != user?.id {
      return [Self.refusal(of: channel, "The connection is not signed in as that user.", status: 403)]
    }
    let subscription = Subscription(
      channel, auth: fields["auth"]?.string ?? "", channelData: fields["channel_data"]?.string,
      since: fields["since"].flatMap(Self.serial))
    if name.needsSignature { return [.authenticate(subscription)] }
    subscribed.append(channel)
    return [.join(subscription)]
  }

  /// The number of an event, as a number or a text; nil if none is said. What is no number counts as 0, which no event
  /// has: the client is told that it has missed something.
  private static func serial(_ json: JSON) -> Int? {
    switch json {
    case .null: nil
    case .int(let number): number
    case .double(let number): Int(exactly: number) ?? 0
    case .string(let text): Int(text) ?? 0
    default: 0
    }
  }

  mutating func unsubscribe(_ channel: String?) -> [Action] {
    guard let channel, forget(channel) else { return [] }
    return [.leave(channel)]
  }

  /// The actions when the subscription's signature was checked.
  /// - Parameter help: said where it is wrong.
  package mutating func authenticated(_ subscription: Subscription, isRight: Bool, help: String) -> [Action] {
    let channel = subscription.channel
    guard isRight else { return [Self.refusal(of: channel, help, status: 403)] }
    var subscription = subscription
    if ChannelName(channel).isPresence {
      do throws(UserFault) {
        subscription.member = try member(subscription.channelData)
      } catch {
        let (type, status) = error.isTooLarge ? ("LimitReached", 4301) : ("AuthError", 403)
        return [Self.refusal(of: channel, error.reason, type: type, status: status)]
      }
      proved.members[channel] = subscription.member?.id
    }
    subscribed.append(channel)
    return [.join(subscription)]
  }

  /// The member that signed data names; without any, the user who is signed in.
  private func member(_ data: String?) throws(UserFault) -> User {
    if let data { return try User(channelData: data) }
    guard let user else {
      throw UserFault("The subscription names no member; channel_data with a user_id is accepted, or a sign-in before.")
    }
    return user
  }

  /// The actions when the channel has no room for the member.
  package mutating func isFull(_ channel: String) -> [Action] {
    forget(channel)
    _ = takeMember(of: channel)
    let reason = "The channel has \(RealtimeLimits.members) members, and no more are accepted."
    return [Self.refusal(of: channel, reason, type: "LimitReached", status: 4004)]
  }

  /// The actions when the right to a private channel has ended.
  package mutating func end(_ channel: String) -> [Action] {
    guard forget(channel) else { return [] }
    return [.leave(channel), Self.refusal(of: channel, "Whoever was signed in here is so no more.", status: 401)]
  }

  @discardableResult
  private mutating func forget(_ channel: String) -> Bool {
    guard let index = subscribed.firstIndex(of: channel) else { return false }
    subscribed.remove(at: index)
    return true
  }

  private static func refusal(of channel: String, _ reason: String, type: String = "AuthError", status: Int) -> Action {
    .refuse(PusherMessage.refused(channel, reason, type: type, status: status), channel: channel, reason: reason)
  }
}
