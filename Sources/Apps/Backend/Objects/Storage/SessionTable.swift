import Objects
import Store

extension Objects.Caller {
  /// The caller as of now: a session's user with the roles that he has at this moment; nil if the session has ended.
  func current(
    in database: Database, _ app: Int, _ cache: ClassCache, now: Double
  ) throws(StoreError) -> Objects.Caller? {
    guard let session, !isMaster else { return self }
    guard let user = try database.session(session, of: app, now: now)?.user else { return nil }
    return Objects.Caller(
      user: user, roles: try database.roles(of: user, app, cache), session: session, installation: installation)
  }
}

extension Database {
  /// The names of the roles of a user, and of the roles that these belong to.
  func roles(of user: String, _ app: Int, _ cache: ClassCache) throws(StoreError) -> Set<String> {
    guard let roles = try storedClass("_Role", of: app, cache) else { return [] }
    var names: Set<String> = []
    var next = try self.roles(roles, leadingTo: user, by: "users", limit: AppsLimits.roles)
    for _ in 0..<AppsLimits.roleLevels {
      var further: [(id: String, name: String)] = []
      for role in next where names.count < AppsLimits.roles && names.insert(role.name).inserted {
        let limit = AppsLimits.roles - names.count
        further += try self.roles(roles, leadingTo: role.id, by: "roles", limit: limit)
      }
      if further.isEmpty { break }
      next = further
    }
    return names
  }

  /// Roles whose field leads to a user or to another role: no more of them than their names, since this is asked at
  /// each request of somebody who is signed in.
  private func roles(
    _ roles: StoredClass, leadingTo target: String, by field: String, limit: Int
  ) throws(StoreError) -> [(id: String, name: String)] {
    try rows(
      """
      SELECT id, \(Database.member("body", ["name"])) FROM apps_relations JOIN apps_objects ON number = object
      WHERE target = ? AND field = ? AND class = ? LIMIT ?
      """, .text(target), .text(field), .int(roles.number), .int(limit)
    ) { ($0.text(0), $0.text(1)) }
  }
}
