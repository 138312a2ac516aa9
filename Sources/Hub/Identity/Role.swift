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

/// Who does something: a person on a device, a program with a token, or one of the hub's own.
public struct Principal: Equatable, Sendable {
  /// The person's key in the store; nil for a token.
  public var person: Int?
  /// The device's key in the store; nil for a token.
  public var device: Int?
  /// The token's key in the store; nil for a person.
  public var token: Int?
  /// The person's name, or the token's, such as "door phone".
  public var name: String
  public var role: Role
  public let kind: Kind

  public enum Kind: String, Sendable {
    case person
    case token
    /// A command beside the hub: whoever may log in on its machine.
    case command
    /// A room by itself: a contact that has fallen silent, an alarm.
    case room
  }

  package init(person: Int? = nil, device: Int? = nil, token: Int? = nil, name: String, role: Role) {
    self.person = person
    self.device = device
    self.token = token
    self.name = name
    self.role = role
    kind = person == nil ? .token : .person
  }

  private init(_ kind: Kind, name: String) {
    (self.name, self.kind, role) = (name, kind, .owner)
  }

  /// What a person or a program counts as, whatever they call themselves, such as "person 7".
  public var caller: String { person.map { "person \($0)" } ?? "token \(token ?? 0)" }

  /// The machine's owner, who works with commands beside the hub.
  package static let commandLine = Principal(.command, name: "command line")

  /// A room that changes something by itself. - Parameter id: as its tables and addresses begin.
  public static func room(_ id: String) -> Principal { Principal(.room, name: id) }
}
