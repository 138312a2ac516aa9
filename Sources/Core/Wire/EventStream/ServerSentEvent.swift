/// One event of an event stream (WHATWG HTML section 9.2), for a response of type `text/event-stream`.
public struct ServerSentEvent: Equatable, Sendable {
  /// The event's type; browsers take `message` if there is none.
  public var event: String?
  /// The identifier that the browser sends back as Last-Event-ID when it reconnects.
  public var id: String?
  /// Milliseconds until the browser reconnects.
  public var retry: Int?
  /// The data, of one or several lines. Without data the browser keeps `id` and `retry`, and tells the page nothing.
  public var data: String?

  public init(event: String? = nil, id: String? = nil, retry: Int? = nil, data: String? = nil) {
    self.event = event
    self.id = id
    self.retry = retry
    self.data = data
  }

  /// The encoded event. All lines end in LF. Line breaks in a type or identifier are removed, as are zero bytes, for
  /// which a browser would ignore an identifier.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity((data?.utf8.count ?? 0) + 64)
    if let event { Self.append("event: ", event.utf8.lazy.filter(Self.isPlain), to: &bytes) }
    if let id { Self.append("id: ", id.utf8.lazy.filter(Self.isPlain), to: &bytes) }
    if let retry {
      precondition(retry >= 0, "a browser cannot wait \(retry) ms")
      Self.append("retry: ", "\(retry)".utf8, to: &bytes)
    }
    if let data { Self.appendLines("data: ", data, to: &bytes) }
    bytes.append(10)
    return bytes
  }

  /// A comment, which browsers ignore: it keeps proxies from closing a silent stream.
  public static func comment(_ text: String = "") -> [UInt8] {
    var bytes: [UInt8] = []
    appendLines(": ", text, to: &bytes)
    bytes.append(10)
    return bytes
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte != 10 && byte != 13 && byte != 0 }

  private static func append(_ name: StaticString, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    ResponseHead.append(name, to: &bytes)
    bytes.append(contentsOf: value)
    bytes.append(10)
  }

  /// Appends a line each for the parts between CR LF, CR or LF.
  private static func appendLines(_ name: StaticString, _ text: String, to bytes: inout [UInt8]) {
    ResponseHead.append(name, to: &bytes)
    var wasReturn = false
    for byte in text.utf8 {
      if byte == 10 && wasReturn {
        wasReturn = false
        continue
      }
      wasReturn = byte == 13
      if byte == 10 || byte == 13 {
        bytes.append(10)
        ResponseHead.append(name, to: &bytes)
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(10)
  }
}
