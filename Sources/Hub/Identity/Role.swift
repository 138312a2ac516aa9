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

/// The actor of a request or change: a person on a device, a program with a token, or the hub itself.
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
    /// A command beside the hub, by a user of its machine.
    case command
    /// A room acting by itself: on a contact that has fallen silent, an alarm.
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

  /// A user of the machine, with commands beside the hub.
  package static let commandLine = Principal(.command, name: "command line")

  /// A room that changes something by itself. - Parameter id: the room's id.
  public static func room(_ id: String) -> Principal { Principal(.room, name: id) }
}
