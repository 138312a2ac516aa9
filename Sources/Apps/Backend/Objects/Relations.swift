import Objects
import Server
import Wire

/// Changes of relations, each of which leads to any number of objects: in one commit so many that others do not wait.
extension ObjectWriter {
  func relate(_ number: Int, _ edit: ObjectEdit, of className: String) throws {
    var bytes = 0
    for (field, added, removed) in edit.relations {
      guard className != "_Session" else { throw ObjectError.type("\(field): a session has no relations.") }
      guard added.count + removed.count <= relationsToChange else {
        throw ObjectError.tooLarge(
          "\(field): \(added.count + removed.count) objects; relations change by \(AppsLimits.relationPointers) at "
            + "most at a time, those of all changes of a batch together.")
      }
      relationsToChange -= added.count + removed.count
      for target in added { bytes += try database.relate(number, field, to: target) }
      for target in removed { bytes -= try database.unrelate(number, field, from: target) }
    }
    if bytes != 0 { try count(0, bytes: bytes, of: className) }
  }

  /// Removes what the relations of an object that goes lead to, as far as this commit may.
  /// - Returns: true if that is all.
  func removeRelations(of row: ObjectRow) throws -> Bool {
    let removed = try database.removeRelations(of: row.number, &relationsToRemove)
    grown.bytes -= removed.bytes
    return removed.isAll
  }

  /// The same for an object that one commit is too short for.
  func removeRelations(of className: String, _ id: String) throws -> Bool {
    guard let stored = try storedClass(className) else { throw ObjectError.notFound }
    return try removeRelations(of: try row(id, of: stored, for: .delete))
  }

  /// Removes some of what a field leads to that a change of its class takes away.
  /// - Parameters:
  ///   - body: the change, which takes nothing away if it would be refused.
  ///   - first: the number of the object to begin with.
  /// - Returns: the number of the object to go on with; nil if that is all.
  func removeRelations(of className: String, by field: String, _ body: JSON, from first: Int) throws -> Int? {
    guard let stored = try storedClass(className), case .relation? = stored.schema.fields[field]?.type else {
      return nil
    }
    var schema = stored.schema
    try SchemaChange(body).apply(to: &schema)
    let removed = try database.removeRelations(of: stored, by: field, from: first)
    grown.bytes -= removed.bytes
    return removed.next
  }
}

extension AppObjects {
  /// Removes an object. If its relations lead to more than goes in one commit, they go first, in commits of their own.
  func delete(_ className: String, _ id: String, of request: ParseRequest) async throws(HTTPError) {
    let delete: @Sendable (ObjectWriter) throws -> Void = { _ = try $0.delete(className, id) }
    do throws(HTTPError) {
      try await write(request, delete)
    } catch {
      guard error.foreign == ObjectError.manyRelations.json else { throw error }
      var isAll = false
      while !isAll {
        isAll = try await write(request.app, as: request.caller) { try $0.removeRelations(of: className, id) }
      }
      try await write(request, delete)
    }
  }
}

extension ObjectError {
  static let largeBatch = ObjectError.tooLarge(
    "The objects that a batch changes have more than \(AppsLimits.changedBytes) bytes; change fewer at a time.")
  static let manyRelations = ObjectError.tooLarge(
    "The relations of what is to be removed lead to more than \(AppsLimits.removedPerCommit) objects; in a batch so "
      + "many are accepted. Remove the object by itself.")
}
