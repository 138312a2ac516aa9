import Wire

/// A `$project`: `{"name": 1, "town": "$address.city"}`, or `{"secret": 0}`. The object's id stays unless it is left
/// out, or another field takes its place: `{"_id": 0, "objectId": "$name"}`.
struct Projection: Sendable {
  private var kept: [(name: String, key: Grouping.Key)] = []
  private var left: Set<String> = []

  init(_ json: JSON) throws(ObjectError) {
    guard let members = json.members, !members.isEmpty, members.count <= ObjectsLimits.paths else {
      throw .query("$project: \(json.kind); an object such as {\"name\": 1} is accepted.")
    }
    for member in members {
      let path = try Aggregation.path("$" + member.name)
      guard path.isField else { throw .query("$project: \(member.name.prefix(60)): a field without dots is accepted.") }
      switch member.value {
      case 0, .bool(false): left.insert(path.field)
      case 1, .bool(true): kept.append((path.field, .path(path)))
      case .string(let text): kept.append((path.field, .path(try Aggregation.path(text))))
      default: throw .query("$project: \(member.name.prefix(60)): 0, 1 or a field such as \"$name\" is accepted.")
      }
    }
    guard kept.isEmpty || left.subtracting(["objectId"]).isEmpty else {
      throw .query("$project: fields are either left out (0) or kept (1), except _id.")
    }
  }

  func shown(_ document: JSON) -> JSON {
    if kept.isEmpty { return .object((document.members ?? []).filter { !left.contains($0.name) }) }
    var members: [JSON.Member] = []
    let id: [(name: String, key: Grouping.Key)] = [("objectId", .path(FieldPath(field: "objectId")))]
    let isIDNamed = left.contains("objectId") || kept.contains { $0.name == "objectId" }
    for (name, key) in (isIDNamed ? [] : id) + kept {
      // `_id` and `objectId` are one field.
      guard !members.contains(where: { $0.name == name }), let value = key.value(of: document) else { continue }
      members.append(.init(name, value))
    }
    return .object(members)
  }
}
