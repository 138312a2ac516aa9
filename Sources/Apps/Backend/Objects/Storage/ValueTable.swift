import Objects
import Store
import Wire

/// The indexes of fields. They are rows of one table, so that a thousand apps need no more tables than one.
extension Database {
  /// - Parameter built: nil for an index that has all that it should have; otherwise the number of the last object.
  func addIndex(
    of field: String, to stored: StoredClass, built: Int?, now: Double
  ) throws(StoreError) -> StoredClass.Index {
    let number = try inserted(
      "INSERT INTO apps_indexes (class, field, made_at, built) VALUES (?, ?, ?, ?) RETURNING number",
      .int(stored.number), .text(field), .double(now), Value(built))
    return StoredClass.Index(number: number, field: field, isMade: built == nil)
  }

  /// Takes the next objects into an index that is being made, at most `AppsLimits.indexedPerCommit`.
  /// - Parameter bytes: see `someObjects`.
  /// - Returns: true if there may be more.
  func extend(
    _ index: StoredClass.Index, of stored: StoredClass, bytes: Int = AppsLimits.bytesPerCommit
  ) throws(StoreError) -> Bool {
    let built = try first("SELECT built FROM apps_indexes WHERE number = ?", .int(index.number)) { $0.optionalInt(0) }
    guard case .some(.some(let built)) = built else { return false }
    let (rows, hasMore) = try someObjects(
      Self.nextObjects, [.int(stored.number), .int(built)], of: stored, atMost: AppsLimits.indexedPerCommit, bytes)
    for row in rows { try addValue(of: row.object, row.number, to: index) }
    try run(
      "UPDATE apps_indexes SET built = ? WHERE number = ?", Value(hasMore ? rows.last?.number : nil),
      .int(index.number))
    return hasMore
  }

  /// The objects of a class from a number on, in the order of the index of classes.
  static let nextObjects = """
    SELECT \(ObjectRow.columns) FROM apps_objects WHERE class = ? AND number > ? ORDER BY number LIMIT ?
    """

  /// An index that is being made, or removed, with the number of its class.
  func unfinishedIndex() throws(StoreError) -> (classNumber: Int, StoredClass.Index)? {
    try first("SELECT class, number, field FROM apps_indexes WHERE built IS NOT NULL ORDER BY number LIMIT 1") {
      ($0.int(0), StoredClass.Index(number: $0.int(1), field: $0.text(2), isMade: false))
    }
  }

  /// True for a class of more objects than so many.
  func hasMore(than count: Int, _ stored: StoredClass) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM apps_objects WHERE class = ? LIMIT 1 OFFSET ?", .int(stored.number), .int(count)) { _ in
      true
    } ?? false
  }

  func addValue(of object: StoredObject, _ number: Int, to index: StoredClass.Index) throws(StoreError) {
    guard let key = index.key(of: object) else { return }
    try run(
      "INSERT INTO apps_values (index_number, value, object) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      .int(index.number), .blob(key), .int(number))
  }

  func removeValue(of object: StoredObject, _ number: Int, from index: StoredClass.Index) throws(StoreError) {
    if let key = index.key(of: object) { try removeKey(key, number, from: index) }
  }

  private func removeKey(_ key: [UInt8], _ number: Int, from index: StoredClass.Index) throws(StoreError) {
    try run(
      "DELETE FROM apps_values WHERE index_number = ? AND value = ? AND object = ?", .int(index.number), .blob(key),
      .int(number))
  }

  /// The objects whose field has a value, by an index.
  func objects(
    with value: JSON, in index: StoredClass.Index, of stored: StoredClass, limit: Int
  ) throws(StoreError) -> [ObjectRow] {
    guard let key = IndexKey.bytes(value) else { return [] }
    let rows = try rows(
      """
      SELECT \(ObjectRow.columns) FROM apps_values JOIN apps_objects ON number = object
      WHERE index_number = ? AND value = ? ORDER BY object LIMIT ?
      """, .int(index.number), .blob(key), .int(limit)
    ) { ObjectRow($0, of: stored) }
    let wanted = QueryValue(value)
    return rows.filter { QueryValue($0.object[index.field]) == wanted }
  }

  /// The number of another object that has the same values by a unique rule; nil if there is none.
  /// - Parameter number: that of the object itself; nil for a new one.
  func other(like object: StoredObject, _ number: Int?, in index: StoredClass.Index) throws(StoreError) -> Int? {
    guard let key = index.key(of: object) else { return nil }
    return try first(
      "SELECT object FROM apps_values WHERE index_number = ? AND value = ? AND object <> ? LIMIT 1",
      .int(index.number), .blob(key), .int(number ?? -1)
    ) { $0.int(0) }
  }

  /// Removes an index: nobody finds it any more. Its keys go at once if they are few, and piece by piece otherwise.
  func remove(_ index: StoredClass.Index) throws(StoreError) {
    try run(
      "UPDATE apps_indexes SET field = ?, built = 0 WHERE number = ?",
      .text(StoredClass.Index.removed + "\(index.number)"), .int(index.number))
    try removeKeys(of: index)
  }

  /// Removes the next keys of a removed index, at most `AppsLimits.removedPerCommit`, and the index with the last ones.
  func removeKeys(of index: StoredClass.Index) throws(StoreError) {
    // One by one: PostgreSQL would go through the keys of all indexes to find those of a list.
    let some = try rows(
      "SELECT value, object FROM apps_values WHERE index_number = ? ORDER BY value, object LIMIT ?",
      .int(index.number), .int(AppsLimits.removedPerCommit)
    ) { ($0.blob(0), $0.int(1)) }
    for (key, object) in some { try removeKey(key, object, from: index) }
    guard some.count < AppsLimits.removedPerCommit else { return }
    try run("DELETE FROM apps_indexes WHERE number = ?", .int(index.number))
  }
}
