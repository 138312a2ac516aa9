import Hub
import Objects
import Store
import Wire

/// The demands of Parse's own classes beside types and rights. A rule looks at an edit before it is applied, may change
/// it, and returns what is to be done once the object's row is written.
extension ObjectWriter {
  typealias Following = (ObjectRow) throws -> Void

  /// - Parameter id: the id that the new object will have.
  func begin(creating className: String, _ edit: inout ObjectEdit, id: String) throws -> Following? {
    switch className {
    case "_User": try beginUser(&edit, id: id)
    case "_Role": try beginRole(&edit)
    case "_Session": try beginSession(&edit)
    default: nil
    }
  }

  func begin(updating row: ObjectRow, _ edit: inout ObjectEdit) throws -> Following? {
    switch row.object.className {
    case "_User": try begin(updatingUser: row, &edit)
    case "_Role": try begin(updatingRole: row, edit)
    case "_Session": try begin(updatingSession: edit)
    case "_Installation": try begin(updatingInstallation: row, edit)
    default: nil
    }
  }

  func begin(deleting row: ObjectRow) throws {
    guard row.object.className == "_User" else { return }
    try endSessions(of: row.number)
  }

  // MARK: Roles

  private func beginRole(_ edit: inout ObjectEdit) throws -> Following? {
    guard let name = edit.text("name") else { throw ObjectError.type("name is required.") }
    guard Self.isRoleName(name) else {
      throw ObjectError.roleName(
        "The role's name is \"\(name.prefix(60))\"; letters, digits, _, - and spaces are accepted.")
    }
    guard edit.setsACL, edit.acl != nil else { throw ObjectError.type("ACL is required.") }
    return nil
  }

  private func begin(updatingRole row: ObjectRow, _ edit: ObjectEdit) throws -> Following? {
    // Access lists name a role by its name.
    if edit["name"] != nil, edit.text("name") != row.object["name"]?.string {
      throw ObjectError.roleName("The name of a role stays; make another role.")
    }
    if edit.setsACL, edit.acl == nil { throw ObjectError.type("ACL is required.") }
    return nil
  }

  private static func isRoleName(_ name: String) -> Bool {
    (1...AppsLimits.roleName).contains(name.utf8.count) && name.isAlphanumeric(or: "_- ")
  }

  // MARK: Installations

  /// The id of the installation that a new one would repeat: that one is changed instead.
  func installation(like edit: inout ObjectEdit) throws -> String? {
    if edit.text("installationId") == nil, let id = caller.installation, !caller.isMaster {
      edit.set("installationId", .set(.string(id)))
    }
    if let id = edit.text("installationId") { edit.set("installationId", .set(.string(id.lowercased()))) }
    let (id, token) = (edit.text("installationId"), edit.text("deviceToken"))
    guard id != nil || token != nil else {
      throw ObjectError(135, "at least one ID field (deviceToken, installationId) must be specified in this operation")
    }
    let sameID = try id.flatMap { try found("_Installation", "installationId", $0).first }
    let sameToken = try token.map { try found("_Installation", "deviceToken", $0) } ?? []
    if let same = sameID {
      // A device that was installed anew keeps its token.
      try removeInstallations(sameToken.filter { $0.object.id != same.object.id })
      return same.object.id
    }
    if sameToken.count == 1, let same = sameToken.first, id == nil || same.object["installationId"] == nil {
      return same.object.id
    }
    guard edit.text("deviceType") != nil else {
      throw ObjectError(135, "deviceType must be specified in this operation")
    }
    try removeInstallations(sameToken)
    return nil
  }

  private func removeInstallations(_ rows: [ObjectRow]) throws {
    for row in rows { _ = try asMaster { try delete("_Installation", row.object.id) } }
  }

  private func begin(updatingInstallation row: ObjectRow, _ edit: ObjectEdit) throws -> Following? {
    for field in ["installationId", "deviceType"] {
      if let new = edit.text(field), let old = row.object[field]?.string, new.lowercased() != old.lowercased() {
        throw ObjectError(136, "\(field) may not be changed in this operation")
      }
    }
    return nil
  }

  /// The objects with a value in one of the fields that Parse's own classes are found by.
  func found(_ className: String, _ field: String, _ value: String) throws(StoreError) -> [ObjectRow] {
    guard let stored = try storedClass(className), let index = stored.index(of: field) else { return [] }
    return try database.objects(with: .string(value), in: index, of: stored, limit: AppsLimits.sameInstallations)
  }
}

extension ObjectEdit {
  /// The text that the edit sets a field to; nil for anything else.
  func text(_ field: String) -> String? {
    guard case .set(let value)? = self[field] else { return nil }
    return value.string
  }

  /// True if the edit changes a part of a field, by a name with a dot.
  func reachesInto(_ field: String) -> Bool { operations.contains { $0.path.count > 1 && $0.path[0] == field } }
}
