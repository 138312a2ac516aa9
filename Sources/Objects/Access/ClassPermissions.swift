public import Wire

/// The rights to a class, before any object's own access list is asked (Parse's class-level permissions).
public struct ClassPermissions: Equatable, Sendable {
  public enum Action: String, CaseIterable, Sendable { case find, count, get, create, update, delete, addField }

  /// Those who may do one thing.
  public struct Grant: Equatable, Sendable {
    /// Users' ids, "role:Name", and "*" for everybody.
    public var names: Set<String> = []
    /// True if any signed-in user may.
    public var signedIn = false
    /// Fields of an object; the users that they point to may do it with this object.
    public var pointerFields: [String] = []

    public static let everybody = Grant(names: ["*"])
  }

  public var grants: [Action: Grant]
  /// Fields that point to users who may read, or write, the object.
  public var readUserFields: [String] = []
  public var writeUserFields: [String] = []
  /// The fields that are hidden from "*", "authenticated", a user's id, "role:Name", or "userField:name".
  public var protectedFields: [String: [String]] = ["*": []]
  /// The access list of new objects that come without one; `currentUser` in it is who makes the object. Nil: everybody
  /// may read and write them.
  public var newACL: AccessList?

  /// Everybody may do everything: a class has these until somebody sets others.
  public static let open = ClassPermissions(
    grants: Dictionary(uniqueKeysWithValues: Action.allCases.map { ($0, Grant.everybody) }))

  private init(grants: [Action: Grant]) { self.grants = grants }

  // MARK: Checks

  /// Checks whether a caller may do something to objects of a class at all.
  /// - Returns: the fields one of which must point to the caller in an object; nil if it does not matter.
  public func check(_ action: Action, by caller: Caller, on className: String) throws(ObjectError) -> [String]? {
    if caller.isMaster { return nil }
    // An app's devices: each knows its own, and only the master key knows them all.
    if className == "_Installation", [.find, .count, .delete].contains(action) {
      throw .forbidden(
        "Clients aren't allowed to perform the \(action.rawValue) operation on the installation collection.")
    }
    let grant = grants[action] ?? Grant()
    if !grant.names.isDisjoint(with: caller.grantees) { return nil }
    if grant.signedIn {
      if caller.user != nil { return nil }
      throw ObjectError(101, "Permission denied, user needs to be authenticated.")
    }
    let fields: [String] =
      switch action {
      case .find, .count, .get: grant.pointerFields + readUserFields
      case .update, .delete: grant.pointerFields + writeUserFields
      case .addField: grant.pointerFields
      case .create: []
      }
    guard !fields.isEmpty, caller.user != nil else {
      throw .forbidden("Permission denied for action \(action.rawValue) on class \(className).")
    }
    return fields
  }

  /// The same for one object.
  public func check(_ action: Action, by caller: Caller, _ object: StoredObject) throws(ObjectError) {
    let fields = try check(action, by: caller, on: object.className)
    guard object.points(anyOf: fields, to: caller) else { throw .notFound }
  }

  /// The fields of an object that a caller does not see.
  public func hidden(from caller: Caller, in object: StoredObject) -> Set<String> {
    if caller.isMaster || (object.className == "_User" && object.id == caller.user) { return [] }
    // Nobody sees these of others: whoever knows the id of an anonymous user, or a session's token, can go on as that
    // user.
    let always: Set<String> = object.className == "_User" ? ["authData", "sessionToken"] : []
    if protectedFields.allSatisfy({ $0.value.isEmpty }) { return always }
    var hidden: Set<String>?
    for (name, fields) in protectedFields {
      let counts =
        if name == "authenticated" {
          caller.user != nil
        } else if name.hasPrefix("userField:") {
          object.points(String(name.dropFirst("userField:".count)), to: caller.user)
        } else {
          caller.grantees.contains(name)
        }
      if counts { hidden = hidden.map { $0.intersection(fields) } ?? Set(fields) }
    }
    return always.union(hidden ?? [])
  }
}

extension ClassPermissions {
  /// The fields by which a caller may neither look for objects nor sort them.
  public func hiddenFromQueries(by caller: Caller, on className: String) -> Set<String> {
    hidden(from: caller, in: StoredObject(className: className, id: "", createdAt: 0, updatedAt: 0))
  }

  /// - Throws: 119 for fields of which one is hidden from the caller: it tells its values to no query either.
  public func checkQuery(of fields: Set<String>, by caller: Caller, on className: String) throws(ObjectError) {
    let hidden = hiddenFromQueries(by: caller, on: className)
    guard let field = fields.first(where: { hidden.contains($0) }) else { return }
    throw .forbidden("This user is not allowed to query \(field) on class \(className)")
  }
}

