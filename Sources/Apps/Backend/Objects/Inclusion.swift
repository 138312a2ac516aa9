import Objects
import Wire

/// Puts objects in the place of the pointers to them.
struct Inclusion {
  private let reader: ObjectReader
  private var count = 0

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
      var found: [JSON: JSON] = [:]
      for (className, ids) in wanted.sorted(by: { $0.key < $1.key }) { try fetch(className, ids, &found) }
      all = all.map { Self.replaced($0, path[...], found) ?? $0 }
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
  private static func replaced(_ json: JSON, _ path: ArraySlice<String>, _ found: [JSON: JSON]) -> JSON? {
    if let list = json.array { return .array(list.compactMap { replaced($0, path, found) }) }
    guard let name = path.first else { return json["__type"] == "Pointer" ? found[json] : json }
    guard let members = json.members else { return json }
    return .object(
      members.compactMap { member in
        guard member.name == name else { return member }
        return replaced(member.value, path.dropFirst(), found).map { .init(name, $0) }
      })
  }

  private mutating func fetch(_ className: String, _ ids: Set<String>, _ found: inout [JSON: JSON]) throws {
    guard let stored = try reader.storedClass(className) else { return }
    count += ids.count
    guard count <= AppsLimits.included else {
      throw ObjectError.query(
        "include: more than \(AppsLimits.included) objects would come along; ask for fewer by limit or include.")
    }
    let fields: [String]?
    do throws(ObjectError) {
      fields = try stored.schema.permissions.check(.get, by: reader.caller, on: className)
    } catch {
      return
    }
    for row in try reader.database.objects(ids.sorted(), of: stored) {
      guard row.object.acl?.mayRead(reader.caller) ?? true,
        fields?.contains(where: { row.object.points($0, to: reader.caller.user) }) ?? true
      else { continue }
      found[row.object.pointer] = reader.json(row.object, stored.schema, isNested: true)
    }
  }
}
