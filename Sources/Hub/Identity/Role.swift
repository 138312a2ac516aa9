/// The role of a person or program, which decides their rights. Anyone else reads public data only.
public enum Role: String, CaseIterable, Sendable {
  /// Everything, settings included.
  case owner
  /// Turns the sign.
  case keykeeper
  /// A member of the club.
  case member
  /// Reads what is not public; for programs.
  case reader
  /// Reports the door contact and sensors, and has no other rights; for programs.
  case sensor

  /// The roles for people. A token can have any.
  public static let ofPeople: [Role] = [.owner, .keykeeper, .member]
}

/// The actor of a request or change: a person on a device, a program with a token, a guest, or the hub itself.
public struct Principal: Equatable, Sendable {
  /// The person's key in the store; nil for a token.
  public var person: Int?
  /// The device's key in the store; nil for a token.
  public var device: Int?
  /// The token's key in the store; nil for a person.
  public var token: Int?
  /// The guest's identity; nil for everybody else.
  public let guest: Guest?
  /// The person's name, the token's, such as "door phone", or how a guest wants to be called.
  public var name: String
  /// A guest has none, though one must stand here: what guests may is said by the rights themselves.
  public var role: Role
  public let kind: Kind
  /// The topics of notifications to which a token is limited; nil for a token without such a limit, and for people.
  public var topics: [String]?

  public enum Kind: String, Sendable {
    case person
    case token
    /// A command beside the hub, by a user of its machine.
    case command
    /// A room acting by itself: on a contact that has fallen silent, an alarm.
    case room
    /// Somebody with a room's own link, such as an album's, who is not one of the people.
    case guest
  }

  /// A guest of one room, which keeps the list of its guests.
  public struct Guest: Hashable, Sendable {
    /// The room's id.
    public let room: String
    /// The guest's key in that room's tables.
    public let id: Int
  }

  package init(
    person: Int? = nil, device: Int? = nil, token: Int? = nil, name: String, role: Role, topics: [String]? = nil
  ) {
    self.person = person
    self.device = device
    self.token = token
    self.name = name
    self.role = role
    self.topics = topics
    guest = nil
    kind = person == nil ? .token : .person
  }

  private init(_ kind: Kind, name: String, role: Role = .owner, guest: Guest? = nil) {
    (self.name, self.kind, self.role, self.guest) = (name, kind, role, guest)
  }

  /// The identity of the caller, independent of names, such as "person 7" or "guest album 12".
  public var caller: String {
    switch kind {
    case .person: "person \(person ?? 0)"
    case .token: "token \(token ?? 0)"
    case .guest: "guest \(guest?.room ?? "") \(guest?.id ?? 0)"
    case .room: "room \(name)"
    case .command: "command"
    }
  }

  /// A user of the machine, with commands beside the hub.
  package static let commandLine = Principal(.command, name: "command line")

  /// A room that changes something by itself. - Parameter id: the room's id.
  public static func room(_ id: String) -> Principal { Principal(.room, name: id) }

  /// A guest whom a room has let in by a link of its own. In each of their changes the room checks that they are still
  /// welcome (`Room.isCurrent`).
  /// - Parameters:
  ///   - id: the guest's key in the room's tables.
  ///   - room: the room's id.
  ///   - name: chosen by the guest, so it may be any.
  public static func guest(_ id: Int, of room: String, name: String) -> Principal {
    Principal(.guest, name: name, role: .reader, guest: Guest(room: room, id: id))
  }
}
