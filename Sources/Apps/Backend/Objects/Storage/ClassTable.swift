import Objects
import Store
import Synchronization
import Wire

/// A class of an app with its number in the tables and its indexes.
struct StoredClass: Sendable {
  struct Index: Equatable, Sendable {
    var number: Int
    var field: String
    /// False while it is being made: it is written, but not asked.
    var isMade: Bool
    /// The rule that it is for; nil for an index of a field, which is asked by queries.
    let rule: UniqueRule?

    init(number: Int, field: String, isMade: Bool) {
      (self.number, self.field, self.isMade) = (number, field, isMade)
      let fields = field.hasPrefix(Self.unique) ? field.dropFirst(Self.unique.count).split(separator: ",") : []
      rule = fields.isEmpty ? nil : UniqueRule(fields.map(String.init))
    }

    /// The text that a rule's index has in place of a field's name, which has no colon.
    static func name(of rule: UniqueRule) -> String { unique + rule.fields.joined(separator: ",") }
    private static let unique = "unique:"

    /// The text that an index has before its number, in place of a field's name, while its keys are being removed.
    static let removed = "removed:"
    var isRemoved: Bool { field.hasPrefix(Self.removed) }

    func key(of object: StoredObject) -> [UInt8]? {
      guard let rule else { return IndexKey.bytes(object[field]) }
      return rule.key(of: object)
    }

    /// True if it has other keys for the objects. Values cannot be asked: two texts that look the same are equal in
    /// Swift, and two keys if their bytes are the same.
    func differs(_ one: StoredObject, _ other: StoredObject) -> Bool { key(of: one) != key(of: other) }
  }
  let number: Int
  let app: Int
  /// Another number after each change.
  let version: Int
  var schema: ClassSchema
  var indexes: [Index] = []
  /// Fields whose values some objects have still, although nobody sees them. There can be none of such a name.
  var removedFields: Set<String> = []

  func index(of field: String) -> Index? { indexes.first { $0.field == field && $0.isMade } }
}

/// Classes that were read. A number and a version have the same class for ever, whichever transaction sees them.
final class ClassCache: Sendable {
  private let kept = Mutex<[Int: StoredClass]>([:])

  func get(_ number: Int, version: Int) -> StoredClass? {
    kept.withLock { $0[number].flatMap { $0.version == version ? $0 : nil } }
  }

  func keep(_ stored: StoredClass) {
    kept.withLock { kept in
      if kept.count >= AppsLimits.cachedClasses { kept = [:] }
      kept[stored.number] = stored
    }
  }
}

extension Database {
  func storedClass(_ name: String, of app: Int, _ cache: ClassCache) throws(StoreError) -> StoredClass? {
    let found = try first(
      "SELECT number, version FROM apps_classes WHERE app = ? AND name = ?", .int(app), .text(name)
    ) { (number: $0.int(0), version: $0.int(1)) }
    guard let (number, version) = found else { return nil }
    return try read(number, version, cache)
  }

  func storedClass(number: Int, _ cache: ClassCache) throws(StoreError) -> StoredClass? {
    let version = try first("SELECT version FROM apps_classes WHERE number = ?", .int(number)) { $0.int(0) }
    guard let version else { return nil }
    return try read(number, version, cache)
  }

  /// All classes of an app by their names.
  func storedClasses(of app: Int, _ cache: ClassCache) throws(StoreError) -> [StoredClass] {
    let found = try rows("SELECT number, version FROM apps_classes WHERE app = ? ORDER BY name", .int(app)) {
      (number: $0.int(0), version: $0.int(1))
    }
    var all: [StoredClass] = []
    for (number, version) in found {
      if let one = try read(number, version, cache) { all.append(one) }
    }
    return all
  }

  func classCount(of app: Int) throws(StoreError) -> Int {
    try first("SELECT COUNT(*) FROM apps_classes WHERE app = ?", .int(app)) { $0.int(0) } ?? 0
  }

