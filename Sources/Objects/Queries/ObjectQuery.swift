public import Wire

/// A query for objects of one class, read from a request and checked.
public struct ObjectQuery: Sendable {
  public let className: String
  private var schema: ClassSchema?
  private(set) var condition: Condition
  /// The questions about other objects that have to be answered first: `resolve`.
  public private(set) var subqueries: [Subquery]
  /// The fields for which is asked, or by which is sorted.
  public private(set) var fields: Set<String>

  public struct Order: Sendable {
    public let path: FieldPath
    public let isDescending: Bool
    /// Nil if SQL cannot sort by it.
    public let column: Column?
  }
  public private(set) var order: [Order] = []
  public private(set) var limit = ObjectsLimits.defaultResults
  public private(set) var skip = 0
  /// True if the number of all objects that match is wanted.
  public private(set) var counts = false
  public private(set) var selection = Selection()

  /// Conditions for SQL that every object meets which matches.
  public private(set) var narrowing: [Narrowing] = []
  /// True if the narrowings are the whole condition.
  public private(set) var isExact = false
  private var expressions: [RegularExpression] = []

  /// - Parameters:
  ///   - parameters: those of the request, from its query string or its body.
  ///   - most: the objects of an answer. A higher limit finds one more, which shows that there are too many.
  public init(
    className: String, parameters: [JSON.Member], schema: ClassSchema?, most: Int = ObjectsLimits.results
  ) throws(ObjectError) {
    self.className = className
    self.schema = schema
    var reader = ConditionReader(schema: schema)
    condition = .all([])
    for parameter in parameters where !Selection.ignored.contains(parameter.name) {
      switch parameter.name {
      case "where": condition = try reader.condition(try Self.conditions(parameter.value))
      case "order": order = try Self.order(parameter.value, schema)
      case "limit": limit = min(try Self.count(parameter), most + 1)
      case "skip": skip = try Self.count(parameter)
      case "count": counts = try Selection.truth(parameter)
      // Followed by the reader, which asks the class to which the field leads.
      case "redirectClassNameForKey": break
      case _ where Selection.parameters.contains(parameter.name): try selection.read(parameter)
      default: throw .query("Invalid parameter for query: \(parameter.name.prefix(60))")
      }
    }
    selection.complete()
    subqueries = reader.subqueries
    fields = reader.fields.union(order.map(\.path.field))
    prepare()
  }

  private mutating func prepare() {
    (narrowing, isExact) = Narrowing.of(condition, schema)
    var found: [RegularExpression] = []
    condition.forEach { part in
      guard case .test(_, let test) = part else { return }
      found += test.expressions
    }
    expressions = found
  }

  /// Answers the questions about other objects.
  public mutating func resolve(_ answer: (Subquery) throws(ObjectError) -> [JSON]) throws(ObjectError) {
    var answers: [Condition] = []
    for subquery in subqueries {
      var values: Set<QueryValue> = []
      for value in try answer(subquery) {
        for value in value.array ?? [value] { values.insert(QueryValue(value)) }
      }
      values.remove(.null)
      answers.append(.test(subquery.path, .oneOf(values)))
    }
    condition = condition.answered(answers)
    subqueries = []
    prepare()
  }

  /// True if one object is asked for by its id and nothing else, as Parse's libraries read one: whoever may read one
  /// may ask so.
  public var isOfOne: Bool {
    guard condition.conjuncts.count == 1, case .test(let path, .equals(_)) = condition.conjuncts[0] else {
      return false
    }
    return path.text == "objectId"
  }

  // MARK: Matching

  /// True if the object is what is asked for. None is before the questions about other objects are answered.
  public func matches(_ object: StoredObject) -> Bool { subqueries.isEmpty && isMet(by: object) }

  /// The same of what a stage of an aggregation made.
  func isMet(by document: some QueryDocument) -> Bool {
    for expression in expressions { expression.begin() }
    return condition.matches(document)
  }

  /// An error if a regular expression took too many steps for some object, which then did not match.
  public var fault: ObjectError? {
    guard let slow = expressions.first(where: { $0.overruns > 0 }) else { return nil }
    return .timeout(
      "$regex: \(slow.pattern.prefix(60)) takes too many steps for some objects; a simpler pattern is accepted.")
  }

