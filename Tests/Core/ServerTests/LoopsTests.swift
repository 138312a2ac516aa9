import EventLoop
import Glibc
import Lifecycle
import Observe
import Server
import Synchronization
import Testing
import Wire
import World

/// One server on several loops, each on a thread of its own.
struct LoopsTests {
  @Test func `several loops answer on one port, and all of them close`() throws {
    let time = VirtualTime()
    let loops = (0..<3).map { _ in EventLoop(time: time) }
    defer { for loop in loops { loop.stop() } }
    let threads = Note<Set<UInt>>([])
    var router = Router()
    router.on(
      .get, "/",
      .immediate { _ throws(HTTPError) in
        threads.change { $0.insert(UInt(pthread_self())) }
        return Response(json: true)
      })
    let server = HTTPServer(loops: loops, router: router, log: Log(time: time, sink: { _ in }))
    let port = try server.listen(ListenAddress("127.0.0.1:0"))
    for (index, loop) in loops.enumerated() { loop.runInBackground(name: "loop-\(index)") }

    // The kernel spreads them by their ports: the chance that a loop gets none of so many is negligible.
    let peers = (0..<90).map { _ in Peer(port: port) }
    for peer in peers { peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    for peer in peers {
      peer.wait(atMost: 20)
      try #require(peer.received().text.hasPrefix("HTTP/1.1 200 "))
    }
    #expect(threads.value.count == 3)
    #expect(server.connectionCount == 90)

    let (closed, calls) = (ThreadSignal(), Note(0))
    server.close {
      calls.change { $0 += 1 }
      closed.post()
    }
    #expect(closed.wait(atMost: 20))
    #expect(server.connectionCount == 0)
    for peer in peers {
      peer.wait(atMost: 20)
      try #require(peer.received() == ("", true))
    }
    #expect(calls.value == 1)
  }
}
