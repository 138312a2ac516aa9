import EventLoop
import Hub
import Lifecycle
import Objects
import Observe
import Realtime
import Server
import Store
import Synchronization
import Wire

/// The live queries of all apps: who follows which objects, and telling them of each change in the order of the
/// commits.
///
/// A commit only hands over what somebody may want to hear; a task of each app works through it, so that whoever writes
/// does not wait for those who listen, nor one app for another. Who is to hear of it is found on a thread of its own,
/// on which the apps take turns, so that the loop waits for no pattern. The rights of each receiver are looked at with
/// each event.
final class LiveQueries: Sendable {
  fileprivate struct OfApp {
    var index = SubscriptionIndex<Int>()
    var subscriptions: [Int: LiveSubscription] = [:]
    /// The subscriptions of each session: a change of a role looks at all sessions, and at each with its own ones.
    var ofSessions: [String: Set<Int>] = [:]
    /// Bytes of their queries.
    var bytes = 0
    /// With the digest of the master key that a client has shown; empty without one.
    var clients: [LiveClient: [UInt8]] = [:]
    /// How many changes were taken by which somebody may gain or lose a right.
    var changesOfRights = 0
    /// The sessions whose rights may have been others when their subscriptions were added.
    var doubtful: [String] = []
  }
  fileprivate struct State {
    var apps: [Int: OfApp] = [:]
    var waiting = WaitingChanges()
    /// The apps whose changes are being told.
    var busy: Set<Int> = []
    var connections = 0
    /// The thread on which changes are compared with queries, once there was one.
    var thread: WorkerThread?
    /// The number of the last subscription.
    var last = 0
  }
  fileprivate typealias Follower = (number: Int, subscription: LiveSubscription)
  private let state = Mutex(State())
  private let hub: Hub
  let source: LiveSource
  let interest: LiveInterest
  private let poller: Poller

  init(_ hub: Hub, _ source: LiveSource) {
    self.hub = hub
    self.source = source
    interest = LiveInterest(hub)
    poller = Poller(hub.loop)
  }

  /// Serves live queries at the address of the objects.
  func addRoutes(to router: inout Router) {
    for path in ["/parse", "/parse/"] {
      router.on(.get, path, .webSocket(LiveClient.strangers) { [self] request in LiveClient(self, request) })
    }
  }

  var supervisor: Supervisor { hub.supervisor }

  func files(of app: App, for request: Request) -> FileAddresses { FileAddresses(app, hub, for: request) }

  /// The number of all connections.
  var connections: Int { state.withLock { $0.connections } }

  /// The number of an app's.
  func clients(of app: Int) -> Int { state.withLock { $0.apps[app]?.clients.count ?? 0 } }

  // MARK: Clients

  /// Counts a client whose keys are right.
  /// - Parameter master: the digest of the master key that it has shown; empty without one.
  /// - Throws: 4 if it cannot stay.
  func enter(_ client: LiveClient, _ app: App, master: [UInt8]) throws(ObjectError) {
    let channels = hub.channels.connections(of: "\(app.id)")
    try state.withLock { state throws(ObjectError) in
      let count = state.apps[app.id]?.clients.count ?? 0
      if app.options.connections > 0, count + channels >= app.options.connections {
        throw ObjectError(4, "The app has \(app.options.connections) connections, and no more are accepted.")
      }
      if state.connections >= AppsLimits.liveConnections {
        throw ObjectError(4, "The hub has as many connections of live queries as it accepts.")
      }
      state.connections += 1
      state.apps[app.id, default: OfApp()].clients[client] = master
    }
  }

  func left(_ client: LiveClient, _ app: Int, _ subscriptions: some Sequence<Int>) {
    state.withLock { state in
      guard state.apps[app]?.clients.removeValue(forKey: client) != nil else { return }
      state.connections -= 1
      for number in subscriptions { state.remove(number, of: app) }
      guard state.apps[app]?.clients.isEmpty ?? false else { return }
      state.apps[app] = nil
      state.waiting.drop(app)
    }
  }

