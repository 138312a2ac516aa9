public import EventLoop
import Synchronization
public import Wire

/// The application's end of a WebSocket. Called on the loop of its connection.
public protocol WebSocketHandler: AnyObject {
  func opened(_ socket: WebSocket)
  func received(_ text: String)
  /// The connection is gone, for whatever reason. Called once.
  func closed()
}

/// The server's end of a WebSocket: sends messages, and closes. Confined to its loop.
public final class WebSocket {
  /// nil once the connection is gone.
  private var carrier: WebSocketCarrier?
  public let loop: EventLoop

  init(_ carrier: WebSocketCarrier, _ loop: EventLoop) {
    self.carrier = carrier
    self.loop = loop
  }

  public func send(_ text: String) { send(EncodedMessage(text: Array(text.utf8))) }

  /// Sends a message that may be the same for thousands of sockets.
  public func send(_ message: EncodedMessage) { carrier?.deliver(message) }

  /// It is known now who is at the other end: they may say more at once, and the socket is none of those that an
  /// address may have open.
  public func signedIn() { carrier?.signedIn() }

  func detach() { carrier = nil }

  /// Says goodbye and closes once that is sent.
  public func close(_ code: CloseCode, _ reason: String = "") { carrier?.close(code, reason) }
}

/// A text message as it is sent, encoded once for all who get it, and compressed once for those who agreed to that.
public final class EncodedMessage: Sendable {
  let frame: [UInt8]
  private let text: [UInt8]
  private let compressed = Mutex<[UInt8]?>(nil)

  /// - Parameter text: in UTF-8.
  public init(text: [UInt8]) {
    self.text = text
    frame = WebSocketFrame.encode(.text, text)
  }

  var deflated: [UInt8] {
    compressed.withLock { compressed in
      if let compressed { return compressed }
      let frame = WebSocketFrame.encodeDeflated(.text, text)
      compressed = frame
      return frame
    }
  }
}
