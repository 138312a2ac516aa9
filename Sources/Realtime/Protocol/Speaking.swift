import Server
import Wire

/// Client events: messages of a client to the other subscribers of a channel.
package struct ClientEvent: Equatable, Sendable {
  package var event: String
  package var channel: String
  /// JSON, or the text that the client sent.
  package var data: String
  /// The sender in a presence channel.
  package var userID: String?

  package init(event: String, channel: String, data: String, userID: String? = nil) {
    self.event = event
    self.channel = channel
    self.data = data
    self.userID = userID
  }
}

extension PusherSession {
  func refusedEvent(_ channel: String?, _ reason: String) -> [Action] {
    [.refuse(PusherMessage.error(reason, code: 4301), channel: channel, reason: reason)]
  }

  mutating func clientEvent(
    _ event: String, _ message: JSON, _ options: RealtimeOptions?, _ uptime: Double
  ) -> [Action] {
    let channel = message["channel"]?.string
    guard let channel, let options, ChannelName(channel).takesClientEvents else {
      return refusedEvent(channel, "Client events are only for private and presence channels that are not encrypted.")
    }
    guard options.clientEvents else { return refusedEvent(channel, "The app does not accept client events.") }
    guard subscribed.contains(channel) else {
      return refusedEvent(channel, "The connection is not subscribed to \(channel).")
    }
    guard event.utf8.count <= RealtimeLimits.eventName else {
      return refusedEvent(channel, "An event's name has at most \(RealtimeLimits.eventName) characters.")
    }
    let data = message["data"].map { $0.string ?? $0.text } ?? "null"
    guard data.utf8.count <= RealtimeLimits.clientEventBytes else {
      return refusedEvent(
        channel,
        "The data has \(data.utf8.count) bytes; \(RealtimeLimits.clientEventBytes) are accepted.")
    }
    let standing = proved
    var allowance = standing.allowance ?? TokenBucket(RealtimeLimits.clientEvents, now: uptime)
    let wait = allowance.take(RealtimeLimits.clientEvents, now: uptime)
    standing.allowance = allowance
    if wait != nil {
      let rate = Int(RealtimeLimits.clientEvents.perSecond)
      return refusedEvent(channel, "Too many client events; \(rate) a second are accepted.")
    }
    return [.tell(ClientEvent(event: event, channel: channel, data: data, userID: member(of: channel)))]
  }

  /// The actions when a sign-in's signature was checked.
  /// - Parameter help: said where it is wrong.
  package mutating func userAuthenticated(_ userData: String, isRight: Bool, help: String) -> [Action] {
    guard isRight else { return Self.refusal(4009, help) }
    let user: User
    do throws(UserFault) {
      user = try User(userData: userData)
    } catch {
      return Self.refusal(4009, error.reason)
    }
    let success = Action.send(
      PusherMessage.event(
        "pusher:signin_success", data: (["user_data": .string(userData)] as JSON).text))
    if let before = self.user {
      guard before.id == user.id else {
        let reason = "The connection is signed in as another user."
        return [.refuse(PusherMessage.error(reason), channel: nil, reason: reason)]
      }
      return [success]
    }
    proved.user = user
    let warning = "A watchlist has at most \(RealtimeLimits.watchlist) users; the first ones count."
    return [success, .signedIn(user)]
      + (user.hasTooLongWatchlist ? [.send(PusherMessage.error(warning, code: 4302))] : [])
  }
}