  /// How many changes of an app's rights were taken so far: to be read before a subscription's caller is looked up.
  func changesOfRights(of app: Int) -> Int { state.withLock { $0.apps[app]?.changesOfRights ?? 0 } }

  /// Adds a subscription, which hears of all changes from now on.
  /// - Parameter known: the changes of rights that were taken before its caller was looked up. If there were others
  ///   since, its caller is looked up once more, before it hears of anything.
  /// - Returns: its number.
  func add(
    _ query: LiveQuery, _ client: LiveClient, requestID: Int, _ caller: Objects.Caller, app: Int,
    _ files: FileAddresses?, changesOfRights known: Int
  ) throws(ObjectError) -> Int {
    let since = hub.commits.number
    let (className, equalities) = (query.query.className, query.equalities)
    let number = try state.withLock { state throws(ObjectError) -> Int in
      let own = state.apps[app]
      if own?.subscriptions.count ?? 0 >= AppsLimits.subscriptions {
        throw .tooMany("The app has \(AppsLimits.subscriptions) live queries; no more are accepted.")
      }
      if (own?.bytes ?? 0) + query.bytes > AppsLimits.subscriptionBytes {
        throw .tooMany(
          "The app's live queries ask for more than \(AppsLimits.subscriptionBytes) bytes; ask for less.")
      }
      if equalities.isEmpty, own?.index.lookedAtAlways(className) ?? 0 >= AppsLimits.lookedAtAlways {
        throw .tooMany(
          "The class has \(AppsLimits.lookedAtAlways) live queries that ask for no equal value; no more of them are "
            + "accepted.")
      }
      state.last += 1
      state.apps[app, default: OfApp()].subscriptions[state.last] = LiveSubscription(
        client: client, requestID: requestID, query: query, caller: caller, files: files, since: since)
      state.apps[app]?.bytes += query.bytes
      state.apps[app]?.index.add(state.last, to: className, equalities: equalities)
      if let session = caller.session {
        state.apps[app]?.ofSessions[session, default: []].insert(state.last)
        if state.apps[app]?.changesOfRights != known { state.apps[app]?.doubtful.append(session) }
      }
      return state.last
    }
    poller.wake()
    return number
  }

  func remove(_ number: Int, of app: Int) { state.withLock { $0.remove(number, of: app) } }

  /// Ends an app's connections.
  func close(_ app: Int, _ reason: String) {
    for client in state.withLock({ $0.apps[app]?.clients ?? [:] }).keys { client.close(reason) }
  }

  /// Ends the connections that have shown a master key which does not count any more, or not from where they are.
  func checkKeys(_ app: App) {
    let clients = state.withLock { $0.apps[app.id]?.clients ?? [:] }
    for (client, master) in clients where !master.isEmpty {
      let counts = app.secrets.contains { $0.masterDigest == master } && app.options.takesMaster(from: client.peer)
      if !counts { client.close("The master key does not count any more.") }
    }
  }

  // MARK: Changes

  /// Takes what a commit has changed. Called on the writer's thread in the order of the commits.
  func take(_ changes: [ObjectChange], commit: Int) {
    let (isNew, overrun) = state.withLock { state -> (Bool, Set<Int>) in
      var (isNew, overrun) = (false, Set<Int>())
      for change in changes where !overrun.contains(change.app) {
        if Self.isAboutRights(change) { state.apps[change.app]?.changesOfRights += 1 }
        guard state.apps[change.app]?.concerns(change) ?? false else { continue }
        overrun.formUnion(state.waiting.append(WaitingChanges.Told(change, commit: commit)))
        isNew = true
      }
      return (isNew, overrun)
    }
    for app in overrun {
      hub.log.warning("live queries could not keep up", ["app": "\(app)"])
      close(app, "There was too much to tell.")
    }
    if isNew { poller.wake() }
  }

  /// Tells the hubs that have live queries of the app what a commit changes, within it.
  func pass(_ written: WrittenObjects, in change: Change) throws(StoreError) {
    guard interest.isElsewhere(written.app.id) else { return }
    for one in written.changes { try change.pass(.changes, about: one.app, one.json) }
  }