  /// True if a pattern took too many steps so often that it fits nothing any more.
  var isSpent: Bool { expressions.contains { $0.overruns >= ObjectsLimits.overruns } }
  var patternCount: Int { expressions.count }
  var patternBytes: Int { expressions.reduce(0) { $0 + $1.bytes } }

  /// The conditions that every object meets by one equal value, by field. Of a field that its class does not have yet,
  /// the value says what it will hold.
  public var equalities: [(field: String, value: QueryValue)] {
    condition.conjuncts.compactMap { part in
      guard case .test(let path, .equals(let value)) = part, value != .null, path.isField else { return nil }
      let isKnown = (schema?.type(of: path.field) ?? ClassSchema.always[path.field]) != nil
      guard Column(path, schema ?? ClassSchema(name: className)) != nil || !isKnown && value.isPlain else { return nil }
      return (path.field, value)
    }
  }

  /// Lets go of the class, when the query is resolved and its equalities are known.
  mutating func forgetSchema() { schema = nil }

  // MARK: Reading

  /// The conditions as they came, in a query string as text; not too many, nor too deep.
  private static func conditions(_ json: JSON) throws(ObjectError) -> JSON {
    var json = json
    if case .string(let text) = json {
      do { json = try JSON(fromBrowser: text) } catch { throw .json("where cannot be taken: \(error.message)") }
    }
    var (values, subqueries) = (0, 0)
    try measure(json, level: 1, &values, &subqueries)
    return json
  }

  private static func measure(
    _ json: JSON, level: Int, _ values: inout Int, _ subqueries: inout Int
  ) throws(ObjectError) {
    values += 1
    guard level <= ObjectsLimits.queryLevels else {
      throw .query("where: more than \(ObjectsLimits.queryLevels) levels; fewer are accepted.")
    }
    guard values <= ObjectsLimits.queryValues else {
      throw .query("where: more than \(ObjectsLimits.queryValues) values; fewer are accepted.")
    }
    for element in json.array ?? [] { try measure(element, level: level + 1, &values, &subqueries) }
    for member in json.members ?? [] {
      if ["$inQuery", "$notInQuery", "$select", "$dontSelect", "$relatedTo"].contains(member.name) { subqueries += 1 }
      guard subqueries <= ObjectsLimits.subqueries else {
        throw .query("where: more than \(ObjectsLimits.subqueries) queries within it; fewer are accepted.")
      }
      try measure(member.value, level: level + 1, &values, &subqueries)
    }
  }

  /// Reads `name,-score`, or a list of such names.
  static func order(_ json: JSON, _ schema: ClassSchema?) throws(ObjectError) -> [Order] {
    let texts = (json.array ?? [json]).map(\.string)
    guard !texts.contains(nil) else {
      throw .query("order: \(json.kind); names with commas between them are accepted.")
    }
    var all: [Order] = []
    for part in texts.flatMap({ $0?.split(separator: ",") ?? [] }) {
      var name = part.filter { $0 != " " }
      let isDescending = name.hasPrefix("-")
      if isDescending { name.removeFirst() }
      if name == "$score" { throw .query("order: $score belongs to $text, which is not supported here.") }
      let path = try FieldPath(String(name))
      if path.field == "ACL" { throw .query("Cannot order by ACL.") }
      all.append(Order(path: path, isDescending: isDescending, column: Column(path, schema)))
    }
    guard all.count <= ObjectsLimits.orders else {
      throw .query("order: \(all.count) names; up to \(ObjectsLimits.orders) are accepted.")
    }
    return all
  }

  static func count(_ parameter: JSON.Member) throws(ObjectError) -> Int {
    let number = parameter.value.number.flatMap { Int(exactly: $0) } ?? parameter.value.string.flatMap { Int($0) }
    guard let number, number >= 0 else {
      throw .query("\(parameter.name): \(parameter.value.text.prefix(60)); a number from 0 on is accepted.")
    }
    return number
  }
}

extension Condition.Test {
  fileprivate var expressions: [RegularExpression] {
    switch self {
    case .matches(let expression): [expression]
    case .hasAll(_, let expressions): expressions
    default: []
    }
  }
}
