/// The people who may subscribe to a topic, or send to it.
public enum Audience: Hashable, Sendable {
  case everybody
  case members
  /// Those with a right of a room, such as "sign.turn".
  case right(String)

  /// As it is stored: "everybody", "members", or "right:" and the right's name.
  public init?(_ text: String) {
    switch text {
    case "everybody": self = .everybody
    case "members": self = .members
    default:
      guard text.hasPrefix("right:"), text.utf8.count > 6 else { return nil }
      self = .right(String(text.dropFirst(6)))
    }
  }

  public var text: String {
    switch self {
    case .everybody: "everybody"
    case .members: "members"
    case .right(let name): "right:\(name)"
    }
  }
}

/// A subject, such as coffee, to which people subscribe and about which programs send notifications.
public struct Topic: Equatable, Sendable {
  /// Letters, digits, ".", "-" and "_", such as `coffee`.
  public var id: String
  public var name: String
  /// The room that rings it; nil for one of the owner's own.
  public var room: String?
  public var subscribers: Audience
  public var senders: Audience

  public init(id: String, name: String, room: String? = nil, subscribers: Audience, senders: Audience) {
    self.id = id
    self.name = name
    self.room = room
    self.subscribers = subscribers
    self.senders = senders
  }
}

/// A subscriber of a topic: a person with all their devices, or one device alone.
public enum Subscriber: Hashable, Sendable {
  case person(Int)
  case device(Int)
}
