import Objects
import Wire

/// Puts objects in the place of the pointers to them.
struct Inclusion {
  /// An object that stands in the place of each pointer to it.
  private struct Found {
    var json: JSON
    /// Its bytes as it is kept.
    var bytes: Int
  }
  private let reader: ObjectReader
  /// The objects that were looked up, the places where some stand, and the bytes of these: an object that many
  /// pointers lead to is in the answer as often.
  private var lookups = 0
  private var places = 0
  private var bytes = 0

  init(_ reader: ObjectReader) { self.reader = reader }

  /// The objects as JSON, with what the selection includes. A pointer to what is not there, or not for the caller, is
  /// left out, as Parse does it.
  mutating func applied(to all: [JSON], _ selection: Selection, _ schema: ClassSchema) throws -> [JSON] {
    var paths = selection.include
    if selection.includesAll {
      let pointers = schema.fields.filter { if case .pointer = $0.value.type { true } else { $0.value.type == .array } }
      paths = pointers.keys.sorted().filter { !paths.contains([$0]) }.map { [$0] } + paths
    }
    var all = all
    for path in paths {
      var wanted: [String: Set<String>] = [:]
      for json in all { Self.collect(json, path[...], &wanted) }
      if wanted.isEmpty { continue }
      var found: [JSON: Found] = [:]
      for (className, ids) in wanted.sorted(by: { $0.key < $1.key }) { try fetch(className, ids, &found) }
      all = try all.map { try replaced($0, path[...], found) ?? $0 }
    }
    return all
  }

  private static func collect(_ json: JSON, _ path: ArraySlice<String>, _ wanted: inout [String: Set<String>]) {
    if let list = json.array {
      for json in list { collect(json, path, &wanted) }
    } else if let name = path.first {
      if let next = json[name] { collect(next, path.dropFirst(), &wanted) }
    } else if json["__type"] == "Pointer", let className = json["className"]?.string,
      let id = json["objectId"]?.string
    {
      wanted[className, default: []].insert(id)
    }
  }

  /// The JSON with the objects that were found; nil for a pointer to what was not.
  private mutating func replaced(
    _ json: JSON, _ path: ArraySlice<String>, _ found: [JSON: Found]
  ) throws(ObjectError) -> JSON? {
    if let list = json.array {
      var all: [JSON] = []
      for json in list { if let json = try replaced(json, path, found) { all.append(json) } }
      return .array(all)
    }
    guard let name = path.first else { return json["__type"] == "Pointer" ? try placed(found[json]) : json }
    guard var members = json.members, let value = json[name] else { return json }
    members.set(name, try replaced(value, path.dropFirst(), found))
    return .object(members)
  }

  /// Counts one more place where an object stands.
  private mutating func placed(_ found: Found?) throws(ObjectError) -> JSON? {
    guard let found else { return nil }
    places += 1
    bytes += found.bytes
    guard places <= AppsLimits.included else { throw Self.tooMany }
    guard bytes <= AppsLimits.answerBytes else { throw Self.tooLarge }
    return found.json
  }

  private static let tooMany = ObjectError.query(
    "include: more than \(AppsLimits.included) objects would come along; ask for fewer by limit or include.")
  private static let tooLarge = ObjectError.tooLarge(
    "What would come along has more than \(AppsLimits.answerBytes) bytes; ask for less by limit or include.")

  private mutating func fetch(_ className: String, _ ids: Set<String>, _ found: inout [JSON: Found]) throws {
    guard let stored = try reader.storedClass(className) else { return }
    lookups += ids.count
    guard lookups <= AppsLimits.included else { throw Self.tooMany }
    let fields: [String]?
    do throws(ObjectError) {
      fields = try stored.schema.permissions.check(.get, by: reader.caller, on: className)
    } catch {
      return
    }
    var sum = found.values.reduce(bytes) { $0 + $1.bytes }
    try reader.database.eachObject(ids.sorted(), of: stored) { row, bytes in
      guard row.object.mayBeRead(by: reader.caller), row.object.points(anyOf: fields, to: reader.caller) else {
        return false
      }
      sum += bytes
      found[row.object.pointer] = Found(json: reader.json(row.object, stored.schema, isNested: true), bytes: bytes)
      return sum > AppsLimits.answerBytes
    }
    guard sum <= AppsLimits.answerBytes else { throw Self.tooLarge }
  }
}
