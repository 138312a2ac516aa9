import Testing
import Wire
import World

/// Input of hostile or broken clients, frame by frame; each case has its section of RFC 9113.
struct HTTP2RefusalTests {
  typealias Frames = HTTP2Frames

  /// A session's reaction to its input.
  enum Outcome: Equatable, CustomTestStringConvertible {
    case refused(WireFault)
    case reset(UInt32)
    case goAway(UInt32)
    case taken

    var testDescription: String { "\(self)" }
  }

  static func outcome(_ pieces: [[UInt8]]) -> Outcome {
    let host = HTTP2Host()
    let peer = HTTP2Peer()
    for piece in pieces { host.receive(piece) }
    peer.receive(host.output())
    if let away = peer.goAways.last { return .goAway(away.code) }
    if let fault = host.refused[1] { return .refused(fault) }
    if let code = host.closed[1], code != 0 { return .reset(code) }
    return .taken
  }

  static func replacing(_ name: String, _ value: String?) -> [(String, String)] {
    Frames.get.compactMap { $0.0 == name ? value.map { (name, $0) } : $0 }
  }

  static let protocolError: UInt32 = 1
  static let heads: [(section: String, fields: [(String, String)], outcome: Outcome)] = [
    ("8.3.1", Frames.get, .taken),
    ("8.2.1", Frames.get + [("X-Upper", "a")], .reset(protocolError)),
    ("8.2.1", Frames.get + [("x y", "a")], .refused(.malformedField)),
    ("8.2.1", Frames.get + [("x", "a\rb")], .refused(.malformedField)),
    ("8.2.1", Frames.get + [("x", "a\nb")], .refused(.malformedField)),
    ("8.2.1", Frames.get + [("x", "a\0b")], .refused(.malformedField)),
    ("8.2.1", Frames.get + [("x", " a")], .refused(.malformedField)),
    ("8.2.1", Frames.get + [("x", "a\t")], .refused(.malformedField)),
    ("8.2.2", Frames.get + [("connection", "close")], .reset(protocolError)),
    ("8.2.2", Frames.get + [("keep-alive", "5")], .reset(protocolError)),
    ("8.2.2", Frames.get + [("proxy-connection", "close")], .reset(protocolError)),
    ("8.2.2", Frames.get + [("transfer-encoding", "chunked")], .reset(protocolError)),
    ("8.2.2", Frames.get + [("upgrade", "h2c")], .reset(protocolError)),
    ("8.2.2", Frames.get + [("te", "gzip")], .reset(protocolError)),
    ("8.2.2", Frames.get + [("te", "trailers")], .taken),
    ("8.3", Frames.get + [(":path", "/")], .reset(protocolError)),
    ("8.3", Frames.get + [(":status", "200")], .reset(protocolError)),
    ("8.3", Frames.get + [(":x", "a")], .reset(protocolError)),
    ("8.3", [("x", "a")] + Frames.get, .reset(protocolError)),
    ("8.3.1", replacing(":method", nil), .reset(protocolError)),
    ("8.3.1", replacing(":method", "G T"), .reset(protocolError)),
    ("8.3.1", replacing(":scheme", nil), .reset(protocolError)),
    ("8.3.1", replacing(":scheme", "ftp"), .refused(.malformedPseudoField)),
    ("8.3.1", replacing(":path", nil), .reset(protocolError)),
    ("8.3.1", replacing(":path", ""), .reset(protocolError)),
    ("8.3.1", replacing(":path", "a"), .reset(protocolError)),
    ("8.3.1", replacing(":path", "*"), .reset(protocolError)),
    ("8.3.1", replacing(":path", "/a b"), .reset(protocolError)),
    ("8.3.1", replacing(":path", "/\u{e9}"), .refused(.malformedPseudoField)),
    ("8.3.1", replacing(":authority", nil), .reset(protocolError)),
    ("8.3.1", replacing(":authority", nil) + [("host", "a")], .taken),
    ("8.3.1", replacing(":authority", "me@a"), .refused(.malformedHost)),
    ("8.3.1", Frames.get + [("host", "a")], .taken),
    ("8.3.1", Frames.get + [("host", "b")], .refused(.repeatedHost)),
    ("8.3.1", replacing(":authority", nil) + [("host", "a"), ("host", "a")], .reset(protocolError)),
    ("8.5", [(":method", "CONNECT"), (":authority", "a:443")], .refused(.malformedPseudoField)),
    ("RFC 8441 4", Frames.get + [(":protocol", "websocket")], .reset(protocolError)),
    ("8.1.1", Frames.get + [("content-length", "5")], .reset(protocolError)),
    ("8.1.1", Frames.get + [("content-length", "x")], .reset(protocolError)),
    ("8.1.1", Frames.get + [("content-length", "0"), ("content-length", "0")], .reset(protocolError)),
  ]