  /// Takes what other hubs have changed.
  func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.live) { try interest.read(database) }
    let passed = try touches.passed(.changes, in: database)
    for one in passed ?? [] {
      if let change = ObjectChange(app: one.about, one.body) { take([change], commit: one.commit) }
    }
    // Whoever may have missed something comes back, and asks.
    for app in state.withLock({ Array($0.apps.keys) }) where passed == nil || hasLostInterest(app) {
      close(app, "The hub was away for too long.")
    }
  }

  private func hasLostInterest(_ app: Int) -> Bool {
    !interest.isHere(app) && state.withLock { $0.apps[app]?.subscriptions.isEmpty == false }
  }

  /// Tells what has changed until the task is cancelled.
  func run() async throws {
    let sweeping = Mutex(hub.time.uptime)
    try await poller.run { [self] in
      for app in state.withLock({ $0.ready() }) {
        hub.supervisor.once("apps.live-changes", on: hub.loop) { [self] in await work(app) }
      }
      let now = hub.time.uptime
      guard hub.nameAmongHubs != nil else { return nil }
      if now - sweeping.withLock({ $0 }) >= AppsLimits.liveSweepSeconds {
        sweeping.withLock { $0 = now }
        try await interest.sweep(state.withLock { Set($0.apps.keys) })
      }
      return AppsLimits.liveSweepSeconds
    }
  }

  /// Tells what waits of one app, until nothing does.
  private func work(_ app: Int) async {
    while !Task.isCancelled, let (doubtful, told) = state.withLock({ $0.next(app) }) {
      for session in doubtful { await lookUp(session, of: app) }
      await tell(told)
    }
  }

  private func tell(_ all: [WaitingChanges.Told]) async {
    for (index, told) in all.enumerated() {
      let change = told.change
      // If several roles change in a row, one look before the first of them is told finds what all have changed: they
      // are committed by now. A later look would tell some of them with rights that an earlier one has ended.
      let isFirst = change.className != "_Role" || index == 0 || all[index - 1].change.className != "_Role"
      if Self.isAboutRights(change), isFirst { await checkRights(after: change) }
      guard state.withLock({ $0.apps[change.app]?.index.concerns(change.className) ?? false }),
        let schema = await source.schema(change.className, change.app)
      else { continue }
      let thread = state.withLock { state in
        let thread = state.thread ?? WorkerThread(name: "live-queries")
        state.thread = thread
        return thread
      }
      var (rest, view) = await thread.run { [self] in
        let followers = state.withLock { $0.apps[change.app]?.followers(of: change, told.commit) ?? [] }
        return (followers[...], LiveView(change, schema))
      }
      while !rest.isEmpty {
        (rest, view) = await thread.run { [self, rest, view] in
          var (rest, view) = (rest, view)
          tell(&rest, &view, of: change.app)
          return (rest, view)
        }
      }
    }
  }

  /// Finds who of a change's followers is to hear of it, and sends it, until another app has its turn. Called on the
  /// thread for that.
  private func tell(_ rest: inout ArraySlice<Follower>, _ view: inout LiveView, of app: Int) {
    let end = hub.time.uptime + AppsLimits.turnSeconds
    var batches: [ObjectIdentifier: (loop: EventLoop, messages: [(LiveClient, Int, Int, EncodedMessage)])] = [:]
    var count = 0
    while hub.time.uptime < end, let (number, subscription) = rest.popFirst() {
      let message = view.message(for: subscription)
      if let fault = subscription.query.fault {
        remove(number, of: app)
        subscription.client.end(subscription.requestID, number, fault)
      }
      guard let message, let loop = subscription.client.loop else { continue }
      batches[ObjectIdentifier(loop), default: (loop, [])].messages.append(
        (subscription.client, subscription.requestID, number, message))
      count += 1
    }
    for (loop, messages) in batches.values {
      loop.execute { for (client, id, number, message) in messages { client.deliver(message, of: id, number) } }
    }
    if count > 0 { source.count(count, app) }
  }

  // MARK: Rights

  /// True for a change by which somebody may gain or lose a right.
  fileprivate static func isAboutRights(_ change: ObjectChange) -> Bool {
    switch change.className {
    case "_Role": true
    case "_Session", "_User": change.before != nil
    default: false
    }
  }

  /// Looks anew who those are who follow something with a session. Whoever's session has ended follows nothing more.
  private func checkRights(after change: ObjectChange) async {
    let app = change.app
    let user =
      switch change.className {
      case "_User": change.before?.id
      case "_Session": change.before?["user"]?["objectId"]?.string
      default: String?.none
      }
    let sessions = state.withLock { state in
      Set(
        (state.apps[app]?.subscriptions.values).map { all in
          all.compactMap { $0.caller.user == user || user == nil ? $0.caller.session : nil }
        } ?? [])
    }
    for session in sessions { await lookUp(session, of: app) }
  }

  /// Looks up who somebody with a session is now.
  private func lookUp(_ session: String, of app: Int) async {
    do throws(ObjectError) {
      let caller = try await source.caller(session, app)
      state.withLock { $0.apps[app]?.set(caller, session) }
    } catch {
      let ended = state.withLock { state in
        let numbers = state.apps[app]?.ofSessions[session] ?? []
        let ended = numbers.compactMap { number in state.apps[app]?.subscriptions[number].map { (number, $0) } }
        for number in numbers { state.remove(number, of: app) }
        return ended
      }
      for (number, subscription) in ended { subscription.client.end(subscription.requestID, number, error) }
    }
  }
}

