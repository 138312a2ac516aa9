import Objects
import Store

/// The objects that fields of the type Relation lead to.
extension Database {
  func relate(_ object: Int, _ field: String, to target: String) throws(StoreError) {
    try run(
      "INSERT INTO apps_relations (object, field, target) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", .int(object),
      .text(field), .text(target))
  }

  func unrelate(_ object: Int, _ field: String, from target: String) throws(StoreError) {
    try run(
      "DELETE FROM apps_relations WHERE object = ? AND field = ? AND target = ?", .int(object), .text(field),
      .text(target))
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

  func removeRelations(of stored: StoredClass, by field: String) throws(StoreError) {
    try run(
      "DELETE FROM apps_relations WHERE field = ? AND object IN (SELECT number FROM apps_objects WHERE class = ?)",
      .text(field), .int(stored.number))
  }
}