  @Test(arguments: heads)
  func `a malformed request costs its stream`(section: String, fields: [(String, String)], outcome: Outcome) {
    let bytes = Frames.opening + Frames.headers(1, fields)
    #expect(Self.outcome([bytes]) == outcome, "RFC 9113 section \(section)")
    #expect(Self.outcome(bytes.map { [$0] }) == outcome, "RFC 9113 section \(section)")
    // The next request on the same connection is not affected.
    let host = HTTP2Host()
    host.receive(bytes + Frames.headers(3, Frames.get))
    #expect(host.heads[3] != nil)
  }

  static let post = Frames.headers(1, replacing(":method", "POST") + [("content-length", "3")], ends: false)
  static let connections: [(section: String, bytes: [UInt8], outcome: Outcome)] = [
    ("3.4", Frames.preface + Frames.headers(1, Frames.get), .goAway(1)),
    ("4.2", Frames.opening + Frames.frame(6, 0, 0, [], length: 16_385), .goAway(6)),
    ("4.3", Frames.opening + Frames.frame(1, 5, 1, [0x80]), .goAway(9)),
    ("4.3", Frames.opening + Frames.frame(1, 5, 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), .goAway(9)),
    ("5.1", Frames.opening + Frames.frame(0, 1, 1, [1]), .goAway(1)),
    ("5.1", Frames.opening + Frames.frame(3, 0, 1, [0, 0, 0, 8]), .goAway(1)),
    ("5.1", Frames.opening + Frames.frame(8, 0, 1, [0, 0, 0, 1]), .goAway(1)),
    ("5.1.1", Frames.opening + Frames.headers(2, Frames.get), .goAway(1)),
    ("5.1.1", Frames.opening + Frames.headers(3, Frames.get) + Frames.headers(1, Frames.get), .taken),
    ("5.1", Frames.opening + Frames.headers(1, Frames.get) + Frames.frame(0, 1, 1, [1]), .goAway(5)),
    ("6.1", Frames.opening + Frames.frame(0, 0, 0, [1]), .goAway(1)),
    ("6.1", Frames.opening + post + Frames.frame(0, 8, 1, [9, 1]), .goAway(1)),
    ("6.2", Frames.opening + Frames.frame(1, 4, 0, Frames.block(Frames.get)), .goAway(1)),
    ("6.2", Frames.opening + Frames.frame(1, 1, 1, Frames.block(Frames.get)) + Frames.settings, .goAway(1)),
    ("6.4", Frames.opening + Frames.frame(3, 0, 0, [0, 0, 0, 8]), .goAway(1)),
    ("6.4", Frames.opening + post + Frames.frame(3, 0, 1, [0, 0, 8]), .goAway(6)),
    ("6.5", Frames.opening + Frames.frame(4, 1, 0, [0]), .goAway(6)),
    ("6.5", Frames.opening + Frames.frame(4, 0, 1, []), .goAway(1)),
    ("6.5", Frames.opening + Frames.frame(4, 0, 0, [0]), .goAway(6)),
    ("6.5.2", Frames.opening + Frames.frame(4, 0, 0, [0, 2, 0, 0, 0, 2]), .goAway(1)),
    ("6.5.2", Frames.opening + Frames.frame(4, 0, 0, [0, 4, 0x80, 0, 0, 0]), .goAway(3)),
    ("6.5.2", Frames.opening + Frames.frame(4, 0, 0, [0, 5, 0, 0, 0, 1]), .goAway(1)),
    ("6.6", Frames.opening + Frames.frame(5, 4, 1, [0, 0, 0, 2]), .goAway(1)),
    ("6.7", Frames.opening + Frames.frame(6, 0, 1, [0, 0, 0, 0, 0, 0, 0, 0]), .goAway(1)),
    ("6.7", Frames.opening + Frames.frame(6, 0, 0, [0]), .goAway(6)),
    ("6.8", Frames.opening + Frames.frame(7, 0, 1, [UInt8](repeating: 0, count: 8)), .goAway(1)),
    ("6.9", Frames.opening + Frames.frame(8, 0, 0, [0, 0, 0, 0]), .goAway(1)),
    ("6.9", Frames.opening + post + Frames.frame(8, 0, 1, [0, 0, 0, 0]), .goAway(1)),
    ("6.9.1", Frames.opening + Frames.frame(8, 0, 0, [0x7f, 0xff, 0xff, 0xff]), .goAway(3)),
    ("6.9.1", Frames.opening + post + Frames.frame(8, 0, 1, [0x7f, 0xff, 0xff, 0xff]), .reset(3)),
    ("6.10", Frames.opening + Frames.frame(9, 4, 1, []), .goAway(1)),
    ("8.1", Frames.opening + post + Frames.headers(1, [("x", "y")], ends: false), .reset(1)),
    ("8.1", Frames.opening + post + Frames.headers(1, [(":path", "/")]), .reset(1)),
    ("8.1.1", Frames.opening + post + Frames.frame(0, 1, 1, [1, 2]), .reset(1)),
    ("8.1.1", Frames.opening + post + Frames.frame(0, 0, 1, [1, 2, 3, 4]), .reset(1)),
    ("8.1.1", Frames.opening + post + Frames.frame(0, 1, 1, [1, 2, 3]), .taken),
    ("5.5", Frames.opening + Frames.frame(99, 255, 7, [1, 2, 3]) + Frames.headers(1, Frames.get), .taken),
    ("5.3.1", Frames.opening + Frames.frame(2, 0, 1, [0, 0, 0, 0, 1]) + Frames.headers(1, Frames.get), .taken),
  ]

