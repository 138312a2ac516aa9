public import EventLoop
import Glibc
public import Observe
import Synchronization
public import Wire

/// Serves HTTP/1.1, HTTP/2 and WebSocket, over TLS if it has a certificate. Each loop has a listener, among which the
/// kernel spreads the connections.
public final class HTTPServer: Sendable {
  private let listeners: [Listener]
  private let closing = Atomic(false)

  /// - Parameters:
  ///   - loops: at least one, running now or later; handlers are called on all of them.
  ///   - tls: nil to serve without TLS.
  ///   - trustedProxies: the proxies whose X-Forwarded-For, -Proto and -Host are believed.
  ///   - unbelieved: records a web server that sends such fields and is not trusted.
  ///   - connections: the most open connections, as far as the limit of descriptors allows.
  ///   - connectionsPerAddress: the most open connections of an address, an IPv6 /64 counting as one; 0 for no limit.
  ///   - metrics: the registry of the server's metrics.
  ///   - keepsPeers: true to give handlers the facts about their connection (`Request.connection`), which cost memory
  ///     for each.
  public init(
    loops: [EventLoop], router: Router, log: Log, tls: TLSContext? = nil, trustedProxies: [AddressRange] = [],
    unbelieved: UnbelievedProxy = UnbelievedProxy(), connections: Int = ServerLimits.connections,
    connectionsPerAddress: Int = ServerLimits.connectionsPerAddress, metrics: Metrics = Metrics(),
    keepsPeers: Bool = false
  ) {
    precondition(!loops.isEmpty, "a server needs a loop")
    let shared = Listener.Shared(
      router: router, log: log, trustedProxies: trustedProxies, unbelieved: unbelieved,
      connections: connections, connectionsPerAddress: connectionsPerAddress, metrics: ServerMetrics(metrics),
      keepsPeers: keepsPeers)
    listeners = loops.map { Listener(loop: $0, shared, tls: tls) }
    metrics.gauge("eightbells_send_queue_bytes", help: "Bytes that wait for clients to take them.") { [listeners] in
      Double(listeners.reduce(0) { $0 + $1.statistics.queued.load(ordering: .relaxed) })
    }
    metrics.gauge("eightbells_unread_bytes", help: "Bytes of memory that wait for clients to take them.") {
      Double(shared.shares.bytes.load(ordering: .relaxed))
    }
    metrics.gauge(
      "eightbells_body_bytes", help: "Bytes of request bodies that are kept until they are complete and answered."
    ) { Double(shared.bodies.bytes) }
  }

  public convenience init(loop: EventLoop, router: Router, log: Log) {
    self.init(loops: [loop], router: router, log: log)
  }

  /// The open connections on all loops.
  public var connectionCount: Int { listeners.reduce(0) { $0 + $1.statistics.connections.load(ordering: .relaxed) } }
  public var isClosing: Bool { closing.load(ordering: .relaxed) }

  /// Binds and listens.
  /// - Returns: the port; for port 0, the one that the system chose.
  public func listen(_ address: ListenAddress) throws(ListenError) -> Int {
    let bound = try address.bind(count: listeners.count, backlog: ServerLimits.backlog)
    for (listener, descriptor) in zip(listeners, bound.descriptors) {
      listener.loop.perform { listener.start(descriptor) }
    }
    return bound.port
  }

  /// Replaces the certificate for new connections; existing ones keep theirs.
  public func use(_ tls: TLSContext) {
    for listener in listeners { listener.loop.perform { listener.tls = tls } }
  }

  /// Tells a share of those who stay (sockets, event streams and connections of HTTP/2) to go, as they are told when
  /// the server closes; everybody is served as before.
  /// - Parameter share: 0 to 1.
  /// - Returns: how many are left.
  public func sendAway(_ share: Double) async -> Int {
    var left = 0
    for listener in listeners {
      left += await withUnsafeContinuation { continuation in
        listener.loop.perform { continuation.resume(returning: listener.sendAway(share)) }
      }
    }
    return left
  }

  /// Stops accepting, lets responses under way finish for at most `ServerLimits.closeSeconds`, then calls `done` on one
  /// of the loops.
  public func close(_ done: @escaping @Sendable () -> Void) {
    closing.store(true, ordering: .relaxed)
    let countdown = Countdown(listeners.count, done)
    for listener in listeners { listener.loop.perform { listener.close { countdown.next() } } }
  }
}

/// Calls back when the last of several parties has finished.
private final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let done: @Sendable () -> Void

  init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
    left = Mutex(count)
    self.done = done
  }

  func next() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { done() }
  }
}
