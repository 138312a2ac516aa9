import Hub
import Lifecycle
import Observe
import Realtime
import Store
import Synchronization

/// An app after a change: its clients are served, or not for now, or never more.
enum AppState: Sendable { case served, refused, removed }

/// All apps in memory, as the channels ask for them at each connection, and what they are told of changes.
final class AppRegister: Sendable {
  private struct State {
    var apps: [Int: App] = [:]
    /// By the apps' keys and by their application ids.
    var ids: [String: Int] = [:]
    /// Keys and ids that are nobody's. They are drawn from so many that none of these becomes somebody's later.
    var unknown: Set<String> = []
    /// The apps that the channels know to be over their quota.
    var isOver: Set<Int> = []
    /// How often apps were looked at.
    var looks = 0
  }
  private let state = Mutex(State())
  private let hub: Hub
  private let webhooks: WebhookSender
  let meter: Meter
  private let followers = Mutex<[@Sendable (_ id: Int, _ state: AppState) -> Void]>([])

  init(_ hub: Hub, _ webhooks: WebhookSender) async throws(StoreError) {
    self.hub = hub
    self.webhooks = webhooks
    meter = Meter(time: hub.time)
    let (now, began) = (hub.time.now, meter.dayBegan)
    let (apps, messages) = try await hub.store.read { database throws(StoreError) in
      (try database.apps(now: now), try database.messages(from: began))
    }
    for (app, count) in messages { meter.begin(app, messages: count) }
    for app in apps { keep(app) }
  }

  /// The app with a key.
  func find(key: String) async -> RealtimeApp? {
    guard key.utf8.count == AppsLimits.keyBytes * 2, key.utf8.allSatisfy(Self.isDigit) else { return nil }
    let version = version()
    if let app = known({ state in state.ids[key] }), app.key == key { return realtime(app, version) }
    return await look(key) { database, now throws(StoreError) in try database.app(key: key, now: now) }
      .map { realtime($0, version) }
  }

  /// The app with an application id.
  func find(applicationID id: String) async -> App? {
    guard (1...AppsLimits.headerBytes).contains(id.utf8.count) else { return nil }
    if let app = known({ state in state.ids[id] }), app.applicationID == id { return app }
    return await look(id) { database, now throws(StoreError) in try database.app(applicationID: id, now: now) }
  }

  /// The app with an id.
  func find(id text: String) async -> RealtimeApp? {
    guard let id = Int(text), AppsLimits.ids.contains(id) else { return nil }
    let version = version()
    if let app = known({ _ in id }) { return realtime(app, version) }
    return await look(text) { database, now throws(StoreError) in try database.app(id, now: now) }
      .map { realtime($0, version) }
  }

  func app(_ id: Int) -> App? { state.withLock { $0.apps[id] } }

  /// Takes a made or changed app, whose connections end if they may not stay.
  func take(_ app: App) {
    keep(app)
    hub.channels.changed(realtime(app, version()))
    tell(app)
  }

  /// Makes all apps known to the channels: an event may come before an app's first client, and is kept and passed on by
  /// the app's options.
  func serveAll() {
    let version = version()
    for app in all { hub.channels.changed(realtime(app, version)) }
  }

  func take(_ app: App, in change: Change) { change.then { [self] in take(app) } }

  func remove(_ id: Int, in change: Change) { change.then { [self] in remove(id) } }

  /// Another hub has made, changed or removed some.
  /// - Parameter ids: nil for any.
  func refresh(_ ids: Set<Int>?, from database: Database) throws(StoreError) {
    let now = hub.time.now
    var found: [App] = []
    if let ids {
      for id in ids { if let app = try database.app(id, now: now) { found.append(app) } }
    } else {
      found = try database.apps(now: now)
    }
    let gone = (ids ?? Set(all.map(\.id))).subtracting(found.map(\.id))
    for app in found where self.app(app.id) != app { take(app) }
    for id in gone where app(id) != nil { remove(id) }
  }

  func remove(_ id: Int) {
    let app = state.withLock { state in
      let app = state.apps.removeValue(forKey: id)
      if let app { for name in [app.key, app.applicationID] { state.ids[name] = nil } }
      state.isOver.remove(id)
      return app
    }
    if let app { webhooks.set([], of: realtime(app, 0)) }
    meter.forget(id)
    hub.channels.removed(app: "\(id)")
    for follower in followers.withLock({ $0 }) { follower(id, .removed) }
  }

