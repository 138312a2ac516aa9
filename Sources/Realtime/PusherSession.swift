package import Wire

/// One client's state in the Pusher Channels protocol (versions 5 to 7): messages in, actions out. It has no socket.
/// Source: Pusher's "WebSocket protocol" reference.
package struct PusherSession {
  package enum Action: Equatable {
    case send(JSON)
    case subscribe(String)
    /// A private channel, with the client's signature for it.
    case authenticate(String, String)
    case unsubscribe(String)
    /// Codes from 4000 on: do not reconnect; 4100: reconnect after a second; 4200: reconnect at once.
    case close(Int, String)
  }

  /// Seconds of silence after which a client should send a ping.
  static let activityTimeout = 120
  static let longestChannelName = 164
  /// The most channels of one connection.
  package static let channels = 100

  package let socketID: String
  /// In the order of subscription; there are few, and a set would cost an idle connection more memory.
  package private(set) var subscribed: ContiguousArray<String> = []

  package init(socketID: String) { self.socketID = socketID }

  /// The actions when the connection is established.
  package func open(appKey: String, expectedKey: String, version: String?) -> [Action] {
    guard appKey == expectedKey else { return refusal(4001, "There is no app with the key \(appKey).") }
    guard let version else { return refusal(4008, "The query lacks protocol=7.") }
    guard let number = Int(version), (5...7).contains(number) else {
      return refusal(4007, "Protocol \(version) is not spoken here; 5 to 7 are.")
    }
    let data: JSON = ["socket_id": .string(socketID), "activity_timeout": .int(Self.activityTimeout)]
    return [.send(Self.message("pusher:connection_established", data))]
  }

  package mutating func receive(_ text: String) -> [Action] {
    guard let message = try? JSON(parsing: text), let event = message["event"]?.string else {
      return [.send(Self.error("The message is no JSON object with an event."))]
    }
    switch event {
    case "pusher:ping": return [.send(["event": "pusher:pong", "data": [:]])]
    case "pusher:pong": return []
    case "pusher:subscribe": return subscribe(field("channel", of: message), auth: field("auth", of: message))
    case "pusher:unsubscribe":
      guard let channel = field("channel", of: message), let index = subscribed.firstIndex(of: channel) else {
        return []
      }
      subscribed.remove(at: index)
      return [.unsubscribe(channel)]
    case _ where event.hasPrefix("client-"):
      return [.send(Self.error("Client events are only for private and presence channels.", code: 4301))]
    default: return [.send(Self.error("The event \(event) is unknown."))]
    }
  }

  /// An event for a channel's subscribers. Its data is JSON within a JSON string, as the protocol demands.
  /// - Parameter commit: added for the hub's own pages; other clients ignore it.
  package static func event(_ name: String, channel: String, commit: Int? = nil, data: JSON) -> JSON {
    message(name, data, channel: channel, commit: commit)
  }

  private mutating func subscribe(_ channel: String?, auth: String?) -> [Action] {
    guard let channel, Self.isName(channel) else {
      return [
        .send(Self.error("A channel's name has 1 to \(Self.longestChannelName) of the characters A-Z a-z 0-9 _-=@,.;"))
      ]
    }
    if channel.hasPrefix(Self.presencePrefix) {
      return [Self.refusal(of: channel, "Presence channels are not served here.", status: 403)]
    }
    if subscribed.contains(channel) {
      return [.send(Self.error("The connection is subscribed to \(channel) already."))]
    }
    guard subscribed.count < Self.channels else {
      return [.send(Self.error("A connection has at most \(Self.channels) channels."))]
    }
    if channel.hasPrefix(Self.privatePrefix) { return [.authenticate(channel, auth ?? "")] }
    subscribed.append(channel)
    return [.subscribe(channel), Self.success(of: channel)]
  }

  /// The actions when the client's signature was checked.
  package mutating func authenticated(_ channel: String, isRight: Bool) -> [Action] {
    guard isRight else {
      return [
        Self.refusal(
          of: channel, "The signature is not one that POST /api/v1/realtime/auth gave for it.", status: 403)
      ]
    }
    subscribed.append(channel)
    return [.subscribe(channel), Self.success(of: channel)]
  }

  /// The actions when the right to a private channel has ended.
  package mutating func end(_ channel: String) -> [Action] {
    guard let index = subscribed.firstIndex(of: channel) else { return [] }
    subscribed.remove(at: index)
    let refusal = Self.refusal(of: channel, "Whoever was signed in here is so no more.", status: 401)
    return [.unsubscribe(channel), refusal]
  }

  private static func success(of channel: String) -> Action {
    .send(message("pusher_internal:subscription_succeeded", [:], channel: channel))
  }

  private static func refusal(of channel: String, _ reason: String, status: Int) -> Action {
    let data: JSON = ["type": "AuthError", "error": .string(reason), "status": .int(status)]
    return .send(message("pusher:subscription_error", data, channel: channel))
  }

  /// A field of a client message's data, which is an object, or a string with that object.
  private func field(_ name: String, of message: JSON) -> String? {
    let data = message["data"]
    if let text = data?.string { return (try? JSON(parsing: text))?[name]?.string }
    return data?[name]?.string
  }

  package static let privatePrefix = "private-"
  private static let presencePrefix = "presence-"

  /// True if anybody may listen.
  static func isPublic(_ channel: String) -> Bool {
    !channel.hasPrefix(privatePrefix) && !channel.hasPrefix(presencePrefix)
  }

  /// True for the form of our socket ids: two numbers and a point.
  static func isSocketID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { (1...20).contains($0.utf8.count) && $0.allSatisfy(\.isNumber) }
  }

  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestChannelName
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_-=@,.;".utf8.contains(byte)
        }
      }
  }

  private func refusal(_ code: Int, _ reason: String) -> [Action] {
    [.send(Self.error(reason, code: code)), .close(code, reason)]
  }

  private static func message(
    _ event: String, _ data: JSON, channel: String? = nil, commit: Int? = nil
  ) -> JSON {
    var members = [JSON.Member("event", .string(event))]
    if let channel { members.append(JSON.Member("channel", .string(channel))) }
    members.append(JSON.Member("data", .string(data.text)))
    if let commit { members.append(JSON.Member("commit", .int(commit))) }
    return .object(members)
  }

  /// An error. Unlike all other messages, its data is an object.
  private static func error(_ message: String, code: Int? = nil) -> JSON {
    ["event": "pusher:error", "data": ["code": JSON(code), "message": .string(message)]]
  }
}
