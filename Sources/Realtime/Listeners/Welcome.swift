import Wire

/// The messages for a new subscriber of a channel: that it is one, and what it has missed.
struct Welcome: Sendable {
  let channel: String
  let holder: String?
  let serial: Int?
  let messages: [JSON]

  init(_ subscription: Subscription, _ joined: ChannelTable.Joined) {
    let channel = subscription.channel
    self.channel = channel
    holder = subscription.holder
    serial = joined.serial
    var messages = [PusherMessage.subscribed(channel, joined.presence?.json, serial: joined.serial)]
    switch joined.missed {
    case .nothing: break
    case .gap: messages.append(PusherMessage.event(ServerEvent.gap, channel: channel, serial: serial, data: "{}"))
    case .events(let events):
      messages += events.map { event in
        PusherMessage.event(
          event.event, channel: channel, commit: event.commit, userID: event.userID, serial: event.serial,
          data: event.data)
      }
    }
    if let cached = joined.cached {
      messages.append(PusherMessage.event(cached.event, channel: channel, serial: cached.serial, data: cached.data))
    } else if joined.lacksCached {
      messages.append(PusherMessage.event(ServerEvent.cacheMiss, channel: channel, data: "{}"))
    }
    self.messages = messages
  }
}
