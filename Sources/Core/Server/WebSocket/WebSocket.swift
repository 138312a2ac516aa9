public import EventLoop
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

  public func send(_ text: String) { send(frame: WebSocketFrame.encode(.text, text.utf8)) }

  /// Sends an encoded frame, which may be the same array for thousands of sockets.
  public func send(frame: [UInt8]) { carrier?.deliver(frame: frame) }

  func detach() { carrier = nil }

  /// Says goodbye and closes once that is sent.
  public func close(_ code: CloseCode, _ reason: String = "") { carrier?.close(code, reason) }
}
