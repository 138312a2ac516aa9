import Observe
import Server
import Synchronization
import Testing
import Wire
import World

/// Clients that stay: on an event stream, or on a WebSocket.
struct ListenerTests {
  /// The events that a handler has received; used on the loop only.
  final class Seen {
    var streams: [Server.EventStream] = []
    var sockets: [WebSocket] = []
    var received: [String] = []
    var closed = 0
  }

  final class Reader: EventStreamHandler {
    let seen: Seen
    init(_ seen: Seen) { self.seen = seen }
    func opened(_ stream: Server.EventStream) { seen.streams.append(stream) }
    func closed() { seen.closed += 1 }
  }

  final class Talker: WebSocketHandler {
    let seen: Seen
    init(_ seen: Seen) { self.seen = seen }
    func opened(_ socket: WebSocket) { seen.sockets.append(socket) }
    func received(_ text: String) { seen.received.append(text) }
    func closed() { seen.closed += 1 }
  }

  nonisolated(unsafe) let seen = Seen()

  func bench(
    trustedProxies: [AddressRange] = [], connections: Int = ServerLimits.connections, metrics: Metrics = Metrics()
  ) throws -> Bench {
    nonisolated(unsafe) let seen = seen
    var router = DeadlineTests.router
    router.on(.get, "/events", .eventStream { _ throws(HTTPError) in Reader(seen) })
    router.on(.get, "/ws", .webSocket { _ in Talker(seen) })
    router.on(
      .get, "/large",
      .immediate { _ throws(HTTPError) in
        Response(contentType: "text/plain", body: .bytes([UInt8](repeating: 120, count: 12 << 20)))
      })
    return try Bench(router, trustedProxies: trustedProxies, connections: connections, metrics: metrics)
  }

  static func listen(_ version: String = "1.1") -> String { "GET /events HTTP/\(version)\r\nHost: a\r\n\r\n" }
  static let upgrade =
    "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
  static let event = EncodedEvent(ServerSentEvent(data: "ding"))
  static let comment = String(decoding: ServerSentEvent.comment(), as: UTF8.self)

  @Test func `events arrive as they are sent, and a comment after every silence`() throws {
    let bench = try bench()
    let peer = bench.connect()
    peer.send(Self.listen())
    bench.turn()
    #expect(peer.received().text.contains("Content-Type: text/event-stream\r\n"))
    bench.pass(ServerLimits.eventCommentSeconds - 2)
    #expect(peer.received().text == "")
    bench.pass(3)
    #expect(peer.received().text == "\(String(Self.comment.utf8.count, radix: 16))\r\n\(Self.comment)\r\n")
    bench.pass(ServerLimits.eventCommentSeconds + 1)
    #expect(peer.received().text.contains(Self.comment))
    seen.streams[0].send(Self.event)
    bench.turn()
    #expect(peer.received() == ("c\r\ndata: ding\n\n\r\n", false))
    #expect(seen.closed == 0)
  }

  @Test(arguments: ["1.0", "1.1"])
  func `a stream that the server ends is at its end, and its handler is told once`(version: String) throws {
    let bench = try bench()
    let peer = bench.connect()
    peer.send(Self.listen(version))
    bench.turn { !seen.streams.isEmpty }
    seen.streams[0].send(Self.event)
    seen.streams[0].close()
    seen.streams[0].close()
    let end = version == "1.0" ? "\r\n\r\ndata: ding\n\n" : "c\r\ndata: ding\n\n\r\n0\r\n\r\n"
    var (text, isClosed) = ("", false)
    bench.turn {
      let more = peer.received()
      (text, isClosed) = (text + more.text, more.isClosed)
      return text.hasSuffix(end) && isClosed == (version == "1.0")
    }
    #expect(seen.closed == 1)
    peer.vanish()
    bench.turn { bench.server.connectionCount == 0 }
    #expect(seen.closed == 1)
  }

  @Test(arguments: [false, true])
  func `a listener that leaves is told of once, whoever notices first`(serverSpeaks: Bool) throws {
    let bench = try bench()
    let peer = bench.connect()
    peer.send(Self.listen())
    bench.turn()
    peer.vanish()
    if serverSpeaks { seen.streams[0].close() }
    bench.turn()
    seen.streams[0].send(Self.event)
    bench.turn()
    #expect(seen.closed == 1)
    #expect(bench.server.connectionCount == 0)
  }

  /// The bytes that a server sends before it drops a client that does not read: a full queue, and the sockets' buffers.
  func fill(_ bench: Bench, _ say: () -> Void) -> Int {
    var said = 0
    while seen.closed == 0, said < 256 {
      say()
      said += 1
      bench.turn()
    }
    return said
  }

  @Test func `a stream of events that nobody reads is dropped, without harm to others`() throws {
    let bench = try bench()
    let (stalled, awake) = (bench.connect(window: 65_536), bench.connect())
    for peer in [stalled, awake] {
      peer.send(Self.listen("1.0"))
      bench.turn()
    }
    let long = EncodedEvent(ServerSentEvent(data: String(repeating: "x", count: 65_000)))
    var heard = awake.receivedBytes().bytes
    let said = fill(bench) {
      for stream in seen.streams { stream.send(long) }
      bench.turn()
      heard += awake.receivedBytes().bytes
    }
    #expect(said > ServerLimits.socketQueueBytes / 65_000)
    #expect(said < 128)
    #expect(seen.closed == 1)
    #expect(bench.server.connectionCount == 1)
    let body = heard.drop { $0 != UInt8(ascii: "d") }
    #expect(World.EventStream(Array(body)).events.count == said)
  }

