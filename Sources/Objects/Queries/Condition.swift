import Wire

/// A condition on objects: the one meaning of queries, for finds, live queries and aggregations alike.
indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case not(Condition)
  case test(FieldPath, Test)
  /// A question about other objects that is still to be answered, by its place in `ObjectQuery.subqueries`; no object
  /// matches before.
  case subquery(Int)

  /// A test of the value at a path. Of a list, one element has to pass it, where nothing else is said.
  enum Test: Sendable {
    /// Null is equal to a field that is not there.
    case equals(QueryValue)
    case oneOf(Set<QueryValue>)
    /// Values of another kind are neither less nor greater.
    case compares(Comparison, QueryValue)
    case exists(Bool)
    /// A list that has all of these elements, and some that each of these patterns fits.
    case hasAll(Set<QueryValue>, [RegularExpression])
    /// A list that has no other elements.
    case containedBy(Set<QueryValue>)
    case matches(RegularExpression)
    case near(GeoPoint, within: Double?)
    case lies(GeoArea)
  }

  enum Comparison: String, Sendable { case less, lessOrEqual, greater, greaterOrEqual }
}

extension Condition {
  func matches(_ document: some QueryDocument) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.matches(document) }
    case .any(let parts): parts.contains { $0.matches(document) }
    case .not(let part): !part.matches(document)
    case .test(let path, let test): test.passes(path, document)
    case .subquery: false
    }
  }

  /// Everything within this condition, itself too.
  func forEach(_ body: (Condition) -> Void) {
    body(self)
    switch self {
    case .all(let parts), .any(let parts): for part in parts { part.forEach(body) }
    case .not(let part): part.forEach(body)
    case .test, .subquery: break
    }
  }

  /// The conditions of which all have to be met.
  var conjuncts: [Condition] {
    if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }

  /// This condition with each open question replaced by its answer.
  func answered(_ answers: [Condition]) -> Condition {
    switch self {
    case .all(let parts): .all(parts.map { $0.answered(answers) })
    case .any(let parts): .any(parts.map { $0.answered(answers) })
    case .not(let part): .not(part.answered(answers))
    case .test: self
    case .subquery(let place): answers[place]
    }
  }
}

extension Condition.Test {
  fileprivate func passes(_ path: FieldPath, _ document: some QueryDocument) -> Bool {
    if acceptsNull {
      return !path.reaches(in: document) { $0 != .null } || path.reaches(in: document) { isPassed(by: $0) }
    }
    if case .exists(let wanted) = self { return path.reaches(in: document) { _ in true } == wanted }
    return path.reaches(in: document) { isPassed(by: $0) }
  }

  /// True if a field that is not there passes, as null does.
  private var acceptsNull: Bool {
    switch self {
    case .equals(.null), .compares(.lessOrEqual, .null), .compares(.greaterOrEqual, .null): true
    case .oneOf(let values): values.contains(.null)
    default: false
    }
  }

  private func isPassed(by value: JSON) -> Bool {
    switch self {
    case .hasAll(let values, let expressions):
      guard !values.isEmpty || !expressions.isEmpty else { return false }
      let elements = value.array ?? []
      return values.isSubset(of: Set(elements.map { QueryValue($0) }).union([QueryValue(value)]))
        && expressions.allSatisfy { expression in
          (elements + [value]).contains { $0.string.map(expression.matches) ?? false }
        }
    case .containedBy(let values):
      return value.array.map { $0.allSatisfy { values.contains(QueryValue($0)) } } ?? false
    case .exists(let wanted): return wanted
    default:
      if isMet(by: value) { return true }
      return value.array?.contains { isMet(by: $0) } ?? false
    }
  }

  /// The same without going into lists.
  private func isMet(by value: JSON) -> Bool {
    switch self {
    case .equals(let wanted): return QueryValue(value) == wanted
    case .oneOf(let values): return values.contains(QueryValue(value))
    case .compares(let comparison, let limit):
      let value = QueryValue(value)
      guard value.kind == limit.kind else { return false }
      return switch comparison {
      case .less: value < limit
      case .lessOrEqual: !(limit < value)
      case .greater: limit < value
      case .greaterOrEqual: !(value < limit)
      }
    case .matches(let expression): return value.string.map(expression.matches) ?? false
    case .near(let center, let radians):
      guard let point = GeoPoint(value) else { return false }
      return radians.map { center.distance(to: point) <= $0 } ?? true
    case .lies(let area): return GeoPoint(value).map(area.contains) ?? false
    case .exists, .hasAll, .containedBy: return isPassed(by: value)
    }
  }
}
