public import Wire

/// The changes of a request to an object: operations on its fields, and its access list.
public struct ObjectEdit: Equatable, Sendable {
  /// By field, or by the way into one: "a.b". In the order of the request.
  public private(set) var operations: [(path: [String], operation: FieldOperation)] = []
  public private(set) var setsACL = false
  public private(set) var acl: AccessList?
  /// Fields that somebody else than the client has set, who is told their new values.
  public private(set) var others: Set<String> = []

  public static func == (left: ObjectEdit, right: ObjectEdit) -> Bool {
    left.setsACL == right.setsACL && left.acl == right.acl
      && left.operations.elementsEqual(right.operations) { $0.path == $1.path && $0.operation == $1.operation }
  }

  /// Reads the body of a request. What every object has, and only the hub sets, is passed over.
  public init(_ body: JSON) throws(ObjectError) {
    guard let members = body.members else {
      throw .json("The object is \(body.kind); an object of fields is accepted.")
    }
    guard members.count <= ObjectsLimits.fields + Self.hubs.count else {
      throw .tooLarge("\(members.count) fields; at most \(ObjectsLimits.fields) are accepted.")
    }
    let dotted = members.count(where: { $0.name.contains(".") })
    guard dotted <= ObjectsLimits.dottedNames else {
      throw .tooLarge("\(dotted) names with a dot; at most \(ObjectsLimits.dottedNames) are accepted.")
    }
    for member in members {
      switch member.name {
      case let name where Self.hubs.contains(name): continue
      case "ACL":
        setsACL = true
        let isRemoved = member.value == .null || member.value["__op"]?.string == "Delete"
        acl = isRemoved ? nil : try AccessList(member.value)
      default:
        let path = member.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard ClassSchema.isFieldName(path[0]), path.count <= ObjectsLimits.levels,
          path.allSatisfy({ !$0.isEmpty && !$0.contains("$") && !FieldValue.forbidden.contains($0) }),
          // The whole would be an operation to whoever reads it.
          path.dropFirst().first != "__op"
        else {
          throw .fieldName(
            "Invalid field name: \(member.name.prefix(60)). A letter, then letters (a to z), digits and _ are accepted."
          )
        }
        let operation = try FieldOperation(member.value, of: member.name)
        if case .relate = operation, path.count > 1 {
          throw .type("\(member.name.prefix(60)): no relation may stand within a field.")
        }
        operations.append((path, operation))
      }
    }
  }

  private static let hubs: Set = ["objectId", "createdAt", "updatedAt", "className", "__type"]

  /// An edit that changes nothing.
  public init() {}

  /// Sets the operation on a field; a name that begins with _ is the hub's own.
  public mutating func set(_ name: String, _ operation: FieldOperation) {
    operations.removeAll { $0.path == [name] }
    operations.append(([name], operation))
  }

  /// Sets a field, or the access list, to what somebody else than the client wants it to be.
  public mutating func set(_ name: String, toOthers value: JSON) throws(ObjectError) {
    if name == "ACL" { set(try AccessList(value)) } else { set(name, try FieldOperation(value, of: name)) }
    others.insert(name)
  }

  public mutating func set(_ acl: AccessList?) {
    setsACL = true
    self.acl = acl
  }

  public mutating func remove(_ name: String) { operations.removeAll { $0.path[0] == name } }

  /// The operation on a field as a whole.
  public subscript(_ name: String) -> FieldOperation? { operations.first { $0.path == [name] }?.operation }

  /// Brings the fields of a class to the types that the edit needs.
  /// - Returns: the fields that are new.
  /// - Throws: 111 where a field has another type.
  public func fit(_ schema: inout ClassSchema) throws(ObjectError) -> [String] {
    var new: [String] = []
    for (path, operation) in operations {
      let wanted = path.count > 1 ? .object : operation.type
      let name = path[0]
      guard let wanted, name.utf8.first != UInt8(ascii: "_") else { continue }
      guard let field = schema.fields[name] else {
        guard schema.fields.count < ObjectsLimits.fields else {
          throw .schema("\(schema.name) has \(ObjectsLimits.fields) fields; there is no room for \(name).")
        }
        schema.fields[name] = .init(wanted)
        new.append(name)
        continue
      }
      guard field.type == wanted || path.count > 1 && field.type == .array else {
        throw .type("schema mismatch for \(schema.name).\(name); expected \(field.type.words) but got \(wanted.words)")
      }
    }
    return new
  }

  /// Applies the edit to an object, in which relations have no value.
  /// - Returns: the fields whose new values clients are told.
  public func apply(to object: inout StoredObject) throws(ObjectError) -> [String] {
    if setsACL { object.acl = acl }
    var told = others.contains("ACL") ? ["ACL"] : []
    for (path, operation) in operations {
      // Not even the value as which it is shown, which whoever saves a whole object sends back.
      if case .relation? = operation.type { continue }
      let old = object.fields.first { $0.name == path[0] }?.value
      object.set(path[0], try Self.value(old, path.dropFirst(), operation, path[0]))
      if operation.isTold || others.contains(path[0]), !told.contains(path[0]) { told.append(path[0]) }
    }
    try checkReached(in: &object)
    return told
  }

  /// A name after a dot, such as "o.__type", must not make a value that would be refused if it were written whole. Each
  /// field is looked at once, however many names reach into it.
  private func checkReached(in object: inout StoredObject) throws(ObjectError) {
    var checked: Set<String> = []
    for (path, _) in operations where path.count > 1 {
      guard checked.insert(path[0]).inserted, let whole = object.fields.first(where: { $0.name == path[0] })?.value
      else { continue }
      object.set(path[0], try FieldValue.checked(whole, of: path[0]))
    }
  }

  private static func value(
    _ old: JSON?, _ path: ArraySlice<String>, _ operation: FieldOperation, _ name: String
  ) throws(ObjectError) -> JSON? {
    guard let next = path.first else { return try operation.applied(to: old, of: name) }
    if case .array(var list)? = old, let place = Int(next), list.indices.contains(place) {
      list[place] = try value(list[place], path.dropFirst(), operation, name) ?? .null
      return .array(list)
    }
    guard var members = (old ?? .null) == .null ? [] : old?.members, old?["__type"] == nil else {
      throw .type("\(name): \(old?.kind ?? ""); the names after a dot reach into objects.")
    }
    let before = members.first { $0.name == next }?.value
    members.set(next, try value(before, path.dropFirst(), operation, name))
    return .object(members)
  }

  /// The objects that the edit adds to relations and takes from them.
  public var relations: [(field: String, added: [String], removed: [String])] {
    operations.compactMap { path, operation in
      guard case .relate(_, let added, let removed) = operation else { return nil }
      return (path[0], added, removed)
    }
  }
}
