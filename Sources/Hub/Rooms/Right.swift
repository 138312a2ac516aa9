public import Server

/// Something that not everybody may do. A room names its own in its plan; the hub's are below.
public struct Right: Hashable, Sendable {
  /// The room, or "hub", and what is done: "kettle.put-on".
  public let id: String
  /// People and tokens of these roles have it.
  public let roles: Set<Role>
  /// What whoever has it does, for the help of commands that let somebody in: "turns the sign". Empty for what goes
  /// without saying.
  public let words: String

  public init(_ id: String, of roles: Set<Role>, _ words: String = "") {
    self.id = id
    self.roles = roles
    self.words = words
  }

  /// Is signed in, as a person or as a program.
  public static let enter = Right("hub.enter", of: Set(Role.allCases))
  /// Hears what all members may know; a sensor only reports.
  public static let listen = Right(
    "hub.listen", of: Set(Role.allCases).subtracting([.sensor]), "reads what members may know")
  /// Keeps something of one's own: a name, devices, favourites.
  public static let keep = Right("hub.keep", of: Set(Role.ofPeople), "keeps devices and passkeys")
  /// Changes what holds for everybody: settings, people, tokens.
  public static let manage = Right("hub.manage", of: [.owner], "changes settings, people and tokens")

  /// Those of the hub itself.
  public static let ofHub: [Right] = [.enter, .listen, .keep, .manage]
}

extension Principal {
  public func may(_ right: Right) -> Bool { right.roles.contains(role) }

  /// - Throws: 403 for whoever may not.
  public func demand(_ right: Right) throws(HTTPError) {
    guard !may(right) else { return }
    let accepted = Role.allCases.filter(right.roles.contains).map(\.rawValue).joined(separator: " or ")
    let seen = token == nil ? "You are signed in as \(name), a \(role.rawValue)." : "The token is a \(role.rawValue)'s."
    throw HTTPError(.roleNotAllowed, seen, help: "The role \(accepted) is accepted here.")
  }
}
