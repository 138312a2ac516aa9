import EventLoop
import Server
import Testing
import Wire
import World

/// HTTP/2 from end to end, with frames written by hand. WireTests test the meaning of frames, the Python tests other
/// people's clients.
struct HTTP2ServerTests {
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4, stream: 0)

  static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), type, flags, 0, 0, 0, stream] + payload
  }

  /// GET, with its fields from HPACK's static table or as literals.
  static func get(_ path: String, stream: UInt8 = 1) -> [UInt8] {
    let fields = [0x82, 0x86, 0x41, 1, 97, 0x04, UInt8(path.utf8.count)] + Array(path.utf8)
    return frame(type: 1, flags: 5, stream: stream, fields)
  }

  /// The head of a PUT whose body follows; its fields as literals.
  static func put(_ path: String, _ fields: [(name: String, value: String)] = [], stream: UInt8 = 1) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
    // PUT is not in the static table.
    let block = [0x02] + text("PUT") + [0x86, 0x41, 1, 97, 0x04] + text(path)
    return frame(type: 1, flags: 4, stream: stream, fields.reduce(block) { $0 + [0] + text($1.name) + text($1.value) })
  }

  /// Sends a body in pieces of 16 KB, as the windows allow where the server takes them, without its end.
  static func sendBody(_ bench: Bench, _ peer: Peer, pieces: Int, stream: UInt8 = 1) {
    let piece = frame(type: 0, stream: stream, [UInt8](repeating: 120, count: 16_384))
    for _ in 0..<pieces {
      #expect(peer.push(piece) == piece.count)
      bench.loop.turn(wait: 0.002)
    }
  }

  /// Turns until a stream's answer is complete.
  static func answer(_ bench: Bench, _ peer: Peer, stream: UInt8 = 1) -> String {
    var bytes: [UInt8] = []
    var found: [(type: UInt8, flags: UInt8, stream: UInt8, payload: ArraySlice<UInt8>)] = []
    bench.turn {
      bytes += peer.receivedBytes().bytes
      found = frames(bytes).filter { $0.type == 0 && $0.stream == stream }
      return found.last?.flags == 1
    }
    return String(decoding: found.flatMap(\.payload), as: UTF8.self)
  }

  /// A peer whose windows have the size in the server's settings, since these are acknowledged.
  static func connect(_ bench: Bench) -> Peer {
    let peer = bench.connect()
    peer.push(preface)
    bench.turn()
    peer.push(frame(type: 4, flags: 1, stream: 0))
    return peer
  }

  /// The frames of an answer as type, flags, stream and payload.
  static func frames(_ bytes: [UInt8]) -> [(type: UInt8, flags: UInt8, stream: UInt8, payload: ArraySlice<UInt8>)] {
    var (rest, frames): (ArraySlice<UInt8>, [(UInt8, UInt8, UInt8, ArraySlice<UInt8>)]) = (bytes[...], [])
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      frames.append((head[3], head[4], head[8], rest.dropFirst(9).prefix(count)))
      rest = rest.dropFirst(9 + count)
    }
    return frames
  }

  @Test func `the same routes are served over HTTP/2, several at a time`() throws {
    let bench = try Bench(DeadlineTests.router)
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/") + Self.get("/nowhere", stream: 3))
    bench.turn()
    let frames = Self.frames(peer.receivedBytes().bytes)
    let bodies = frames.filter { $0.type == 0 }
    #expect(Set(bodies.map(\.stream)) == [1, 3])
    let body = bodies.filter { $0.stream == 1 }.flatMap(\.payload)
    #expect(String(decoding: body, as: UTF8.self) == "{\"a\":1}")
    #expect(bodies.last { $0.stream == 1 }?.flags == 1)
  }

  @Test(arguments: [[], get("/"), get("/events")])
  func `a client that leaves right behind its request does no harm`(request: [UInt8]) throws {
    let (bench, _) = try listening()
    let peer = bench.connect()
    peer.push(Self.preface + request)
    peer.finish()
    bench.turn()
    #expect(bench.server.connectionCount == 0)
  }

  func listening(
    connectionsPerAddress: Int = ServerLimits.connectionsPerAddress
  ) throws -> (bench: Bench, seen: ListenerTests.Seen) {
    let seen = ListenerTests.Seen()
    nonisolated(unsafe) let shared = seen
    var router = DeadlineTests.router
    router.on(.get, "/events", .eventStream { _ throws(HTTPError) in ListenerTests.Reader(shared) })
    return (try Bench(router, connectionsPerAddress: connectionsPerAddress), seen)
  }

  @Test func `each event stream counts as a connection of its address, unless it is signed in`() throws {
    let (bench, seen) = try listening(connectionsPerAddress: 4)
    let peer = bench.connect()
    peer.push(Self.preface + [1, 3, 5, 7].flatMap { Self.get("/events", stream: $0) })
    #expect(Self.answer(bench, peer, stream: 7).contains("42901"))
    #expect(seen.streams.count == 3)
    // One that has ended makes room for another.
    peer.push(Self.frame(type: 3, stream: 3, [0, 0, 0, 8]) + Self.get("/events", stream: 9))
    bench.turn()
    #expect((seen.streams.count, seen.closed) == (4, 1))
    // Then neither it nor its connection counts.
    seen.streams[0].signedIn()
    peer.push([11, 13, 15].flatMap { Self.get("/events", stream: $0) })
    #expect(Self.answer(bench, peer, stream: 15).contains("42901"))
    #expect(seen.streams.count == 6)
    peer.vanish()
    bench.turn { bench.server.connectionCount == 0 }
    #expect(seen.closed == 6)
    let next = bench.connect()
    next.push(Self.preface + [1, 3, 5].flatMap { Self.get("/events", stream: $0) })
    bench.turn()
    #expect(seen.streams.count == 9)
  }

  @Test func `a peer that breaks the protocol takes its streams along`() throws {
    let (bench, seen) = try listening()
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/events"))
    bench.turn()
    #expect(seen.streams.count == 1)
    // A SETTINGS frame on a stream is an error (RFC 9113 section 6.5).
    peer.push(Self.frame(type: 4, stream: 1))
    bench.turn()
    let (bytes, isClosed) = peer.receivedBytes()
    #expect(Self.frames(bytes).contains { $0.type == 7 })
    #expect(isClosed)
    #expect(seen.closed == 1)
    seen.streams[0].send(ListenerTests.event)
    bench.turn()
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a body that fails before its first byte is no whole body`() throws {
    let stream = ResponseStream { _ throws(StreamFault) in throw .broken("nothing there") }
    let bench = try Bench(StreamedAnswerTests.router(stream))
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/stream"))
    bench.turn()
    let frames = Self.frames(peer.receivedBytes().bytes).filter { $0.stream == 1 }
    #expect(!frames.contains { $0.type < 2 && $0.flags & 1 == 1 })
    #expect(frames.last?.type == 3)
  }

  @Test func `an idle connection is kept, also behind an answer that came late`() throws {
    let gate = Gate()
    var router = DeadlineTests.router
    router.on(
      .get, "/later",
      .task { _ throws(HTTPError) in
        await gate.wait()
        return Response(json: true)
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/later"))
    bench.turn()
    _ = peer.receivedBytes()
    gate.open()
    var frames: [UInt8] = []
    bench.turn {
      frames += peer.receivedBytes().bytes
      return Self.frames(frames).contains { $0.stream == 1 && $0.flags & 1 == 1 }
    }
    bench.pass(ServerLimits.idleSeconds - 2)
    #expect(peer.received() == ("", false))
    peer.push(Self.get("/", stream: 3))
    bench.turn()
    #expect(Self.frames(peer.receivedBytes().bytes).contains { $0.stream == 3 && $0.type == 0 })
    bench.pass(ServerLimits.idleSeconds + 2)
    // GOAWAY, and then the end.
    #expect(Self.frames(peer.receivedBytes().bytes).contains { $0.type == 7 })
    bench.pass(3)
    #expect(peer.received().isClosed)
  }

  @Test func `a client that waits for the handler is not slow`() throws {
    let gate = Gate()
    let bench = try Bench(UploadTests.router(gate))
    let peer = Self.connect(bench)
    peer.push(Self.put("/upload"))
    // As much as the stream's window allows.
    Self.sendBody(bench, peer, pieces: 16)
    bench.turn()
    bench.pass(ServerLimits.handlerSeconds - 2)
    #expect(!Self.frames(peer.receivedBytes().bytes).contains { $0.type == 1 })
    gate.open()
    var bytes: [UInt8] = []
    bench.turn {
      bytes += peer.receivedBytes().bytes
      return Self.frames(bytes).contains { $0.type == 8 && $0.stream == 1 }
    }
    bench.pass(ServerLimits.bodySeconds - 2)
    #expect(!Self.frames(peer.receivedBytes().bytes).contains { $0.type == 1 })
    peer.push(Self.frame(type: 0, flags: 1, stream: 1, [120]))
    #expect(Self.answer(bench, peer) == "\((256 << 10) + 1)")
  }

  @Test(arguments: [false, true])
  func `an answer waits for those before it as long as these get on`(isStream: Bool) throws {
    let piece = [UInt8](repeating: 97, count: 16_384)
    let stream = ResponseStream { writer throws(StreamFault) in
      for _ in 0..<64 { try await writer.write(piece) }
    }
    var router = DeadlineTests.router
    router.on(
      .get, "/large",
      .immediate { _ throws(HTTPError) in
        let whole = Response.Body.bytes([UInt8](repeating: 97, count: 1 << 20))
        return Response(contentType: "text/plain", body: isStream ? .stream(stream) : whole)
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    // The second comes behind the first (RFC 7540 section 5.3).
    let order = Self.frame(type: 2, stream: 3, [0, 0, 0, 1, 15])
    peer.push(Self.preface + Self.get("/large") + Self.get("/", stream: 3) + order)
    bench.turn()
    func open(_ window: [UInt8]) {
      for stream: UInt8 in [1, 0] { peer.push(Self.frame(type: 8, stream: stream, window)) }
    }
    var bytes: [UInt8] = []
    for _ in 0..<8 {
      bench.pass(9)
      open([0, 0, 0x20, 0])
      let before = bytes.count
      bench.turn {
        bytes += peer.receivedBytes().bytes
        return bytes.count > before
      }
    }
    #expect(!Self.frames(bytes).contains { $0.stream == 3 && $0.type == 3 })
    open([0, 0x20, 0, 0])
    bench.turn {
      bytes += peer.receivedBytes().bytes
      return Self.frames(bytes).contains { $0.stream == 3 && $0.type == 0 && $0.flags == 1 }
    }
    let answer = Self.frames(bytes).filter { $0.stream == 3 && $0.type == 0 }.flatMap(\.payload)
    #expect(String(decoding: answer, as: UTF8.self) == "{\"a\":1}")
  }

  @Test func `a long download beside pings is neither cut nor held up`() throws {
    let bench = try Bench(StreamedAnswerTests.router(StreamedAnswerTests.endless(64, Note(0), Note(nil))))
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/stream"))
    // Longer than an idle connection is kept.
    for turn in 0..<20 {
      bench.pass(9)
      let windows = [1, 0].flatMap { Self.frame(type: 8, stream: $0, [0, 0, 0x20, 0]) }
      peer.push(Self.frame(type: 6, stream: 0, [UInt8](repeating: UInt8(turn), count: 8)) + windows)
      var bytes: [UInt8] = []
      bench.turn {
        bytes += peer.receivedBytes().bytes
        let kinds = Set(Self.frames(bytes).map(\.type))
        return kinds.isSuperset(of: [0, 6])
      }
      let frames = Self.frames(bytes)
      try #require(frames.contains { $0.type == 6 && $0.flags == 1 && $0.payload.allSatisfy { $0 == UInt8(turn) } })
      try #require(frames.contains { $0.type == 0 } && !frames.contains { [3, 7].contains($0.type) })
    }
  }

  @Test func `beside a download whose producer needs much memory other requests are answered`() throws {
    let gate = Gate()
    let download = ResponseStream(memory: 1 << 20) { writer throws(StreamFault) in
      try await writer.write([97])
      await gate.wait()
    }
    let bench = try Bench(StreamedAnswerTests.router(download))
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/stream") + Self.get("/", stream: 3))
    #expect(Self.answer(bench, peer, stream: 3) == "{\"a\":1}")
    gate.open()
  }

  @Test func `a client that opens no window loses the answer`() throws {
    let bench = try Bench(StreamedAnswerTests.router(StreamedAnswerTests.endless(64, Note(0), Note(nil))))
    let peer = bench.connect()
    peer.push(Self.preface + Self.get("/stream"))
    bench.turn()
    bench.pass(ServerLimits.sendSeconds + 2)
    #expect(Self.frames(peer.receivedBytes().bytes).contains { $0.stream == 1 && $0.type == 3 })
  }

  @Test func `a client that sends and takes nothing is let go`() throws {
    let bench = try Bench(StreamedAnswerTests.router(StreamedAnswerTests.endless(1000, Note(0), Note(nil))))
    let peer = bench.connect(window: 65_536)
    let windows = [1, 0].flatMap { Self.frame(type: 8, stream: $0, [0x10, 0, 0, 0]) }
    peer.push(Self.preface + Self.get("/stream") + windows)
    // Until the system takes no more.
    for _ in 0..<40 { bench.turn() }
    for _ in 0..<5 {
      bench.pass(9)
      // Frames of an unknown type are passed over (RFC 9113 section 5.5).
      peer.push(Self.frame(type: 0xfa, stream: 0, [UInt8](repeating: 0, count: 9_000)))
      bench.turn()
    }
    #expect(bench.server.connectionCount == 0)
  }
}
