import Glibc
import Server
import Synchronization
import Testing
import Wire
import World

/// Answers whose bodies are produced while they are sent.
struct StreamedAnswerTests {
  static func router(_ stream: ResponseStream) -> Router {
    var router = DeadlineTests.router
    router.on(
      .get, "/stream", .immediate { _ throws(HTTPError) in Response(contentType: "text/plain", body: .stream(stream)) })
    return router
  }

  static func pieces(_ pieces: [String], length: Int? = nil) -> ResponseStream {
    ResponseStream(length: length) { writer throws(StreamFault) in
      for piece in pieces { try await writer.write(Array(piece.utf8)) }
    }
  }

  static func request(_ version: String = "1.1") -> String { "GET /stream HTTP/\(version)\r\nHost: a\r\n\r\n" }

  func answer(_ stream: ResponseStream, _ version: String = "1.1") throws -> (text: String, isClosed: Bool) {
    let bench = try Bench(Self.router(stream))
    let peer = bench.connect()
    peer.send(Self.request(version))
    bench.turn()
    return peer.received()
  }

  @Test func `a body of unknown length comes in chunks, and the connection stays`() throws {
    let (text, isClosed) = try answer(Self.pieces(["ab", "", "cde"]))
    #expect(text.contains("Transfer-Encoding: chunked\r\n"))
    #expect(text.hasSuffix("\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n"))
    #expect(!isClosed)
  }

  @Test func `for a client that knows no chunks, the end of the connection is the end of the body`() throws {
    let (text, isClosed) = try answer(Self.pieces(["ab", "cde"]), "1.0")
    #expect(!text.contains("Transfer-Encoding"))
    #expect(!text.contains("Content-Length"))
    #expect(text.hasSuffix("\r\n\r\nabcde"))
    #expect(isClosed)
  }

  @Test func `a body whose length is known comes as it is, and the connection stays`() throws {
    let (text, isClosed) = try answer(Self.pieces(["ab", "cde"], length: 5))
    #expect(text.contains("Content-Length: 5\r\n"))
    #expect(text.hasSuffix("\r\n\r\nabcde"))
    #expect(!isClosed)
  }

  @Test(arguments: [(["ab"], "ab"), (["ab", "cdef"], "ab")])
  func `a body of another length than was promised is cut off`(pieces: [String], arrives: String) throws {
    let (text, isClosed) = try answer(Self.pieces(pieces, length: 5))
    #expect(text.hasSuffix("\r\n\r\n\(arrives)"))
    #expect(isClosed)
  }

  @Test func `a body that cannot be finished is cut off before its last chunk`() throws {
    let (text, isClosed) = try answer(
      ResponseStream { writer throws(StreamFault) in
        try await writer.write([97])
        throw .broken("no more")
      })
    #expect(text.hasSuffix("\r\n\r\n1\r\na\r\n"))
    #expect(isClosed)
  }

  /// Writes pieces of 64 KB, and records how many were taken and why it stopped.
  static func endless(_ count: Int, _ written: Note<Int>, _ fault: Note<StreamFault?>) -> ResponseStream {
    ResponseStream { writer throws(StreamFault) in
      do throws(StreamFault) {
        for _ in 0..<count {
          try await writer.write([UInt8](repeating: 46, count: 65_536))
          written.change { $0 += 1 }
        }
      } catch {
        fault.change { $0 = error }
        throw error
      }
    }
  }

