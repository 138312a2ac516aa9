import Objects
import Wire

/// Requests of apps, in JSON: `[conditions, fields of an object]`, `[edit, fields]` and `[parameters, fields…]`.
nonisolated(unsafe) let objectTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "query": { bytes in
    guard let pair = (try? JSON(parsing: Array(bytes)))?.array, pair.count == 2, let fields = pair[1].members,
      let query = read(pair[0]), query.subqueries.isEmpty
    else { return }
    let object = StoredObject(className: "C", id: "a", createdAt: 0, updatedAt: 1, fields: fields)
    let matches = query.matches(object)
    // A field has values of its type alone, in the form in which they are kept: that is so when an object is written.
    let isTyped = schema.fields.allSatisfy { name, field in
      guard let value = object[name], let type = FieldType(of: value) else { return true }
      return type == field.type && (try? FieldValue.checked(value, of: name)) == value
    }
    guard query.fault == nil, isTyped else { return }
    let isNarrowed = query.narrowing.allSatisfy { holds($0, object) }
    require(!matches || isNarrowed, "an object that matches is narrowed away")
    require(matches || !isNarrowed || !query.isExact, "the narrowings are not exact")
    // What is around the condition adds levels and values, so that it may be refused.
    if let opposite = read(["$nor": [pair[0]]]) { require(opposite.matches(object) != matches) }
  },
  "edit": { bytes in
    guard let pair = (try? JSON(parsing: Array(bytes)))?.array, pair.count == 2, let edit = try? ObjectEdit(pair[0]),
      case .object(let fields)? = try? FieldValue.checked(pair[1], of: "fields"), pair[1]["__type"] == nil
    else { return }
    var object = StoredObject(className: "C", id: "a", createdAt: 0, updatedAt: 1, fields: fields)
    guard (try? edit.apply(to: &object)) != nil else { return }
    // Each value that is kept could also have been written as a whole.
    for field in object.fields where edit.operations.contains(where: { $0.path[0] == field.name }) {
      require((try? FieldValue.checked(field.value, of: field.name)) == field.value, field.value.text)
    }
    var known = ClassSchema(name: "C", fields: [:])
    _ = try? edit.fit(&known)
    require(known.fields.count <= ObjectsLimits.fields)
  },
  "aggregation": { bytes in
    guard let parts = (try? JSON(parsing: Array(bytes)))?.array, let parameters = parts.first?.members,
      let aggregation = try? Aggregation(className: "C", parameters: parameters, schema: schema)
    else { return }
    var run = aggregation.run()
    for (place, fields) in parts.dropFirst().enumerated() {
      let object = StoredObject(
        className: "C", id: "\(place)", createdAt: place, updatedAt: place, fields: fields.members ?? [])
      guard (try? run.add(object)) != nil else { return }
    }
    guard let results = try? run.finished() else { return }
    require((try? JSON(parsing: JSON.array(results).bytes)) == .array(results), "\(results)")
  },
]

private let schema = ClassSchema(
  name: "C",
  fields: [
    "s": .init(.string), "n": .init(.number), "b": .init(.boolean), "d": .init(.date), "p": .init(.pointer("C")),
    "a": .init(.array), "o": .init(.object), "g": .init(.geoPoint),
  ])

private func read(_ condition: JSON) -> ObjectQuery? {
  try? ObjectQuery(className: "C", parameters: [.init("where", condition)], schema: schema)
}

/// The condition as SQL has it: of null, and of values of another kind, nothing holds.
private func holds(_ narrowing: Narrowing, _ object: StoredObject) -> Bool {
  var value = object[narrowing.column.path.joined(separator: ".")]
  switch narrowing.column.field {
  case "objectId": value = .string(object.id)
  case "createdAt": value = .int(object.createdAt)
  case "updatedAt": value = .int(object.updatedAt)
  default: break
  }
  guard let value, value != .null else { return false }
  let own = QueryValue(value)
  return narrowing.values.contains { wanted in
    let wanted = QueryValue(wanted)
    return switch narrowing.comparison {
    case .equal, .anyOf: own == wanted
    case .less: own < wanted
    case .lessOrEqual: !(wanted < own)
    case .greater: wanted < own
    case .greaterOrEqual: !(own < wanted)
    }
  }
}
