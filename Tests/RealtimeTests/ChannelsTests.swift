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
}
