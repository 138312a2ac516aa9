import Testing
import Wire
import World

/// A client's side of WebSockets: its frames, a server's frames, the handshake.
struct WebSocketClientTests {
  static func feed(_ pieces: [[UInt8]]) -> ([WebSocketParser.Message], CloseCode?) {
    WebSocketTests.feed(pieces, WebSocketParser(from: .server))
  }

  @Test func `the masked example of RFC 6455 section 5·7 comes out`() {
    let expected: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    #expect(WebSocketFrame.masked(.text, Array("Hello".utf8), mask: 0x3d21_fa37) == expected)
  }

  @Test(arguments: [0, 1, 3, 125, 126, 1_000, 65_535, 65_536])
  func `a server reads what a client masks, of any length`(length: Int) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let frame = WebSocketFrame.masked(.binary, payload, mask: 0xdead_beef)
    #expect(WebSocketTests.feed([frame]).0 == [.binary(payload)])
    #expect(Self.feed([WebSocketFrame.encode(.binary, payload)]).0 == [.binary(payload)])
  }

  @Test func `a server's frames mean the same however they are cut`() {
    let bytes =
      WebSocketFrame.encode(.text, Array("häß".utf8)) + WebSocketFrame.encode(.ping, [])
      + [0x01, 0x02, 0x68, 0xc3, 0x00, 0x00, 0x80, 0x01, 0xa4] + WebSocketFrame.close(.goingAway, "bye")
    for pieces in everyCut(of: bytes) {
      let (messages, code) = Self.feed(pieces)
      #expect(messages == [.text("häß"), .ping([]), .text("hä"), .close(.goingAway, "bye")])
      #expect(code == nil)
    }
  }

  @Test func `a server that masks, compresses or sends too much is refused`() {
    let large = WebSocketFrame.encode(.text, [UInt8](repeating: 97, count: WireLimits.messageBytes + 1))
    for (bytes, expected) in [
      (WebSocketFrame.masked(.text, [97], mask: 1), CloseCode.protocolError), ([0xc1, 0x01, 0x61], .protocolError),
      (large, .tooLarge),
    ] {
      for pieces in [[bytes], bytes.prefix(20).map { [$0] }] { #expect(Self.feed(pieces).1 == expected) }
    }
  }

  // MARK: The handshake

  /// The nonce of RFC 6455 section 1.3.
  static let request = WebSocketRequest(
    host: "hub.example:8080", target: "/gateway", userAgent: "test/1", nonce: Array("the sample nonce".utf8))
  static let answer =
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

  @Test func `the request is what a server accepts`() throws {
    var parser = RequestParser()
    let head = try Self.request.bytes.withUnsafeBufferPointer { bytes -> RequestHead? in
      var position = 0
      guard case .head(let head)? = try parser.next(bytes, &position) else { return nil }
      return head
    }
    let found = try #require(head)
    #expect(found.target == "/gateway" && found.fields["host"] == "hub.example:8080")
    #expect(try WebSocketHandshake.accept(found) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func `the answer may come in pieces, with the first frame behind it`() throws {
    let bytes = Array((Self.answer + "\r\n").utf8)
    for count in 0..<bytes.count { #expect(try Self.request.check(Array(bytes[..<count])) == nil) }
    #expect(try Self.request.check(bytes + [0x81, 0x00]) == bytes.count)
  }

  @Test func `a web server in between may add to Connection`() throws {
    let answer = Self.answer.replacing("Connection: Upgrade", with: "Connection: keep-alive, upgrade") + "\r\n"
    #expect(try Self.request.check(Array(answer.utf8)) == answer.utf8.count)
  }

  static let refused: [(String, String, Int?)] = [
    ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404", 404),
    ("HTTP/1.1 200 OK\r\n\r\n", "200", 200),
    ("HTTP/1.1 1010 x\r\n\r\n", "not HTTP", nil),
    ("SSH-2.0-x\r\n\r\n", "not HTTP", nil),
    ("HTTP/1.1 101 x\n\n", "not HTTP", nil),
    ("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "does not belong", nil),
    (answer.replacing("s3p", with: "S3p") + "\r\n", "does not belong", nil),
    (answer + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n", "does not belong", nil),
    (answer.replacing("WebSocket\r\nC", with: "h2c\r\nC") + "\r\n", "does not belong", nil),
    (answer.replacing("Connection: U", with: "Connection: no-u") + "\r\n", "does not belong", nil),
    (answer + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", "not offered", nil),
    (answer + "Sec-WebSocket-Protocol: chat\r\n\r\n", "not offered", nil),
    ("HTTP/1.1 101 x\r\n" + String(repeating: "X: y\r\n", count: 6_000), "too large", nil),
  ]

  @Test(arguments: refused)
  func `an answer that opens no WebSocket is refused with its reason`(text: String, reason: String, status: Int?) {
    do throws(WebSocketRefusal) {
      _ = try Self.request.check(Array(text.utf8))
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.message.contains(reason) && error.status == status)
    }
  }
}