  /// Adds somebody who is told when an app was changed or removed.
  func follow(_ follower: @escaping @Sendable (_ id: Int, _ state: AppState) -> Void) {
    followers.withLock { $0.append(follower) }
  }

  private func tell(_ app: App) {
    let state: AppState = app.options.isEnabled && !meter.isOver(app.id) ? .served : .refused
    for follower in followers.withLock({ $0 }) { follower(app.id, state) }
  }

  /// Reads all apps again: a command beside the hub may have changed some, and old secrets end.
  /// - Returns: the time at which the next one ends; nil if none does.
  func read() async throws -> Double? {
    let now = hub.time.now
    let apps = try await hub.store.read { database throws(StoreError) in try database.apps(now: now) }
    let before = state.withLock { $0.apps }
    let other = apps.filter { before[$0.id] != $0 }.map(\.id) + Set(before.keys).subtracting(apps.map(\.id))
    if !other.isEmpty {
      // Read once more in the order of the changes, of which another may have come meanwhile.
      try await hub.commit(as: .room(BackendRoom.id)) { [self] change in
        for id in other {
          let app = try change.database.app(id, now: now)
          change.then { [self] in if let app { take(app) } else { remove(id) } }
        }
      }
    }
    return apps.lazy.flatMap(\.secrets).compactMap(\.until).min()
  }

  /// Tells the channels which apps came over their quota, and which are below it again on a new day.
  func applyQuotas() {
    for id in state.withLock({ Array($0.apps.keys) }) {
      let isOver = meter.isOver(id)
      let isNew = state.withLock { state in
        isOver ? state.isOver.insert(id).inserted : state.isOver.remove(id) != nil
      }
      guard isNew else { continue }
      // Drawn now: a look that began before this one may not have seen it.
      let version = version()
      guard let app = state.withLock({ $0.apps[id] }) else { continue }
      hub.channels.changed(realtime(app, version))
      tell(app)
    }
  }

  /// The number of keys that are remembered as nobody's.
  var unknownKeys: Int { state.withLock { $0.unknown.count } }

  var all: [App] { state.withLock { Array($0.apps.values) } }

  /// The number of a look at the apps that begins now. It is drawn before an app is read, but after one was kept: so
  /// whatever has a higher number than a change has seen it.
  private func version() -> Int {
    state.withLock { state in
      state.looks += 1
      return state.looks
    }
  }

  private func realtime(_ app: App, _ version: Int) -> RealtimeApp {
    var options = RealtimeOptions()
    options.isEnabled = app.options.isEnabled
    options.isOverQuota = meter.isOver(app.id)
    options.clientEvents = app.options.clientEvents
    options.subscriptionCount = app.options.subscriptionCount
    options.authorizedOnly = app.options.authorizedOnly
    options.historySeconds = app.options.historySeconds
    options.historyCount = app.options.historyCount
    options.connections = app.options.connections
    var realtime = RealtimeApp(id: "\(app.id)", key: app.key, secrets: app.secrets.map(\.text), options: options)
    realtime.version = version
    return realtime
  }

  private func keep(_ app: App) {
    state.withLock { state in
      state.apps[app.id] = app
      for name in [app.key, app.applicationID] { state.ids[name] = app.id }
    }
    meter.limit(app.id, to: app.options.messages)
    webhooks.set(app.options.webhooks.map(\.realtime), of: realtime(app, 0))
  }

  private func known(_ id: (borrowing State) -> Int?) -> App? {
    state.withLock { state in id(state).flatMap { state.apps[$0] } }
  }

  /// Reads an app that a command beside the hub may have made just now.
  private func look(
    _ name: String, _ read: @escaping @Sendable (Database, Double) throws(StoreError) -> App?
  ) async -> App? {
    guard !state.withLock({ $0.unknown.contains(name) }) else { return nil }
    let (now, version) = (hub.time.now, version())
    let found: App?
    do throws(StoreError) {
      found = try await hub.store.read { database throws(StoreError) in try read(database, now) }
    } catch {
      hub.log.error("an app could not be read", ["error": error.message, "context": error.context])
      return nil
    }
    guard let found else {
      state.withLock { state in
        if state.unknown.count >= AppsLimits.unknownKeys { state.unknown = [] }
        state.unknown.insert(name)
      }
      return nil
    }
    keep(found)
    hub.channels.changed(realtime(found, version))
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}
