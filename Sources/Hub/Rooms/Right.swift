public import Server

/// A right to do something. A room lists its own in its plan; the hub's are below.
public struct Right: Hashable, Sendable {
  /// The room, or "hub", and the action: "kettle.put-on".
  public let id: String
  /// The roles of people and tokens that have it.
  public let roles: Set<Role>
  /// True if guests have it, each within the room that let them in.
  public let guests: Bool
  /// True if it is about what belongs to a person: a token of the role gains nothing by it, so its help leaves it out.
  public let isPersonal: Bool
  /// The action in words, for the help of commands that let somebody in: "turns the sign". Empty for obvious ones.
  public let words: String

  public init(
    _ id: String, of roles: Set<Role>, guests: Bool = false, isPersonal: Bool = false, _ words: String = ""
  ) {
    self.id = id
    self.roles = roles
    self.guests = guests
    self.isPersonal = isPersonal
    self.words = words
  }

  /// To be signed in, as a person or as a program.
  public static let enter = Right("hub.enter", of: Set(Role.allCases))
  /// To read what all members may know; a sensor only reports.
  public static let listen = Right(
    "hub.listen", of: Set(Role.allCases).subtracting([.sensor]), "reads what members may know")
  /// To have things of one's own: a name, devices, favourites.
  public static let keep = Right(
    "hub.keep", of: Set(Role.ofPeople), isPersonal: true, "keeps devices and passkeys")
  /// To change what applies to everybody: settings, people, tokens.
  public static let manage = Right("hub.manage", of: [.owner], "changes settings, people and tokens")

  /// The rights of the hub itself.
  public static let ofHub: [Right] = [.enter, .listen, .keep, .manage]
}

extension Principal {
  public func may(_ right: Right) -> Bool {
    guard let guest else {
      // A token with a limit sends to its topics and reads; otherwise it could turn the sign, or weigh the anchor.
      if topics != nil, ![.enter, .listen].contains(right) { return false }
      return right.roles.contains(role)
    }
    return right.guests && right.id.hasPrefix("\(guest.room).")
  }

  /// - Throws: 403 without the right.
  public func demand(_ right: Right) throws(HTTPError) {
    guard !may(right) else { return }
    let accepted = Role.allCases.filter(right.roles.contains).map(\.rawValue).joined(separator: " or ")
    let seen =
      switch kind {
      case .guest: "You are here as a guest."
      case .token where topics != nil: "The token is limited to topics of notifications."
      case .token: "The token is a \(role.rawValue)'s."
      case .person, .command, .room: "You are signed in as \(name), a \(role.rawValue)."
      }
    throw HTTPError(.roleNotAllowed, seen, help: "The role \(accepted) is accepted here.")
  }
}
