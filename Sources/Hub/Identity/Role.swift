/// What a person or a program may do. Anyone else reads what is public.
public enum Role: String, CaseIterable, Sendable {
  /// Everything, settings included.
  case owner
  /// Turns the sign.
  case keykeeper
  /// Belongs to the club.
  case member
  /// Reads what is not public; for programs.
  case reader
  /// Reports the door contact and sensors, and does nothing else; for programs.
  case sensor

  /// Those that a person can have. A token can have any.
  public static let ofPeople: [Role] = [.owner, .keykeeper, .member]
}

/// Who does something: a person on a device, a program with a token, a guest, or one of the hub's own.
public struct Principal: Equatable, Sendable {
  /// The person's key in the store; nil for a token.
  public var person: Int?
  /// The device's key in the store; nil for a token.
  public var device: Int?
  /// The token's key in the store; nil for a person.
  public var token: Int?
  /// Which guest it is; nil for everybody else.
  public let guest: Guest?
  /// The person's name, the token's, such as "door phone", or how a guest wants to be called.
  public var name: String
  /// A guest has none, though one must stand here: what guests may is said by the rights themselves.
  public var role: Role
  public let kind: Kind

  public enum Kind: String, Sendable {
    case person
    case token
    /// A command beside the hub: whoever may log in on its machine.
    case command
    /// A room by itself: a contact that has fallen silent, an alarm.
    case room
    /// Whoever has come in by a room's own link, such as an album's, and is none of the people.
    case guest
  }

  /// A guest of one room, which keeps who its guests are.
  public struct Guest: Hashable, Sendable {
    /// The room's id.
    public let room: String
    /// The guest's key in that room's tables.
    public let id: Int
  }

  package init(person: Int? = nil, device: Int? = nil, token: Int? = nil, name: String, role: Role) {
    self.person = person
    self.device = device
    self.token = token
    self.name = name
    self.role = role
    guest = nil
    kind = person == nil ? .token : .person
  }

  private init(_ kind: Kind, name: String, role: Role = .owner, guest: Guest? = nil) {
    (self.name, self.kind, self.role, self.guest) = (name, kind, role, guest)
  }

  /// What somebody counts as, whatever they call themselves, such as "person 7" or "guest album 12".
  public var caller: String {
    switch kind {
    case .person: "person \(person ?? 0)"
    case .token: "token \(token ?? 0)"
    case .guest: "guest \(guest?.room ?? "") \(guest?.id ?? 0)"
    case .room: "room \(name)"
    case .command: "command"
    }
  }

  /// The machine's owner, who works with commands beside the hub.
  package static let commandLine = Principal(.command, name: "command line")

  /// A room that changes something by itself. - Parameter id: as its tables and addresses begin.
  public static func room(_ id: String) -> Principal { Principal(.room, name: id) }

  /// Somebody whom a room has let in by a link of its own. In each of their changes the room is asked whether they may
  /// still come in (`Room.isCurrent`).
  /// - Parameters:
  ///   - id: the guest's key in the room's tables.
  ///   - room: the room's id.
  ///   - name: how they want to be called; anybody can call themselves anything.
  public static func guest(_ id: Int, of room: String, name: String) -> Principal {
    Principal(.guest, name: name, role: .reader, guest: Guest(room: room, id: id))
  }
}