  @Test(arguments: connections)
  func `a broken frame is answered as its section asks`(section: String, bytes: [UInt8], outcome: Outcome) {
    #expect(Self.outcome([bytes]) == outcome, "RFC 9113 section \(section)")
    #expect(Self.outcome(bytes.map { [$0] }) == outcome, "RFC 9113 section \(section)")
  }

  @Test func `a stream below the last one is not opened`() {
    // Section 5.1.1 demands closing the connection; nghttp2 does not remember closed streams, and takes it for one of
    // them.
    let host = HTTP2Host()
    host.receive(Frames.opening + Frames.headers(3, Frames.get) + Frames.headers(1, Frames.get))
    #expect(host.heads.keys.sorted() == [3])
  }

  @Test func `what is no HTTP2 is hung up on`() {
    let host = HTTP2Host()
    host.receive(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(host.fault == .noPreface)
    #expect(host.session.isFinished)
    #expect(host.session.nextOutput().isEmpty)
  }

  @Test func `random frames never do worse than end the connection`() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(state: seed)
    for _ in 0..<300 {
      let host = HTTP2Host { host, stream in host.respond(stream, [.bytes(100), .later, .last(1)]) }
      host.receive(Frames.opening)
      for _ in 0..<30 {
        let payload = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        let type = UInt8.random(in: 0...10, using: &generator)
        let stream = UInt32.random(in: 0...9, using: &generator)
        host.receive(Frames.frame(type, UInt8.random(in: 0...63, using: &generator), stream, payload))
        host.receive(Frames.headers(stream, Frames.get, ends: Bool.random(using: &generator)))
        _ = host.output()
      }
      #expect(Set(host.heads.keys).isDisjoint(with: host.refused.keys), "seed \(seed)")
    }
  }

