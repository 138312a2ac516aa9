import Wire

/// Reads the conditions of a query (`where`), as Parse's clients write them.
struct ConditionReader {
  /// Nil for a class that is not there.
  let schema: ClassSchema?
  private(set) var subqueries: [Subquery] = []
  /// The fields that are asked for.
  private(set) var fields: Set<String> = []
  private var conditions = 0
  private var patterns = 0

  init(schema: ClassSchema?) { self.schema = schema }

  mutating func condition(_ json: JSON) throws(ObjectError) -> Condition {
    guard let members = json.members else { throw .json("where: \(json.kind); an object is accepted.") }
    var all: [Condition] = []
    for member in members {
      switch member.name {
      case "$or": all.append(.any(try list(member)))
      case "$and": all.append(.all(try list(member)))
      case "$nor": all.append(.not(.any(try list(member))))
      case "$relatedTo": all.append(try related(member.value))
      default: all.append(try constraints(FieldPath(member.name), member.value))
      }
    }
    return all.count == 1 ? all[0] : .all(all)
  }

  private mutating func list(_ member: JSON.Member) throws(ObjectError) -> [Condition] {
    guard let values = member.value.array, !values.isEmpty else {
      throw .query("Bad \(member.name) format - use an array of at least 1 value.")
    }
    var all: [Condition] = []
    for value in values { all.append(try condition(value)) }
    return all
  }

  /// The conditions on one path: a value, or an object of constraints such as `{"$gt": 5}`.
  private mutating func constraints(_ path: FieldPath, _ value: JSON) throws(ObjectError) -> Condition {
    if path.field == "ACL" { throw .query("Cannot query on ACL.") }
    fields.insert(path.field)
    let isConstraint = value.members?.contains { $0.name.hasPrefix("$") } ?? false
    guard isConstraint, let members = value.members else { return try constraint(path, "$eq", value, among: value) }
    var all: [Condition] = []
    for member in members {
      if let main = Self.companions[member.name] {
        guard value[main] != nil else { throw .json("\(path.text): \(member.name) is accepted beside \(main) only.") }
        continue
      }
      all.append(try constraint(path, member.name, member.value, among: value))
    }
    return all.count == 1 ? all[0] : .all(all)
  }

  /// Constraints that only complete another one.
  private static let companions = [
    "$options": "$regex", "$maxDistance": "$nearSphere", "$maxDistanceInMiles": "$nearSphere",
    "$maxDistanceInKilometers": "$nearSphere", "$maxDistanceInRadians": "$nearSphere",
  ]

  private mutating func constraint(
    _ path: FieldPath, _ name: String, _ value: JSON, among all: JSON
  ) throws(ObjectError) -> Condition {
    conditions += 1
    if conditions > ObjectsLimits.conditions {
      throw .query("more than \(ObjectsLimits.conditions) conditions; fewer are accepted.")
    }
    if path.isField, case .relation = schema?.type(of: path.field) { return try relation(path, name, value) }
    switch name {
    case "$eq": return .test(path, .equals(try operand(value, path)))
    case "$ne": return .not(.test(path, .equals(try operand(value, path))))
    case "$in": return .test(path, .oneOf(try operands(name, value, path)))
    case "$nin": return .not(.test(path, .oneOf(try operands(name, value, path))))
    case "$lt": return .test(path, .compares(.less, try limit(value, path)))
    case "$lte": return .test(path, .compares(.lessOrEqual, try limit(value, path)))
    case "$gt": return .test(path, .compares(.greater, try limit(value, path)))
    case "$gte": return .test(path, .compares(.greaterOrEqual, try limit(value, path)))
    case "$exists":
      guard let wanted = value.bool else {
        throw .json("\(path.text): $exists: \(value.kind); true or false is accepted.")
      }
      return .test(path, .exists(wanted))
    case "$all": return .test(path, try elements(value, path))
    case "$containedBy": return .test(path, .containedBy(try operands(name, value, path)))
    case "$regex": return .test(path, .matches(try pattern(value, all["$options"], path)))
    case "$nearSphere": return .test(path, try GeoReader(path).near(value, among: all))
    case "$within": return .test(path, .lies(try GeoReader(path).box(value)))
    case "$geoWithin": return .test(path, .lies(try GeoReader(path).area(value)))
    case "$inQuery", "$notInQuery", "$select", "$dontSelect": return try inner(path, name, value)
    case "$text", "$geoIntersects": throw .query("\(path.text): \(name) is not supported here.")
    default: throw .json("\(path.text): bad constraint: \(name.prefix(60))")
    }
  }

  // MARK: Values

  private func operand(_ json: JSON, _ path: FieldPath) throws(ObjectError) -> QueryValue {
    if json["$relativeTime"] != nil { throw .query("\(path.text): $relativeTime is not supported here.") }
    let value = try FieldValue.checked(json, of: path.text)
    guard path.isField, case .string(let text) = value else { return QueryValue(value) }
    // Clients may write a date as plain text, and a pointer as its id, where the field says which is meant.
    switch schema?.type(of: path.field) ?? ClassSchema.always[path.field] {
    case .date: return ObjectDate.milliseconds(text).map { .date($0) } ?? QueryValue(value)
    case .pointer(let target):
      return .pointer(className: QueryValue.Text(target), id: QueryValue.Text(text))
    default: return QueryValue(value)
    }
  }

