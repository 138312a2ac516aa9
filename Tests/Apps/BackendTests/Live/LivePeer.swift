import Testing
import Wire
import World

/// A client of live queries over a real socket.
final class LivePeer {
  private let peer: Peer
  private var parser = WebSocketParser(from: .server)
  private var unparsed: [UInt8] = []
  private var waiting: [JSON] = []
  private var isOpen = false
  private var isGone = false

  /// The limit of each wait, in seconds: generous, since nothing else is waited for.
  private static let seconds = 30.0

  init(_ port: Int) {
    peer = Peer(port: port)
    peer.send(
      """
      GET /parse HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
      """)
  }

  func send(_ message: JSON) { peer.push(WebSocketFrame.masked(.text, message.bytes, mask: 0)) }

  func subscribe(_ id: Int, _ className: String, _ condition: JSON = [:], _ more: JSON.Member...) throws {
    let query: [JSON.Member] = [.init("className", .string(className)), .init("where", condition)]
    send(["op": "subscribe", "requestId": .int(id), "query": .object(query + more)])
    let answer = try next()
    try #require(answer["op"] == "subscribed" && answer["requestId"] == .int(id), "\(answer.text)")
  }

  /// The next message.
  func next() throws -> JSON {
    while waiting.isEmpty, !isGone { read() }
    try #require(!waiting.isEmpty, "the connection was closed, or nothing has come")
    return waiting.removeFirst()
  }

  /// The object of the next message, which must be this event.
  @discardableResult
  func expect(_ event: String, _ id: Int = 1) throws -> JSON {
    let message = try next()
    try #require(message["op"] == .string(event) && message["requestId"] == .int(id), "\(message.text)")
    return message["object"] ?? nil
  }

  /// Fails if something has come: a wrong message is answered first.
  func expectNothing() throws {
    send(["op": "unsubscribe", "requestId": -1])
    let message = try next()
    try #require(message["op"] == "error" && message["requestId"] == -1, "\(message.text)")
  }

  private func read() {
    peer.wait(atMost: Self.seconds)
    let (bytes, isClosed) = peer.receivedBytes()
    if bytes.isEmpty { isGone = true }
    unparsed += bytes
    if !isOpen {
      guard let range = unparsed.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
      isOpen = true
      unparsed.removeSubrange(..<range.upperBound)
    }
    let input = unparsed
    unparsed = []
    input.withUnsafeBufferPointer { buffer in
      var position = 0
      while let message = try? parser.next(buffer, &position) {
        if case .text(let text) = message, let json = try? JSON(parsing: text) { waiting.append(json) }
      }
    }
    if isClosed { isGone = true }
  }
}