extension StoredObject {
  /// True if the object's own access list lets the caller read it.
  public func mayBeRead(by caller: Caller) -> Bool { acl?.mayRead(caller) ?? true }

  /// True if the object's own access list lets the caller write it.
  public func mayBeWritten(by caller: Caller) -> Bool { acl?.mayWrite(caller) ?? true }

  /// True if one of these fields points to the caller, or if none has to.
  /// - Parameter fields: see `ClassPermissions.check`.
  public func points(anyOf fields: [String]?, to caller: Caller) -> Bool {
    fields?.contains { points($0, to: caller.user) } ?? true
  }

  /// True if a field is a pointer to a user, or a list with one.
  public func points(_ field: String, to user: String?) -> Bool {
    guard let user, let value = self[field] else { return false }
    let wanted = Self.pointer(to: user, of: "_User")
    return value == wanted || value.array?.contains(wanted) == true
  }
}

// MARK: As JSON

extension ClassPermissions {
  public var json: JSON {
    var members = Action.allCases.map { JSON.Member($0.rawValue, (grants[$0] ?? Grant()).json) }
    if !readUserFields.isEmpty { members.append(.init("readUserFields", Self.list(readUserFields))) }
    if !writeUserFields.isEmpty { members.append(.init("writeUserFields", Self.list(writeUserFields))) }
    let hidden = protectedFields.sorted { $0.key < $1.key }
    members.append(.init("protectedFields", .object(hidden.map { .init($0.key, Self.list($0.value)) })))
    if let newACL { members.append(.init("ACL", newACL.json)) }
    return .object(members)
  }

  fileprivate static func list(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }

  /// Reads what an owner sets. An action that is not named is the master key's alone.
  public init(_ json: JSON) throws(ObjectError) {
    guard let members = json.members else {
      throw .json("classLevelPermissions: \(json.kind); an object is accepted.")
    }
    self.init(grants: [:])
    protectedFields = [:]
    for member in members {
      switch member.name {
      case "readUserFields": readUserFields = try Self.names(member)
      case "writeUserFields": writeUserFields = try Self.names(member)
      case "protectedFields":
        guard let groups = member.value.members, groups.count <= ObjectsLimits.grants else {
          throw .json("protectedFields: \(member.value.kind); an object of lists of fields is accepted.")
        }
        for group in groups { protectedFields[group.name] = try Self.names(group) }
      case "ACL":
        let list = try AccessList(member.value)
        newACL = list == AccessList(["*": .init(read: true, write: true)]) ? nil : list
      default:
        guard let action = Action(rawValue: member.name) else {
          throw .json("\(member.name.prefix(60)) is not a valid operation for class level permissions")
        }
        grants[action] = try Grant(member.value, of: action)
      }
    }
  }

  fileprivate static func names(_ member: JSON.Member) throws(ObjectError) -> [String] {
    let names = member.value.array?.compactMap(\.string) ?? []
    guard let all = member.value.array, all.count == names.count, all.count <= ObjectsLimits.grants else {
      throw .json("\(member.name.prefix(60)): \(member.value.kind); a list of fields is accepted.")
    }
    return names
  }
}

extension ClassPermissions.Grant {
  var json: JSON {
    var members = names.sorted().map { JSON.Member($0, true) }
    if signedIn { members.append(.init("requiresAuthentication", true)) }
    if !pointerFields.isEmpty { members.append(.init("pointerFields", ClassPermissions.list(pointerFields))) }
    return .object(members)
  }

  init(_ json: JSON, of action: ClassPermissions.Action) throws(ObjectError) {
    guard let members = json.members, members.count <= ObjectsLimits.grants else {
      throw .json("'\(json.kind)' is not a valid value for class level permissions \(action.rawValue)")
    }
    for member in members {
      if member.name == "pointerFields" {
        pointerFields = try ClassPermissions.names(member)
        continue
      }
      guard member.value == true else {
        throw .json(
          "'\(member.value.text.prefix(60))' is not a valid value for class level permissions "
            + "\(action.rawValue):\(member.name.prefix(60)):\(member.value.text.prefix(60))")
      }
      if member.name == "requiresAuthentication" {
        signedIn = true
      } else if Self.isName(member.name) {
        names.insert(member.name)
      } else {
        throw .json("'\(member.name.prefix(60))' is not a valid key for class level permissions")
      }
    }
  }

  /// True for "*", a user's id, and "role:Name".
  private static func isName(_ name: String) -> Bool {
    guard (1...ObjectsLimits.granteeBytes).contains(name.utf8.count) else { return false }
    if name == "*" || name.hasPrefix("role:") { return true }
    return name.isAlphanumeric()
  }
}
