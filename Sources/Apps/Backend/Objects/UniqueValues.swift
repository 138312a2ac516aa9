import Hub
import Objects

/// What only one object of a class may have: looked up by an index of its own, within the commit that writes.
extension ObjectWriter {
  /// - Parameter before: the object's row before the change; nil for a new one.
  func checkRulesOfClass(_ object: StoredObject, _ before: ObjectRow?, _ stored: StoredClass) throws {
    for index in stored.indexes {
      guard let rule = index.rule else { continue }
      if let before, !index.differs(before.object, object) { continue }
      guard try database.other(like: object, before?.number, in: index) == nil else {
        throw ObjectError.taken(rule, stored.schema.name)
      }
    }
  }

  /// Begins and ends the indexes of a class' unique rules as its schema says.
  /// - Throws: 137 if two objects have the same already, 255 for a class of too many to compare.
  func keepUnique(_ stored: StoredClass) throws {
    for index in stored.indexes {
      if let rule = index.rule, !stored.schema.unique.contains(rule) { try database.remove(index) }
    }
    let new = stored.schema.unique.filter { rule in !stored.indexes.contains { $0.rule == rule } }
    if new.isEmpty { return }
    guard try !database.hasMore(than: AppsLimits.uniqueAfterwards, stored) else {
      throw ObjectError.schema(
        "unique: the class has more than \(AppsLimits.uniqueAfterwards) objects; a rule has to be set before.")
    }
    for rule in new {
      let name = StoredClass.Index.name(of: rule)
      let index = try database.addIndex(of: name, to: stored, built: nil, now: change.now)
      try database.eachObject(of: stored) { row in
        guard try database.other(like: row.object, row.number, in: index) == nil else {
          throw ObjectError.taken(rule, stored.schema.name)
        }
        try database.addValue(of: row.object, row.number, to: index)
      }
    }
  }
}

extension ObjectError {
  fileprivate static func taken(_ rule: UniqueRule, _ className: String) -> ObjectError {
    .duplicate(
      "A duplicate value for a field with unique values was provided: another \(className) has this \(rule.name).")
  }
}
