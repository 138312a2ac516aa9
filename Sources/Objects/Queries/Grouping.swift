import Wire

/// A `$group`: `{"_id": "$city", "total": {"$sum": "$price"}}`.
struct Grouping: Sendable {
  /// The value by which documents are together.
  indirect enum Key: Sendable {
    case constant(JSON)
    case path(FieldPath)
    case members([(name: String, key: Key)])
  }
  let key: Key
  let sums: [Sum]

  /// The value that is made of all documents of a group.
  struct Sum: Sendable {
    enum Kind: String { case sum = "$sum", avg = "$avg", min = "$min", max = "$max", first = "$first", last = "$last" }
    let name: String
    let kind: Kind
    let of: Key
  }

  init(_ json: JSON) throws(ObjectError) {
    guard let members = json.members, json["objectId"] == nil else {
      throw .query("Cannot use 'objectId' in aggregation stage $group; an object with _id is accepted.")
    }
    guard let id = json["_id"] else { throw .query("Invalid parameter for query: group. Missing key _id") }
    guard members.count <= ObjectsLimits.paths else {
      throw .query("$group: \(members.count) keys; up to \(ObjectsLimits.paths) are accepted.")
    }
    key = try Self.key(id, isNested: false)
    var sums: [Sum] = []
    for member in members where member.name != "_id" {
      _ = try FieldPath(member.name)
      guard let operation = member.value.members, operation.count == 1 else {
        throw .query("$group: \(member.name): \(member.value.kind); an object such as {\"$sum\": 1} is accepted.")
      }
      if operation[0].name == "$count" {
        sums.append(Sum(name: member.name, kind: .sum, of: .constant(1)))
        continue
      }
      guard let kind = Sum.Kind(rawValue: operation[0].name) else {
        throw .query(
          "$group: \(operation[0].name.prefix(60)) is not supported; $sum, $avg, $min, $max, $first, $last and $count "
            + "are.")
      }
      sums.append(Sum(name: member.name, kind: kind, of: try Self.key(operation[0].value, isNested: true)))
    }
    self.sums = sums
  }

  private static func key(_ json: JSON, isNested: Bool) throws(ObjectError) -> Key {
    switch json {
    case .string(let text) where text.hasPrefix("$"): return .path(try Aggregation.path(text))
    case .object(let members) where !isNested && members.count <= ObjectsLimits.orders:
      var all: [(String, Key)] = []
      for member in members {
        _ = try FieldPath(member.name)
        all.append((member.name, try key(member.value, isNested: true)))
      }
      return .members(all)
    case .object, .array: throw .query("$group: \(json.kind) is not supported here; a field such as \"$name\" is.")
    default: return .constant(json)
    }
  }
}

extension Grouping.Key {
  /// The value of a document; nil if it has none.
  func value(of document: JSON) -> JSON? {
    switch self {
    case .constant(let value): return value
    case .path(let path):
      var found: JSON?
      _ = path.reaches(in: document) { value in
        found = value
        return true
      }
      return found
    case .members(let members):
      return .object(members.map { .init($0.name, $0.key.value(of: document) ?? .null) })
    }
  }
}

extension Grouping.Sum {
  /// The state after some documents.
  struct State {
    private var number = QueryValue.Number.whole(0)
    private var count = 0
    private var value: JSON?

    var keptBytes: Int { value?.keptBytes ?? 0 }

    mutating func add(_ json: JSON?, _ kind: Kind) {
      switch kind {
      case .sum, .avg:
        guard case .number(let next) = QueryValue(json) else { return }
        number = number + next
        count += 1
      case .min, .max:
        guard let json, json != .null else { return }
        let (new, old) = (QueryValue(json), QueryValue(value ?? json))
        if value == nil || (kind == .min ? new < old : old < new) { value = json }
      case .first:
        if count == 0 { value = json }
        count = 1
      case .last: value = json
      }
    }

    func result(_ kind: Kind) -> JSON {
      switch kind {
      case .sum: number.json
      case .avg: count == 0 ? .null : QueryValue.Number(number.double / Double(count)).json
      case .min, .max, .first, .last: value ?? .null
      }
    }
  }
}

extension QueryValue.Number {
  var double: Double {
    switch self {
    case .whole(let value): Double(value)
    case .other(let value): value
    }
  }

  /// Infinite sums have no number in JSON.
  var json: JSON {
    switch self {
    case .whole(let value): .int(value)
    case .other(let value): value.isFinite ? .double(value) : .null
    }
  }

  static func + (left: Self, right: Self) -> Self {
    if case (.whole(let left), .whole(let right)) = (left, right) {
      let (sum, isOver) = left.addingReportingOverflow(right)
      if !isOver { return .whole(sum) }
    }
    return Self(left.double + right.double)
  }
}
