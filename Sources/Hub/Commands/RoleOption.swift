public import Settings
public import Terminal

extension Role {
  /// The option for a role, of commands that let somebody in.
  public static func option(among roles: [Role]) -> Option {
    let names = roles.map(\.rawValue)
    return Option("role", "ROLE", help: "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
  }

  /// The roles with their rights, in the words of the hub and its rooms.
  /// - Parameter ofTokens: leaves out what belongs to a person.
  public static func terms(_ roles: [Role], ofTokens: Bool = false, in rooms: RoomList) -> Verb.Terms {
    let rights = rooms.rights.filter { !$0.words.isEmpty && !(ofTokens && $0.isPersonal) }
    return Verb.Terms(
      "Roles:",
      roles.map { role in
        let may = rights.filter { $0.roles.contains(role) }.map(\.words)
        return (role.rawValue, role == .owner ? "everything" : may.joined(separator: "; "))
      })
  }
}

extension Verb {
  /// The role given by `--role`.
  public func role(_ arguments: Arguments, among roles: [Role]) throws(CommandError) -> Role {
    if let role = arguments["role"].flatMap(Role.init(rawValue:)), roles.contains(role) { return role }
    let accepted = "one of \(roles.map(\.rawValue).joined(separator: ", ")) is accepted."
    throw misused(arguments["role"].map { "--role \($0): \(accepted)" } ?? "--role is missing: \(accepted)")
  }
}
