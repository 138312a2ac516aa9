public import EventLoop
import Glibc
public import Observe
import Synchronization
public import Wire

/// Serves HTTP/1.1, HTTP/2 and WebSocket, over TLS where it has a certificate: one listener on each loop, among which
/// the kernel spreads the connections.
public final class HTTPServer: Sendable {
  private let listeners: [Listener]
  private let closing = Atomic(false)

  /// - Parameters:
  ///   - loops: at least one. They run, or will; handlers are called on all of them.
  ///   - tls: what makes every connection one over TLS.
  ///   - trustedProxies: whose word counts on who asks (X-Forwarded-For, -Proto and -Host).
  ///   - unbelieved: where a web server is noted that sends such fields and is not among them.
  ///   - connectionsPerAddress: how many an address may have open, an IPv6 /64 counting as one; 0 for any number.
  ///   - metrics: where the server counts what it does.
  public init(
    loops: [EventLoop], router: Router, log: Log, tls: TLSContext? = nil, trustedProxies: [AddressRange] = [],
    unbelieved: UnbelievedProxy = UnbelievedProxy(),
    connectionsPerAddress: Int = ServerLimits.connectionsPerAddress, metrics: Metrics = Metrics()
  ) {
    precondition(!loops.isEmpty, "a server needs a loop")
    let shared = Listener.Shared(
      router: router, log: log, trustedProxies: trustedProxies, unbelieved: unbelieved,
      connectionsPerAddress: connectionsPerAddress,
      metrics: ServerMetrics(metrics))
    listeners = loops.map { Listener(loop: $0, shared, tls: tls) }
    metrics.gauge("eightbells_send_queue_bytes", help: "Bytes that wait for clients to take them.") { [listeners] in
      Double(listeners.reduce(0) { $0 + $1.statistics.queued.load(ordering: .relaxed) })
    }
    metrics.gauge("eightbells_unread_bytes", help: "Bytes of memory that wait for clients to take them.") {
      Double(shared.shares.bytes.load(ordering: .relaxed))
    }
  }

  public convenience init(loop: EventLoop, router: Router, log: Log) {
    self.init(loops: [loop], router: router, log: log)
  }

  /// Connections open on all loops.
  public var connectionCount: Int { listeners.reduce(0) { $0 + $1.statistics.connections.load(ordering: .relaxed) } }
  public var isClosing: Bool { closing.load(ordering: .relaxed) }

  /// Binds and listens.
  /// - Returns: the port, which the system chooses when 0 was asked for.
  public func listen(_ address: ListenAddress) throws(ListenError) -> Int {
    let bound = try address.bind(count: listeners.count, backlog: ServerLimits.backlog)
    for (listener, descriptor) in zip(listeners, bound.descriptors) {
      listener.loop.perform { listener.start(descriptor) }
    }
    return bound.port
  }

  /// New connections get this certificate; those there are keep theirs.
  public func use(_ tls: TLSContext) {
    for listener in listeners { listener.loop.perform { listener.tls = tls } }
  }

  /// Stops accepting, lets the answers under way finish for at most `ServerLimits.closeSeconds`, then calls `done` on
  /// one of the loops.
  public func close(_ done: @escaping @Sendable () -> Void) {
    closing.store(true, ordering: .relaxed)
    let countdown = Countdown(listeners.count, done)
    for listener in listeners { listener.loop.perform { listener.close { countdown.next() } } }
  }
}

/// Calls back when the last of several has come.
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
