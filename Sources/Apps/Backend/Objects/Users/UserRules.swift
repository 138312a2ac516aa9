import Crypto
import Hub
import Objects
import Store
import Wire

/// The rules of users. Their passwords, and the names by which they are found, stand in a table beside their objects.
extension ObjectWriter {
  func beginUser(_ edit: inout ObjectEdit, id: String) throws -> Following? {
    edit.remove("sessionToken")
    var row = UserRow(object: 0, id: id, name: "")
    let authData = try takeAuthData(&edit, before: nil)
    if let name = edit.text("username"), !name.isEmpty {
      row.name = name
    } else {
      guard authData?.anonymous != nil else { throw ObjectError(200, "bad or missing username") }
      row.name = Digest.hex(Digest.random(13))
      edit.set("username", .set(.string(row.name)))
    }
    row.password = try takePassword(&edit)
    guard row.password != nil || authData?.anonymous != nil else { throw ObjectError(201, "password is required") }
    row.anonymous = authData?.anonymous
    try checkVerified(edit)
    try take(emailOf: edit, to: &row)
    if row.email != nil, app.options.verifiesEmails, edit["emailVerified"] == nil {
      edit.set("emailVerified", .set(false))
    }
    try checkUnique(row)
    try privatise(&edit, id: id)
    return { [self] written in
      var row = row
      row.object = written.number
      try database.save(row, of: app.id)
    }
  }

  func begin(updatingUser row: ObjectRow, _ edit: inout ObjectEdit) throws -> Following? {
    edit.remove("sessionToken")
    let before = try database.user(.id(row.object.id), of: app.id)
    var user = before ?? UserRow(object: row.number, id: row.object.id, name: row.object["username"]?.string ?? "")
    if let authData = try takeAuthData(&edit, before: row.object["authData"]) { user.anonymous = authData.anonymous }
    if edit["username"] != nil {
      guard let name = edit.text("username"), !name.isEmpty else { throw ObjectError(200, "bad or missing username") }
      user.name = name
    }
    try checkVerified(edit)
    try take(emailOf: edit, to: &user)
    if user.email != before?.email, edit["emailVerified"] == nil, row.object["emailVerified"] != nil {
      edit.set("emailVerified", .set(false))
    }
    let password = try takePassword(&edit)
    if let password { user.password = password }
    try checkUnique(user)
    if edit.setsACL, !caller.isMaster { try privatise(&edit, id: row.object.id) }
    let isLockedOut = edit.acl?.rights.isEmpty == true
    return { [self] written in
      try database.save(user, of: app.id)
      if user.email != before?.email { try database.removeLinks(of: written.number, .verify) }
      guard password != nil || isLockedOut else { return }
      // Whoever knew the old password is signed out, and so is a user who may not sign in any more.
      try endSessions(of: written.number)
      try database.removeLinks(of: written.number, .newPassword)
    }
  }

  /// The hash of the password that the edit sets, which was made before the commit.
  private func takePassword(_ edit: inout ObjectEdit) throws -> PasswordHash? {
    guard let operation = edit["password"] else { return nil }
    guard case .set(.string(let password)) = operation, !password.isEmpty else {
      throw ObjectError(201, "password is required")
    }
    guard let hash = passwords[password] else {
      throw ObjectError(201, "A password is set by itself, at /users.")
    }
    edit.remove("password")
    return hash
  }

  /// Takes the ways to sign in beside the password: anonymous users have an id of their own making.
  private func takeAuthData(_ edit: inout ObjectEdit, before: JSON?) throws -> (anonymous: String?, Void)? {
    // A name with a dot would go past all that is demanded here.
    guard !edit.reachesInto("authData") else { throw Self.unsupported }
    guard let operation = edit["authData"] else { return nil }
    guard case .set(let value) = operation, let ways = value.members else { throw Self.unsupported }
    var kept = before?["anonymous"]
    for way in ways {
      guard way.name == "anonymous" else {
        // To end what there never was is no fault.
        if way.value == .null { continue }
        throw Self.unsupported
      }
      guard way.value == .null || (1...AppsLimits.userNameBytes).contains(way.value["id"]?.string?.utf8.count ?? 0)
      else {
        throw Self.unsupported
      }
      kept = way.value == .null ? nil : ["id": .string(way.value["id"]?.string ?? "")]
    }
    edit.set("authData", kept.map { .set(["anonymous": $0]) } ?? .delete)
    return (kept?["id"]?.string, ())
  }

  static let unsupported = ObjectError(252, "This authentication method is unsupported; anonymous is supported.")

  private func checkVerified(_ edit: ObjectEdit) throws {
    guard caller.isMaster || edit["emailVerified"] == nil else {
      throw ObjectError.forbidden("Clients aren't allowed to manually update email verification.")
    }
  }

  private func take(emailOf edit: ObjectEdit, to row: inout UserRow) throws {
    guard row.name.utf8.count <= AppsLimits.userNameBytes else {
      throw ObjectError.validation(
        "The username has \(row.name.utf8.count) bytes; \(AppsLimits.userNameBytes) are accepted.")
    }
    switch edit["email"] {
    case nil: return
    case .delete, .set(.null): row.email = nil
    case .set(.string(let address)):
      let parts = address.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count >= 2, parts.first?.isEmpty == false, parts.last?.isEmpty == false,
        address.utf8.count <= AppsLimits.userAddressBytes, !address.contains(where: \.isNewline)
      else { throw ObjectError.address("Email address format is invalid.") }
      row.email = address.lowercased()
    default: throw ObjectError.address("Email address format is invalid.")
    }
  }

  private func checkUnique(_ row: UserRow) throws {
    func isTaken(_ key: Database.UserKey?) throws -> Bool {
      guard let key, let other = try database.user(key, of: app.id) else { return false }
      return other.id != row.id
    }
    if try isTaken(.name(row.name)) { throw ObjectError(202, "Account already exists for this username.") }
    if try isTaken(row.email.map { .email($0) }) {
      throw ObjectError(203, "Account already exists for this email address.")
    }
    if try isTaken(row.anonymous.map { .anonymous($0) }) { throw ObjectError(208, "this auth is already used") }
  }

  /// A user is his own: nobody else reads him, unless he says so, and nothing locks himself out.
  private func privatise(_ edit: inout ObjectEdit, id: String) throws {
    var list = edit.acl ?? AccessList()
    guard list.rights[id] != nil || list.rights.count < ObjectsLimits.grants else {
      throw ObjectError.accessList("ACL: \(list.rights.count) entries, and the user's own; use a role.")
    }
    list.rights[id] = .init(read: true, write: true)
    edit.set(list)
  }
}
