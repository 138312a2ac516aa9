public import Wire

/// Values of fields as requests bring them: checked, and brought into the one form in which they are kept.
public enum FieldValue {
  /// The value as it is kept: dates in one spelling, pointers without what an included object brought along.
  /// - Parameter name: the field, for the words of an error.
  public static func checked(_ value: JSON, of name: String) throws(ObjectError) -> JSON {
    try checked(value, name, level: 1)
  }

  private static func checked(_ value: JSON, _ name: String, level: Int) throws(ObjectError) -> JSON {
    guard level <= ObjectsLimits.levels else {
      throw .tooLarge("\(name): more than \(ObjectsLimits.levels) levels; fewer are accepted.")
    }
    switch value {
    case .double(let number) where !number.isFinite: throw .json("\(name): a number that is not finite.")
    case .array(let values):
      var all: [JSON] = []
      all.reserveCapacity(values.count)
      for value in values { all.append(try checked(value, name, level: level + 1)) }
      return .array(all)
    case .object(let members):
      if let kind = value["__type"] { return try typed(kind.string ?? "", value, name) }
      var all: [JSON.Member] = []
      all.reserveCapacity(members.count)
      for member in members {
        try checkKey(member.name)
        all.append(.init(member.name, try checked(member.value, name, level: level + 1)))
      }
      return .object(all)
    default: return value
    }
  }

  /// Keys that would mean something in a query or in JavaScript are none of an object within a field.
  private static func checkKey(_ key: String) throws(ObjectError) {
    if key.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: ".") }) {
      throw .nestedKey("Nested keys should not contain the '$' or '.' characters")
    }
    if forbidden.contains(key) { throw .fieldName("Prohibited keyword in request data: \(key).") }
  }

  public static let forbidden: Set = ["__proto__", "constructor", "prototype", "_bsontype"]

  private static func typed(_ kind: String, _ value: JSON, _ name: String) throws(ObjectError) -> JSON {
    func refusal(_ words: String) -> ObjectError { .type("\(name): \(words)") }
    switch kind {
    case "Date":
      guard let milliseconds = ObjectDate.milliseconds(value) else {
        throw refusal("not a valid Date; {\"__type\":\"Date\",\"iso\":\"2026-01-01T00:00:00.000Z\"} is accepted.")
      }
      return ObjectDate.json(milliseconds)
    case "Pointer", "Object":
      guard let target = value["className"]?.string, let id = value["objectId"]?.string, !id.isEmpty,
        id.utf8.count <= ObjectsLimits.idBytes
      else { throw refusal("not a valid Pointer; className and objectId are needed.") }
      guard ClassSchema.isClassName(target) else { throw .className(target) }
      return StoredObject.pointer(to: id, of: target)
    case "File":
      guard let file = value["name"]?.string else { throw refusal("not a valid File; its name is needed.") }
      return ["__type": "File", "name": .string(file), "url": .string(value["url"]?.string ?? "")]
    case "GeoPoint":
      guard let latitude = value["latitude"], let longitude = value["longitude"],
        isPlace(latitude.number, longitude.number)
      else { throw refusal("not a valid GeoPoint; latitude −90…90 and longitude −180…180 are accepted.") }
      return ["__type": "GeoPoint", "latitude": latitude, "longitude": longitude]
    case "Bytes":
      guard let text = value["base64"]?.string, isBase64(text) else {
        throw refusal("not valid Bytes; base64 is needed.")
      }
      return ["__type": "Bytes", "base64": .string(text)]
    case "Polygon": return try polygon(value, name)
    case "Relation":
      guard let target = value["className"]?.string, ClassSchema.isClassName(target) else {
        throw refusal("not a valid Relation; its className is needed.")
      }
      return ["__type": "Relation", "className": .string(target)]
    default: throw refusal("This is not a valid \(kind.prefix(40))")
    }
  }

  private static func isPlace(_ latitude: Double?, _ longitude: Double?) -> Bool {
    guard let latitude, let longitude else { return false }
    return (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }

  private static func polygon(_ value: JSON, _ name: String) throws(ObjectError) -> JSON {
    guard var corners = value["coordinates"]?.array, corners.count >= 3 else {
      throw .type("\(name): not a valid Polygon; coordinates of three corners or more are needed.")
    }
    for corner in corners {
      guard let pair = corner.array, pair.count == 2, isPlace(pair[0].number, pair[1].number) else {
        throw .type("\(name): not a valid Polygon; each corner is [latitude, longitude].")
      }
    }
    if corners.first != corners.last { corners.append(corners[0]) }
    guard Set(corners).count >= 3 else { throw .type("\(name): not a valid Polygon; its corners are the same.") }
    return ["__type": "Polygon", "coordinates": .array(corners)]
  }

  private static func isBase64(_ text: String) -> Bool {
    text.utf8.count % 4 == 0 && text.isAlphanumeric(or: "+/=")
  }
}
