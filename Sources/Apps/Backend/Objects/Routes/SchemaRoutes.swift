import Hub
import Objects
import Server
import Store
import Wire

/// Classes with their fields and permissions, for whoever has the master key.
struct SchemaRoutes: Sendable {
  let objects: AppObjects

  func add(to routes: inout ParseRoutes) {
    routes.on(.get, "/schemas", list)
    routes.on(.post, "/schemas", make)
    routes.on(.get, "/schemas/{class}", one)
    routes.on(.post, "/schemas/{class}", make)
    routes.on(.put, "/schemas/{class}", change)
    routes.on(.delete, "/schemas/{class}", remove)
    routes.on(.delete, "/purge/{class}", purge)
  }

  private func list(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    return ParseAnswer(
      json: try await objects.read(request) { ["results": .array(try $0.storedClasses().map(\.json))] })
  }

  private func one(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    return ParseAnswer(
      json: try await objects.read(request) { reader in
        guard let stored = try reader.storedClass(request.part(1)) else { throw Self.missing(request.part(1)) }
        return stored.json
      })
  }

  private func make(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let name = try Self.name(request)
    return try await objects.write(making: request) { writer in
      guard ClassSchema.isClassName(name) else { throw ObjectError.className(name) }
      if try writer.storedClass(name) != nil { throw ObjectError(103, "Class \(name) already exists.") }
      var schema = ClassSchema.new(name)
      let change = try SchemaChange(request.body)
      try change.apply(to: &schema, isNew: true)
      let stored = try writer.add(schema)
      try writer.index(change, stored)
      return ParseAnswer(json: try writer.storedClass(name)?.json ?? stored.json)
    }
  }

  private func change(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let name = try Self.name(request)
    // A relation's objects leave it some thousand in each commit, before the field itself goes.
    for field in request.body["fields"]?.members ?? [] where field.value["__op"] == "Delete" {
      var next: Int? = 0
      while let first = next {
        next = try await objects.write(request.app, as: request.caller) {
          try $0.removeRelations(of: name, by: field.name, request.body, from: first)
        }
      }
    }
    return ParseAnswer(
      json: try await objects.write(request) { writer in
        guard var stored = try writer.storedClass(name) else { throw Self.missing(name) }
        try writer.apply(try SchemaChange(request.body), to: &stored)
        return try writer.storedClass(name)?.json ?? stored.json
      })
  }

  private func remove(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let name = request.part(1)
    try await objects.write(request) { writer in
      guard ClassSchema.isClassName(name) else { throw ObjectError.className(name) }
      guard let stored = try writer.storedClass(name) else { return }
      let count = try writer.database.objectCount(of: stored)
      guard count == 0 else {
        throw ObjectError.schema("Class \(name) is not empty, contains \(count) objects, cannot drop schema.")
      }
      try writer.database.remove(stored)
    }
    return ParseAnswer(json: [:])
  }

  /// Removes all objects of a class, some thousand in each commit.
  private func purge(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let name = request.part(1)
    try await objects.takeID(of: request)
    var hasMore = true
    while hasMore {
      hasMore = try await objects.write(request.app, as: request.caller) { writer in
        guard let stored = try writer.storedClass(name) else { return false }
        return try writer.purge(stored)
      }
    }
    return ParseAnswer(json: [:])
  }

  /// The class that a request means: in its path or its body, which agree.
  private static func name(_ request: ParseRequest) throws(HTTPError) -> String {
    let named = request.body["className"]?.string
    guard let name = request.path.count > 1 ? request.part(1) : named else {
      throw ObjectError(135, "POST \(ParseRoutes.mount)/schemas needs a class name.").http
    }
    guard named == nil || named == name else {
      throw ObjectError(103, "Class name mismatch between \(named ?? "") and \(name).").http
    }
    return name
  }

  private static func missing(_ name: String) -> ObjectError { ObjectError(103, "Class \(name) does not exist.") }
}

