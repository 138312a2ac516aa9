/// The method of a request (RFC 9110 section 9).
public enum Method: Hashable, Sendable {
  case get, head, post, put, delete, options, patch
  case other(String)

  /// True if a request with this method may change something.
  public var isWrite: Bool { ![.get, .head, .options].contains(self) }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Nearly every request is a GET, for which no string is made.
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

/// The version of HTTP of a request (RFC 9110 section 2.5).
public enum HTTPVersion: Sendable {
  case http10, http11, http2
}

/// The way in which a request's body is delimited (RFC 9112 section 6).
public enum BodyFraming: Equatable, Sendable {
  /// There is no body, or an empty one.
  case none
  /// The length in bytes, at least 1.
  case length(Int)
  /// The length is known at the end only: chunks, or DATA frames (RFC 9113 section 8.1).
  case chunked
}

/// A request line and its fields. Of HTTP/2, :authority becomes the field "host", and the parts of a cookie are joined.
public struct RequestHead: Sendable {
  public var method: Method
  /// The target as received, in origin form, such as "/a?b=c".
  public var target: String
  public var version: HTTPVersion
  public var fields: Fields
  public var framing: BodyFraming
  /// True if the connection may serve another request afterwards.
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

  /// The target up to the question mark, still percent-encoded.
  public var path: Substring { target[..<(queryMark ?? target.endIndex)] }
  /// The target after the question mark, still percent-encoded; nil without one.
  public var query: Substring? {
    guard let mark = queryMark else { return nil }
    return target[target.utf8.index(after: mark)...]
  }

  /// Searched in the bytes directly: a string's view takes twenty times as long.
  private var queryMark: String.Index? {
    let bytes = target.utf8
    let place = bytes.withContiguousStorageIfAvailable { bytes in bytes.firstIndex(of: UInt8(ascii: "?")) }
    // Only strings made by tests are not stored as UTF-8.
    guard let place else { return bytes.firstIndex(of: UInt8(ascii: "?")) }
    return place.map { bytes.index(bytes.startIndex, offsetBy: $0) }
  }
}

extension RequestHead {
  /// True if the client accepts gzip (RFC 9110 section 12.5.3); a quality of gzip takes precedence over that of "*".
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

/// Decodes %XX (RFC 3986 section 2.1); nil for a malformed escape, for bytes that are not UTF-8, and for a zero byte,
/// which no name has.
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
      guard let high = digit(rest.next()), let low = digit(rest.next()), high | low != 0 else { return nil }
      bytes.append(high << 4 | low)
    case UInt8(ascii: "+") where plusIsSpace: bytes.append(32)
    default: bytes.append(byte)
    }
  }
  return String(validating: bytes, as: UTF8.self)
}

/// Writes all but letters, digits and some signs as %XX, in capitals: left out, all but what is unreserved (RFC 3986
/// section 2.3).
public func percentEncoded(_ text: String, keeping signs: String = "-._~") -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    if byte.isAlphanumeric || signs.utf8.contains(byte) {
      bytes.append(byte)
    } else {
      bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
