import Crypto
import Hub
import Objects
import Store
import Wire

/// Changes an app's objects within a commit, for one caller: rights, types and values are checked, and those who follow
/// changes are told after the commit.
final class ObjectWriter {
  let change: Change
  let app: App
  private(set) var caller: Objects.Caller
  /// The hashes of the passwords in the request. Scrypt takes longer than a commit may, so it comes before.
  let passwords: [String: PasswordHash]
  let objects: AppObjects
  private var changes: [ObjectChange] = []
  /// The objects and bytes that came, less those that went.
  var grown = (objects: 0, bytes: 0)
  /// The changes of relations that this commit may still make, and the relations of removed objects that may still go.
  var relationsToChange = AppsLimits.relationPointers
  var relationsToRemove = AppsLimits.removedPerCommit
  /// The bytes of objects that this commit may still read to change or remove them, without the master key.
  private var bytesToChange = AppsLimits.changedBytes

  var database: Database { change.database }
  /// Milliseconds since 1970.
  var now: Int { Int(change.now * 1000) }

  /// - Throws: 209 if the caller's session has ended meanwhile, 159 for a request that was done before.
  init(
    _ objects: AppObjects, _ change: Change, _ app: App, _ caller: Objects.Caller, requestID: String? = nil,
    passwords: [String: PasswordHash] = [:]
  ) throws {
    (self.objects, self.change, self.app, self.passwords) = (objects, change, app, passwords)
    let current = try caller.current(in: change.database, app.id, objects.cache, now: change.now)
    guard let current else { throw ObjectError.invalidSession }
    self.caller = current
    if let requestID, try !change.database.take(request: requestID, of: app.id, now: change.now) {
      throw ObjectError.repeated
    }
  }

  /// To be called at the end: what was changed is told after the commit.
  func finish() throws(StoreError) {
    // Also without changes of objects: it may have been a class.
    database.touch(.objects, app.id)
    change.then { [recent = objects.recent, id = app.id] in recent.forget(id) }
    if grown != (0, 0) { objects.kept.count((grown.objects, grown.bytes), of: app.id, in: change) }
    guard !changes.isEmpty else { return }
    let written = WrittenObjects(app: app, caller: caller, commit: change.number, changes: changes)
    try objects.complete(written, in: change)
    change.then { [objects] in objects.tell(written) }
  }

  /// Does a part of the changes, which is undone alone if it is refused.
  func part<T>(_ body: () throws -> T) throws -> T {
    let (before, size) = (changes, grown)
    let (toChange, toRemove) = (relationsToChange, relationsToRemove)
    do {
      return try database.part(body)
    } catch {
      (changes, grown) = (before, size)
      (relationsToChange, relationsToRemove) = (toChange, toRemove)
      throw error
    }
  }

  /// Does what the hub itself does in the course of a caller's request.
  func asMaster<T>(_ body: () throws -> T) rethrows -> T {
    let before = caller
    caller = .master
    defer { caller = before }
    return try body()
  }

  // MARK: Classes

  func storedClass(_ name: String) throws(StoreError) -> StoredClass? {
    try database.storedClass(name, of: app.id, objects.cache)
  }

  /// The class of a name, which is made if there is none and the caller may make it.
  func openClass(_ name: String) throws -> StoredClass {
    guard ClassSchema.isClassName(name) else { throw ObjectError.className(name) }
    if let stored = try storedClass(name) { return stored }
    guard app.lets(caller, makeClass: name) else {
      throw ObjectError.forbidden("This user is not allowed to access non-existent class: \(name)")
    }
    return try add(ClassSchema.new(name))
  }

  func add(_ schema: ClassSchema) throws -> StoredClass {
    guard try database.classCount(of: app.id) < AppsLimits.classes else {
      throw ObjectError.schema("The app has \(AppsLimits.classes) classes; there is no room for \(schema.name).")
    }
    return try database.add(schema, to: app.id, version: Self.version(), now: change.now)
  }

  func save(_ stored: StoredClass) throws(StoreError) { try database.save(stored, version: Self.version()) }

  /// A number that no version of a class had before, nor has in a change that is undone.
  static func version() -> Int { Int.random(in: 0...Int.max) }

