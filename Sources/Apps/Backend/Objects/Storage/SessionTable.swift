import Objects
import Store
import Wire

extension Objects.Caller {
  /// The caller as of now: a session's user with the roles that he has at this moment.
  /// - Throws: 209 if the session has ended.
  func current(in database: Database, _ app: Int, _ cache: ClassCache, now: Double) throws -> Objects.Caller {
    guard let session, !isMaster else { return self }
    guard let user = try database.session(session, of: app, now: now)?.user else { throw ObjectError.invalidSession }
    return Objects.Caller(
      user: user, roles: try database.roles(of: user, app, cache), session: session, installation: installation)
  }
}

extension Database {
  /// The names of the roles of a user, and of the roles that these belong to.
  func roles(of user: String, _ app: Int, _ cache: ClassCache) throws(StoreError) -> Set<String> {
    guard let roles = try storedClass("_Role", of: app, cache) else { return [] }
    var names: Set<String> = []
    var next = try objects(of: roles, leadingTo: user, by: "users", limit: AppsLimits.roles)
    for _ in 0..<AppsLimits.roleLevels {
      var further: [ObjectRow] = []
      for role in next {
        guard names.count < AppsLimits.roles, let name = role.object["name"]?.string, names.insert(name).inserted else {
          continue
        }
        further += try objects(of: roles, leadingTo: role.object.id, by: "roles", limit: AppsLimits.roles)
      }
      if further.isEmpty { break }
      next = further
    }
    return names
  }
}
