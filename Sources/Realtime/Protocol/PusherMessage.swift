package import Wire

/// The messages of the Pusher Channels protocol, as clients get them.
package enum PusherMessage {
  /// An event for a channel's subscribers. Its data is JSON within a JSON string, as the protocol demands.
  /// - Parameters:
  ///   - commit: added for the hub's own pages; other clients ignore it.
  ///   - serial: the event's number on its channel, where the app keeps a history.
  package static func event(
    _ name: String, channel: String? = nil, commit: Int? = nil, userID: String? = nil, serial: Int? = nil, data: String
  ) -> JSON {
    var members = [JSON.Member("event", .string(name))]
    if let channel { members.append(JSON.Member("channel", .string(channel))) }
    members.append(JSON.Member("data", .string(data)))
    if let commit { members.append(JSON.Member("commit", .int(commit))) }
    if let userID { members.append(JSON.Member("user_id", .string(userID))) }
    if let serial { members.append(JSON.Member("serial", .int(serial))) }
    return .object(members)
  }

  static func established(_ socketID: String) -> JSON {
    let data: JSON = ["socket_id": .string(socketID), "activity_timeout": .int(RealtimeLimits.activityTimeout)]
    return event("pusher:connection_established", data: data.text)
  }

  static func subscribed(_ channel: String, _ presence: JSON?, serial: Int?) -> JSON {
    event("pusher_internal:subscription_succeeded", channel: channel, serial: serial, data: (presence ?? [:]).text)
  }

  static func refused(_ channel: String, _ reason: String, type: String = "AuthError", status: Int) -> JSON {
    let data: JSON = ["type": .string(type), "error": .string(reason), "status": .int(status)]
    return event("pusher:subscription_error", channel: channel, data: data.text)
  }

  /// The users of a watchlist who are there, and those who are not; nil if there are neither.
  static func watchlist(online: [String], offline: [String]) -> JSON? {
    let events = [("online", online), ("offline", offline)].filter { !$0.1.isEmpty }
    if events.isEmpty { return nil }
    let list = events.map { name, users -> JSON in
      ["name": .string(name), "user_ids": .array(users.map { .string($0) })]
    }
    return event(ServerEvent.watchlist, data: (["events": .array(list)] as JSON).text)
  }

  /// An error. Unlike all other messages, its data is an object.
  package static func error(_ message: String, code: Int? = nil) -> JSON {
    ["event": "pusher:error", "data": ["code": JSON(code), "message": .string(message)]]
  }
}

/// Names of events that the server sends by itself.
enum ServerEvent {
  static let memberAdded = "pusher_internal:member_added"
  static let memberRemoved = "pusher_internal:member_removed"
  static let subscriptionCount = "pusher_internal:subscription_count"
  static let watchlist = "pusher_internal:watchlist_events"
  static let cacheMiss = "pusher:cache_miss"
  /// Events were missed that are not kept any more: the client has to fetch the state again.
  static let gap = "eightbells:gap"
}
