public import Wire

/// An object as it is kept. Its fields are Parse's JSON, without objectId, createdAt, updatedAt and ACL.
public struct StoredObject: Equatable, Sendable {
  public var className: String
  public var id: String
  /// Milliseconds since 1970.
  public var createdAt: Int
  public var updatedAt: Int
  /// In the order in which they were first written.
  public var fields: [JSON.Member]
  /// Nil: everybody may read and write it.
  public var acl: AccessList?

  public init(
    className: String, id: String, createdAt: Int, updatedAt: Int, fields: [JSON.Member] = [], acl: AccessList? = nil
  ) {
    self.className = className
    self.id = id
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.fields = fields
    self.acl = acl
  }

  /// The value of a field, also of those that every object has; "a.b" reaches into objects.
  public subscript(_ name: String) -> JSON? {
    switch name {
    case "objectId": return .string(id)
    case "createdAt": return ObjectDate.json(createdAt)
    case "updatedAt": return ObjectDate.json(updatedAt)
    case "ACL": return acl?.json
    default: if isHubs(name) { return nil }
    }
    if let found = fields.first(where: { $0.name == name })?.value { return found }
    guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)[...]
    let first = parts.removeFirst()
    var value = fields.first { $0.name == first }?.value
    for part in parts { value = value?[String(part)] }
    return value
  }

  /// True for a field that clients neither see nor ask for: one of the hub's own, and what would be a user's session
  /// to whoever reads it. Clients send the token back with the user that they were given it with.
  func isHubs(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "_") || name == "sessionToken" && className == "_User"
  }

  /// Sets a field that is none of those that every object has; nil removes it.
  public mutating func set(_ name: String, _ value: JSON?) { fields.set(name, value) }

  /// The object as clients get it.
  /// - Parameter isNested: true for one that stands in the place of a pointer, or in a live query's message.
  public func json(isNested: Bool = false) -> JSON {
    var members: [JSON.Member] = []
    members.reserveCapacity(fields.count + 6)
    if isNested { members += [.init("__type", "Object"), .init("className", .string(className))] }
    members.append(.init("objectId", .string(id)))
    members.append(.init("createdAt", .string(ObjectDate.text(createdAt))))
    members.append(.init("updatedAt", .string(ObjectDate.text(updatedAt))))
    members += fields.lazy.filter { !isHubs($0.name) }
    if let acl { members.append(.init("ACL", acl.json)) }
    return .object(members)
  }

  public var pointer: JSON { Self.pointer(to: id, of: className) }

  public static func pointer(to id: String, of className: String) -> JSON {
    ["__type": "Pointer", "className": .string(className), "objectId": .string(id)]
  }
}

extension [JSON.Member] {
  /// Sets the member of a name, which comes last if it is new; nil removes it.
  public mutating func set(_ name: String, _ value: JSON?) {
    guard let index = firstIndex(where: { $0.name == name }) else {
      if let value { append(.init(name, value)) }
      return
    }
    if let value { self[index].value = value } else { remove(at: index) }
  }
}

/// A change of one object, as those are told who follow changes: nil before for a new one, nil after for a removed one.
public struct ObjectChange: Equatable, Sendable {
  public var app: Int
  public var before: StoredObject?
  public var after: StoredObject?

  public init(app: Int, before: StoredObject?, after: StoredObject?) {
    self.app = app
    self.before = before
    self.after = after
  }

  public var className: String { (after ?? before)?.className ?? "" }
}
