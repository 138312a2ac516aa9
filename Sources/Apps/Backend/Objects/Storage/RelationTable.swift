import Objects
import Store

/// `apps_relations.bytes` is what a row counts among the app's bytes of objects; 0 for one of a version before.
enum RelationTable {
  static let migration = Migration(
    room: BackendRoom.id, number: 9, sql: "ALTER TABLE apps_relations ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0")
}

/// The objects that fields of the type Relation lead to.
extension Database {
  /// - Returns: the bytes that the app has more; 0 if the field led to the target already.
  @discardableResult
  func relate(_ object: Int, _ field: String, to target: String) throws(StoreError) -> Int {
    let bytes = AppsLimits.relationBytes + field.utf8.count + target.utf8.count
    return try first(
      """
      INSERT INTO apps_relations (object, field, target, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
      RETURNING bytes
      """, .int(object), .text(field), .text(target), .int(bytes)
    ) { $0.int(0) } ?? 0
  }

  /// - Returns: the bytes that the app has less.
  func unrelate(_ object: Int, _ field: String, from target: String) throws(StoreError) -> Int {
    try first(
      "DELETE FROM apps_relations WHERE object = ? AND field = ? AND target = ? RETURNING bytes", .int(object),
      .text(field), .text(target)
    ) { $0.int(0) } ?? 0
  }

  /// The ids of the objects to which a field leads, by the id of the object that has it.
  func related(to id: String, of stored: StoredClass, by field: String, limit: Int) throws(StoreError) -> [String] {
    try rows(
      """
      SELECT target FROM apps_objects JOIN apps_relations ON object = number
      WHERE class = ? AND id = ? AND field = ? LIMIT ?
      """, .int(stored.number), .text(id), .text(field), .int(limit)
    ) { $0.text(0) }
  }

  /// The next ids of the objects to which a field leads, in their order.
  func related(to object: Int, by field: String, after last: String, limit: Int) throws(StoreError) -> [String] {
    try rows(
      "SELECT target FROM apps_relations WHERE object = ? AND field = ? AND target > ? ORDER BY target LIMIT ?",
      .int(object), .text(field), .text(last), .int(limit)
    ) { $0.text(0) }
  }

  /// The ids of the objects of a class whose field leads to an object, by its id.
  func ids(
    of stored: StoredClass, leadingTo target: String, by field: String, limit: Int
  ) throws(StoreError) -> [String] {
    try rows(
      """
      SELECT id FROM apps_relations JOIN apps_objects ON number = object
      WHERE target = ? AND field = ? AND class = ? LIMIT ?
      """, .text(target), .text(field), .int(stored.number), .int(limit)
    ) { $0.text(0) }
  }

  /// Removes what an object's relations lead to, and hardly more than there is room for.
  /// - Returns: whether that is all, and the bytes that the app has less.
  func removeRelations(of object: Int, _ room: inout Int) throws(StoreError) -> (isAll: Bool, bytes: Int) {
    let some = try rows(
      "SELECT field, target FROM apps_relations WHERE object = ? LIMIT ?", .int(object), .int(room + 1)
    ) { ($0.text(0), $0.text(1)) }
    var bytes = 0
    for (field, target) in some { bytes += try unrelate(object, field, from: target) }
    let isAll = some.count <= room
    room = max(0, room - some.count)
    return (isAll, bytes)
  }

  /// Removes some of what a field of a class' objects leads to, `AppsLimits.removedPerCommit` at most.
  /// - Parameter first: the number of the object to begin with.
  /// - Returns: the number to go on with, nil if that was all; and the bytes that the app has less.
  func removeRelations(
    of stored: StoredClass, by field: String, from first: Int
  ) throws(StoreError) -> (next: Int?, bytes: Int) {
    // The class comes first, whatever else the database might choose.
    let some = try rows(
      """
      SELECT object, target FROM apps_objects CROSS JOIN apps_relations
      WHERE class = ? AND number >= ? AND object = number AND field = ? ORDER BY number LIMIT ?
      """, .int(stored.number), .int(first), .text(field), .int(AppsLimits.removedPerCommit)
    ) { (object: $0.int(0), target: $0.text(1)) }
    var bytes = 0
    for row in some { bytes += try unrelate(row.object, field, from: row.target) }
    return (some.count < AppsLimits.removedPerCommit ? nil : some.last?.object, bytes)
  }
}
