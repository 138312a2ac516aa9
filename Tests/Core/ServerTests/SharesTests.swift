import Server
import Testing
import Wire
import World

/// The memory that all connections of one address may hold together, and how many of them there may be.
struct SharesTests {
  /// Counts answers under way, and the most at a time.
  struct Count {
    var now = 0
    var most = 0
  }

  @Test func `an address never holds more than its share, however many ask in the same turn`() throws {
    let answers = Note(Count())
    var router = Router()
    router.on(
      .get, "/",
      .immediate { _ throws(HTTPError) in
        Response(
          contentType: "text/plain",
          body: .stream(
            ResponseStream(length: 64 << 20, memory: 1 << 20) { writer throws(StreamFault) in
              answers.change {
                $0.now += 1
                $0.most = max($0.most, $0.now)
              }
              defer { answers.change { $0.now -= 1 } }
              let piece = [UInt8](repeating: 120, count: 64 << 10)
              while true { try await writer.write(piece) }
            }))
      })
    let bench = try Bench(router)
    let share = ServerLimits.addressUnreadBytes >> 20
    let peers = (0..<4 * share).map { _ in bench.connect(window: 4096) }
    for peer in peers { peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    bench.turn { answers.value.now > share / 2 }
    bench.turn()
    // Each holds at least a megabyte.
    #expect(answers.value.now <= share)
    #expect(answers.value.most <= share + 1)
    #expect(peers.filter { $0.received().isClosed }.count >= peers.count - share)
  }

  @Test(arguments: [(64, 60), (0, 64)])
  func `the last free connections are not for whoever has many, unless there may be any number`(
    perAddress: Int, accepted: Int
  ) throws {
    let bench = try Bench(connections: 64, connectionsPerAddress: perAddress)
    let peers = (0..<64).map { _ in bench.connect() }
    #expect(peers.map { $0.received().isClosed } == (0..<64).map { $0 >= accepted })
  }
}
