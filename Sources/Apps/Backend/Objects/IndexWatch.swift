import EventLoop
import Hub
import Objects
import Store

/// Makes indexes of fields by which large classes are often asked, and removes what is left of removed indexes and
/// fields. All goes piece by piece, in commits of some ten milliseconds, so that nobody waits for it; after a restart
/// the work goes on where it was.
struct IndexWatch: Sendable {
  let objects: AppObjects

  func run() async throws {
    try await objects.advice.poller.run {
      for field in objects.advice.take() { try await begin(field) }
      while try await takeOut() { try Task.checkCancellation() }
      while try await extend() { try Task.checkCancellation() }
      // Another hub that has begun something may have ended before it was done.
      return AppsLimits.indexLookSeconds
    }
  }

  private func begin(_ field: IndexAdvice.Field) async throws {
    try await objects.hub.commit(as: .room(BackendRoom.id)) { change in
      let database = change.database
      guard let stored = try database.storedClass(number: field.classNumber, objects.cache),
        stored.schema.type(of: field.name) != nil,
        stored.indexes.count(where: { $0.rule == nil }) < AppsLimits.indexes,
        !stored.indexes.contains(where: { $0.field == field.name }),
        // An index of fewer objects is not worth its share of every write.
        try database.hasMore(than: AppsLimits.indexFrom, stored)
      else { return }
      _ = try database.addIndex(of: field.name, to: stored, built: 0, now: change.now)
      try database.save(stored, version: ObjectWriter.version())
    }
  }

  /// Takes the values of a removed field out of the next objects.
  /// - Returns: false if there is no such field.
  private func takeOut() async throws -> Bool {
    try await objects.hub.commit(as: .room(BackendRoom.id)) { change in
      let database = change.database
      guard let field = try database.removedField(),
        let stored = try database.storedClass(number: field.classNumber, objects.cache)
      else { return false }
      let (bytes, isAll) = try database.removeField(field.name, of: stored, after: field.last)
      objects.kept.count((0, -bytes), of: stored.app, in: change)
      database.touch(.objects, stored.app)
      // From now on there can be a field of that name again.
      if isAll { try database.save(stored, version: ObjectWriter.version()) }
      return true
    }
  }

  /// Takes the next objects into an index that is being made, or keys out of a removed one.
  /// - Returns: false if there is none.
  private func extend() async throws -> Bool {
    try await objects.hub.commit(as: .room(BackendRoom.id)) { change in
      let database = change.database
      guard let (classNumber, index) = try database.unfinishedIndex(),
        let stored = try database.storedClass(number: classNumber, objects.cache)
      else { return false }
      if index.isRemoved {
        try database.removeKeys(of: index)
        return true
      }
      // From now on queries may ask it.
      if try !database.extend(index, of: stored) { try database.save(stored, version: ObjectWriter.version()) }
      return true
    }
  }
}
