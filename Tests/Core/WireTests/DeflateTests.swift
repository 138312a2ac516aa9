import Testing
import Wire
import World

struct DeflateTests {
  typealias Message = WebSocketParser.Message
  static let frame = WebSocketTests.frame

  static func feed(_ pieces: [[UInt8]]) throws -> ([Message], CloseCode?) {
    let deflate = try PerMessageDeflate.negotiate(Fields(["Sec-WebSocket-Extensions": "permessage-deflate"]))
    return WebSocketTests.feed(pieces, WebSocketParser(deflate: deflate))
  }

  // MARK: Negotiation

  static let plain = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
  static let offers: [(String, String?)] = [
    ("permessage-deflate", plain), ("permessage-deflate; client_max_window_bits", plain),
    ("permessage-deflate; client_max_window_bits=10", plain), ("x-webkit-deflate-frame, permessage-deflate", plain),
    ("permessage-deflate;server_no_context_takeover;client_no_context_takeover", plain),
    ("permessage-deflate; server_max_window_bits=15", plain + "; server_max_window_bits=12"),
    ("permessage-deflate; server_max_window_bits=\"12\"", plain + "; server_max_window_bits=12"),
    ("foo; a=\"x\\y\" , ,permessage-deflate", plain),
    // An unsupported offer is skipped for the next one.
    ("permessage-deflate; server_max_window_bits=11", nil),
    ("permessage-deflate; server_max_window_bits=8, permessage-deflate", plain),
    ("permessage-deflate; server_max_window_bits", nil), ("permessage-deflate; server_max_window_bits=16", nil),
    ("permessage-deflate; server_max_window_bits=7", nil), ("permessage-deflate; server_max_window_bits=012", nil),
    ("permessage-deflate; client_max_window_bits=16", nil), ("permessage-deflate; client_max_window_bits=0", nil),
    ("permessage-deflate; client_max_window_bits=99999999999999999999", nil),
    ("permessage-deflate; server_no_context_takeover=1", nil),
    ("permessage-deflate; client_no_context_takeover; client_no_context_takeover", nil),
    ("permessage-deflate; unknown", nil), ("permessage-deflates", nil), ("deflate", nil),
  ]

  @Test(arguments: offers)
  func `an offer is answered by RFC 7692 section 7·1`(offer: String, answer: String?) throws {
    #expect(try PerMessageDeflate.negotiate(Fields(["sec-websocket-extensions": offer]))?.answer == answer)
  }

  @Test func `offers may come in several fields, or not at all`() throws {
    let fields = Fields(["Sec-WebSocket-Extensions": "foo", "sec-websocket-extensions": "permessage-deflate"])
    #expect(try PerMessageDeflate.negotiate(fields)?.answer == Self.plain)
    #expect(try PerMessageDeflate.negotiate(Fields()) == nil)
  }

