public import Wire

/// A change of one field, as a request says it: a value, or one of Parse's operations.
public enum FieldOperation: Equatable, Sendable {
  case set(JSON)
  case delete
  case increment(JSON)
  case add([JSON])
  case addUnique([JSON])
  case remove([JSON])
  /// Objects that come to a relation, or leave it, by their ids.
  case relate(className: String, added: [String], removed: [String])

  /// Reads a field's value in a request, such as `{"__op":"Increment","amount":1}`.
  public init(_ json: JSON, of name: String) throws(ObjectError) {
    guard let operation = json["__op"] else {
      self = .set(try FieldValue.checked(json, of: name))
      return
    }
    switch operation.string {
    case "Delete": self = .delete
    case "Increment":
      guard let amount = json["amount"], amount.number != nil else {
        throw .json("\(name): Increment needs an amount; a number is accepted.")
      }
      self = .increment(amount)
    case "Add": self = .add(try Self.objects(json, name))
    case "AddUnique": self = .addUnique(try Self.objects(json, name))
    case "Remove": self = .remove(try Self.objects(json, name))
    case "AddRelation":
      let (target, ids) = try Self.pointers(json, name)
      self = .relate(className: target, added: ids, removed: [])
    case "RemoveRelation":
      let (target, ids) = try Self.pointers(json, name)
      self = .relate(className: target, added: [], removed: ids)
    case "Batch": self = try Self.batch(json, name)
    default:
      throw ObjectError(
        108,
        "\(name): the operator \(operation.text.prefix(40)); Increment, Add, AddUnique, Remove, AddRelation, "
          + "RemoveRelation, Batch and Delete are accepted.")
    }
  }

  private static func objects(_ json: JSON, _ name: String) throws(ObjectError) -> [JSON] {
    guard let objects = json["objects"]?.array else {
      throw .json("\(name): objects to add or remove must be an array")
    }
    guard case .array(let all) = try FieldValue.checked(.array(objects), of: name) else { return [] }
    return all
  }

  private static func pointers(_ json: JSON, _ name: String) throws(ObjectError) -> (String, [String]) {
    let all = try objects(json, name)
    var target: String?
    var ids: [String] = []
    for pointer in all {
      guard pointer["__type"]?.string == "Pointer", let className = pointer["className"]?.string,
        let id = pointer["objectId"]?.string, target == nil || target == className
      else { throw .pointer("\(name): a relation takes pointers to objects of one class.") }
      target = className
      ids.append(id)
    }
    guard let target else { throw .pointer("\(name): no objects; pointers to objects of one class are accepted.") }
    return (target, ids)
  }

  private static func batch(_ json: JSON, _ name: String) throws(ObjectError) -> FieldOperation {
    var (target, added, removed): (String?, [String], [String]) = (nil, [], [])
    for part in json["ops"]?.array ?? [] {
      guard case .relate(let className, let more, let fewer) = try FieldOperation(part, of: name),
        target == nil || target == className
      else { throw .json("\(name): a Batch takes AddRelation and RemoveRelation of one class.") }
      target = className
      added += more
      removed += fewer
    }
    guard let target else { throw .json("\(name): a Batch without ops.") }
    return .relate(className: target, added: added, removed: removed)
  }

  /// The type that the field must have; nil where any will do.
  public var type: FieldType? {
    switch self {
    case .set(let value): FieldType(of: value)
    case .delete: nil
    case .increment: .number
    case .add, .addUnique, .remove: .array
    case .relate(let target, _, _): .relation(target)
    }
  }

  /// True if clients are told the field's new value, which they cannot know.
  public var isTold: Bool {
    switch self {
    case .increment, .add, .addUnique, .remove: true
    case .set, .delete, .relate: false
    }
  }

  /// The field's value afterwards; nil if it has none. A relation has no value of its own. Which objects of a list are
  /// the same is told as queries tell it: a file is the same at each of the hub's addresses.
  public func applied(to old: JSON?, of name: String) throws(ObjectError) -> JSON? {
    switch self {
    case .set(let value): return value
    case .delete, .relate: return nil
    case .increment(let amount): return try Self.sum(old, amount, name)
    case .add(let objects): return .array(try Self.list(old, name) + objects)
    case .addUnique(let objects):
      var list = try Self.list(old, name)
      var known = Set(list.map { QueryValue($0) })
      for object in objects where known.insert(QueryValue(object)).inserted { list.append(object) }
      return .array(list)
    case .remove(let objects):
      let removed = Set(objects.map { QueryValue($0) })
      return .array(try Self.list(old, name).filter { !removed.contains(QueryValue($0)) })
    }
  }

  private static func list(_ old: JSON?, _ name: String) throws(ObjectError) -> [JSON] {
    guard let old, old != .null else { return [] }
    guard let list = old.array else { throw .type("\(name): \(old.kind); objects are added to a list.") }
    return list
  }

  private static func sum(_ old: JSON?, _ amount: JSON, _ name: String) throws(ObjectError) -> JSON {
    switch (old ?? .null, amount) {
    case (.null, _): return amount
    case (.int(let old), .int(let amount)):
      let (sum, isOver) = old.addingReportingOverflow(amount)
      return isOver ? .double(Double(old) + Double(amount)) : .int(sum)
    case (let old, let amount):
      guard let old = old.number, let amount = amount.number, (old + amount).isFinite else {
        throw .type("\(name): the sum is no number.")
      }
      return .double(old + amount)
    }
  }
}
