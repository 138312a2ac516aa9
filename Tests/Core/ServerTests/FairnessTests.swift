import EventLoop
import Server
import Testing
import Wire
import World

/// A client that requests more and more gets its share of every turn of the loop, and no more.
struct FairnessTests {
  @Test func `requests in a row are worked on in several turns`() throws {
    let answered = Note(0)
    var router = Router()
    router.on(
      .get, "/",
      .immediate { _ throws(HTTPError) in
        answered.change { $0 += 1 }
        return Response(status: 204, contentType: "", body: .bytes([]))
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    let requests = Array(String(repeating: DeadlineTests.request, count: 10_000).utf8)
    let sent = peer.push(requests)
    let expected = sent / DeadlineTests.request.utf8.count
    // The rest of one read, and the beginning of the next one.
    let inOneTurn = 2 * ServerLimits.requestsTogether
    #expect(expected > 2 * inOneTurn)
    var before = 0
    while answered.value < expected {
      bench.loop.turn(wait: 0.1)
      _ = peer.receivedBytes()
      try #require(answered.value > before)
      #expect(answered.value - before <= inOneTurn)
      before = answered.value
    }
  }

  @Test(arguments: [20_000, 300_000])
  func `answers for clients without gzip are decompressed in several turns`(size: Int) throws {
    let packed = PackedBytes(Gzip.compress([UInt8](repeating: 120, count: size)), count: size)
    var router = Router()
    router.on(
      .get, "/", .immediate { _ throws(HTTPError) in Response(contentType: "text/plain", body: .packed(packed)) })
    let bench = try Bench(router)
    let peers = (0..<20).map { _ in bench.connect() }
    let (each, heads) = (4, 80 * 2_048)
    for peer in peers { peer.push(Array(String(repeating: DeadlineTests.request, count: each).utf8)) }
    let inOneTurn = ServerLimits.unpackedTogether * min(size, ServerLimits.unpackedPieceBytes)
    var (received, turns) = (0, 0)
    while received < peers.count * each * size {
      bench.loop.turn(wait: 0.1)
      turns += 1
      for peer in peers { received += peer.receivedBytes().bytes.count }
      try #require(received <= turns * inOneTurn + heads)
      try #require(turns < 1_000)
    }
    bench.turn()
  }

  @Test func `messages that unfold to a lot of work are worked on in several turns`() throws {
    final class Counter: WebSocketHandler {
      let count: Note<Int>
      init(_ count: Note<Int>) { self.count = count }
      func opened(_ socket: WebSocket) {}
      func received(_ text: String) { count.change { $0 += 1 } }
      func closed() {}
    }
    let count = Note(0)
    var router = Router()
    let generous = MessageBounds(strangersBytes: 64 << 10, bytes: 64 << 10, rate: Rate(burst: 100, perSecond: 100))
    router.on(.get, "/ws", .webSocket(generous) { _ in Counter(count) })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send(
      "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 101 "))
    // 40,000 times the same letter, compressed, with a mask of zeros.
    let letters: [UInt8] =
      [0xec, 0xc1, 0x31, 1, 0, 0, 0, 0xc2, 0xa0, 0xac, 0xeb, 0x5f, 0xc2, 0xcb, 0x16, 0x40, 1]
      + [UInt8](repeating: 0, count: 38) + [0x37, 0]
    let frame = [0xc1, 0x80 | UInt8(letters.count), 0, 0, 0, 0] + letters
    peer.push(Array(repeatElement(frame, count: 20).joined()))
    bench.loop.turn(wait: 0.1)
    #expect(count.value == 2)
    bench.loop.turn(wait: 0.1)
    #expect(count.value == 4)
    bench.turn { count.value == 20 }
    peer.push(frame)
    bench.turn { count.value == 21 }
  }
}
