public import Client
public import EventLoop
public import Hub
import Lifecycle
import Observe
import Realtime
public import Server
import Settings
public import Store
import Synchronization
public import Wire
public import World

/// A hub for tests: in this process, with a real store, and in time that passes only when the test says so. Nothing
/// listens; routes are asked by `ask`.
public struct TestHub: Sendable {
  public let folder: TemporaryFolder
  public let time: VirtualTime
  public let loop: EventLoop
  public let hub: Hub
  public var store: Store { hub.store }
  private let served = Served()

  /// - Parameters:
  ///   - rooms: the installed rooms, with their tables and options; `openRooms` opens them.
  ///   - migrations: those of a test's own tables.
  ///   - options: the owner's settings, by name.
  ///   - folder: another hub's folder, to restart it.
  ///   - bucket: where large blobs are, besides the folder.
  ///   - addresses: those that the owner's requests may reach.
  public init(
    time: VirtualTime = VirtualTime(), rooms: [any Room.Type] = [], migrations: [Migration] = [],
    options: [String: String] = [:], folder: TemporaryFolder = TemporaryFolder(),
    bucket: (any BlobBucket)? = nil, addresses: AddressPolicy = .publicInternet()
  ) async throws {
    self.time = time
    self.folder = folder
    loop = EventLoop(time: time)
    loop.runInBackground(name: "test")
    let list = RoomList(rooms)
    let store = try await Store(
      .file("\(folder.path)/hub.sqlite"), bucket: bucket, migrations: list.migrations + migrations, time: time)
    let file = options.map { "\($0.key) = \($0.value)" }.joined(separator: "\n")
    let values = try Settings(
      list.options, arguments: Arguments([], accepted: []), environment: [:], file: file)
    try values.check()
    hub = Hub(
      loop: loop, time: time, log: Log(time: time, sink: { _ in }), store: store, channels: Channels(loops: [loop]),
      client: HTTPClient(loop: loop, userAgent: "test", addresses: addresses), dataFolder: folder.path, rooms: list,
      options: values)
    try await hub.numberCommits()
  }

  /// Opens the rooms, as a start does: each loads its state.
  public func openRooms() async throws { try await hub.open(hub.roomList.types) }

  /// Asks one of the routes of the hub and its rooms.
  /// - Parameters:
  ///   - form: a body as forms send it.
  ///   - ifMatch: with a token, the ETag of the version that was changed.
  ///   - once: with a token, an Idempotency-Key.
  ///   - given: all of the request's fields, instead of those that the others make.
  /// - Throws: what the handler refuses; 404 where nothing is served.
  public func ask(
    _ method: Method, _ path: String, token: String? = nil, _ json: JSON? = nil, form: String = "",
    ifMatch: String? = nil, once key: String? = nil, fields given: Fields? = nil
  ) async throws -> Response {
    guard case .route(let route, let parameters) = served.router(hub).match(method, path.prefix { $0 != "?" }) else {
      throw HTTPError(.noSuchPage, "Nothing is served at \(path).", help: "None.")
    }
    let credentials = token.map { "Bearer \($0)" } ?? ""
    let fields: Fields =
      switch (token, ifMatch, key) {
      case (nil, _, _): Fields()
      case (_, nil, nil): Fields(["Authorization": credentials])
      case (_, let tag?, _): Fields(["Authorization": credentials, "If-Match": tag])
      case (_, nil, let key?): Fields(["Authorization": credentials, "Idempotency-Key": key])
      }
    let request = Request(
      head: RequestHead(method: method, target: path, fields: given ?? fields), body: json?.bytes ?? Array(form.utf8),
      parameters: parameters)
    switch route.handler {
    case .immediate(let answer): return try answer(request)
    case .task(let answer): return try await answer(request)
    default: preconditionFailure("\(path) has no single answer")
    }
  }

  /// Ends all tasks, as the hub does when it is stopped.
  public func end() async {
    // The hub gives up a task that does not end in time, which has to pass for that.
    let passing = Task { [time, loop] in
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(1))
        time.advance(by: 1)
        loop.execute {}
      }
    }
    await hub.end()
    passing.cancel()
    await store.close()
    loop.stop()
  }

  /// Lets the loop handle everything that is ready.
  public func turn() async {
    await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
  }

  /// Until nothing is under way any more: the store is idle for so many turns of the loop in succession. Time that
  /// passed meanwhile would make late what a busy machine only takes longer for.
  public func settle(turns: Int = 20) async {
    var idle = 0
    while idle < turns {
      await turn()
      let now = store.statistics
      idle = now.writesWaiting + now.readsWaiting + now.busyReaders == 0 ? idle + 1 : 0
    }
  }

  /// It did not become so: waiting for it any longer would hold up all other tests.
  public struct WaitsInVain: Error {}

  /// Lets so much time pass, repeatedly, until a condition holds. No more of it passes while the store is at work.
  /// - Throws: `WaitsInVain` after two minutes of the machine's time.
  public func wait(passing seconds: Double = 0, until isSo: () async throws -> Bool) async throws {
    let limit = SystemTime().uptime + 120
    while try await !isSo() {
      guard SystemTime().uptime < limit else { throw WaitsInVain() }
      time.advance(by: seconds)
      if seconds > 0 { await settle() } else { await turn() }
    }
  }
}

/// The routes, made at the first call.
private final class Served: Sendable {
  private let made = Mutex<Router?>(nil)

  func router(_ hub: Hub) -> Router {
    made.withLock { made in
      if let made { return made }
      let router = hub.router()
      made = router
      return router
    }
  }
}
