import Hub
import Objects
import Store
import Synchronization
import Wire

extension Touch {
  /// A hub has its first live query of an app, or its last one has ended.
  static let live = Touch("apps.live")
  /// Objects have changed, of an app of which another hub has live queries.
  static let changes = Touch("apps.changes")
}

/// The hubs that have live queries of an app: only to these are its changes told.
///
/// A hub notes that it has some before it answers the first subscription. So each change behind that, of whichever hub,
/// is told to it.
final class LiveInterest: Sendable {
  private let hubs = Mutex<[Int: Set<String>]>([:])
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  /// Reads all of it anew.
  func read(_ database: Database) throws(StoreError) {
    let found = try noted(in: database)
    hubs.withLock { $0 = found }
  }

  private func noted(in database: Database) throws(StoreError) -> [Int: Set<String>] {
    Dictionary(grouping: try database.liveHubs(), by: \.app).mapValues { Set($0.map(\.hub)) }
  }

  /// Knows what the transaction has changed once it is on the disk: one that fails has changed nothing.
  private func readAfterCommit(_ database: Database) throws(StoreError) {
    let found = try noted(in: database)
    database.afterCommit { [self] in hubs.withLock { $0 = found } }
  }

  /// True if another hub has live queries of the app.
  func isElsewhere(_ app: Int) -> Bool {
    let name = hub.nameAmongHubs
    return hubs.withLock { $0[app]?.contains { $0 != name } ?? false }
  }

  /// True if this hub is known to have some, or there are no others.
  func isHere(_ app: Int) -> Bool {
    guard let name = hub.nameAmongHubs else { return true }
    return hubs.withLock { $0[app]?.contains(name) ?? false }
  }

  /// Notes that this hub has live queries of an app.
  func begin(_ app: Int) async throws(StoreError) {
    guard !isHere(app), let name = hub.nameAmongHubs else { return }
    try await hub.store.write { [self] database throws(StoreError) in
      try database.addLive(hub: name, app)
      database.touch(.live, app)
      try readAfterCommit(database)
    }
  }

  /// Forgets the apps of which this hub has none any more, and hubs that have ended.
  /// - Parameter kept: those of which it has some.
  func sweep(_ kept: Set<Int>) async throws(StoreError) {
    guard let name = hub.nameAmongHubs, hubs.withLock({ !$0.isEmpty }) else { return }
    try await hub.store.write { [self] database throws(StoreError) in
      let running = Set(try database.hubsOfLate())
      let gone = try noted(in: database).flatMap { app, names in
        names.filter { $0 == name ? !kept.contains(app) : !running.contains($0) }.map { (app, $0) }
      }
      for (app, hub) in gone {
        try database.removeLive(hub: hub, app)
        database.touch(.live, app)
      }
      try readAfterCommit(database)
    }
  }
}

// MARK: Changes on their way

extension ObjectChange {
  /// [before, after]
  var json: JSON { .array([before?.kept ?? .null, after?.kept ?? .null]) }

  init?(app: Int, _ json: JSON) {
    guard let parts = json.array, parts.count == 2 else { return nil }
    self.init(app: app, before: StoredObject(kept: parts[0]), after: StoredObject(kept: parts[1]))
  }
}

extension StoredObject {
  /// All of it, also what is the hub's own.
  fileprivate var kept: JSON {
    .array([
      .string(className), .string(id), .int(createdAt), .int(updatedAt), .object(fields), acl?.json ?? .null,
    ])
  }

  fileprivate init?(kept json: JSON) {
    guard let parts = json.array, parts.count == 6, let className = parts[0].string, let id = parts[1].string,
      let createdAt = parts[2].int, let updatedAt = parts[3].int, let fields = parts[4].members
    else { return nil }
    self.init(
      className: className, id: id, createdAt: createdAt, updatedAt: updatedAt, fields: fields,
      // One that cannot be read lets nobody in.
      acl: parts[5] == .null ? nil : (try? AccessList(parts[5])) ?? AccessList())
  }
}
