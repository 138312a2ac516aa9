public import EventLoop
import Synchronization
public import Wire

/// The application's side of a WebSocket. Called on the loop of its connection.
public protocol WebSocketHandler: AnyObject {
  func opened(_ socket: WebSocket)
  func received(_ text: String)
  /// Called when the peer has taken some of what waited.
  func sentSome()
  /// Called when the server is about to end, here or for all: the peer is told so, in a way that makes it come back.
  func serverCloses(_ socket: WebSocket)
  /// Called once when the connection is closed, for whatever reason.
  func closed()
}

extension WebSocketHandler {
  public func sentSome() {}
  public func serverCloses(_ socket: WebSocket) { socket.close(.serviceRestart, "The hub is restarting.") }
}

/// The server's side of a WebSocket: sends messages, and closes. Confined to its loop.
public final class WebSocket {
  /// Nil once the connection is closed.
  private var carrier: WebSocketCarrier?
  public let loop: EventLoop

  init(_ carrier: WebSocketCarrier, _ loop: EventLoop) {
    self.carrier = carrier
    self.loop = loop
  }

  /// Sends a message that may be the same for thousands of sockets.
  public func send(_ message: EncodedMessage) { carrier?.deliver(message) }

  /// Bytes that the peer has not taken yet; past `ServerLimits.socketQueueBytes` it is disconnected.
  public var waitingBytes: Int { carrier?.waitingBytes ?? 0 }

  /// Marks the peer as signed in: larger messages are accepted, and the socket no longer counts against its address'
  /// limit of connections.
  public func signedIn() { carrier?.signedIn() }

  /// Replaces the limits of what the peer may send, once it is known who that is; before it has signed in.
  public func accept(_ bounds: MessageBounds) { carrier?.accept(bounds) }

  /// False once the connection is closed, if the peer's system had not confirmed all that was sent.
  public private(set) var tookAll = true

  func detach(tookAll: Bool) {
    self.tookAll = tookAll
    carrier = nil
  }

  /// Sends a close frame, then closes.
  public func close(_ code: CloseCode, _ reason: String = "") { carrier?.close(code, reason) }

  /// Closes without a close frame, for clients that come back only if the connection breaks.
  public func end() { carrier?.end() }
}

/// A text message in its encoded form, made once for all receivers, and compressed once for those that accept it.
public final class EncodedMessage: Sendable {
  let frame: [UInt8]
  private let text: [UInt8]
  private let compressed = Mutex<[UInt8]?>(nil)

  /// - Parameter text: UTF-8.
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
