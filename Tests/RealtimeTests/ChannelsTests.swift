import EventLoop
import Foundation
import Lifecycle
import Observe
import Realtime
import Server
import Testing
import Wire
import World

struct ChannelsTests {
  @Test func `events that several threads publish arrive in the same order on every loop`() throws {
    let time = VirtualTime()
    let loops = (0..<3).map { _ in EventLoop(time: time) }
    defer { for loop in loops { loop.stop() } }
    let channels = Channels(loops: loops)
    var router = Router()
    channels.addRoutes(to: &router)
    let server = HTTPServer(loops: loops, router: router, log: Log(time: time, sink: { _ in }))
    let port = try server.listen(ListenAddress("127.0.0.1:0"))
    for (index, loop) in loops.enumerated() { loop.runInBackground(name: "loop-\(index)") }

    let peers = (0..<60).map { _ in Peer(port: port) }
    var heard = try peers.map { peer in
      // Over HTTP/1.0 events are sent without chunked coding.
      peer.send("GET /events/bells HTTP/1.0\r\nHost: a\r\n\r\n")
      peer.wait(atMost: 20)
      let bytes = peer.receivedBytes().bytes
      try #require(bytes.starts(with: "HTTP/1.1 200 ".utf8))
      return bytes
    }

    let (threads, each) = (4, 100)
    let done = ThreadSignal()
    for thread in 0..<threads {
      Thread.detachNewThread {
        for number in 0..<each { channels.publish("ring", on: "bells", .int(thread * each + number)) }
        done.post()
      }
    }
    for _ in 0..<threads { #expect(done.wait(atMost: 20)) }

    let orders = try peers.indices.map { index -> [String] in
      while true {
        let body = heard[index].split(separator: Array("\r\n\r\n".utf8), maxSplits: 1).last ?? []
        let events = World.EventStream(Array(body)).events
        if events.count == threads * each { return events.map(\.data) }
        peers[index].wait(atMost: 20)
        let (more, isClosed) = peers[index].receivedBytes()
        try #require(!more.isEmpty && !isClosed, "\(events.count) events have come")
        heard[index] += more
      }
    }
    #expect(Set(orders[0]) == Set((0..<threads * each).map(String.init)))
    #expect(Set(orders).count == 1)
  }

  @Test func `whoever leaves an event stream takes no news from those who stay`() async throws {
    let time = VirtualTime()
    let loop = EventLoop(time: time)
    defer { loop.stop() }
    let channels = Channels(loops: [loop])
    var router = Router()
    channels.addRoutes(to: &router)
    let server = HTTPServer(loop: loop, router: router, log: Log(time: time, sink: { _ in }))
    let port = try server.listen(ListenAddress("127.0.0.1:0"))
    loop.runInBackground(name: "loop")
    var peers = (0..<8).map { _ in Peer(port: port) }
    for peer in peers {
      peer.send("GET /events/bells HTTP/1.0\r\nHost: a\r\n\r\n")
      peer.wait(atMost: 20)
      try #require(peer.received().text.hasPrefix("HTTP/1.1 200 "))
    }
    // One in the middle, the one that took its place, the first, the last.
    for leaving in [3, 3, 0, 4] {
      peers[leaving].vanish()
      // As in the hub: the last takes the place of the one that left.
      peers.swapAt(leaving, peers.count - 1)
      peers.removeLast()
      let count = peers.count
      await yieldUntil { server.connectionCount == count }
      channels.publish("ring", on: "bells", .int(leaving))
      for peer in peers {
        peer.wait(atMost: 20)
        #expect(peer.received() == ("event: ring\ndata: \(leaving)\n\n", false))
      }
    }
  }

  /// All others were once looked at for each that left: a stranger who hung up held the hub up for seconds.
  @Test func `leaving an event stream costs no more than coming, however many there are`() throws {
    let time = VirtualTime()
    let loop = EventLoop(time: time)
    let channels = Channels(loops: [loop])
    var router = Router(rates: RequestRates(time: time) { _ in nil })
    channels.addRoutes(to: &router)
    guard case .route(let route, let parameters) = router.match(.get, "/events/bells"),
      case .eventStream(let makeReader) = route.handler
    else {
      Issue.record("there is no such route")
      return
    }
    #expect(route.countedRate == .questions)
    var request = Request(head: RequestHead(method: .get, target: "/events/bells"))
    request.parameters = parameters
    var readers: [any EventStreamHandler] = []
    for _ in 0..<16_000 { readers.append(try makeReader(request)) }
    let began = Self.cpuSeconds
    for reader in readers { reader.opened(Server.EventStream(loop)) }
    let came = Self.cpuSeconds
    for reader in readers { reader.closed() }
    #expect(Self.cpuSeconds - came < 10 * (came - began))
  }

  /// The seconds for which this thread was at work, however busy the machine is.
  private static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
