/// The method of a request (RFC 9110 section 9).
public enum Method: Hashable, Sendable {
  case get, head, post, put, delete, options, patch
  case other(String)

  /// Whether a request with it changes something.
  public var isWrite: Bool { ![.get, .head, .options].contains(self) }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Nearly every request is one; it needs no text made of it.
    if bytes.count == 3, bytes[0] == UInt8(ascii: "G"), bytes[1] == UInt8(ascii: "E"), bytes[2] == UInt8(ascii: "T") {
      self = .get
      return
    }
    switch String(decoding: bytes, as: UTF8.self) {
    case "HEAD": self = .head
    case "POST": self = .post
    case "PUT": self = .put
    case "DELETE": self = .delete
    case "OPTIONS": self = .options
    case "PATCH": self = .patch
    case let name: self = .other(name)
    }
  }

  public var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .patch: "PATCH"
    case .other(let name): name
    }
  }
}

/// The version of HTTP in which a request came (RFC 9110 section 2.5).
public enum HTTPVersion: Sendable {
  case http10, http11, http2
}

/// How a request's body is delimited (RFC 9112 section 6).
public enum BodyFraming: Equatable, Sendable {
  /// There is none, or it has no bytes.
  case none
  /// Bytes, at least 1.
  case length(Int)
  /// Its length shows at its end: in chunks, or in DATA frames (RFC 9113 section 8.1).
  case chunked
}

/// A request line and its fields, or what HTTP/2 has for them: :authority is the field "host" here, and the crumbs of a
/// cookie are one.
public struct RequestHead: Sendable {
  public var method: Method
  /// As it came, in origin form, such as "/a?b=c".
  public var target: String
  public var version: HTTPVersion
  public var fields: Fields
  public var framing: BodyFraming
  /// Whether the connection may serve another request after this one.
  public var keepsAlive: Bool

  public init(
    method: Method, target: String, version: HTTPVersion = .http11, fields: Fields = Fields(),
    framing: BodyFraming = .none,
    keepsAlive: Bool = true
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.framing = framing
    self.keepsAlive = keepsAlive
  }

  /// The target up to its question mark, still percent-encoded.
  public var path: Substring { target[..<(queryMark ?? target.endIndex)] }
  /// What follows the question mark, still percent-encoded; nil without one.
  public var query: Substring? {
    guard let mark = queryMark else { return nil }
    return target[target.utf8.index(after: mark)...]
  }

  /// Asked of the bytes at once: going through a string's view costs twenty times as much.
  private var queryMark: String.Index? {
    let bytes = target.utf8
    let place = bytes.withContiguousStorageIfAvailable { bytes in bytes.firstIndex(of: UInt8(ascii: "?")) }
    // A string that is not stored as UTF-8 comes from no request.
    guard let place else { return bytes.firstIndex(of: UInt8(ascii: "?")) }
    return place.map { bytes.index(bytes.startIndex, offsetBy: $0) }
  }
}

extension RequestHead {
  /// Whether the client takes gzip (RFC 9110 section 12.5.3): what is said of gzip counts before what is said of "*".
  public var acceptsGzip: Bool {
    var ofAll = false
    for part in fields["accept-encoding"]?.split(separator: ",") ?? [] {
      let words = part.split(separator: ";").map(trimmed)
      guard let coding = words.first else { continue }
      let isTaken = !words.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
      if equalsIgnoringCase(coding, "gzip") { return isTaken }
      if coding == "*" { ofAll = isTaken }
    }
    return ofAll
  }
}

/// Decodes %XX (RFC 3986 section 2.1); nil for a broken escape or for bytes that are not UTF-8.
public func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
  var bytes: [UInt8] = []
  var rest = text.utf8.makeIterator()
  func digit(_ byte: UInt8?) -> UInt8? {
    guard let byte, let value = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
    return UInt8(value)
  }
  while let byte = rest.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = digit(rest.next()), let low = digit(rest.next()) else { return nil }
      bytes.append(high << 4 | low)
    case UInt8(ascii: "+") where plusIsSpace: bytes.append(32)
    default: bytes.append(byte)
    }
  }
  return String(validating: bytes, as: UTF8.self)
}
