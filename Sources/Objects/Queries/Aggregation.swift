public import Wire

/// A request for sums of objects (`/aggregate/Class`): stages through which they go, or the distinct values of a field.
///
/// Stages are those of MongoDB that stand beside counting: `$match`, `$group`, `$sort`, `$skip`, `$limit`, `$project`
/// and `$count`.
public struct Aggregation: Sendable {
  /// The objects to begin with; its limit does not count.
  public let query: ObjectQuery
  let stages: [Stage]
  /// The path whose values are wanted; nil for what the stages make.
  let distinct: FieldPath?

  enum Stage: Sendable {
    case match(ObjectQuery)
    case group(Grouping)
    case sort([ObjectQuery.Order])
    case skip(Int)
    case limit(Int)
    case project(Projection)
    case count(String)
  }

  /// - Parameter parameters: `where`, `distinct`, `pipeline`, or stages by their names; values may be JSON as text.
  public init(className: String, parameters: [JSON.Member], schema: ClassSchema?) throws(ObjectError) {
    var conditions: [JSON] = []
    var distinct: FieldPath?
    var stages: [JSON.Member] = []
    for parameter in parameters where !Selection.ignored.contains(parameter.name) {
      switch parameter.name {
      case "where": conditions.append(try Self.value(parameter))
      case "distinct": distinct = try Self.path("$" + (parameter.value.string ?? ""))
      case "pipeline": stages += try Self.pipeline(try Self.value(parameter))
      default: stages.append(.init(parameter.name, try Self.value(parameter)))
      }
    }
    guard stages.count <= ObjectsLimits.stages else {
      throw .query("\(stages.count) stages; up to \(ObjectsLimits.stages) are accepted.")
    }
    // The first condition is looked up with the objects.
    if let first = stages.first, first.name == "$match" {
      conditions.append(Self.withObjectID(first.value))
      stages.removeFirst()
    }
    let condition: JSON = conditions.count > 1 ? ["$and": .array(conditions)] : conditions.first ?? [:]
    query = try ObjectQuery(className: className, parameters: [.init("where", condition)], schema: schema)
    var read: [Stage] = []
    for stage in stages { read.append(try Self.stage(stage)) }
    self.stages = read
    self.distinct = distinct
  }

  private static func value(_ parameter: JSON.Member) throws(ObjectError) -> JSON {
    guard let text = parameter.value.string, parameter.name != "$count" || text.hasPrefix("\"") else {
      return parameter.value
    }
    do { return try JSON(fromBrowser: text) } catch {
      throw .json("\(parameter.name.prefix(60)) cannot be taken: \(error.message)")
    }
  }

  private static func pipeline(_ json: JSON) throws(ObjectError) -> [JSON.Member] {
    if let members = json.members { return members }
    guard let stages = json.array else { throw .query("pipeline: \(json.kind); a list of stages is accepted.") }
    var all: [JSON.Member] = []
    for stage in stages {
      guard let members = stage.members, members.count == 1 else {
        let names = stage.members?.map(\.name).joined(separator: ", ") ?? stage.kind
        throw .query("Pipeline stages should only have one key but found \(names.prefix(60)).")
      }
      all.append(members[0])
    }
    return all
  }

  private static func stage(_ stage: JSON.Member) throws(ObjectError) -> Stage {
    switch stage.name {
    case "$match":
      // Between stages there is no class: `ObjectQuery` checks the condition's size.
      let query = try ObjectQuery(className: "", parameters: [.init("where", withObjectID(stage.value))], schema: nil)
      guard query.subqueries.isEmpty else { throw .query("$match: queries within it are accepted in where only.") }
      return .match(query)
    case "$group": return .group(try Grouping(stage.value))
    case "$sort":
      guard let members = stage.value.members, !members.isEmpty, members.count <= ObjectsLimits.orders else {
        throw .query("$sort: \(stage.value.kind); an object such as {\"name\": 1, \"score\": -1} is accepted.")
      }
      var order: [ObjectQuery.Order] = []
      for member in members {
        guard let direction = member.value.number, direction == 1 || direction == -1 else {
          throw .query("$sort: \(member.name.prefix(60)): 1 or -1 is accepted.")
        }
        order.append(.init(path: try path("$" + member.name), isDescending: direction < 0, column: nil))
      }
      return .sort(order)
    case "$skip": return .skip(try ObjectQuery.count(stage))
    case "$limit": return .limit(try ObjectQuery.count(stage))
    case "$project": return .project(try Projection(stage.value))
    case "$count":
      guard let name = stage.value.string, !name.isEmpty, name.utf8.count <= ObjectsLimits.pathBytes else {
        throw .query("$count: \(stage.value.kind); a name is accepted.")
      }
      return .count(name)
    case _ where stage.name.hasPrefix("$"):
      throw .query(
        "Aggregate stage \(stage.name.prefix(60)) is not supported; $match, $group, $sort, $skip, $limit, $project and "
          + "$count are.")
    default: throw .query("Invalid aggregate stage '\(stage.name.prefix(60))'.")
    }
  }

  /// Reads `$address.city`. MongoDB's own names of what every object has are accepted.
  static func path(_ text: String) throws(ObjectError) -> FieldPath {
    guard text.hasPrefix("$") else { throw .query("\(text.prefix(60)): a field such as $name is accepted.") }
    let name = String(text.dropFirst())
    return try FieldPath(["_id": "objectId", "_created_at": "createdAt", "_updated_at": "updatedAt"][name] ?? name)
  }

  /// The condition with `objectId` in the place of MongoDB's `_id`, also within `$and`, `$or` and `$nor`.
  private static func withObjectID(_ json: JSON, level: Int = 1) -> JSON {
    guard level <= ObjectsLimits.queryLevels, let members = json.members else { return json }
    return .object(
      members.map { member in
        if member.name == "_id" { return .init("objectId", member.value) }
        guard ["$and", "$or", "$nor"].contains(member.name), let parts = member.value.array else { return member }
        return .init(member.name, .array(parts.map { withObjectID($0, level: level + 1) }))
      })
  }
}