  @Test(arguments: [
    "", ",", "permessage-deflate;", "permessage-deflate; =1", "permessage-deflate; a=", "a b", "a=b", "a; b=\"c",
    "a; b=\"\"", "a; b=\"c d\"", "permessage-deflate; a=\"\\", "ä",
  ])
  func `what is no list of extensions opens no WebSocket`(text: String) {
    #expect(throws: WebSocketRefusal.self) {
      try PerMessageDeflate.negotiate(Fields(["Sec-WebSocket-Extensions": text]))
    }
  }

  // MARK: Messages

  /// The examples of RFC 7692 section 7.2.3, all of them "Hello".
  static let hello: [UInt8] = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
  static let stored: [UInt8] = [0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]
  static let final: [UInt8] = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]
  static let twoBlocks: [UInt8] = [0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]

  static let messages: [([UInt8], [Message])] = [
    (frame(0xc1, hello, [1, 2, 3, 4]), [.text("Hello")]),
    (frame(0x41, Array(hello[..<3]), [0, 0, 0, 0]) + frame(0x80, Array(hello[3...]), [9, 9, 9, 9]), [.text("Hello")]),
    (frame(0xc2, stored, [1, 2, 3, 4]), [.binary(Array("Hello".utf8))]),
    (frame(0xc1, final, [1, 2, 3, 4]), [.text("Hello")]),
    (frame(0xc1, twoBlocks, [1, 2, 3, 4]), [.text("Hello")]),
    (frame(0xc1, [0], [1, 2, 3, 4]), [.text("")]),
    // Compressed and uncompressed messages may alternate, with a ping in between.
    (
      frame(0x41, [], [1, 2, 3, 4]) + frame(0x89, [7], [1, 2, 3, 4]) + frame(0x80, hello, [1, 2, 3, 4])
        + frame(0x81, Array("Hello".utf8), [1, 2, 3, 4]) + frame(0xc1, hello, [4, 3, 2, 1]),
      [.ping([7]), .text("Hello"), .text("Hello"), .text("Hello")]
    ),
  ]

  @Test(arguments: messages)
  func `a compressed message means the same however it is cut`(bytes: [UInt8], messages: [Message]) throws {
    for pieces in everyCut(of: bytes) {
      let (found, code) = try Self.feed(pieces)
      #expect(found == messages)
      #expect(code == nil)
    }
  }

  static let refused: [([UInt8], CloseCode)] = [
    (frame(0xa1, hello, [1, 2, 3, 4]), .protocolError),  // RSV2
    (frame(0xd1, hello, [1, 2, 3, 4]), .protocolError),  // RSV1 and RSV3
    (frame(0xc9, [], [1, 2, 3, 4]), .protocolError),  // a control frame
    (frame(0x41, [], [1, 2, 3, 4]) + frame(0xc0, hello, [1, 2, 3, 4]), .protocolError),  // a later frame
    (frame(0x01, [], [1, 2, 3, 4]) + frame(0xc0, hello, [1, 2, 3, 4]), .protocolError),
    (frame(0xc1, [0xff, 0xff], [1, 2, 3, 4]), .invalidData),  // not DEFLATE
    (frame(0xc1, [], [1, 2, 3, 4]), .invalidData),  // not even a block
    (frame(0xc1, Array(hello[..<4]), [1, 2, 3, 4]), .invalidData),  // cut off
    (frame(0xc1, [0x02, 0x07], [1, 2, 3, 4]), .invalidData),
    // "\u{ff}" stored: not UTF-8.
    (frame(0xc1, [0x00, 0x01, 0x00, 0xfe, 0xff, 0xff, 0x00], [1, 2, 3, 4]), .invalidData),
  ]

  @Test(arguments: refused)
  func `what breaks the extension is refused with its code`(bytes: [UInt8], code: CloseCode) throws {
    for pieces in everyCut(of: bytes) { #expect(try Self.feed(pieces).1 == code) }
  }

  @Test func `without the extension a compressed message is an error`() {
    #expect(WebSocketTests.feed([Self.frame(0xc1, Self.hello, [1, 2, 3, 4])]).1 == .protocolError)
  }

  /// The frame as a client would send it.
  static func masked(_ sent: [UInt8]) -> [UInt8] {
    var bytes = sent
    let header = sent[1] == 127 ? 10 : sent[1] == 126 ? 4 : 2
    bytes[1] |= 0x80
    bytes.insert(contentsOf: [0, 0, 0, 0], at: header)
    return bytes
  }

  @Test(arguments: [0, 1, 127, 128, 1000, 16_384, 16_385, 40_000, WireLimits.messageBytes])
  func `what is compressed is read as it was`(count: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(state: seed)
    let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let even = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
    for payload in [random, even, [UInt8](repeating: 0x61, count: count)] {
      let sent = WebSocketFrame.encodeDeflated(.binary, payload)
      #expect(sent.count <= WebSocketFrame.encode(.binary, payload).count, "seed \(seed)")
      #expect(try Self.feed([Self.masked(sent)]).0 == [.binary(payload)], "seed \(seed)")
    }
    let tiny = count < WireLimits.deflateFromBytes
    let sent = WebSocketFrame.encodeDeflated(.text, [UInt8](repeating: 0x61, count: count))
    #expect(sent[0] == (tiny ? 0x81 : 0xc1))
    // A payload that does not shrink is sent uncompressed.
    #expect(WebSocketFrame.encodeDeflated(.binary, random)[0] == 0x82, "seed \(seed)")
  }

  @Test func `a bomb is refused before it has gone off`() throws {
    // 64 KB and one byte; and 50 MB of zeros in 50 KB, by a repeated block.
    let over = WebSocketFrame.encodeDeflated(.binary, [UInt8](repeating: 0, count: WireLimits.messageBytes + 1))
    #expect(try Self.feed([Self.masked(over)]).1 == .tooLarge)
    let half = WebSocketFrame.encodeDeflated(.binary, [UInt8](repeating: 0, count: 1 << 20))
    let block = Array(half.dropFirst(half[1] == 126 ? 4 : 2)) + [0, 0, 0xff, 0xff]
    let bomb = Self.frame(0xc2, Array([[UInt8]](repeating: block, count: 50).joined().dropLast(4)), [1, 2, 3, 4])
    #expect(bomb.count < 60_000)
    #expect(try Self.feed([bomb]).1 == .tooLarge)
  }

  @Test func `a message that does not shrink may be a little larger on its way`() throws {
    func stored(_ count: Int) -> [UInt8] {
      let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
      return [0, low, high, ~low, ~high] + [UInt8](repeating: 0x61, count: count)
    }
    let most = stored(32_768) + stored(32_768) + [0]
    #expect(try Self.feed([Self.frame(0xc2, most, [1, 2, 3, 4])]).1 == nil)
    let more = [[UInt8]](repeating: [0, 0, 0, 0xff, 0xff], count: 300).joined() + most
    #expect(try Self.feed([Self.frame(0xc2, Array(more), [1, 2, 3, 4])]).1 == .tooLarge)
  }

  @Test(arguments: [0, 1, 999, 1000, 1001, 100_000], [1, 1000, 32_768])
  func `gzip is undone piece by piece`(count: Int, piece: Int) throws {
    let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0) }
    let packed = Gzip.compress(plain)
    let unpacking = Unpacking()
    var found: [UInt8] = []
    while found.count < count {
      let wanted = min(piece, count - found.count)
      let next = try #require(packed.withUnsafeBufferPointer { unpacking.next($0, count: wanted) })
      #expect(next.count == wanted)
      found += next
    }
    #expect(found == plain)
  }

  @Test func `gzip that breaks off, or is none, is told`() {
    let packed = Gzip.compress([UInt8](repeating: 7, count: 10_000))
    let cut = Array(packed.dropLast(20))
    #expect(cut.withUnsafeBufferPointer { Unpacking().next($0, count: 10_000) } == nil)
    #expect([1, 2, 3].withUnsafeBufferPointer { Unpacking().next($0, count: 10) } == nil)
  }
}
