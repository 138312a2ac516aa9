import EventLoop
import Observe
import Server
import Synchronization
import Testing
import Wire
import World

/// A real server on a real socket, in virtual time.
final class Bench {
  let time: VirtualTime
  let loop: EventLoop
  let server: HTTPServer
  let port: Int

  init(
    _ router: Router = Router(), time: VirtualTime = VirtualTime(), trustedProxies: [AddressRange] = [],
    connections: Int = ServerLimits.connections,
    connectionsPerAddress: Int = ServerLimits.connectionsPerAddress, metrics: Metrics = Metrics()
  ) throws {
    self.time = time
    loop = EventLoop(time: time)
    loop.turn(wait: 0)
    server = HTTPServer(
      loops: [loop], router: router, log: Log(time: time, sink: { _ in }), trustedProxies: trustedProxies,
      connections: connections, connectionsPerAddress: connectionsPerAddress, metrics: metrics)
    port = try server.listen(ListenAddress("127.0.0.1:0"))
  }

  /// - Parameter window: the approximate size of the peer's socket buffers.
  func connect(window: Int32? = nil) -> Peer {
    let peer = Peer(port: port, window: window)
    turn()
    return peer
  }

  /// Lets the loop handle everything that is ready.
  func turn() { for _ in 0..<4 { loop.turn(wait: 0.002) } }

  /// Turns the loop until a condition holds that may depend on other threads: for at most some seconds.
  func turn(until isSo: () -> Bool) {
    for _ in 0..<2000 {
      if isSo() { return }
      turn()
    }
    #expect(isSo(), "it did not come to that")
  }

  func pass(_ seconds: Double) {
    time.advance(by: seconds)
    turn()
  }

  /// Everything a peer receives until the answer has the expected length, or the connection ends.
  func collect(_ peer: Peer, atLeast count: Int = .max) -> (bytes: [UInt8], isClosed: Bool) {
    var (all, isClosed) = peer.receivedBytes()
    for _ in 0..<2000 where all.count < count && !isClosed {
      loop.turn(wait: 0.002)
      let more = peer.receivedBytes()
      all += more.bytes
      isClosed = more.isClosed
    }
    return (all, isClosed)
  }

  /// Sends until the connection takes no more, however often the server is turned.
  /// - Returns: the count of bytes taken; fewer are sent when the connection breaks.
  func push(_ count: Int, from peer: Peer) -> Int {
    let piece = [UInt8](repeating: 120, count: 65_536)
    var (pushed, idle) = (0, 0)
    while pushed < count, idle < 10 {
      let taken = peer.push(Array(piece.prefix(count - pushed)))
      if taken < 0 { break }
      pushed += taken
      idle = taken == 0 ? idle + 1 : 0
      turn()
    }
    return pushed
  }
}

/// Lets a waiting task continue, once.
final class Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }
  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

/// A value that a handler records for the test.
final class Note<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>
  init(_ value: Value) { stored = Mutex(value) }
  var value: Value { stored.withLock { $0 } }
  func change(_ change: @Sendable (inout Value) -> Void) { stored.withLock { change(&$0) } }
}
