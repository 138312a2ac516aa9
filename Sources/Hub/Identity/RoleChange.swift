import Server
import Store

extension Change {
  /// Gives a person another role, with all that follows from it: what a former owner made is revoked, and where rights
  /// are lost, listeners are checked again and the rooms are told.
  /// - Parameter somebody: the actor, if that is not who asked.
  /// - Returns: the person with the new role.
  /// - Throws: 409 for the last owner.
  func give(_ role: Role, to person: Person, by somebody: Principal? = nil) throws -> Person {
    guard role != person.role else { return person }
    guard try !database.isLastOwner(person) else { throw HTTPError.lastOwner(person) }
    try database.change(person: person.id, role: role)
    if person.role == .owner { try revokeMade(by: person.id) }
    try audit("role.changed", about: "\(person.name): \(person.role.rawValue), \(role.rawValue)", by: somebody)
    if losesRights(from: person.role, to: role) { try personLosesRights(person.id, isRemoved: false) }
    var changed = person
    changed.role = role
    return changed
  }
}

extension Database {
  func isLastOwner(_ person: Person) throws(StoreError) -> Bool {
    guard person.role == .owner else { return false }
    return try people(of: .owner).count == 1
  }
}

extension HTTPError {
  static func lastOwner(_ person: Person) -> HTTPError {
    HTTPError(.lastOwner, "\(person.name) is the last owner.", help: "Make somebody else an owner first.")
  }
}
