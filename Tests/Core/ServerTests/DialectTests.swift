import Server
import Testing
import Wire
import World

/// Routes that speak another program's protocol, and streams of another form than Server-Sent Events.
struct DialectTests {
  /// Callers say their word in the address, and are told of errors in capitals.
  static let shouting = Dialect(
    adapt: { request in
      request.head.fields = request.head.fields.replacing("word", with: request.query["word"])
    },
    refusal: { error, _ in Response(status: error.code.status, json: .string(error.error.uppercased())) })

  static var router: Router {
    var router = Router()
    let admit: Admission = { request throws(HTTPError) in
      if request.head.fields["word"] != "please" { throw HTTPError(ErrorCode(40101), "say the word", help: "") }
    }
    router.on(
      .get, "/task", admit: admit, dialect: shouting,
      .task { request throws(HTTPError) in
        if request.query["fail"] != nil { throw HTTPError(ErrorCode(50001), "it failed", help: "") }
        return Response(json: .string(request.head.fields["host"] ?? ""))
      })
    router.on(.post, "/task", bodyLimit: 3, dialect: shouting, .task { _ throws(HTTPError) in Response(json: true) })
    router.on(
      .get, "/foreign",
      .immediate { _ throws(HTTPError) in
        var error = HTTPError(ErrorCode(40018), "ours", help: "")
        error.foreign = ["http": 400]
        throw error
      })
    router.on(.get, "/lines", .eventStream { _ throws(HTTPError) in Lines() })
    return router
  }

  /// A stream of lines: one at the beginning, and "still" after five seconds of silence.
  final class Lines: EventStreamHandler {
    var stream: Server.EventStream?
    let contentType = "text/x-lines"
    let quietSeconds = 5.0
    func keepAlive() -> EncodedEvent { EncodedEvent(Array("still\n".utf8)) }
    func opened(_ stream: Server.EventStream) {
      self.stream = stream
      stream.signedIn()
      stream.send(EncodedEvent(Array("first\n".utf8)))
    }
    func closed() { stream = nil }
  }

  func answer(_ target: String, _ fields: String = "") throws -> String {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send("GET \(target) HTTP/1.1\r\nHost: here\r\n\(fields)\r\n")
    bench.turn()
    return peer.received().text
  }

  @Test func `credentials are where the dialect has them, and other fields stay`() throws {
    #expect(try answer("/task?word=please").hasSuffix("\r\n\r\n\"here\""))
    // The field itself does not count, whatever its case.
    #expect(try answer("/task", "WORD: please\r\n").contains("401"))
  }

  @Test func `errors are told in the dialect's form, before the handler and in it`() throws {
    #expect(try answer("/task").hasSuffix("\r\n\r\n\"SAY THE WORD\""))
    let failed = try answer("/task?word=please&fail")
    #expect(failed.hasPrefix("HTTP/1.1 500 ") && failed.hasSuffix("\r\n\r\n\"IT FAILED\""))
    let foreign = try answer("/foreign")
    #expect(foreign.hasPrefix("HTTP/1.1 400 ") && foreign.hasSuffix("\r\n\r\n{\"http\":400}"))
  }

  @Test func `a body that is too large is refused in the dialect's form, promised and sent`() throws {
    for body in ["Content-Length: 4\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n4\r\nlong\r\n"] {
      let bench = try Bench(Self.router)
      let peer = bench.connect()
      peer.send("POST /task HTTP/1.1\r\nHost: here\r\n\(body)")
      bench.turn()
      let answer = peer.received().text
      #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.hasSuffix("\r\n\r\n\"THE BODY IS TOO LARGE.\""))
    }
  }

  @Test func `a stream may have another form, and another sign of life`() throws {
    let bench = try Bench(Self.router)
    let peer = bench.connect()
    peer.send("GET /lines HTTP/1.1\r\nHost: a\r\n\r\n")
    bench.turn()
    let first = peer.received().text
    #expect(first.contains("Content-Type: text/x-lines\r\n") && first.hasSuffix("\r\n\r\n6\r\nfirst\n\r\n"))
    bench.pass(4.9)
    #expect(peer.received().text.isEmpty)
    bench.pass(1.2)
    #expect(peer.received().text == "6\r\nstill\n\r\n")
  }
}
