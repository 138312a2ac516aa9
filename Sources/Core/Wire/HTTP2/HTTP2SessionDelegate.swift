/// Hears what an HTTP/2 connection says, and gives the bodies of its answers. Called synchronously, from within
/// `HTTP2Session.receive` and `nextOutput`; it may call all else of the session, but not these two again.
public protocol HTTP2SessionDelegate: AnyObject {
  /// A request begins. `requestEnd` follows, at once when it has no body; unless `streamClosed` comes before.
  func requestHead(_ head: RequestHead, stream: Int32, hasBody: Bool)
  /// A request's head was refused: an answer with the fault's status is due. Nothing further is told of its body.
  func requestRefused(_ fault: WireFault, stream: Int32)
  /// A piece of a request's body, which lies there during the call only. The peer may send as much again when
  /// `HTTP2Session.consumed` has been told of it, and not before.
  func bodyBytes(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32)
  /// A request is complete.
  func requestEnd(stream: Int32)
  /// A stream is over: answered to the end, or reset by one of the two. It may be one of which nothing was told before,
  /// since nghttp2 resets by itself what is malformed. Streams that are lost with their connection are not told of.
  /// - Parameter code: of RFC 9113 section 7; 0 when nothing went wrong.
  func streamClosed(stream: Int32, code: UInt32)
  /// The next bytes of an answer's body.
  /// - Parameter buffer: has room for at least one byte.
  func readBody(stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead
}

/// What there is of an answer's body.
public enum HTTP2BodyRead: Equatable, Sendable {
  /// So many bytes were written, at least 1, and more follow.
  case bytes(Int)
  /// So many bytes were written, and the body ends with them; 0 when it has ended before.
  case last(Int)
  /// Nothing yet. It is asked for again after `HTTP2Session.resume`.
  case later
  /// The body cannot be finished: the stream is reset with INTERNAL_ERROR.
  case failed
}

/// Why an HTTP/2 connection cannot go on: it is to be closed without a further word.
public enum HTTP2Fault: Error, Equatable, Sendable {
  /// What came is no HTTP/2 at all.
  case noPreface
  /// The peer makes us answer and does not take the answers (`WireLimits.outboundAcks`).
  case flooded
  /// What nghttp2 says, which is for the log.
  case failed(String)

  /// What was wrong and what is accepted.
  public var explanation: String {
    switch self {
    case .noPreface: "The connection does not begin as HTTP/2 does; the preface of RFC 9113 section 3.4 is needed."
    case .flooded: "Too many PING and SETTINGS frames wait for their answers; \(WireLimits.outboundAcks) are accepted."
    case .failed(let message): "The HTTP/2 connection has failed: \(message)."
    }
  }
}

/// Whether a connection begins with HTTP/2, for a server that speaks several protocols on one port.
public enum HTTP2Preface: Sendable {
  case matches
  case differs
  /// All that has come so far is a beginning of the preface.
  case incomplete

  /// The first bytes that a client sends (RFC 9113 section 3.4). No method of HTTP/1.1 is called so.
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