  /// A value to which others may be less or greater.
  private func limit(_ json: JSON, _ path: FieldPath) throws(ObjectError) -> QueryValue {
    let value = try operand(json, path)
    switch value {
    case .object, .array, .place, .file: throw .json("\(path.text): bad atom: \(json.kind) has no order.")
    default: return value
    }
  }

  /// Lists within the list count as their elements, as in Parse.
  private func operands(_ name: String, _ json: JSON, _ path: FieldPath) throws(ObjectError) -> Set<QueryValue> {
    guard let values = json.array else { throw .json("\(path.text): bad \(name) value: a list is accepted.") }
    var all: Set<QueryValue> = []
    for value in values {
      for value in value.array ?? [value] { all.insert(try operand(value, path)) }
    }
    return all
  }

  private mutating func elements(_ json: JSON, _ path: FieldPath) throws(ObjectError) -> Condition.Test {
    guard let values = json.array else { throw .json("\(path.text): bad $all value: a list is accepted.") }
    var (elements, expressions): (Set<QueryValue>, [RegularExpression]) = ([], [])
    for value in values {
      if let expression = value["$regex"] {
        expressions.append(try pattern(expression, value["$options"], path))
      } else {
        elements.insert(try operand(value, path))
      }
    }
    return .hasAll(elements, expressions)
  }

  private mutating func pattern(
    _ json: JSON, _ options: JSON?, _ path: FieldPath
  ) throws(ObjectError) -> RegularExpression {
    guard let text = json.string else { throw .json("\(path.text): bad regex: \(json.kind); a string is accepted.") }
    guard let options = (options ?? "").string else {
      throw .query("Bad $options value for query: i, m, x and s are accepted.")
    }
    patterns += 1
    if patterns > ObjectsLimits.patterns {
      throw .query("more than \(ObjectsLimits.patterns) regular expressions; fewer are accepted.")
    }
    return try RegularExpression(text, options: options)
  }

  // MARK: Other objects

  private mutating func inner(_ path: FieldPath, _ name: String, _ value: JSON) throws(ObjectError) -> Condition {
    let isSelect = name == "$select" || name == "$dontSelect"
    let (className, parameters) = try Self.inner(name, isSelect ? value["query"] : value)
    var key: FieldPath?
    if isSelect {
      guard let text = value["key"]?.string else { throw .query("improper usage of \(name): key is needed.") }
      key = try FieldPath(text)
    }
    let isNegated = name == "$notInQuery" || name == "$dontSelect"
    return ask(.objects(className: className, parameters: parameters, key: key), of: path, isNegated: isNegated)
  }

  /// The class and the parameters of a query within a query.
  private static func inner(
    _ name: String, _ query: JSON?
  ) throws(ObjectError) -> (className: String, parameters: [JSON.Member]) {
    guard let className = query?["className"]?.string else {
      throw .query("improper usage of \(name): className is needed.")
    }
    guard ClassSchema.isClassName(className) else { throw .className(className) }
    var parameters: [JSON.Member] = [.init("where", query?["where"] ?? [:])]
    for name in ["order", "limit", "skip", "redirectClassNameForKey"] {
      if let value = query?[name] { parameters.append(.init(name, value)) }
    }
    return (className, parameters)
  }

  /// The objects to which another one's relation leads.
  private mutating func related(_ json: JSON) throws(ObjectError) -> Condition {
    guard let object = json["object"], let className = object["className"]?.string,
      let id = object["objectId"]?.string, let key = json["key"]?.string
    else { throw .query("improper usage of $relatedTo: object, a pointer, and key are needed.") }
    guard ClassSchema.isClassName(className) else { throw .className(className) }
    let source = Subquery.Source.related(className: className, id: id, key: try FieldPath(key).field)
    return ask(source, of: FieldPath(field: "objectId"), isNegated: false)
  }

  /// A condition on a field that is a relation: it leads to an object, or to one of several.
  private mutating func relation(_ path: FieldPath, _ name: String, _ value: JSON) throws(ObjectError) -> Condition {
    let ids = FieldPath(field: "objectId")
    if name == "$inQuery" || name == "$notInQuery" {
      let (className, parameters) = try Self.inner(name, value)
      let source = Subquery.Source.owningFound(key: path.field, className: className, parameters: parameters)
      return ask(source, of: ids, isNegated: name == "$notInQuery")
    }
    guard ["$eq", "$ne", "$in", "$nin"].contains(name) else {
      throw .query(
        "\(path.text) is a relation, for which \(name) is not supported; $eq, $ne, $in, $nin, $inQuery and "
          + "$notInQuery are.")
    }
    var targets: [String] = []
    for value in value.array ?? [value] {
      guard let id = value.string ?? value["objectId"]?.string else {
        throw .json("\(path.text) is a relation: \(value.kind); a pointer is accepted.")
      }
      targets.append(id)
    }
    let isNegated = name == "$ne" || name == "$nin"
    return ask(.owning(key: path.field, targets: targets), of: ids, isNegated: isNegated)
  }

  private mutating func ask(_ source: Subquery.Source, of path: FieldPath, isNegated: Bool) -> Condition {
    subqueries.append(Subquery(path: path, source: source))
    let question = Condition.subquery(subqueries.count - 1)
    return isNegated ? .not(question) : question
  }
}