extension ParseRequest {
  func needsMaster() throws(HTTPError) {
    guard caller.isMaster else {
      var refusal = HTTPError.unauthorized
      refusal.foreign = ["error": "unauthorized: master key is required"]
      throw refusal
    }
  }
}

/// A request's changes of a class.
struct SchemaChange {
  private(set) var added: [String: ClassSchema.Field] = [:]
  private(set) var removed: [String] = []
  /// By its name the field of an index that is wanted; nil for one that is not wanted any more.
  private(set) var indexes: [String: String?] = [:]
  private var permissions: ClassPermissions?
  private var rings: [JSON]?
  private var unique: [UniqueRule]?

  init(_ body: JSON) throws(ObjectError) {
    for member in body["fields"]?.members ?? [] {
      if member.value["__op"]?.string == "Delete" {
        removed.append(member.name)
      } else if ClassSchema.always[member.name] == nil {
        let field = try ClassSchema.Field(member.value, named: member.name)
        try field.rules?.checkDictionary()
        added[member.name] = field
      }
    }
    if let wanted = body["classLevelPermissions"], wanted != .null { permissions = try ClassPermissions(wanted) }
    if let wanted = body["rings"], wanted != .null {
      guard let list = wanted.array else { throw .json("rings: \(wanted.kind); a list is accepted.") }
      rings = list
    }
    if let wanted = body["unique"], wanted != .null { unique = try UniqueRule.list(wanted) }
    for member in body["indexes"]?.members ?? [] {
      if member.value["__op"]?.string == "Delete" {
        indexes[member.name] = .some(nil)
        continue
      }
      guard let fields = member.value.members, fields.count == 1 else {
        throw .json("Index \(member.name.prefix(60)): \(member.value.kind); an object with one field is accepted.")
      }
      indexes[member.name] = fields[0].name
    }
  }

  func apply(to schema: inout ClassSchema, isNew: Bool = false) throws(ObjectError) {
    for name in removed {
      guard schema.fields[name] != nil else { throw .schema("Field \(name) does not exist, cannot delete.") }
      guard ClassSchema.ownFields[schema.name]?[name] == nil else {
        throw ObjectError(136, "field \(name) cannot be changed")
      }
      schema.fields[name] = nil
      schema.indexes = schema.indexes.filter { $0.value != name }
    }
    for (name, field) in added.sorted(by: { $0.key < $1.key }) {
      guard ClassSchema.isFieldName(name) else { throw .fieldName("invalid field name: \(name.prefix(60))") }
      if let own = ClassSchema.ownFields[schema.name]?[name] {
        guard isNew, own.type == field.type else { throw ObjectError(136, "field \(name) cannot be added") }
        continue
      }
      if let there = schema.fields[name], there.type != field.type {
        throw .schema("Field \(name) exists, cannot update.")
      }
      schema.fields[name] = field
    }
    guard schema.fields.count <= ObjectsLimits.fields else {
      throw .schema("\(schema.fields.count) fields; at most \(ObjectsLimits.fields) are accepted.")
    }
    for (name, field) in indexes {
      if let field, schema.type(of: field) == nil {
        throw .schema("Field \(field.prefix(60)) does not exist, cannot add index.")
      }
      schema.indexes[name] = field
    }
    guard schema.indexes.count <= ObjectsLimits.fields else {
      throw .schema("\(schema.indexes.count) indexes; at most \(ObjectsLimits.fields) are accepted.")
    }
    if var permissions {
      // As in Parse, where permissions that say nothing of it leave users' addresses hidden.
      if schema.name == "_User", permissions.protectedFields["*"]?.contains("email") != true {
        permissions.protectedFields["*", default: []].append("email")
      }
      schema.permissions = permissions
    }
    if let rings {
      try ClassRing.check(rings, of: schema)
      schema.rings = rings
    }
    try schema.set(unique ?? schema.unique.filter { Set($0.fields).isDisjoint(with: removed) })
    try checkPointers(schema)
  }

