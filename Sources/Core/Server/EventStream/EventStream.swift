public import EventLoop
public import Wire

/// The application's end of a stream of Server-Sent Events. Called on the loop of its connection.
public protocol EventStreamHandler: AnyObject {
  func opened(_ stream: EventStream)
  /// The client is gone, or was sent away. Called once.
  func closed()
}

/// What sends events over one version of HTTP.
protocol EventStreamCarrier: AnyObject {
  func deliver(_ event: EncodedEvent)
  func endEventStream()
}

/// The server's end of a stream of Server-Sent Events (HTML standard, section 9.2). Confined to its loop.
public final class EventStream {
  private weak var carrier: (any EventStreamCarrier)?
  public let loop: EventLoop

  init(_ carrier: any EventStreamCarrier, _ loop: EventLoop) {
    self.carrier = carrier
    self.loop = loop
  }

  public func send(_ event: EncodedEvent) { carrier?.deliver(event) }

  /// Ends the answer. The client comes back by itself.
  public func close() { carrier?.endEventStream() }

  static let response = Response(
    contentType: "text/event-stream", body: .stream(ResponseStream { _ in }), cacheControl: "no-store",
    // nginx would collect events until it has a buffer full of them.
    fields: [Response.Field("X-Accel-Buffering", "no"), .anyOrigin])
  static let comment = EncodedEvent(ServerSentEvent.comment())
}

/// An event as it is sent, encoded once for all who listen.
public final class EncodedEvent: Sendable {
  let bytes: [UInt8]
  /// The same as one chunk of HTTP/1.1.
  let chunked: [UInt8]

  public convenience init(_ event: ServerSentEvent) { self.init(event.bytes) }

  /// - Parameter bytes: whole events or comments, each with its empty line.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    chunked = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }
}
