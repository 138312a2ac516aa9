import EventLoop
import Lifecycle
import Observe
import Realtime
import Server
import Synchronization
import World

/// A server with the channels of some apps, on several loops, in time that passes only when a test says so.
final class AppStage: Sendable {
  let time = VirtualTime()
  let loops: [EventLoop]
  let channels: Channels
  let port: Int
  private let apps = Mutex<[String: RealtimeApp]>([:])
  private let others = Mutex(0)
  private let ended = Mutex<Set<String>>([])
  private let heard = Mutex<(webhooks: [WebhookEvent], console: [ConsoleEntry], messages: Int)>(([], [], 0))

  init() throws {
    let time = time
    loops = (0..<3).map { _ in EventLoop(time: time) }
    channels = Channels(loops: loops)
    var router = Router()
    channels.addRoutes(to: &router)
    let server = HTTPServer(loops: loops, router: router, log: Log(time: time, sink: { _ in }))
    port = try server.listen(ListenAddress("127.0.0.1:0"))
    channels.open(
      AppDirectory(
        find: { [weak self] key in self?.apps.withLock { $0[key] } },
        webhook: { [weak self] _, event in self?.heard.withLock { $0.webhooks.append(event) } },
        console: { [weak self] _, entry in self?.heard.withLock { $0.console.append(entry) } },
        count: { [weak self] _, messages in self?.heard.withLock { $0.messages += messages } },
        others: { [weak self] _ in self?.otherConnections ?? 0 },
        isSession: { [weak self] id, _ in self?.ended.withLock { !$0.contains(id) } ?? false }))
    for (index, loop) in loops.enumerated() { loop.runInBackground(name: "loop-\(index)") }
  }

  deinit { for loop in loops { loop.stop() } }

  func app(_ id: String = "1", _ change: (inout RealtimeOptions) -> Void = { _ in }) -> RealtimeApp {
    var app = RealtimeApp(id: id, key: "key\(id)", secrets: ["secret\(id)"])
    change(&app.options)
    apps.withLock { $0[app.key] = app }
    return app
  }

  func forget(_ app: RealtimeApp) { apps.withLock { $0[app.key] = nil } }

  /// The connections that each app has beside those of its channels.
  var otherConnections: Int {
    get { others.withLock { $0 } }
    set { others.withLock { $0 = newValue } }
  }

  /// Ends a session of a user of an app.
  func end(session: String, of app: RealtimeApp) {
    ended.withLock { _ = $0.insert(session) }
    channels.end(sessions: [session], of: app.id)
  }

  var webhooks: [WebhookEvent] { heard.withLock { $0.webhooks } }
  var console: [ConsoleEntry] { heard.withLock { $0.console } }
  var messages: Int { heard.withLock { $0.messages } }

  /// Ends a client as a program does that ends; returns when the channels know.
  func leave(_ peer: PusherPeer) {
    peer.leave()
    pass(0)
  }

  /// Lets time pass on all loops, and waits for what they had to do.
  func pass(_ seconds: Double) {
    time.advance(by: seconds)
    let done = ThreadSignal()
    for loop in loops { loop.execute { loop.schedule(after: 0) { done.post() } } }
    for _ in loops { precondition(done.wait(atMost: 30)) }
  }
}
