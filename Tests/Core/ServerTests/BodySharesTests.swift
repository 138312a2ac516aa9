import Observe
import Server
import Testing
import Wire
import World

/// The memory that the unfinished bodies of admitted callers hold together.
struct BodySharesTests {
  static let limit = 8 << 20

  /// Callers say who they are by a field.
  static func router() -> Router {
    var router = Router()
    router.on(
      .put, "/", bodyLimit: limit,
      admit: { request throws(HTTPError) in request.noteCaller(request.head.fields["name"] ?? "") },
      .task { request throws(HTTPError) in Response(json: .int(request.body.count)) })
    return router
  }

  func held(_ metrics: Metrics) -> Int {
    let line = String(decoding: metrics.text(), as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("eightbells_body_bytes ")
    }
    return line.flatMap { Double($0.split(separator: " ")[1]) }.map { Int($0) } ?? -1
  }

  /// Sends a head, and so much of its body.
  func begin(_ bench: Bench, _ name: String, _ count: Int) -> Peer {
    let peer = bench.connect()
    peer.send("PUT / HTTP/1.1\r\nHost: a\r\nName: \(name)\r\nContent-Length: \(Self.limit)\r\n\r\n")
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
}