  /// The class with the fields that an edit of an object needs; nil for a new object.
  private func fit(_ stored: StoredClass, to edit: ObjectEdit, of object: StoredObject?) throws -> StoredClass {
    var schema = stored.schema
    let new = try edit.fit(&schema)
    if new.isEmpty { return stored }
    let refusal = ObjectError.forbidden("Permission denied for action addField on class \(schema.name).")
    guard app.lets(caller, makeClass: schema.name) else { throw refusal }
    let fields = try schema.permissions.check(.addField, by: caller, on: schema.name)
    guard fields == nil || object?.points(anyOf: fields, to: caller) ?? false else { throw refusal }
    try stored.check(new: new)
    var wider = stored
    wider.schema = schema
    try save(wider)
    return try storedClass(schema.name) ?? wider
  }

  // MARK: Objects

  /// Makes an object.
  /// - Parameters:
  ///   - createdAt: the time at which it was made, in milliseconds since 1970, where that is not now.
  /// - Returns: the object, and the fields whose values the client does not know.
  func create(
    _ className: String, _ edit: ObjectEdit, createdAt: Int? = nil
  ) throws -> (object: StoredObject, told: [String]) {
    var stored = try openClass(className)
    _ = try stored.schema.permissions.check(.create, by: caller, on: className)
    var edit = edit
    if className == "_Installation", let same = try installation(like: &edit) {
      return try update(className, same, edit)
    }
    if edit.acl == nil, let list = stored.schema.permissions.newACL {
      try edit.set("ACL", toOthers: list.made(by: caller.user).json)
    }
    let id = Self.id()
    let following = try begin(creating: className, &edit, id: id)
    stored = try fit(stored, to: edit, of: nil)
    var object = StoredObject(className: className, id: id, createdAt: createdAt ?? now, updatedAt: createdAt ?? now)
    let set = try edit.apply(to: &object).filter { edit.others.contains($0) }
    if className == "_Audience", object.acl == nil { object.acl = AccessList([:]) }
    let told = set + (try complete(&object, stored.schema))
    try checkRules(object, before: nil, stored.schema)
    try checkUnique(object, before: nil, stored)
    try checkRulesOfClass(object, nil, stored)
    let body = try Self.body(of: object)
    try count(1, bytes: body.utf8.count, of: className)
    let number = try database.add(object, body: body, to: stored)
    try relate(number, edit, of: className)
    try useFiles(of: object, insteadOf: nil, in: number)
    try following?(ObjectRow(number: number, object: object))
    try add(ObjectChange(app: app.id, before: nil, after: object), stored.schema)
    return (object, shown(told, of: object, stored.schema))
  }

  /// Changes an object that the caller may change.
  func update(_ className: String, _ id: String, _ edit: ObjectEdit) throws -> (object: StoredObject, told: [String]) {
    guard var stored = try storedClass(className) else { throw ObjectError.notFound }
    let row = try self.row(id, of: stored, for: .update)
    var edit = edit
    let following = try begin(updating: row, &edit)
    stored = try fit(stored, to: edit, of: row.object)
    var changed = row
    let told = try edit.apply(to: &changed.object)
    changed.object.updatedAt = max(now, row.object.updatedAt)
    // An older object may lack a field that became needed since: it can be changed all the same.
    for (path, _) in edit.operations
    where stored.schema.fields[path[0]]?.isRequired == true && Self.isNothing(changed.object[path[0]]) {
      throw ObjectError.validation("\(path[0]) is required")
    }
    try checkRules(changed.object, before: row.object, stored.schema)
    try checkUnique(changed.object, before: row.object, stored)
    try checkRulesOfClass(changed.object, row, stored)
    let body = try Self.body(of: changed.object)
    try count(0, bytes: body.utf8.count - row.bytes, of: className)
    try database.save(changed, body: body, before: row.object, of: stored)
    try relate(row.number, edit, of: className)
    try useFiles(of: changed.object, insteadOf: row.object, in: row.number)
    try following?(changed)
    try add(ObjectChange(app: app.id, before: row.object, after: changed.object), stored.schema)
    return (changed.object, shown(told, of: changed.object, stored.schema))
  }

  /// Those fields that the caller may see.
  private func shown(_ fields: [String], of object: StoredObject, _ schema: ClassSchema) -> [String] {
    let hidden = schema.permissions.hidden(from: caller, in: object)
    return fields.filter { !hidden.contains($0) }
  }

  /// Removes an object that the caller may change.
  func delete(_ className: String, _ id: String) throws -> StoredObject {
    guard let stored = try storedClass(className) else { throw ObjectError.notFound }
    let row = try self.row(id, of: stored, for: .delete)
    // A session has none, but for one of an earlier version; it ends in any case.
    guard try removeRelations(of: row) || className == "_Session" else { throw ObjectError.manyRelations }
    try begin(deleting: row)
    try database.remove(row, of: stored)
    try count(-1, bytes: -row.bytes, of: className)
    try add(ObjectChange(app: app.id, before: row.object, after: nil), stored.schema)
    return row.object
  }

