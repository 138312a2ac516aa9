import Objects
import Store
import Wire

/// The tables of apps' objects.
enum ObjectTables {
  /// - `apps_classes.version` is another number after each change of the class or its indexes.
  /// - `apps_objects.body` has the fields as JSON, `acl` is null where everybody may read and write.
  /// - `apps_relations` has the objects that an object's field of the type Relation leads to.
  /// - `apps_indexes.built` is the number of the last object that an index which is being made has; null when it is
  ///   made, and 0 for one that is being removed (`StoredClass.Index.removed`). `apps_values` has the keys (`IndexKey`)
  ///   of all of them.
  /// - `apps_requests` has the ids of requests that are not to be done twice.
  static let migration = Migration(
    room: BackendRoom.id, number: 2,
    sql: """
      CREATE TABLE apps_classes (
        number INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, name TEXT NOT NULL,
        version INTEGER NOT NULL, schema TEXT NOT NULL, UNIQUE (app, name));
      CREATE TABLE apps_objects (
        number INTEGER PRIMARY KEY, class INTEGER NOT NULL REFERENCES apps_classes ON DELETE CASCADE, id TEXT NOT NULL,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, body TEXT NOT NULL, acl TEXT, UNIQUE (class, id));
      CREATE INDEX apps_objects_class ON apps_objects (class);
      CREATE INDEX apps_objects_created ON apps_objects (class, created_at);
      CREATE TABLE apps_relations (
        object INTEGER NOT NULL REFERENCES apps_objects ON DELETE CASCADE, field TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (object, field, target)) \(Database.inKeyOrder);
      CREATE INDEX apps_relations_target ON apps_relations (target, field);
      CREATE TABLE apps_indexes (
        number INTEGER PRIMARY KEY, class INTEGER NOT NULL REFERENCES apps_classes ON DELETE CASCADE,
        field TEXT NOT NULL, made_at REAL NOT NULL, built INTEGER, UNIQUE (class, field));
      CREATE TABLE apps_values (
        index_number INTEGER NOT NULL REFERENCES apps_indexes ON DELETE CASCADE, value BLOB NOT NULL,
        object INTEGER NOT NULL, PRIMARY KEY (index_number, value, object)) \(Database.inKeyOrder);
      CREATE TABLE apps_requests (
        app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, id TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (app, id));
      CREATE INDEX apps_requests_at ON apps_requests (at)
      """)

  /// The few objects with an access list are counted apart, and what was changed last is found without sorting.
  static let indexes = Migration(
    room: BackendRoom.id, number: 10,
    sql: """
      CREATE INDEX apps_objects_updated ON apps_objects (class, updated_at, created_at);
      -- The last one: of indexes by which it finds a class SQLite takes the newest.
      CREATE INDEX apps_objects_acl ON apps_objects (class) WHERE acl IS NOT NULL
      """)

  /// The objects of a class in the order of their numbers: in a file each index ends with the number anyway, and
  /// PostgreSQL would go through the objects of all classes.
  static let numbers = Migration(
    room: BackendRoom.id, number: 11, sql: "",
    onServer: "CREATE INDEX apps_objects_numbers ON apps_objects (class, number)")

  /// The fields that were removed from classes of many objects, with the number of the last object that has lost its
  /// value.
  static let removedFields = Migration(
    room: BackendRoom.id, number: 12,
    sql: """
      CREATE TABLE apps_removed_fields (
        class INTEGER NOT NULL REFERENCES apps_classes ON DELETE CASCADE, field TEXT NOT NULL, last INTEGER NOT NULL,
        PRIMARY KEY (class, field)) \(Database.inKeyOrder)
      """)
}

/// An object with its number in the tables.
struct ObjectRow: Sendable {
  var number: Int
  var object: StoredObject
  /// Bytes of its fields as they are kept; 0 for an object that is not kept yet.
  var bytes = 0

  static let columns = "number, id, created_at, updated_at, body, acl"

  /// The object of a row with those columns, without the values of removed fields.
  init(_ row: Row, of stored: StoredClass) {
    number = row.int(0)
    bytes = row.byteCount(4)
    let members = (try? JSON(parsing: row.text(4), values: .max))?.members ?? []
    object = StoredObject(
      className: stored.schema.name, id: row.text(1), createdAt: row.int(2), updatedAt: row.int(3),
      fields: stored.removedFields.isEmpty ? members : members.filter { !stored.removedFields.contains($0.name) },
      // One that cannot be read lets nobody in.
      acl: row.optionalText(5).map { (try? AccessList(JSON(parsing: $0, values: .max))) ?? AccessList() })
  }

  init(number: Int, object: StoredObject) {
    self.number = number
    self.object = object
  }
}

extension Database {
  func object(_ id: String, of stored: StoredClass) throws(StoreError) -> ObjectRow? {
    guard case .found(let row) = try object(id, of: stored, atMost: .max) else { return nil }
    return row
  }

  enum ObjectOfSize {
    case found(ObjectRow)
    case tooLarge
  }

  /// An object, unless its fields have more bytes than wanted: it is not read then.
  func object(_ id: String, of stored: StoredClass, atMost bytes: Int) throws(StoreError) -> ObjectOfSize? {
    try first(
      "SELECT \(ObjectRow.columns) FROM apps_objects WHERE class = ? AND id = ?", .int(stored.number), .text(id)
    ) { $0.byteCount(4) > bytes ? .tooLarge : .found(ObjectRow($0, of: stored)) }
  }

