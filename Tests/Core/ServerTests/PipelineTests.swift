import Server
import Testing
import Wire
import World

struct PipelineTests {
  static func name(_ text: String) -> Response { Response(json: .string(text)) }

  /// Handlers of every kind: each answers with its own name.
  static func router(_ gate: Gate) -> Router {
    var router = Router()
    router.on(.get, "/now", .immediate { _ throws(HTTPError) in name("now") })
    router.on(
      .get, "/later",
      .task { _ throws(HTTPError) in
        await gate.wait()
        return name("later")
      })
    router.on(
      .get, "/stream",
      .immediate { _ throws(HTTPError) in
        Response(
          contentType: "text/plain",
          body: .stream(
            ResponseStream(length: 8) { writer throws(StreamFault) in
              await gate.wait()
              for piece in ["\"str", "eam\""] { try await writer.write(Array(piece.utf8)) }
            }))
      })
    router.on(
      .post, "/body",
      .streaming { _, body throws(HTTPError) in
        await gate.wait()
        var all: [UInt8] = []
        while let piece = try await body.next() { all += piece }
        return name(String(decoding: all, as: UTF8.self))
      })
    return router
  }

  static func request(_ name: String) -> String {
    name.hasPrefix("body")
      ? "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: \(name.utf8.count)\r\n\r\n\(name)"
      : "GET /\(name) HTTP/1.1\r\nHost: a\r\n\r\n"
  }

  static let order = ["now", "later", "body 1", "stream", "now", "stream", "body 2", "later", "now", "body 3"]

  @Test(arguments: [1, 7, 100_000])
  func `pipelined requests are answered in their order, whatever each of them waits for`(pieces: Int) throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect()
    var rest = Array(Self.order.map(Self.request).joined().utf8)
    while !rest.isEmpty {
      peer.push(Array(rest.prefix(pieces)))
      rest.removeFirst(min(pieces, rest.count))
      bench.turn()
    }
    // The second waits, and so do all after it.
    #expect(peer.received().text.components(of: "HTTP/1.1 200 ") == 1)
    gate.open()
    for _ in 0..<10 { bench.turn() }
    let answers = peer.received().text
    #expect(answers.components(of: "HTTP/1.1 200 ") == Self.order.count - 1)
    let names = answers.split(separator: "\"").map(String.init).filter(Self.order.contains)
    #expect(names == Array(Self.order.dropFirst()))
  }
}

extension String {
  /// The number of occurrences of a part.
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
