public import EventLoop
public import Wire

/// The application's side of a stream of Server-Sent Events, or of another form of text that goes on. Called on the
/// loop of its connection.
public protocol EventStreamHandler: AnyObject {
  /// The type of the response; `text/event-stream` unless said otherwise.
  var contentType: String { get }
  /// Seconds of silence after which `keepAlive` is sent.
  var quietSeconds: Double { get }
  /// The bytes by which a silent connection is known to be broken; an empty comment unless said otherwise.
  func keepAlive() -> EncodedEvent
  /// True if the server's end is to break the response off, for clients that come back only then.
  var breaksOff: Bool { get }
  func opened(_ stream: EventStream)
  /// Called when the client has taken some of what waited, from within the connection's sending: more is sent later,
  /// not from within the call.
  func sentSome()
  /// Called once when the client has left or was disconnected.
  func closed()
}

extension EventStreamHandler {
  public var contentType: String { "text/event-stream" }
  public var quietSeconds: Double { ServerLimits.eventCommentSeconds }
  public func keepAlive() -> EncodedEvent { EventStream.comment }
  public var breaksOff: Bool { false }
  public func sentSome() {}
}

/// Sends events over one version of HTTP.
protocol EventStreamCarrier: AnyObject {
  /// Bytes that were not sent yet.
  var waitingBytes: Int { get }
  func deliver(_ event: EncodedEvent)
  func endEventStream()
  func signedIn()
}

/// The server's side of a stream of Server-Sent Events (HTML standard, section 9.2). Confined to its loop.
public final class EventStream {
  private weak var carrier: (any EventStreamCarrier)?
  public let loop: EventLoop

  init(_ carrier: any EventStreamCarrier, _ loop: EventLoop) {
    self.carrier = carrier
    self.loop = loop
  }

  /// One that leads nowhere, for tests of those who listen.
  package init(_ loop: EventLoop) { self.loop = loop }

  public func send(_ event: EncodedEvent) { carrier?.deliver(event) }

  /// Bytes that the client has not taken yet; past `ServerLimits.socketQueueBytes` it is disconnected.
  public var waitingBytes: Int { carrier?.waitingBytes ?? 0 }

  /// Marks the client as signed in: the connection no longer counts against its address' limit.
  public func signedIn() { carrier?.signedIn() }

  /// Ends the response. The client reconnects by itself.
  public func close() { carrier?.endEventStream() }

  static func response(_ contentType: String) -> Response {
    Response(
      contentType: contentType, body: .stream(ResponseStream { _ in }), cacheControl: "no-store",
      // Without it, nginx would collect events until its buffer is full.
      fields: [Response.Field("X-Accel-Buffering", "no"), .anyOrigin])
  }
  static let comment = EncodedEvent(ServerSentEvent.comment())
}

/// An event in its encoded form, made once for all listeners.
public final class EncodedEvent: Sendable {
  let bytes: [UInt8]
  /// The same as one chunk of HTTP/1.1's chunked coding.
  let chunked: [UInt8]

  public convenience init(_ event: ServerSentEvent) { self.init(event.bytes) }

  /// - Parameter bytes: whole events or comments, each with its empty line, or lines of another form; not empty.
  public init(_ bytes: [UInt8]) {
    precondition(!bytes.isEmpty, "an empty chunk would end the response")
    self.bytes = bytes
    chunked = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }
}