  /// - Returns: its number.
  func add(_ object: StoredObject, body: String, to stored: StoredClass) throws(StoreError) -> Int {
    let number = try inserted(
      """
      INSERT INTO apps_objects (class, id, created_at, updated_at, body, acl) VALUES (?, ?, ?, ?, ?, ?)
      RETURNING number
      """, .int(stored.number), .text(object.id), .int(object.createdAt), .int(object.updatedAt),
      .text(body), Value(object.acl?.json.text))
    for index in stored.indexes { try addValue(of: object, number, to: index) }
    return number
  }

  func save(_ row: ObjectRow, body: String, before: StoredObject, of stored: StoredClass) throws(StoreError) {
    try run(
      "UPDATE apps_objects SET updated_at = ?, body = ?, acl = ? WHERE number = ?", .int(row.object.updatedAt),
      .text(body), Value(row.object.acl?.json.text), .int(row.number))
    for index in stored.indexes where index.differs(before, row.object) {
      try removeValue(of: before, row.number, from: index)
      try addValue(of: row.object, row.number, to: index)
    }
  }

  func remove(_ row: ObjectRow, of stored: StoredClass) throws(StoreError) {
    for index in stored.indexes { try removeValue(of: row.object, row.number, from: index) }
    try run("DELETE FROM apps_objects WHERE number = ?", .int(row.number))
  }

  /// Hands over all objects of a class, the oldest first, without keeping them.
  func eachObject(of stored: StoredClass, _ body: (ObjectRow) throws -> Void) throws {
    var failure: (any Error)?
    // As a statement that is made at run time a server sends some rows at a time, and not all at once.
    try scan(
      "SELECT \(ObjectRow.columns) FROM apps_objects WHERE class = ? ORDER BY number", [.int(stored.number)],
      isMade: true
    ) { row in
      do {
        try body(ObjectRow(row, of: stored))
        return false
      } catch {
        failure = error
        return true
      }
    }
    if let failure { throw failure }
  }

  func objectCount(of stored: StoredClass) throws(StoreError) -> Int {
    try first("SELECT COUNT(*) FROM apps_objects WHERE class = ?", .int(stored.number)) { $0.int(0) } ?? 0
  }

  /// Some objects of a class: at most `count`, and no further one behind so many bytes of fields, since an object may
  /// have a megabyte.
  /// - Parameters:
  ///   - sql: a query of the columns of `ObjectRow`, whose last value is a limit.
  ///   - values: those of the query but for the limit.
  /// - Returns: also whether there may be more.
  func someObjects(
    _ sql: String, _ values: [Value], of stored: StoredClass, atMost count: Int,
    _ bytes: Int = AppsLimits.bytesPerCommit
  ) throws(StoreError) -> (rows: [ObjectRow], hasMore: Bool) {
    var found: [ObjectRow] = []
    var (size, hasMore) = (0, false)
    try scan(sql, values + [.int(count)], isMade: true) { row in
      found.append(ObjectRow(row, of: stored))
      size += row.byteCount(4)
      hasMore = found.count == count || size >= bytes
      return hasMore
    }
    return (found, hasMore)
  }

  /// Removes some of the objects of a class, in the order in which they are kept.
  /// - Parameter bytes: see `someObjects`.
  /// - Returns: those that were removed, and whether there may be more.
  func removeSome(
    of stored: StoredClass, atMost count: Int, _ bytes: Int
  ) throws(StoreError) -> (rows: [ObjectRow], hasMore: Bool) {
    let some = try someObjects(Self.nextObjects, [.int(stored.number), 0], of: stored, atMost: count, bytes)
    var room = AppsLimits.removedPerCommit
    for (place, row) in some.rows.enumerated() {
      guard try removeRelations(of: row.number, &room).isAll else { return (Array(some.rows.prefix(place)), true) }
      try remove(row, of: stored)
    }
    return some
  }

  /// Some of the objects of a class that were made first: see `someObjects`.
  func oldest(of stored: StoredClass, atMost count: Int) throws(StoreError) -> [ObjectRow] {
    try someObjects(
      "SELECT \(ObjectRow.columns) FROM apps_objects WHERE class = ? ORDER BY created_at, number LIMIT ?",
      [.int(stored.number)], of: stored, atMost: count
    ).rows
  }

  // MARK: Requests

  /// True if the id of a request was noted, and counts still.
  func isTaken(request id: String, of app: Int, now: Double) throws(StoreError) -> Bool {
    try first(
      "SELECT 1 FROM apps_requests WHERE app = ? AND id = ? AND at >= ?", .int(app), .text(id),
      .double(now - AppsLimits.requestSeconds)
    ) { _ in true } ?? false
  }

  /// Notes the id of a request.
  /// - Returns: false if it was noted before.
  func take(request id: String, of app: Int, now: Double) throws(StoreError) -> Bool {
    try run("DELETE FROM apps_requests WHERE at < ?", .double(now - AppsLimits.requestSeconds))
    return try first(
      "INSERT INTO apps_requests (app, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING app", .int(app),
      .text(id), .double(now)
    ) { _ in true } ?? false
  }
}