  private func read(_ number: Int, _ version: Int, _ cache: ClassCache) throws(StoreError) -> StoredClass? {
    if let stored = cache.get(number, version: version) { return stored }
    let indexes = try rows(
      "SELECT number, field, built IS NULL FROM apps_indexes WHERE class = ? ORDER BY number", .int(number)
    ) { StoredClass.Index(number: $0.int(0), field: $0.text(1), isMade: $0.bool(2)) }
    let removed = try rows("SELECT field FROM apps_removed_fields WHERE class = ?", .int(number)) { $0.text(0) }
    let stored = try first("SELECT app, name, version, schema FROM apps_classes WHERE number = ?", .int(number)) {
      let schema = (try? JSON(parsing: $0.text(3), values: .max)).flatMap { try? ClassSchema(kept: $0) }
      return StoredClass(
        number: number, app: $0.int(0), version: $0.int(2), schema: schema ?? ClassSchema(name: $0.text(1)),
        indexes: indexes.filter { !$0.isRemoved }, removedFields: Set(removed))
    }
    if let stored { cache.keep(stored) }
    return stored
  }

  /// Adds a class, with the indexes that Parse's own ones need.
  func add(_ schema: ClassSchema, to app: Int, version: Int, now: Double) throws(StoreError) -> StoredClass {
    let number = try inserted(
      "INSERT INTO apps_classes (app, name, version, schema) VALUES (?, ?, ?, ?) RETURNING number", .int(app),
      .text(schema.name), .int(version), .text(schema.json.text))
    var stored = StoredClass(number: number, app: app, version: version, schema: schema)
    for field in StoredClass.ownIndexes[schema.name] ?? [] {
      stored.indexes.append(try addIndex(of: field, to: stored, built: nil, now: now))
    }
    for rule in schema.unique {
      stored.indexes.append(try addIndex(of: StoredClass.Index.name(of: rule), to: stored, built: nil, now: now))
    }
    return stored
  }

  func save(_ stored: StoredClass, version: Int) throws(StoreError) {
    try run(
      "UPDATE apps_classes SET version = ?, schema = ? WHERE number = ?", .int(version), .text(stored.schema.json.text),
      .int(stored.number))
  }

  func remove(_ stored: StoredClass) throws(StoreError) {
    try run("DELETE FROM apps_classes WHERE number = ?", .int(stored.number))
  }
}

extension StoredClass {
  /// The fields of Parse's own classes by which they are found.
  static let ownIndexes = [
    "_User": ["username", "email"], "_Role": ["name"], "_Session": ["user"],
    "_Installation": ["installationId", "deviceToken"],
  ]

  /// The fields whose values only one object may have, with the error of a second.
  static let uniqueFields: [String: [(field: String, refusal: ObjectError)]] = [
    "_Role": [("name", .duplicate("A duplicate value for a field with unique values was provided"))]
  ]
}

extension Database {
  /// Takes the values of a removed field out of the next objects of a class, at most `AppsLimits.indexedPerCommit`, and
  /// notes with which object to go on.
  /// - Parameter last: the number of the last object that has lost its value.
  /// - Returns: the bytes that the objects have less, and whether that is all.
  func removeField(
    _ name: String, of stored: StoredClass, after last: Int
  ) throws(StoreError) -> (bytes: Int, isAll: Bool) {
    var shown = stored
    shown.removedFields.remove(name)
    let (rows, hasMore) = try someObjects(
      Self.nextObjects, [.int(stored.number), .int(last)], of: shown, atMost: AppsLimits.indexedPerCommit)
    var freed = 0
    for var row in rows where row.object[name] != nil {
      row.object.set(name, nil)
      let body = JSON.object(row.object.fields).text
      freed += row.bytes - body.utf8.count
      try run("UPDATE apps_objects SET body = ? WHERE number = ?", .text(body), .int(row.number))
    }
    try run("DELETE FROM apps_removed_fields WHERE class = ? AND field = ?", .int(stored.number), .text(name))
    guard hasMore, let end = rows.last?.number else { return (freed, true) }
    try run(
      "INSERT INTO apps_removed_fields (class, field, last) VALUES (?, ?, ?)", .int(stored.number), .text(name),
      .int(end))
    return (freed, false)
  }

  /// A removed field whose values some objects have still.
  func removedField() throws(StoreError) -> (classNumber: Int, name: String, last: Int)? {
    try first("SELECT class, field, last FROM apps_removed_fields ORDER BY class, field LIMIT 1") {
      ($0.int(0), $0.text(1), $0.int(2))
    }
  }
}
