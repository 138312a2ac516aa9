import Server
package import Wire

/// One client's state in the Pusher Channels protocol (versions 5 to 7): messages in, actions out. It has no socket and
/// checks no signatures. Source: Pusher's "WebSocket protocol" reference.
package struct PusherSession {
  package enum Action: Equatable {
    case send(JSON)
    /// A message that refuses something, with the channel and the reason for the app's console.
    case refuse(JSON, channel: String?, reason: String)
    case join(Subscription)
    /// A subscription whose signature has to be checked.
    case authenticate(Subscription)
    case leave(String)
    /// A sign-in whose signature has to be checked: over `userData` exactly as it came.
    case authenticateUser(auth: String, userData: String)
    case signedIn(User)
    case tell(ClientEvent)
    /// Codes from 4000 on: do not reconnect; 4100: reconnect after a second; 4200: reconnect at once.
    case close(Int, String)
  }

  /// The identities that the connection has proved. Apart, since most prove nothing, and an idle one is to cost little
  /// memory.
  final class Standing {
    var user: User?
    /// The user id in each presence channel.
    var members: [String: String] = [:]
    /// The client events that may still come.
    var allowance: TokenBucket?
  }

  package let socketID: String
  /// In the order of subscription; there are few, and a set would cost an idle connection more memory.
  package internal(set) var subscribed: ContiguousArray<String> = []
  private var standing: Standing?

  package init(socketID: String) { self.socketID = socketID }

  package var user: User? { standing?.user }
  /// The connection's user id in a presence channel.
  package func member(of channel: String) -> String? { standing?.members[channel] }
  /// The same of a channel that it leaves.
  mutating func takeMember(of channel: String) -> String? { standing?.members.removeValue(forKey: channel) }

  /// The standing, made when it is first needed.
  var proved: Standing {
    mutating get {
      if let standing { return standing }
      let made = Standing()
      standing = made
      return made
    }
  }

  /// Why a client of this version is not served, with the code; nil if it is.
  package static func refusal(ofVersion version: String?) -> [Action]? {
    guard let version else { return refusal(4008, "The query lacks protocol=7.") }
    guard let number = Int(version) else {
      return refusal(4006, "Protocol \"\(version.prefix(20))\" is no number; 5 to 7 are spoken here.")
    }
    return (5...7).contains(number)
      ? nil : refusal(4007, "Protocol \(number) is not spoken here; 5 to 7 are.")
  }

  package static func refusal(_ code: Int, _ reason: String) -> [Action] {
    [.refuse(PusherMessage.error(reason, code: code), channel: nil, reason: reason), .close(code, reason)]
  }

  /// The actions when the connection is established.
  package func open() -> [Action] { [.send(PusherMessage.established(socketID))] }

  /// - Parameters:
  ///   - options: of the client's app; nil for the hub's own, which has no users, members or client events.
  ///   - uptime: for the rate of client events.
  package mutating func receive(_ text: String, options: RealtimeOptions?, uptime: Double) -> [Action] {
    guard let message = try? JSON(fromBrowser: text), let event = message["event"]?.string else {
      return [.send(PusherMessage.error("The message is no JSON object with an event."))]
    }
    if options != nil, text.utf8.count > RealtimeLimits.messageBytes, event != "pusher:signin" || user != nil {
      return Self.refusal(1009, "A message is too large; \(RealtimeLimits.messageBytes) bytes are accepted.")
    }
    switch event {
    case "pusher:ping": return [.send(["event": "pusher:pong", "data": [:]])]
    case "pusher:pong": return []
    case "pusher:subscribe": return subscribe(Fields(message), options)
    case "pusher:unsubscribe": return unsubscribe(Fields(message)["channel"]?.string)
    case "pusher:signin" where options != nil:
      let fields = Fields(message)
      return [
        .authenticateUser(auth: fields["auth"]?.string ?? "", userData: fields["user_data"]?.string ?? "")
      ]
    case _ where event.hasPrefix("client-"): return clientEvent(event, message, options, uptime)
    default: return [.send(PusherMessage.error("The event \(event) is unknown."))]
    }
  }
}

/// The members of a client message's data, which is an object, or a string with that object.
struct Fields {
  private let data: JSON?

  init(_ message: JSON) {
    let data = message["data"]
    self.data = if let text = data?.string { try? JSON(fromBrowser: text) } else { data }
  }

  subscript(_ name: String) -> JSON? { data?[name] }
}