  /// Permissions may name fields that point to users, and no others.
  private func checkPointers(_ schema: ClassSchema) throws(ObjectError) {
    guard let permissions else { return }
    let named =
      permissions.readUserFields + permissions.writeUserFields + permissions.grants.values.flatMap(\.pointerFields)
    for name in named {
      guard let type = schema.type(of: name), type == .pointer("_User") || type == .array else {
        throw .json("'\(name.prefix(60))' is not a valid column for class level pointer permissions")
      }
    }
  }
}

extension ObjectWriter {
  /// Changes a class. What its removed fields held is removed too; the most of it after the commit if it is much.
  func apply(_ schemaChange: SchemaChange, to stored: inout StoredClass) throws {
    let before = stored
    try stored.check(new: schemaChange.added.keys)
    try schemaChange.apply(to: &stored.schema)
    try save(stored)
    try removeIndexes(schemaChange, before, stored)
    try index(schemaChange, stored)
    for name in schemaChange.removed {
      if case .relation? = before.schema.fields[name]?.type {
        var next: Int? = 0
        while let first = next {
          let removed = try database.removeRelations(of: stored, by: name, from: first)
          grown.bytes -= removed.bytes
          next = removed.next
        }
      } else {
        for index in before.indexes where index.field == name { try database.remove(index) }
        grown.bytes -= try database.removeField(name, of: stored, after: 0).bytes
      }
    }
  }
}

extension ObjectWriter {
  /// Begins the indexes that are wanted and not there.
  func index(_ schemaChange: SchemaChange, _ stored: StoredClass) throws {
    for case let field? in Set(schemaChange.indexes.values) {
      if stored.indexes.contains(where: { $0.field == field }) { continue }
      _ = try database.addIndex(of: field, to: stored, built: 0, now: change.now)
    }
    try keepUnique(stored)
    change.then { [objects] in objects.advice.wake() }
  }

  /// Removes the indexes that are not wanted any more, by the names that the class was shown with.
  private func removeIndexes(_ schemaChange: SchemaChange, _ before: StoredClass, _ after: StoredClass) throws {
    let shown = before.shownIndexes
    let kept = Set(after.schema.indexes.values).union(StoredClass.ownIndexes[after.schema.name] ?? [])
    for (name, wanted) in schemaChange.indexes where wanted == nil {
      guard let field = shown.first(where: { $0.name == name })?.field, !kept.contains(field) else { continue }
      for index in before.indexes where index.field == field { try database.remove(index) }
    }
  }
}

extension ObjectReader {
  func storedClasses() throws(StoreError) -> [StoredClass] { try database.storedClasses(of: app.id, objects.cache) }
}

extension StoredClass {
  /// - Throws: 255 if a new field has the name of one whose values are being removed: they must not come back.
  func check(new fields: some Sequence<String>) throws(ObjectError) {
    guard let name = fields.first(where: { removedFields.contains($0) }) else { return }
    throw .schema(
      "The field \(name) was removed from \(schema.name), and its values are still being removed from the objects. "
        + "Try again in a moment.")
  }

  /// The indexes that it has, those of rules aside: by the owner's names, or as MongoDB would call them.
  var shownIndexes: [(name: String, field: String)] {
    let made = indexes.filter { $0.rule == nil }.map(\.field)
    let (all, wanted) = (Set(made), Set(schema.indexes.values))
    var shown: [(name: String, field: String)] = []
    for (name, field) in schema.indexes.sorted(by: { $0.key < $1.key }) where all.contains(field) {
      shown.append((name, field))
    }
    for field in made where !wanted.contains(field) { shown.append(("\(field)_1", field)) }
    return shown
  }

  /// The class as Parse shows it, with the indexes that it has.
  var json: JSON {
    let all = shownIndexes.map { JSON.Member($0.name, .object([.init($0.field, 1)])) }
    return .object(
      (schema.json.members ?? []).filter { $0.name != "indexes" }
        + [.init("indexes", .object([.init("_id_", ["_id": 1])] + all))])
  }
}
