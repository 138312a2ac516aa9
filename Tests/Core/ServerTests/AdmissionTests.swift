import Server
import Testing
import Wire
import World

/// Routes that check their caller before the body is read.
struct AdmissionTests {
  static let limit = 8 << 20

  /// Admits callers with the right word, once the gate is open; answers with the body's length.
  static func router(_ gate: Gate) -> Router {
    var router = DeadlineTests.router
    let admit: Admission = { request throws(HTTPError) in
      await gate.wait()
      #expect(request.body.isEmpty)
      guard request.head.fields["word"] == "please" else {
        throw HTTPError(ErrorCode(40101), "Who are you?", help: "Say the word.")
      }
    }
    let length = Handler.task { request throws(HTTPError) in Response(json: .int(request.body.count)) }
    router.on(.put, "/kept", bodyLimit: limit, admit: admit, length)
    router.on(.get, "/kept", admit: admit, length)
    router.on(
      .put, "/streamed", bodyLimit: limit, admit: admit,
      .streaming { _, body throws(HTTPError) in
        var count = 0
        while let piece = try await body.next() { count += piece.count }
        return Response(json: .int(count))
      })
    router.on(
      .put, "/at-once", bodyLimit: limit, admit: { _ throws(HTTPError) in },
      .immediate { request throws(HTTPError) in Response(json: .int(request.body.count)) })
    return router
  }

  static func head(_ path: String, _ length: Int, _ more: String = "") -> String {
    "PUT \(path) HTTP/1.1\r\nHost: a\r\n\(more)Content-Length: \(length)\r\n\r\n"
  }

  @Test(arguments: ["/kept", "/streamed"])
  func `nothing of a body is read before it is known who sends it`(path: String) throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.head(path, Self.limit, "Word: please\r\n"))
    let first = bench.push(Self.limit, from: peer)
    // The sockets' buffers, and bytes that came in one piece with the head.
    #expect(first < 1 << 20)
    gate.open()
    bench.turn()
    #expect(first + bench.push(Self.limit - first, from: peer) == Self.limit)
    bench.turn()
    #expect(peer.received().text.hasSuffix("\r\n\r\n\(Self.limit)"))
    peer.send(DeadlineTests.request)
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 200 "))
  }

  @Test(arguments: ["/kept", "/streamed"])
  func `who may not send is told so, and the connection ends`(path: String) throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.head(path, Self.limit))
    let first = bench.push(Self.limit, from: peer)
    gate.open()
    bench.turn()
    #expect(first < 1 << 20)
    let text = peer.received().text
    #expect(text.hasPrefix("HTTP/1.1 401 "))
    #expect(text.contains("Connection: close\r\n"))
  }

  @Test(arguments: ["/kept", "/streamed", "/at-once"], [0, 1, 70_000])
  func `a body that is there at once is not lost`(path: String, count: Int) throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect()
    peer.send(Self.head(path, count, "Word: please\r\n") + String(repeating: "x", count: count))
    bench.turn()
    gate.open()
    var text = ""
    bench.turn {
      text += peer.received().text
      return text.hasSuffix("\r\n\r\n\(count)")
    }
  }

  @Test func `a request without a body is asked too, and the connection goes on`() throws {
    let gate = Gate()
    gate.open()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect()
    for (word, status) in [("none", 401), ("please", 200), ("none", 401)] {
      peer.send("GET /kept HTTP/1.1\r\nHost: a\r\nWord: \(word)\r\n\r\n")
      var text = ""
      bench.turn {
        text += peer.received().text
        return text.hasPrefix("HTTP/1.1 \(status) ")
      }
    }
  }

  @Test func `over HTTP/2 what is refused for the body that came before is not done either`() throws {
    let gate = Gate()
    let begun = Note(0)
    var router = Router()
    router.on(
      .put, "/small", admit: { _ throws(HTTPError) in await gate.wait() },
      .task { request throws(HTTPError) in
        begun.change { $0 += 1 }
        return Response(json: .int(request.body.count))
      })
    let bench = try Bench(router)
    let peer = HTTP2ServerTests.connect(bench)
    peer.push(HTTP2ServerTests.put("/small"))
    HTTP2ServerTests.sendBody(bench, peer, pieces: 5)
    peer.push(HTTP2ServerTests.frame(type: 0, flags: 1, stream: 1))
    bench.turn()
    gate.open()
    #expect(HTTP2ServerTests.answer(bench, peer).contains("41301"))
    bench.turn()
    #expect(begun.value == 0)
  }

  @Test func `a client that waits for 100 Continue gets it once it may send`() throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect()
    peer.send(Self.head("/kept", 3, "Word: please\r\nExpect: 100-continue\r\n"))
    bench.turn()
    #expect(peer.received().text == "")
    gate.open()
    bench.turn()
    #expect(peer.received().text == "HTTP/1.1 100 Continue\r\n\r\n")
    peer.send("abc")
    bench.turn()
    #expect(peer.received().text.hasSuffix("\r\n\r\n3"))
  }

  @Test func `a question that is not answered in time is given up, and nothing is begun later`() throws {
    let gate = Gate()
    let begun = Note(0)
    var router = Router()
    router.on(
      .put, "/", admit: { _ throws(HTTPError) in await gate.wait() },
      .streaming { _, _ throws(HTTPError) in
        begun.change { $0 += 1 }
        return Response(json: [:])
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send(Self.head("/", 100))
    bench.turn()
    bench.pass(ServerLimits.handlerSeconds + 2)
    bench.pass(2)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 503 "))
    gate.open()
    bench.turn()
    #expect(begun.value == 0)
  }
}
