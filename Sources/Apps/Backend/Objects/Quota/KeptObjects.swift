import Hub
import Objects
import Store
import Synchronization

/// The number of each app's objects, and their bytes, as the store has them: in memory, so that a write asks nothing.
/// The store's own numbers change once for all writes of a transaction.
final class KeptObjects: Sendable {
  private let apps = Mutex<[Int: (Int, Int)]>([:])

  /// Those of an app, with what the transaction's writes have changed so far. Called on the writer's thread.
  func now(_ app: Int, in database: Database) throws(StoreError) -> (objects: Int, bytes: Int) {
    let kept: (Int, Int)
    if let known = apps.withLock({ $0[app] }) {
      kept = known
    } else {
      let holdings = try database.holdings(of: app)
      kept = (holdings.objects, holdings.objectBytes)
      apps.withLock { [kept] in $0[app] = kept }
    }
    let added = database.added(by: Database.countObjects, to: app)
    return (kept.0 + added.0, kept.1 + added.1)
  }

  private func add(_ amounts: (Int, Int), to app: Int) {
    apps.withLock { apps in
      guard let kept = apps[app] else { return }
      apps[app] = (kept.0 + amounts.0, kept.1 + amounts.1)
    }
  }

  /// Counts objects and bytes in the store, and here once the change is on the disk.
  func count(_ amounts: (Int, Int), of app: Int, in change: Change) {
    change.database.add(amounts, by: Database.countObjects, to: app)
    change.then { [self] in add(amounts, to: app) }
  }

  /// The next write asks the store again: the app is gone.
  func forget(_ app: Int) { apps.withLock { $0[app] = nil } }

  /// The same for all, since a command beside the hub may have changed some.
  func forgetAll() { apps.withLock { $0 = [:] } }
}

extension ObjectWriter {
  /// Counts objects that are made or removed, and bytes that come or go.
  /// - Throws: 140 where the app would have more than it may. Sessions are counted and never refused, so that somebody
  ///   can still sign in and delete something.
  func count(_ objects: Int, bytes: Int, of className: String) throws {
    grown.objects += objects
    grown.bytes += bytes
    guard objects > 0 || bytes > 0, className != "_Session" else { return }
    let kept = try self.objects.kept.now(app.id, in: database)
    let (count, size) = (kept.objects + grown.objects, kept.bytes + grown.bytes)
    if objects > 0, count > app.options.mostObjects {
      throw ObjectError.full("\(app.options.mostObjects) objects")
    }
    if bytes > 0, size > app.options.mostObjectBytes {
      throw ObjectError.full("\(app.options.mostObjectBytes) bytes of objects")
    }
  }
}

extension ObjectError {
  /// - Parameter limit: what the app may have, in words.
  static func full(_ limit: String) -> ObjectError {
    .quota("The app may have \(limit). Nothing was saved: delete some, or have the app's owner raise the limit.")
  }
}