  @Test func `a producer waits while the client does not read, and goes on when it does`() throws {
    let (written, fault) = (Note(0), Note<StreamFault?>(nil))
    let bench = try Bench(Self.router(Self.endless(256, written, fault)))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.request())
    for _ in 0..<20 { bench.turn() }
    #expect(written.value < 128)
    var all = 0
    for _ in 0..<2000 where written.value < 256 {
      all += peer.receivedBytes().bytes.count
      bench.turn()
    }
    all += bench.collect(peer, atLeast: (16 << 20) - all).bytes.count
    #expect(written.value == 256)
    #expect(all > 16 << 20)
    // The next answer comes after it.
    _ = peer.received()
    peer.send(DeadlineTests.request)
    bench.turn()
    #expect(peer.received().text.contains("HTTP/1.1 200 "))
  }

  @Test func `a producer is told that its client has left`() throws {
    let (written, fault) = (Note(0), Note<StreamFault?>(nil))
    let bench = try Bench(Self.router(Self.endless(1000, written, fault)))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.request())
    for _ in 0..<5 { bench.turn() }
    #expect(fault.value == nil)
    peer.vanish()
    bench.turn()
    #expect(fault.value == .closed)
    #expect(written.value < 1000)
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a client that takes nothing for too long loses the rest`() throws {
    let (written, fault) = (Note(0), Note<StreamFault?>(nil))
    let bench = try Bench(Self.router(Self.endless(1000, written, fault)))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.request())
    for _ in 0..<5 { bench.turn() }
    bench.pass(ServerLimits.sendSeconds + 2)
    #expect(fault.value == .closed)
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a client that takes little, but steadily, is waited for`() throws {
    let (written, fault) = (Note(0), Note<StreamFault?>(nil))
    let bench = try Bench(Self.router(Self.endless(1000, written, fault)))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.request())
    for _ in 0..<5 { bench.turn() }
    // The system has taken more than two megabytes, and tells of no room meanwhile.
    for _ in 0..<5 {
      bench.pass(9)
      #expect(peer.receive(atMost: 128 << 10) > 0)
      bench.turn()
    }
    #expect(fault.value == nil)
    #expect(bench.server.connectionCount == 1)
  }

  @Test(arguments: [false, true])
  func `an answer for a client that is gone goes nowhere`(isStream: Bool) throws {
    let (gate, written, fault) = (Gate(), Note(0), Note<StreamFault?>(nil))
    var router = Router()
    router.on(
      .get, "/slow",
      .task { _ throws(HTTPError) in
        await gate.wait()
        if !isStream { return Response(json: true) }
        return Response(contentType: "text/plain", body: .stream(Self.endless(1000, written, fault)))
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    bench.turn()
    peer.vanish()
    bench.turn()
    gate.open()
    bench.turn { bench.server.connectionCount == 0 }
    bench.turn()
    #expect(written.value == 0)
  }

  @Test func `a producer has its time also behind a client that took its own`() throws {
    let gate = Gate()
    let piece = [UInt8](repeating: 97, count: 12 << 20)
    let bench = try Bench(
      Self.router(
        ResponseStream { writer throws(StreamFault) in
          try await writer.write(piece)
          await gate.wait()
          try await writer.write(Array("the end".utf8))
        }))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.request())
    bench.turn()
    bench.pass(ServerLimits.sendSeconds - 2)
    #expect(bench.collect(peer, atLeast: piece.count).bytes.count > piece.count)
    for seconds in [ServerLimits.sendSeconds, ServerLimits.handlerSeconds + 2] {
      bench.pass(seconds)
      #expect(peer.received() == ("", false))
    }
    gate.open()
    var text = ""
    bench.turn {
      text += peer.received().text
      return text.hasSuffix("\r\n0\r\n\r\n")
    }
    #expect(text.contains("the end"))
  }

  @Test func `a producer that gives up after its client leaves the next one on its descriptor in peace`() throws {
    let (gate, ended) = (Gate(), Note(false))
    let bench = try Bench(
      Self.router(
        ResponseStream { writer throws(StreamFault) in
          while (try? await writer.write([UInt8](repeating: 97, count: 65_536))) != nil {}
          await gate.wait()
          ended.change { $0 = true }
          throw .broken("too late")
        }))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.request())
    bench.turn()
    peer.vanish()
    bench.turn { bench.server.connectionCount == 0 }
    // One of them gets the connection's old number.
    let later = (0..<16).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    defer { for descriptor in later { close(descriptor) } }
    gate.open()
    bench.turn { ended.value }
    bench.turn()
    for descriptor in later {
      var option = linger()
      var size = socklen_t(MemoryLayout<linger>.size)
      #expect(getsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, &size) == 0)
      #expect(option.l_onoff == 0)
    }
  }
}
