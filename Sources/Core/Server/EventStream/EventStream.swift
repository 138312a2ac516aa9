public import EventLoop
public import Wire

/// The application's side of a stream of Server-Sent Events. Called on the loop of its connection.
public protocol EventStreamHandler: AnyObject {
  func opened(_ stream: EventStream)
  /// Called once when the client has left or was disconnected.
  func closed()
}

/// Sends events over one version of HTTP.
protocol EventStreamCarrier: AnyObject {
  func deliver(_ event: EncodedEvent)
  func endEventStream()
}

/// The server's side of a stream of Server-Sent Events (HTML standard, section 9.2). Confined to its loop.
public final class EventStream {
  private weak var carrier: (any EventStreamCarrier)?
  public let loop: EventLoop

  init(_ carrier: any EventStreamCarrier, _ loop: EventLoop) {
    self.carrier = carrier
    self.loop = loop
  }

  public func send(_ event: EncodedEvent) { carrier?.deliver(event) }

  /// Ends the response. The client reconnects by itself.
  public func close() { carrier?.endEventStream() }

  static let response = Response(
    contentType: "text/event-stream", body: .stream(ResponseStream { _ in }), cacheControl: "no-store",
    // Without it, nginx would collect events until its buffer is full.
    fields: [Response.Field("X-Accel-Buffering", "no"), .anyOrigin])
  static let comment = EncodedEvent(ServerSentEvent.comment())
}

/// An event in its encoded form, made once for all listeners.
public final class EncodedEvent: Sendable {
  let bytes: [UInt8]
  /// The same as one chunk of HTTP/1.1's chunked coding.
  let chunked: [UInt8]

  public convenience init(_ event: ServerSentEvent) { self.init(event.bytes) }

  /// - Parameter bytes: whole events or comments, each with its empty line.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    chunked = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }
}
