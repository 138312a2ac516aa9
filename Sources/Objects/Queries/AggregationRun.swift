public import Wire

extension Aggregation {
  public func run() -> AggregationRun { AggregationRun(self) }
}

/// An aggregation on its way: it gets the objects one by one, and keeps no more than its stages have to.
public struct AggregationRun {
  private let aggregation: Aggregation
  private var states: [State]
  private var distinct: [QueryValue: JSON] = [:]
  private var results: [JSON] = []
  /// Bytes of all that is kept: distinct values, results, and what stages keep.
  private var bytes = 0

  /// The state of a stage after some documents.
  private struct State {
    var count = 0
    /// Bytes of its documents and groups.
    var bytes = 0
    /// Documents to be sorted.
    var documents: [JSON] = []
    /// The groups by their keys, in the order in which they came.
    var places: [QueryValue: Int] = [:]
    var groups: [(key: JSON, sums: [Grouping.Sum.State])] = []
  }

  init(_ aggregation: Aggregation) {
    self.aggregation = aggregation
    states = aggregation.stages.map { _ in State() }
  }

  /// Takes an object of the aggregation's query.
  public mutating func add(_ object: StoredObject) throws(ObjectError) {
    if let path = aggregation.distinct {
      for value in path.values(in: object).flatMap({ $0.array ?? [$0] }) where value != .null {
        let before = distinct.updateValue(value, forKey: QueryValue(value))
        try keep(value.keptBytes - (before?.keptBytes ?? 0))
      }
      try Self.check(distinct.count, "distinct values")
      return
    }
    var members: [JSON.Member] = [
      .init("objectId", .string(object.id)), .init("createdAt", ObjectDate.json(object.createdAt)),
      .init("updatedAt", ObjectDate.json(object.updatedAt)),
    ]
    members += object.fields.filter { !$0.name.hasPrefix("_") }
    try take(.object(members), from: 0)
  }

  /// The result, after the last object.
  public mutating func finished() throws(ObjectError) -> [JSON] {
    if aggregation.distinct != nil { return distinct.sorted { $0.key < $1.key }.map(\.value) }
    for place in aggregation.stages.indices {
      let state = states[place]
      // It goes on to where it is kept next.
      bytes -= state.bytes
      switch aggregation.stages[place] {
      case .group(let grouping):
        for group in state.groups {
          var members: [JSON.Member] = [.init("objectId", Self.shownKey(group.key))]
          for (sum, state) in zip(grouping.sums, group.sums) { members.append(.init(sum.name, state.result(sum.kind))) }
          try take(.object(members), from: place + 1)
        }
      case .sort(let order):
        let keys = state.documents.map { document in order.map { $0.key(of: document) } }
        for index in ObjectQuery.places(of: keys, order) { try take(state.documents[index], from: place + 1) }
      case .count(let name):
        if state.count > 0 { try take(.object([.init(name, .int(state.count))]), from: place + 1) }
      case .match, .skip, .limit, .project: break
      }
    }
    return results.map(Self.shown)
  }

  /// Lets a document go through the stages from one on, until one keeps it.
  private mutating func take(_ document: JSON, from first: Int) throws(ObjectError) {
    var document = document
    for place in first..<states.count {
      states[place].count += 1
      switch aggregation.stages[place] {
      case .match(let query): if !query.isMet(by: document) { return }
      case .skip(let count): if states[place].count <= count { return }
      case .limit(let count): if states[place].count > count { return }
      case .project(let projection): document = projection.shown(document)
      case .count: return
      case .sort:
        states[place].documents.append(document)
        try keep(document.keptBytes, at: place)
        return try Self.check(states[place].documents.count, "documents to sort")
      case .group(let grouping): return try group(document, grouping, at: place)
      }
    }
    results.append(document)
    try keep(document.keptBytes)
    try Self.check(results.count, "results")
  }

  /// Counts bytes that are kept, by a stage or for the end.
  private mutating func keep(_ more: Int, at place: Int? = nil) throws(ObjectError) {
    bytes += more
    if let place { states[place].bytes += more }
    guard bytes <= ObjectsLimits.aggregatedBytes else {
      throw .tooLarge(
        "What was found has more than \(ObjectsLimits.aggregatedBytes) bytes; ask for less by $match, $limit or a "
          + "$project before $sort.")
    }
  }

  private mutating func group(_ document: JSON, _ grouping: Grouping, at place: Int) throws(ObjectError) {
    let key = grouping.key.value(of: document) ?? .null
    let value = QueryValue(key)
    let index: Int
    if let known = states[place].places[value] {
      index = known
    } else {
      index = states[place].groups.count
      try Self.check(index + 1, "groups")
      states[place].places[value] = index
      states[place].groups.append((key, grouping.sums.map { _ in Grouping.Sum.State() }))
      try keep(key.keptBytes, at: place)
    }
    var more = 0
    for (number, sum) in grouping.sums.enumerated() {
      more -= states[place].groups[index].sums[number].keptBytes
      states[place].groups[index].sums[number].add(sum.of.value(of: document), sum.kind)
      more += states[place].groups[index].sums[number].keptBytes
    }
    try keep(more, at: place)
  }

  private static func check(_ count: Int, _ name: String) throws(ObjectError) {
    guard count <= ObjectsLimits.results else {
      throw .query("more than \(ObjectsLimits.results) \(name); fewer are accepted, such as by $match or $limit.")
    }
  }

  /// A group of pointers has the id of what they lead to, as in Parse.
  private static func shownKey(_ key: JSON) -> JSON { key["__type"] == "Pointer" ? key["objectId"] ?? .null : key }

  /// Objects' own times are plain text outside of an object.
  private static func shown(_ document: JSON) -> JSON {
    .object(
      (document.members ?? []).map { member in
        guard ["createdAt", "updatedAt"].contains(member.name), let time = ObjectDate.milliseconds(member.value) else {
          return member
        }
        return .init(member.name, .string(ObjectDate.text(time)))
      })
  }
}

extension JSON {
  /// Bytes in memory and in an answer, roughly.
  var keptBytes: Int {
    switch self {
    case .null, .bool, .int, .double: 8
    case .string(let text): 8 + text.utf8.count
    case .array(let values): values.reduce(8) { $0 + $1.keptBytes }
    case .object(let members): members.reduce(8) { $0 + $1.name.utf8.count + $1.value.keptBytes }
    }
  }
}
