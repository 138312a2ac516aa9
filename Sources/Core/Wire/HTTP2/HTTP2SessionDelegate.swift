/// Receives the events of an HTTP/2 connection, and provides the bodies of its responses. Called synchronously from
/// within `HTTP2Session.receive` and `nextOutput`; it may call all other methods of the session.
public protocol HTTP2SessionDelegate: AnyObject {
  /// A request begins. `requestEnd` follows, at once when it has no body, unless `streamClosed` comes before.
  func requestHead(_ head: RequestHead, stream: Int32, hasBody: Bool)
  /// A request's head was refused: a response with the fault's status is due. Its body is not reported.
  func requestRefused(_ fault: WireFault, stream: Int32)
  /// A piece of a request's body, valid during the call only. The peer may send as much again after
  /// `HTTP2Session.consumed`, and not before.
  func bodyBytes(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32)
  /// A request is complete.
  func requestEnd(stream: Int32)
  /// A stream has ended: its response is complete, or one of the two sides has reset it. It may be one that was not
  /// reported before, since nghttp2 resets malformed requests by itself. Streams that end with their connection are not
  /// reported.
  /// - Parameter code: of RFC 9113 section 7; 0 when nothing went wrong.
  func streamClosed(stream: Int32, code: UInt32)
  /// Provides the next bytes of a response's body.
  /// - Parameter buffer: has room for at least one byte.
  func readBody(stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead
}

/// The result of reading a response's body.
public enum HTTP2BodyRead: Equatable, Sendable {
  /// So many bytes were written, at least 1, and more follow.
  case bytes(Int)
  /// So many bytes were written, and the body ends with them; 0 when it has ended before.
  case last(Int)
  /// Nothing yet. It is called again after `HTTP2Session.resume`.
  case later
  /// The body cannot be completed: the stream is reset with INTERNAL_ERROR.
  case failed
}

/// The reason why an HTTP/2 connection cannot go on; it is closed without a further frame.
public enum HTTP2Fault: Error, Equatable, Sendable {
  /// The first bytes are not HTTP/2.
  case noPreface
  /// The peer causes replies and does not read them (`WireLimits.outboundAcks`).
  case flooded
  /// nghttp2's message, for the log.
  case failed(String)
}

/// Recognises HTTP/2 by a connection's first bytes, for a server of several protocols on one port.
public enum HTTP2Preface: Sendable {
  case matches
  case differs
  /// All bytes so far are a beginning of the preface.
  case incomplete

  /// The first bytes that a client sends (RFC 9113 section 3.4). HTTP/1.1 has no method of this name.
  static let bytes: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

  public init(_ input: UnsafeBufferPointer<UInt8>) {
    let preface = UnsafeBufferPointer(start: Self.bytes.utf8Start, count: Self.bytes.utf8CodeUnitCount)
    if input.prefix(preface.count).elementsEqual(preface.prefix(input.count)) {
      self = input.count < preface.count ? .incomplete : .matches
    } else {
      self = .differs
    }
  }
}