extension LiveQueries.State {
  fileprivate mutating func remove(_ number: Int, of app: Int) {
    apps[app]?.index.remove(number)
    guard let gone = apps[app]?.subscriptions.removeValue(forKey: number) else { return }
    apps[app]?.bytes -= gone.query.bytes
    guard let session = gone.caller.session else { return }
    apps[app]?.ofSessions[session]?.remove(number)
    if apps[app]?.ofSessions[session]?.isEmpty == true { apps[app]?.ofSessions[session] = nil }
  }

  /// The apps that have something to tell, and whose task has not begun yet; it is to begin now.
  fileprivate mutating func ready() -> [Int] {
    let ready = Set(waiting.apps).union(apps.filter { !$0.value.doubtful.isEmpty }.keys).subtracting(busy)
    busy.formUnion(ready)
    return Array(ready)
  }

  /// Takes what an app's task is to do next; nil if it has done all.
  fileprivate mutating func next(_ app: Int) -> (doubtful: [String], told: [WaitingChanges.Told])? {
    let (doubtful, told) = (apps[app]?.doubtful ?? [], waiting.take(of: app))
    apps[app]?.doubtful = []
    guard doubtful.isEmpty, told.isEmpty else { return (doubtful, told) }
    busy.remove(app)
    return nil
  }
}

extension LiveQueries.OfApp {
  /// True if somebody may want to hear of a change, or has other rights by it.
  fileprivate func concerns(_ change: ObjectChange) -> Bool {
    index.concerns(change.className) || !subscriptions.isEmpty && LiveQueries.isAboutRights(change)
  }

  fileprivate func followers(of change: ObjectChange, _ commit: Int) -> [LiveQueries.Follower] {
    index.candidates(change.className, [change.before, change.after].compactMap(\.self)).compactMap { number in
      subscriptions[number].flatMap { $0.since < commit ? (number, $0) : nil }
    }
  }

  fileprivate mutating func set(_ caller: Objects.Caller, _ session: String) {
    for number in ofSessions[session] ?? [] {
      guard let before = subscriptions[number]?.caller else { continue }
      subscriptions[number]?.caller = caller
      // The rights that the connection itself has shown stay.
      subscriptions[number]?.caller.isMaster = before.isMaster
      subscriptions[number]?.caller.installation = before.installation
    }
  }
}
