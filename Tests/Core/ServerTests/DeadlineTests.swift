import Server
import Synchronization
import Testing
import Wire
import World

struct DeadlineTests {
  static var router: Router {
    var router = Router()
    router.on(.get, "/", .immediate { _ throws(HTTPError) in Response(json: ["a": 1]) })
    router.on(.post, "/", .immediate { request throws(HTTPError) in Response(json: .int(request.body.count)) })
    return router
  }
  static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `a head that trickles in is cut off, however steadily it trickles`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    for byte in "GET / HTT" {
      peer.send(String(byte))
      bench.pass(1)
      #expect(!peer.received().isClosed)
    }
    peer.send("P")
    bench.pass(2)
    let (text, isClosed) = peer.received()
    #expect(text.hasPrefix("HTTP/1.1 408 "))
    #expect(text.contains("\"code\":40801"))
    #expect(isClosed)
  }

  @Test func `a body may take its time as long as it moves`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
    for _ in 0..<3 {
      bench.pass(ServerLimits.bodySeconds - 2)
      #expect(peer.received().text == "")
      peer.send("x")
    }
    bench.pass(0)
    #expect(peer.received().text.hasSuffix("\r\n\r\n3"))
    peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nx")
    bench.pass(0)
    bench.pass(ServerLimits.bodySeconds + 2)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `an idle connection is kept for a while and then closed without a word`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send(Self.request)
    bench.pass(0)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 200 "))
    bench.pass(ServerLimits.idleSeconds - 2)
    #expect(!peer.received().isClosed)
    peer.send(Self.request)
    bench.pass(0)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 200 "))
    bench.pass(ServerLimits.idleSeconds + 2)
    let (text, isClosed) = peer.received()
    #expect(text == "")
    #expect(isClosed)
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `an idle connection of a trusted proxy is kept for longer`() throws {
    let bench = try Bench(Self.router, trustedProxies: [try AddressRange("127.0.0.0/8")])
    let peer = bench.connect()
    peer.send("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n")
    bench.pass(0)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 200 "))
    bench.pass(ServerLimits.proxyIdleSeconds - 2)
    #expect(!peer.received().isClosed)
    bench.pass(4)
    #expect(peer.received().isClosed)
  }

  @Test func `when nearly all connections are taken, those that were idle for longest make room`() throws {
    let bench = try Bench(Self.router, connections: 16)
    let (begun, sending) = (bench.connect(), bench.connect())
    begun.send("GET / HT")
    sending.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
    let idle = (0..<13).map { number in
      let peer = bench.connect()
      peer.push(number == 0 ? HTTP2ServerTests.preface : Array(Self.request.utf8))
      bench.pass(0.01)
      return peer
    }
    // Clients of HTTP/2 are told first, and have a second to go.
    for _ in 0..<2 { bench.pass(1.1) }
    #expect(idle.map { $0.received().isClosed } == (0..<13).map { $0 < 2 })
    let late = bench.connect()
    late.send(Self.request)
    begun.send("TP/1.1\r\nHost: a\r\n\r\n")
    sending.send("x")
    bench.turn()
    for peer in [begun, sending, late] { #expect(peer.received().text.hasPrefix("HTTP/1.1 200 ")) }
  }

  @Test func `who says goodbye with the request gets the answer and is gone at once`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send(Self.request)
    peer.finish()
    bench.turn()
    let (text, isClosed) = peer.received()
    #expect(text.hasPrefix("HTTP/1.1 200 "))
    #expect(isClosed)
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a body that trickles in has an end, however steadily it trickles`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    bench.turn()
    var waited = 0.0
    while waited < ServerLimits.wholeBodySeconds - 10 {
      peer.send("x")
      bench.pass(9)
      waited += 9
      #expect(peer.received().text == "")
    }
    bench.pass(11)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `a handler that takes too long is not waited for, and its late answer goes nowhere`() throws {
    let gate = Gate()
    var router = Router()
    router.on(
      .get, "/slow",
      .task { _ throws(HTTPError) in
        await gate.wait()
        return Response(json: ["late": true])
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    bench.turn()
    bench.pass(ServerLimits.handlerSeconds - 2)
    #expect(peer.received().text == "")
    bench.pass(3)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 503 "))
    gate.open()
    for _ in 0..<20 { bench.turn() }
    #expect(peer.received().text == "")
  }

  @Test func `who waits for a word before sending a body gets the refusal at once`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 404 "))
  }

  @Test func `a connection that never says anything is closed`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    bench.pass(ServerLimits.headSeconds + 2)
    #expect(peer.received().isClosed)
  }

  @Test func `closing waits for the answer under way, and closes those that are idle`() throws {
    let gate = Gate()
    var router = Self.router
    router.on(
      .get, "/slow",
      .task { _ throws(HTTPError) in
        await gate.wait()
        return Response(json: ["slow": true])
      })
    let bench = try Bench(router)
    let idle = bench.connect()
    let busy = bench.connect()
    busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    idle.send(Self.request)
    bench.turn()
    let isDone = Atomic(false)
    bench.server.close { isDone.store(true, ordering: .relaxed) }
    bench.pass(1)
    #expect(idle.received().isClosed)
    var isFinished: Bool { isDone.load(ordering: .relaxed) }
    #expect(!isFinished)
    gate.open()
    for _ in 0..<500 where bench.server.connectionCount > 0 { bench.pass(0) }
    let (text, isClosed) = busy.received()
    #expect(text.contains("Connection: close\r\n"))
    #expect(text.hasSuffix("{\"slow\":true}"))
    #expect(isClosed)
    bench.pass(1)
    #expect(isFinished)
  }

  @Test func `a WebSocket that falls silent is pinged and then dropped`() throws {
    final class Quiet: WebSocketHandler {
      func opened(_ socket: WebSocket) {}
      func received(_ text: String) {}
      func closed() {}
    }
    var router = Router()
    router.on(.get, "/ws", .webSocket { _ in Quiet() })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send(
      "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    bench.pass(0)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 101 "))
    bench.pass(ServerLimits.pingSeconds + 2)
    let (ping, isClosed) = peer.received()
    #expect(Array(ping.unicodeScalars.map(\.value)).last == 0)
    #expect(!ping.isEmpty)
    #expect(!isClosed)
    bench.pass(ServerLimits.pongSeconds + 2)
    #expect(peer.received().isClosed)
  }
}
