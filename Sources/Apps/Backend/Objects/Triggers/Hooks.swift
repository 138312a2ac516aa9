import Hub
import Objects
import Store
import Synchronization

/// All apps' webhooks of objects in memory, since each write asks for them.
final class Hooks: Sendable {
  private let state = Mutex<[Int: [Hook.Name: Hook]]>([:])

  /// Reads all of them, at the start.
  func read(_ database: Database) throws(StoreError) { take(try database.hooks()) }

  /// Reads them again, in the order of the changes: a command beside the hub may have made some.
  func read(in change: Change) throws(StoreError) {
    let all = try change.database.hooks()
    change.then { [self] in take(all) }
  }

  private func take(_ hooks: [(app: Int, hook: Hook)]) {
    var all: [Int: [Hook.Name: Hook]] = [:]
    for (app, hook) in hooks { all[app, default: [:]][hook.name] = hook }
    state.withLock { [all] in $0 = all }
  }

  func hook(_ name: Hook.Name, of app: Int) -> Hook? { state.withLock { $0[app]?[name] } }

  /// True if an app has any, so that most writes need not look further.
  func hasAny(_ app: Int) -> Bool { state.withLock { $0[app] != nil } }

  func all(of app: Int) -> [Hook] { state.withLock { $0[app].map { Array($0.values) } ?? [] } }

  func forget(_ app: Int) { state.withLock { $0[app] = nil } }

  // MARK: Changes

  func set(_ hook: Hook, of app: Int, in change: Change) throws {
    guard all(of: app).count < AppsLimits.hooks || self.hook(hook.name, of: app) != nil else {
      throw ObjectError.tooMany("The app has \(AppsLimits.hooks) webhooks; no more are accepted.").http
    }
    try change.database.save(hook, of: app)
    change.database.touch(.hooks, app)
    change.then { [self] in state.withLock { $0[app, default: [:]][hook.name] = hook } }
  }

  func remove(_ name: Hook.Name, of app: Int, in change: Change) throws {
    try change.database.removeHook(name, of: app)
    change.database.touch(.hooks, app)
    change.then { [self] in
      state.withLock { state in
        state[app]?[name] = nil
        if state[app]?.isEmpty ?? false { state[app] = nil }
      }
    }
  }
}
