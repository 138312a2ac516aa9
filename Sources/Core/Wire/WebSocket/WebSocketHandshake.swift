import Crypto

/// The opening handshake (RFC 6455 section 4.2).
public enum WebSocketHandshake {
  /// The value of Sec-WebSocket-Accept for a valid request.
  /// - Throws: a sentence that says what is missing.
  public static func accept(_ head: RequestHead) throws(WebSocketRefusal) -> String {
    guard head.version == .http11 else { throw WebSocketRefusal("A WebSocket is opened over HTTP/1.1 here.") }
    guard head.method == .get else {
      throw WebSocketRefusal("The method is \(head.method.name); GET opens a WebSocket.")
    }
    guard head.fields.contains("upgrade", token: "websocket"), head.fields.contains("connection", token: "upgrade")
    else {
      throw WebSocketRefusal("This address is a WebSocket; Upgrade: websocket and Connection: Upgrade are needed.")
    }
    guard head.fields["sec-websocket-version"] == "13" else {
      throw WebSocketRefusal("Sec-WebSocket-Version is not 13.")
    }
    // 16 bytes in base64: 22 characters and two equals signs.
    guard let key = head.fields["sec-websocket-key"], key.utf8.count == 24, key.hasSuffix("=="),
      key.dropLast(2).isAlphanumeric(or: "+/"), head.fields.count(of: "sec-websocket-key") == 1
    else {
      throw WebSocketRefusal("Sec-WebSocket-Key is not 16 bytes in base64.")
    }
    return accept(key: key)
  }

  /// The value of Sec-WebSocket-Accept that belongs to a Sec-WebSocket-Key.
  static func accept(key: String) -> String {
    Digest.base64(Digest.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
  }
}

public struct WebSocketRefusal: Error, Equatable, Sendable {
  public var message: String
  /// The status of a server that answered something else than 101.
  public var status: Int?
  init(_ message: String, status: Int? = nil) {
    self.message = message
    self.status = status
  }
}
