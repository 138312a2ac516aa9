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

/// Who is behind a request: a person on a device, or a program with a token.
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

  package init(person: Int? = nil, device: Int? = nil, token: Int? = nil, name: String, role: Role) {
    self.person = person
    self.device = device
    self.token = token
    self.name = name
    self.role = role
  }

  /// The machine's owner, who works with commands beside the hub.
  package static let commandLine = Principal(name: "command line", role: .owner)
}
