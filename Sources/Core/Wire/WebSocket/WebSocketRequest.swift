import Crypto

/// A client's opening handshake (RFC 6455 section 4.1): the request, and the check of the server's response. It has no
/// socket.
public struct WebSocketRequest: Sendable {
  /// The request's bytes.
  public let bytes: [UInt8]
  private let key: String

  /// - Parameters:
  ///   - host: as in a URL: with brackets for an IPv6 address, and with the port unless it is the scheme's own.
  ///   - target: the path with its query.
  ///   - nonce: 16 random bytes.
  public init(host: String, target: String, userAgent: String, nonce: [UInt8]) {
    precondition(nonce.count == 16, "a handshake's nonce has 16 bytes")
    key = Digest.base64(nonce)
    var bytes = Array("GET \(target) HTTP/1.1\r\n".utf8)
    ResponseHead.appendField("Host", host, to: &bytes)
    ResponseHead.appendField("User-Agent", userAgent, to: &bytes)
    ResponseHead.append("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n", to: &bytes)
    ResponseHead.appendField("Sec-WebSocket-Key", key, to: &bytes)
    ResponseHead.append("\r\n", to: &bytes)
    self.bytes = bytes
  }

  /// Reads the server's response.
  /// - Parameter received: all bytes since the connection was made.
  /// - Returns: the count of bytes of the response, after which frames begin; nil while it is incomplete.
  /// - Throws: when the server does not open a WebSocket.
  public func check(_ received: [UInt8]) throws(WebSocketRefusal) -> Int? {
    var scanned = 0
    let end: Int?
    do throws(WireFault) {
      end = try received.withUnsafeBufferPointer { bytes throws(WireFault) in
        try HeadReader.end(of: bytes, scanned: &scanned)
      }
    } catch {
      throw WebSocketRefusal("The answer is not HTTP/1.1 or too large.")
    }
    guard let end else { return nil }
    let lines = received[..<end].split(separator: 10, omittingEmptySubsequences: false)
      .map { String(decoding: $0.last == 13 ? $0.dropLast() : $0, as: UTF8.self) }
    let status = lines[0].split(separator: " ", maxSplits: 2).map(String.init)
    guard status.count >= 2, status[0] == "HTTP/1.1" || status[0] == "HTTP/1.0", status[1].utf8.count == 3,
      let code = Int(status[1])
    else { throw WebSocketRefusal("The answer is not HTTP/1.1.") }
    guard code == 101 else {
      throw WebSocketRefusal("The server answered \(code) instead of opening a WebSocket (101).", status: code)
    }
    guard Self.field("upgrade", lines)?.lowercased() == "websocket",
      Self.field("connection", lines)?.lowercased().split(separator: ",").map(trimmed).contains("upgrade") == true,
      Self.field("sec-websocket-accept", lines) == WebSocketHandshake.accept(key: key)
    else { throw WebSocketRefusal("The server's answer to the handshake does not belong to our request.") }
    // None was offered, so none may be chosen (RFC 6455 section 4.1).
    guard Self.field("sec-websocket-extensions", lines) == nil, Self.field("sec-websocket-protocol", lines) == nil
    else { throw WebSocketRefusal("The server chose an extension or a protocol that was not offered.") }
    return end
  }

  /// The value of a field that is there once.
  private static func field(_ name: String, _ lines: [String]) -> String? {
    let values = lines.dropFirst().compactMap { line -> String? in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].lowercased() == name else { return nil }
      return String(trimmed(parts[1]))
    }
    return values.count == 1 ? values[0] : nil
  }
}
