public import Wire
import World

/// A client of a hub's WebSocket whose messages are JSON, over a real socket.
public final class JSONPeer {
  private let peer: Peer
  private var parser = WebSocketParser(from: .server)
  private var unparsed: [UInt8] = []
  private var waiting: [JSON] = []
  private var isOpen = false

  /// The limit of each wait, in seconds: generous, since nothing else is waited for.
  private static let seconds = 30.0

  public init(port: Int, path: String) {
    peer = Peer(port: port)
    peer.send(
      """
      GET \(path) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
      """)
  }

  public func send(_ message: JSON) { peer.push(WebSocketFrame.masked(.text, message.bytes, mask: 0)) }

  public func ping() { peer.push(WebSocketFrame.masked(.ping, [], mask: 0)) }

  /// The next message; nil if the connection was closed, or nothing has come.
  public func next() -> JSON? {
    while waiting.isEmpty {
      peer.wait(atMost: Self.seconds)
      let (bytes, _) = peer.receivedBytes()
      guard !bytes.isEmpty else { return nil }
      take(bytes)
    }
    return waiting.removeFirst()
  }

  private func take(_ bytes: [UInt8]) {
    unparsed += bytes
    if !isOpen {
      guard let head = unparsed.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
      isOpen = true
      unparsed.removeSubrange(..<head.upperBound)
    }
    let input = unparsed
    unparsed = []
    input.withUnsafeBufferPointer { buffer in
      var position = 0
      while let message = try? parser.next(buffer, &position) {
        if case .text(let text) = message, let json = try? JSON(parsing: text) { waiting.append(json) }
      }
    }
  }
}