  /// Removes some objects of a class, however many it has; a further call removes the next.
  /// - Returns: false when there is none left.
  func purge(_ stored: StoredClass) throws -> Bool {
    // With a user go their sessions, of which each may have many.
    let most = stored.schema.name == "_User" ? AppsLimits.removedPerCommit / 20 : AppsLimits.removedPerCommit
    let oldest = try database.oldest(of: stored, atMost: most)
    var removed: [ObjectRow] = []
    for row in oldest {
      guard try removeRelations(of: row) else { break }
      try begin(deleting: row)
      try database.remove(row, of: stored)
      removed.append(row)
    }
    changes += removed.map { ObjectChange(app: app.id, before: $0.object, after: nil) }
    grown.objects -= removed.count
    grown.bytes -= removed.reduce(0) { $0 + $1.bytes }
    return !oldest.isEmpty
  }

  /// The row of an object that the caller may change; where they may not, there is none for them.
  func row(_ id: String, of stored: StoredClass, for action: ClassPermissions.Action) throws -> ObjectRow {
    let fields = try stored.schema.permissions.check(action, by: caller, on: stored.schema.name)
    guard caller.mayWrite(stored.schema.name, id) else {
      throw ObjectError(206, "Insufficient auth: only this user, signed in, may do that.")
    }
    let found = try database.object(id, of: stored, atMost: caller.isMaster ? .max : bytesToChange)
    if case .tooLarge? = found { throw ObjectError.largeBatch }
    guard case .found(let row)? = found, row.object.mayBeWritten(by: caller),
      row.object.points(anyOf: fields, to: caller)
    else { throw ObjectError.notFound }
    if !caller.isMaster { bytesToChange -= row.bytes }
    return row
  }

  /// Gives a new object the values that its class has for fields without one.
  private func complete(_ object: inout StoredObject, _ schema: ClassSchema) throws -> [String] {
    var told: [String] = []
    for (name, field) in schema.fields where field.defaultValue != nil || field.isRequired {
      let value = object[name] ?? .null
      if value == .null, let value = field.defaultValue {
        object.set(name, value)
        told.append(name)
      } else if field.isRequired, Self.isNothing(value) {
        throw ObjectError.validation("\(name) is required")
      }
    }
    return told
  }

  /// True for what no required field may be: also an empty text, as at Parse Server.
  private static func isNothing(_ value: JSON?) -> Bool { [.null, ""].contains(value ?? .null) }

  /// Notes a change, and rings what its class wants to be rung.
  private func add(_ changed: ObjectChange, _ schema: ClassSchema) throws {
    changes.append(changed)
    if !schema.rings.isEmpty { try objects.rings.ring(changed, schema, in: change) }
  }

  private func checkRules(_ object: StoredObject, before: StoredObject?, _ schema: ClassSchema) throws(ObjectError) {
    for (name, field) in schema.fields {
      guard let rules = field.rules, let value = object[name], value != .null,
        QueryValue(value) != QueryValue(before?[name])
      else { continue }
      try rules.check(value, field: name)
    }
  }

  private func checkUnique(_ object: StoredObject, before: StoredObject?, _ stored: StoredClass) throws {
    for (field, refusal) in StoredClass.uniqueFields[object.className] ?? [] {
      guard let value = object[field], value != .null, QueryValue(value) != QueryValue(before?[field]),
        let index = stored.index(of: field)
      else { continue }
      let others = try database.objects(with: value, in: index, of: stored, limit: 2)
      if others.contains(where: { $0.object.id != object.id }) { throw refusal }
    }
  }

  static func body(of object: StoredObject) throws(ObjectError) -> String {
    let text = JSON.object(object.fields).text
    guard text.utf8.count <= ObjectsLimits.objectBytes else {
      throw .tooLarge(
        "The object has \(text.utf8.count) bytes; \(ObjectsLimits.objectBytes) are accepted. Larger things are files.")
    }
    return text
  }

  /// A new object's id: 10 letters and digits.
  static func id() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var random = SystemRandomNumberGenerator()
    let drawn = (0..<ObjectsLimits.idLetters).map { _ in letters.randomElement(using: &random)! }
    return String(decoding: drawn, as: UTF8.self)
  }
}