  /// A server with 64 connections, and a function that takes one for each of some addresses.
  private func fullBench() throws -> (Bench, connect: (_ addresses: [String], _ request: String) -> [Peer]) {
    let bench = try bench(trustedProxies: [try AddressRange("127.0.0.0/8")], connections: 64)
    return (
      bench,
      { addresses, request in
        addresses.map { address in
          let peer = bench.connect(window: 65_536)
          peer.send(request.replacing("Host: a", with: "Host: a\r\nX-Forwarded-For: \(address)"))
          bench.turn()
          return peer
        }
      }
    )
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n", "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func `when nearly all connections are taken, a slow request of a large network goes first, and no steady one`(
    request: String
  ) throws {
    let (bench, connect) = try fullBench()
    let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
    let slow = connect(["192.0.2.1"], request)[0]
    let steady = connect(["192.0.2.1"], post)[0]
    let others = [(1, 15), (2, 14), (3, 14), (4, 13)].flatMap { network, count in
      connect(Array(repeating: "192.0.2.\(network)", count: count), Self.listen())
    }
    let slowOfFew = connect(["192.0.2.4"], post)[0]
    for _ in 0..<11 {
      for peer in [slow, slowOfFew] { peer.send("x") }
      steady.push([UInt8](repeating: 120, count: 2_000))
      bench.pass(1.1)
    }
    let late = connect((1...4).map { "198.51.100.\($0)" }, Self.listen())
    #expect(bench.server.connectionCount == 63)
    bench.pass(1.1)
    #expect(bench.server.connectionCount == 62)
    for peer in [steady, slowOfFew] + others + late { #expect(!peer.received().isClosed) }
  }

  @Test func `when nearly all connections are taken, strangers of the largest networks make room, and nobody else`()
    throws
  {
    let (bench, connect) = try fullBench()
    // The same /48.
    let large = connect((0..<20).map { "2001:db8:0:\($0)::1" }, Self.listen())
    let largest = connect(Array(repeating: "192.0.2.1", count: 24), Self.upgrade)
    let small = connect(Array(repeating: "192.0.2.2", count: 13), Self.listen())
    let members = connect(["192.0.2.1", "192.0.2.1"], Self.listen())
    for stream in seen.streams.suffix(2) { stream.signedIn() }
    let refused = connect(["192.0.2.1"], Self.listen())[0]
    #expect(refused.received().text.hasPrefix("HTTP/1.1 429 "), "the last four are for others")
    refused.vanish()
    bench.turn()
    let late = connect((1...4).map { "198.51.100.\($0)" }, Self.listen())
    #expect(bench.server.connectionCount == 63)
    bench.pass(1.1)
    #expect(largest.count { $0.received().isClosed } == 3)
    for peer in large + small + members + late {
      let (text, isClosed) = peer.received()
      #expect(text.hasPrefix("HTTP/1.1 200 ") && !isClosed)
    }
  }

  @Test func `an unfinished message counts as memory, and pings in between earn it no time`() throws {
    let metrics = Metrics()
    let bench = try bench(metrics: metrics)
    let peer = bench.connect()
    peer.send(Self.upgrade)
    bench.turn()
    // Masked with zeros: 2,000 bytes of a message that goes on, its end, and a ping.
    let (mask, word) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 120, count: 2_000))
    let beginning: [UInt8] = [0x01, 0x80 | 126, 7, 208] + mask + word
    let ping: [UInt8] = [0x89, 0x80] + mask
    peer.push(beginning)
    bench.turn()
    #expect(BodySharesTests().held(metrics, "eightbells_unread_bytes") == 2_000)
    func passWithPings() {
      for _ in 0..<2 {
        bench.pass(ServerLimits.messageSeconds / 2 - 1)
        peer.push(ping)
        bench.turn()
      }
    }
    passWithPings()
    peer.push([0x80, 0x80 | 1] + mask + [120] + beginning)
    bench.turn { !seen.received.isEmpty }
    #expect(seen.received.map(\.utf8.count) == [2_001])
    passWithPings()
    #expect(!peer.received().isClosed)
    bench.pass(3)
    let (text, isClosed) = peer.received()
    #expect(isClosed && text.contains("within 60 s"))
    peer.vanish()
    bench.turn { bench.server.connectionCount == 0 }
    #expect(BodySharesTests().held(metrics, "eightbells_unread_bytes") == 0)
  }

  @Test func `a WebSocket that nobody reads is dropped, without harm to others`() throws {
    let bench = try bench()
    let (stalled, awake) = (bench.connect(window: 65_536), bench.connect())
    for peer in [stalled, awake] {
      peer.send(Self.upgrade)
      bench.turn()
    }
    #expect(awake.received().text.hasPrefix("HTTP/1.1 101 "))
    let long = EncodedMessage(text: [UInt8](repeating: 120, count: 65_000))
    var heard = 0
    let said = fill(bench) {
      for socket in seen.sockets { socket.send(long) }
      bench.turn()
      heard += awake.receivedBytes().bytes.count
    }
    #expect(said > ServerLimits.socketQueueBytes / 65_000)
    #expect(said < 128)
    #expect(seen.closed == 1)
    #expect(bench.server.connectionCount == 1)
    // Each message of that length has a header of four bytes.
    #expect(heard == said * 65_004)
  }
}
