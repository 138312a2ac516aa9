import Observe
import Server
import Testing
import Wire
import World

/// The memory that the unfinished bodies of known callers hold together.
struct BodySharesTests {
  static let limit = 8 << 20

  /// Callers say who they are by a field; whoever has none is admitted without being known. "/open" admits anybody.
  static func router() -> Router {
    var router = Router()
    let length = Handler.task { request throws(HTTPError) in Response(json: .int(request.body.count)) }
    let admit: Admission = { request throws(HTTPError) in
      if let name = request.head.fields["name"] { request.noteCaller(name) }
    }
    router.on(.put, "/", bodyLimit: limit, admit: admit, length)
    router.on(.put, "/open", length)
    return router
  }

  func held(_ metrics: Metrics, _ name: String = "eightbells_body_bytes") -> Int {
    let line = String(decoding: metrics.text(), as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("\(name) ")
    }
    return line.flatMap { Double($0.split(separator: " ")[1]) }.map { Int($0) } ?? -1
  }

  /// Sends a head, and so much of its body.
  func begin(_ bench: Bench, _ name: String?, _ count: Int) -> Peer {
    let peer = bench.connect()
    let field = name.map { "Name: \($0)\r\n" } ?? ""
    peer.send("PUT / HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: \(Self.limit)\r\n\r\n")
    bench.turn()
    _ = bench.push(count, from: peer)
    bench.turn()
    return peer
  }

  @Test func `one caller keeps three of the largest bodies at most, on however many connections`() throws {
    let metrics = Metrics()
    let bench = try Bench(Self.router(), metrics: metrics)
    let kept = (0..<3).map { _ in begin(bench, "ada", Self.limit - 1) }
    #expect(held(metrics) > 23 << 20)
    let further = (0..<5).map { _ in begin(bench, "ada", 1 << 20) }
    #expect(further.allSatisfy { $0.received().text.hasPrefix("HTTP/1.1 503 ") })
    #expect(held(metrics) <= 24 << 20)
    // Others have a share of their own.
    let other = begin(bench, "bo", Self.limit)
    #expect(other.received().text.hasSuffix("\r\n\r\n\(Self.limit)"))
    // A body that is complete, or was given up, makes room again.
    _ = bench.push(1, from: kept[0])
    var text = ""
    bench.turn {
      text += kept[0].received().text
      return text.hasPrefix("HTTP/1.1 200 ")
    }
    kept[1].vanish()
    kept[2].vanish()
    bench.turn { held(metrics) == 0 }
  }

  @Test func `all callers together have a share too`() throws {
    let metrics = Metrics()
    let bench = try Bench(Self.router(), metrics: metrics)
    let peers = (0..<12).map { begin(bench, "caller \($0)", Self.limit - 1) }
    #expect(held(metrics) > 56 << 20 && held(metrics) <= 64 << 20)
    #expect(peers.count { $0.received().text.hasPrefix("HTTP/1.1 503 ") } == 4)
  }

  @Test func `whoever is admitted without a name has their address' share, and takes nothing of the others'`() throws {
    let metrics = Metrics()
    let bench = try Bench(Self.router(), metrics: metrics)
    let strangers = (0..<3).map { _ in begin(bench, nil, Self.limit - 1) }
    #expect(held(metrics) == 0)
    // The address has room for two of them.
    #expect(strangers.count { $0.received().isClosed } == 1)
    let waiting = held(metrics, "eightbells_unread_bytes")
    #expect(waiting > 15 << 20 && waiting <= 16 << 20)
    let known = begin(bench, "ada", Self.limit)
    #expect(known.received().text.hasSuffix("\r\n\r\n\(Self.limit)"))
  }

  @Test(arguments: ["ada", nil])
  func `over HTTP/2 a large body of one who is admitted comes whole`(name: String?) throws {
    let bench = try Bench(Self.router())
    let peer = HTTP2ServerTests.connect(bench)
    peer.push(HTTP2ServerTests.put("/", name.map { [("name", $0)] } ?? []))
    HTTP2ServerTests.sendBody(bench, peer, pieces: 80)
    peer.push(HTTP2ServerTests.frame(type: 0, flags: 1, stream: 1))
    #expect(HTTP2ServerTests.answer(bench, peer) == "\(80 << 14)")
  }

  @Test func `over HTTP/2 the bodies of a route that is open to all have a share of their connection`() throws {
    let bench = try Bench(Self.router())
    let peer = HTTP2ServerTests.connect(bench)
    let streams = (0..<23).map { UInt8(2 * $0 + 1) }
    for stream in streams {
      peer.push(HTTP2ServerTests.put("/open", stream: stream))
      HTTP2ServerTests.sendBody(bench, peer, pieces: 3, stream: stream)
    }
    #expect(HTTP2ServerTests.answer(bench, peer, stream: streams[22]).contains("unfinished"))
    // The others are answered: all that is kept of them does not hold them up.
    peer.push(HTTP2ServerTests.frame(type: 0, flags: 1, stream: 1))
    #expect(HTTP2ServerTests.answer(bench, peer) == "\(3 << 14)")
  }
}