  // MARK: Limits

  @Test func `a head has room for a hundred fields and 32 KB, and the connection goes on`() {
    func fields(_ count: Int) -> [(String, String)] { Frames.get + (0..<count).map { ("x-\($0)", "y") } }
    // :authority is the field Host, and is counted.
    let weight = Frames.get.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 }
    func large(_ size: Int) -> [(String, String)] {
      Frames.get + [("x", String(repeating: "a", count: size - weight - 33))]
    }
    let crumbs = Frames.get + (0..<200).map { ("cookie", "a\($0)=b") }
    let many = Frames.get + (0..<4000).map { _ in ("x", "") }
    let cases: [([(String, String)], Outcome)] = [
      (fields(99), .taken), (fields(100), .refused(.tooManyFields)), (large(WireLimits.headBytes), .taken),
      (large(WireLimits.headBytes + 1), .refused(.headTooLarge)), (crumbs, .taken), (many, .refused(.tooManyFields)),
    ]
    for (fields, outcome) in cases {
      #expect(Self.outcome([Frames.opening + Frames.headers(1, fields)]) == outcome)
      let host = HTTP2Host()
      host.receive(Frames.opening + Frames.headers(1, fields) + Frames.headers(3, Frames.get))
      #expect(host.heads[3] != nil)
    }
  }

  @Test func `a head in too many pieces ends the connection, one that trickles in does not`() {
    let slow = HTTP2Host()
    slow.receive(Frames.opening)
    for byte in Frames.frame(1, 1, 1, Frames.block(Frames.get)) + Frames.frame(9, 0, 1, []) + Frames.frame(9, 0, 1, [])
      + Frames.frame(9, 0, 1, []) + Frames.frame(9, 4, 1, [])
    {
      slow.receive([byte])
    }
    #expect(slow.heads[1] != nil)
    let pieces = (0...WireLimits.continuationPieces).flatMap { _ in Frames.frame(9, 0, 1, [0]) }
    let host = HTTP2Host()
    host.receive(Frames.opening + Frames.frame(1, 1, 1, []) + pieces)
    _ = host.output()
    #expect(host.session.isFinished)
  }

  @Test func `streams that are opened and reset at once end the connection`() {
    let host = HTTP2Host()
    host.receive(Frames.opening)
    var count = 0
    while count < 5000, host.session.wantsMore {
      let stream = UInt32(2 * count + 1)
      host.receive(Frames.headers(stream, Frames.get) + Frames.frame(3, 0, stream, [0, 0, 0, 8]))
      _ = host.output()
      count += 1
    }
    #expect((WireLimits.streamResets...(WireLimits.streamResets + 200)).contains(count), "\(count)")
    #expect(host.session.isFinished)
  }

  /// CVE-2025-8671: a request, and then a frame that forces the server to reset its stream.
  @Test func `streams that are broken on purpose end the connection`() {
    let overflow: [UInt8] = [0x7f, 0xff, 0xff, 0xff]
    let host = HTTP2Host()
    host.receive(Frames.opening)
    var (count, last): (Int, [UInt8]) = (0, [])
    while count < 5000, host.session.wantsMore {
      let stream = UInt32(2 * count + 1)
      host.receive(Frames.headers(stream, Frames.get) + Frames.frame(8, 0, stream, overflow))
      last = host.output()
      count += 1
    }
    #expect(count == WireLimits.brokenStreams)
    // RST_STREAM, and GOAWAY with ENHANCE_YOUR_CALM.
    #expect(last.count == 13 + 17)
    #expect(last[13 + 3] == 7)
    #expect(last.last == 11)
    #expect(host.session.isFinished)
  }

  @Test func `who breaks a stream now and then is not cut off`() {
    let host = HTTP2Host { host, stream in host.respond(stream) }
    host.receive(Frames.opening)
    for index in 0..<1000 {
      let stream = UInt32(4 * index + 1)
      host.receive(Frames.headers(stream, Frames.get + [("te", "gzip")]) + Frames.headers(stream + 2, Frames.get))
      _ = host.output()
    }
    #expect(host.heads.count == 1000)
    #expect(host.session.wantsMore)
  }

  @Test func `streams that we reset are not held against the client`() {
    let host = HTTP2Host { host, stream in host.session.reset(stream: stream, code: 8) }
    host.receive(Frames.opening)
    for index in 0..<1000 {
      host.receive(Frames.headers(UInt32(2 * index + 1), Frames.get))
      _ = host.output()
    }
    #expect(host.closed.count == 1000)
    #expect(host.session.wantsMore)
  }

  @Test func `a small head that unpacks to a large one is refused`() {
    let value = String(repeating: "a", count: 4000)
    // The field is added to the table once (RFC 7541 section 6.2.1), and referred to ten thousand times by one byte.
    var block = Frames.block(Frames.get + [("x", value)])
    let start = Frames.block(Frames.get).count
    block[start] = 0x40
    block += [UInt8](repeating: 0xbe, count: 10_000)
    #expect(block.count < 16_384)
    let bytes = Frames.opening + Frames.frame(1, 5, 1, block)
    #expect(Self.outcome([bytes]) == .refused(.headTooLarge))
    let host = HTTP2Host()
    host.receive(bytes + Frames.headers(3, Frames.get))
    #expect(host.heads[3] != nil)
  }

  @Test(arguments: [(4, []), (6, [0, 0, 0, 0, 0, 0, 0, 0])] as [(UInt8, [UInt8])])
  func `a peer that does not take its answers is hung up on`(type: UInt8, payload: [UInt8]) {
    let host = HTTP2Host()
    host.receive(Frames.opening)
    var count = 0
    while count < 5000, host.fault == nil {
      host.receive(Frames.frame(type, 0, 0, payload))
      count += 1
    }
    #expect(host.fault == .flooded)
    #expect(abs(count - WireLimits.outboundAcks) < 5, "\(count)")
    // A client that reads them may send as many as it likes.
    let reader = HTTP2Host()
    reader.receive(Frames.opening)
    for _ in 0..<5000 {
      reader.receive(Frames.frame(type, 0, 0, payload))
      #expect(!reader.output().isEmpty)
    }
    #expect(reader.fault == nil)
  }

  @Test func `one SETTINGS frame has few entries`() {
    func settings(_ count: Int) -> [UInt8] {
      Frames.frame(4, 0, 0, (0..<count).flatMap { _ in [0, 4, 0, 0, 1, 0] as [UInt8] })
    }
    for (count, isTaken) in [(WireLimits.settingsEntries, true), (WireLimits.settingsEntries + 1, false)] {
      let host = HTTP2Host()
      host.receive(Frames.opening + settings(count))
      _ = host.output()
      #expect(!host.session.isFinished == isTaken)
    }
  }

  @Test func `a stream too many is refused, and may come again`() {
    let host = HTTP2Host()
    host.receive(Frames.opening)
    _ = host.output()
    host.receive(Frames.frame(4, 1, 0, []))
    for index in 0..<WireLimits.concurrentStreams { host.receive(Frames.headers(UInt32(2 * index + 1), Frames.get)) }
    #expect(host.heads.count == WireLimits.concurrentStreams)
    host.respond(1)
    _ = host.output()
    host.receive(Frames.headers(UInt32(2 * WireLimits.concurrentStreams + 1), Frames.get))
    #expect(host.heads.count == WireLimits.concurrentStreams + 1)
    host.receive(Frames.headers(UInt32(2 * WireLimits.concurrentStreams + 3), Frames.get))
    #expect(host.heads.count == WireLimits.concurrentStreams + 1)
  }
}
