import Testing
import Wire
import World

struct WebSocketTests {
  typealias Message = WebSocketParser.Message

  static func feed(_ pieces: [[UInt8]], _ parser: WebSocketParser = WebSocketParser()) -> ([Message], CloseCode?) {
    var parser = parser
    var messages: [Message] = []
    var code: CloseCode?
    for piece in pieces where code == nil {
      piece.withUnsafeBufferPointer { input in
        var position = 0
        do throws(WebSocketParser.Fault) {
          while let message = try parser.next(input, &position) { messages.append(message) }
        } catch {
          code = error.code
        }
      }
    }
    return (messages, code)
  }

  /// A client's frame.
  static func frame(_ first: UInt8, _ payload: [UInt8], _ mask: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
    var bytes = [first]
    switch payload.count {
    case 0..<126: bytes.append(0x80 | UInt8(payload.count))
    case 126..<65_536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default: bytes += [0x80 | 127] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 255) }
    }
    return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
  }

  @Test func `the example of RFC 6455 section 5·7 says Hello`() {
    let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    for pieces in everyCut(of: bytes) { #expect(Self.feed(pieces).0 == [.text("Hello")]) }
    #expect(WebSocketFrame.encode(.text, Array("Hello".utf8)) == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
  }

  @Test func `a message in fragments with a ping between them means the same however it is cut`() {
    let bytes =
      Self.frame(0x01, Array("hä".utf8.prefix(2))) + Self.frame(0x89, [7]) + Self.frame(0x00, [])
      + Self.frame(0x80, Array("hä".utf8.dropFirst(2))) + Self.frame(0x82, [0, 255]) + Self.frame(0x8a, [])
      + Self.frame(0x88, [0x03, 0xe8] + Array("bye".utf8))
    let expected: [Message] = [.ping([7]), .text("hä"), .binary([0, 255]), .pong([]), .close(.normal, "bye")]
    for pieces in everyCut(of: bytes) {
      let (messages, code) = Self.feed(pieces)
      #expect(messages == expected)
      #expect(code == nil)
    }
  }

  static let refused: [([UInt8], CloseCode)] = [
    ([0x81, 0x01, 0x61], .protocolError),  // not masked
    (frame(0xc1, [1]), .protocolError),  // a reserved bit
    (frame(0x83, []), .protocolError),  // an unknown opcode
    (frame(0x80, []), .protocolError),  // nothing to continue
    (frame(0x01, []) + frame(0x81, []), .protocolError),  // a message inside another
    (frame(0x09, []), .protocolError),  // a control frame in fragments
    (frame(0x89, [UInt8](repeating: 0, count: 126)), .protocolError),  // a long control frame
    (frame(0x88, [3]), .protocolError),  // half a close code
    (frame(0x88, [0x03, 0xed]), .protocolError),  // 1005 may not be sent
    (frame(0x81, [0xff]), .invalidData),  // not UTF-8
    (frame(0x88, [0x03, 0xe8, 0xff]), .invalidData),
    (frame(0x82, [UInt8](repeating: 0, count: WireLimits.messageBytes + 1)).prefix(14).map { $0 }, .tooLarge),
    // A length with more bytes than needed (section 5.2).
    ([0x82, 0xfe, 0, 125, 1, 2, 3, 4], .protocolError), ([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff], .protocolError),
    ([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], .tooLarge),
  ]

  @Test(arguments: refused)
  func `what breaks the protocol is refused with its code`(bytes: [UInt8], code: CloseCode) {
    for pieces in everyCut(of: bytes) { #expect(Self.feed(pieces).1 == code) }
  }

  /// Texts that are not UTF-8 from some byte on: overlong, a surrogate, above U+10FFFF, a lone continuation, and so on.
  static let broken: [[UInt8]] = [
    [0x80], [0xc0], [0xc1], [0xc3, 0x28], [0xe0, 0x9f], [0xe1, 0x28], [0xed, 0xa0], [0xef, 0xbf, 0x28], [0xf0, 0x8f],
    [0xf4, 0x90], [0xf5], [0xff], [0xf1, 0x80, 0x80, 0x28], [0xf0, 0x90, 0xc0],
  ]

  @Test(arguments: broken)
  func `a text that cannot become UTF-8 is refused at that byte`(bytes: [UInt8]) {
    for prefix in ["", "ä", "sixteen letters.", "sixteen letters€𝄞"] {
      let text = Array(prefix.utf8) + bytes
      let start = Array(Self.frame(0x01, text + [0x61, 0x61, 0x61]).dropLast(3))
      for pieces in everyCut(of: start) { #expect(Self.feed(pieces).1 == .invalidData) }
      // One byte less could still become valid.
      #expect(Self.feed([Array(start.dropLast())]).1 == nil)
      let fragments = Self.frame(0x01, Array(text.dropLast())) + Self.frame(0x00, [text.last!])
      for pieces in everyCut(of: fragments) { #expect(Self.feed(pieces).1 == .invalidData) }
    }
  }

  @Test func `every character may be cut anywhere`() {
    let text = "aä\u{7ff}\u{800}\u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff} and sixteen more letters €"
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let fragments = Self.frame(0x01, Array(bytes[..<cut])) + Self.frame(0x80, Array(bytes[cut...]))
      #expect(Self.feed([fragments]).0 == [.text(text)])
      #expect(Self.feed(fragments.map { [$0] }).0 == [.text(text)])
    }
    let unfinished = Self.frame(0x01, Array(bytes.dropLast())) + Self.frame(0x80, [])
    for pieces in everyCut(of: unfinished) { #expect(Self.feed(pieces).1 == .invalidData) }
  }

  @Test func `masks are taken off at every offset`() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(state: seed)
    for count in 0..<70 {
      let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let mask = (0..<4).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for pieces in everyCut(of: Self.frame(0x82, payload, mask)) {
        #expect(Self.feed(pieces).0 == [.binary(payload)], "seed \(seed)")
      }
    }
  }

  @Test func `an idle connection's parser is small`() { #expect(MemoryLayout<WebSocketParser>.size <= 48) }

  @Test(arguments: [0, 125, 126, 65_535, 65_536])
  func `a frame of any length is written as it is read`(count: Int) {
    let payload = [UInt8](repeating: 0x61, count: count)
    let sent = WebSocketFrame.encode(.text, payload)
    let header = sent.count - count
    // The same frame as a client would send it: with the mask bit and a mask of zeros.
    var masked = Array(sent[..<header])
    masked[1] |= 0x80
    let (messages, _) = Self.feed([masked + [0, 0, 0, 0] + payload])
    #expect(messages == (count <= WireLimits.messageBytes ? [.text(String(decoding: payload, as: UTF8.self))] : []))
  }

  @Test func `the handshake of RFC 6455 section 1·3 is answered`() throws {
    let head = RequestHead(
      method: .get, target: "/chat",
      fields: Fields([
        "Host": "server.example.com", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
      ]))
    #expect(try WebSocketHandshake.accept(head) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    var post = head
    post.method = .post
    #expect(throws: WebSocketRefusal.self) { try WebSocketHandshake.accept(post) }
    for key in ["dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25-ZQ==", ""] {
      var other = head
      other.fields = Self.fields(
        head.fields.all.map { $0.name == "Sec-WebSocket-Key" ? ($0.name, key) : ($0.name, $0.value) })
      #expect(throws: WebSocketRefusal.self) { try WebSocketHandshake.accept(other) }
    }
    #expect(throws: WebSocketRefusal.self) {
      try WebSocketHandshake.accept(RequestHead(method: .get, target: "/", fields: Fields(["Upgrade": "h2c"])))
    }
  }

  /// Fields with names known at run time only, parsed.
  static func fields(_ pairs: [(String, String)]) -> Fields {
    let lines = pairs.map { "\($0): \($1)\r\n" }.joined()
    var fields: Fields?
    Array("GET / HTTP/1.1\r\n\(lines)\r\n".utf8).withUnsafeBufferPointer { input in
      var (parser, position) = (RequestParser(), 0)
      if case .head(let head)? = try? parser.next(input, &position) { fields = head.fields }
    }
    return fields!
  }

  @Test func `a close reason is cut between two characters`() {
    let frame = WebSocketFrame.close(.normal, String(repeating: "ä", count: 100))
    #expect(frame[1] == 124)
    #expect(String(validating: frame[4...], as: UTF8.self) == String(repeating: "ä", count: 61))
  }
}
