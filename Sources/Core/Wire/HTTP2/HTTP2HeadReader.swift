import Glibc

/// Builds a request's head from the fields that nghttp2 reports one by one (RFC 9113 section 8.3). There is one for
/// each connection, since header blocks are never interleaved.
///
/// nghttp2 has already refused names in upper case, connection-specific fields, pseudo fields that are missing,
/// unknown, repeated or late, TE other than trailers, and lengths that contradict the body.
struct HTTP2HeadReader {
  private var bytes: [UInt8] = []
  private var entries: [Fields.Entry] = []
  private var method = Method.get
  private var target = ""
  private var hasHost = false
  /// The parts of the Cookie field, which HTTP/2 may send separately (RFC 9113 section 8.2.3).
  private var cookies: [UInt8] = []
  private var length: Int?
  /// The fields' size, counted as for SETTINGS_MAX_HEADER_LIST_SIZE (RFC 9113 section 6.5.2).
  private var size = 0
  private var fault: WireFault?

  mutating func begin() {
    self = HTTP2HeadReader()
    bytes.reserveCapacity(512)
    entries.reserveCapacity(16)
  }

  mutating func refuse(_ reason: WireFault) {
    if fault == nil { fault = reason }
  }

  mutating func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard fault == nil else { return }
    size += name.count + value.count + 32
    if size > WireLimits.headBytes { return refuse(.headTooLarge) }
    guard name.first != UInt8(ascii: ":") else { return pseudoField(name, value) }
    switch name.count {
    case 4 where matches(name, "host"): return host(value)
    case 6 where matches(name, "cookie"):
      if !cookies.isEmpty { cookies += [UInt8(ascii: ";"), 32] }
      cookies += value
      return
    case 14 where matches(name, "content-length"):
      // nghttp2 has checked that it is a number of 63 bits; the limit of digits is that of HTTP/1.1.
      guard value.count <= WireLimits.lengthDigits, let number = Int(String(decoding: value, as: UTF8.self)) else {
        return refuse(.malformedLength)
      }
      length = number
    default: break
    }
    append(name, value)
  }

  private mutating func pseudoField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    if matches(name, ":method") {
      method = Method(value)
    } else if matches(name, ":path") {
      // As strict as over HTTP/1.1; nghttp2 has checked that it begins with a slash.
      guard value.allSatisfy({ $0 > 32 && $0 < 127 }) else { return refuse(.malformedPseudoField) }
      target = String(decoding: value, as: UTF8.self)
    } else if matches(name, ":scheme") {
      guard matches(value, "http") || matches(value, "https") else { return refuse(.malformedPseudoField) }
    } else if matches(name, ":authority") {
      host(value)
    }
  }

  /// Takes :authority or Host, which mean the same; both are accepted if they are equal (RFC 9113 section 8.3.1).
  private mutating func host(_ value: UnsafeBufferPointer<UInt8>) {
    guard isAuthority(value) else { return refuse(.malformedHost) }
    guard hasHost else {
      hasHost = true
      return append(UnsafeBufferPointer(start: ("host" as StaticString).utf8Start, count: 4), value)
    }
    let first = entries.first { entry in bytes[entry.nameRange].elementsEqual("host".utf8) }
    if let first, !bytes[first.valueRange].elementsEqual(value) { refuse(.repeatedHost) }
  }

  private mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    if entries.count == WireLimits.fields { return refuse(.tooManyFields) }
    let start = UInt16(bytes.count)
    bytes.append(contentsOf: name)
    let middle = UInt16(bytes.count)
    bytes.append(contentsOf: value)
    entries.append(Fields.Entry(name: start..<middle, value: middle..<UInt16(bytes.count)))
  }

  /// The complete head; the reader is empty afterwards.
  mutating func finish(hasBody: Bool) throws(WireFault) -> RequestHead {
    defer { self = HTTP2HeadReader() }
    if !cookies.isEmpty {
      let crumbs = cookies
      crumbs.withUnsafeBufferPointer { crumbs in
        append(UnsafeBufferPointer(start: ("cookie" as StaticString).utf8Start, count: 6), crumbs)
      }
    }
    if let fault { throw fault }
    // CONNECT has no path; this is no proxy.
    guard !target.isEmpty else { throw .malformedPseudoField }
    guard hasHost else { throw .missingHost }
    let framing: BodyFraming =
      switch length {
      case 0: .none
      case let length?: .length(length)
      case nil: hasBody ? .chunked : .none
      }
    return RequestHead(
      method: method, target: target, version: .http2, fields: Fields(bytes: bytes, entries: entries), framing: framing)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, _ wanted: StaticString) -> Bool {
    text.count == wanted.utf8CodeUnitCount && memcmp(text.baseAddress!, wanted.utf8Start, text.count) == 0
  }
}

extension Fields.Entry {
  fileprivate var nameRange: Range<Int> { Int(name.lowerBound)..<Int(name.upperBound) }
  fileprivate var valueRange: Range<Int> { Int(value.lowerBound)..<Int(value.upperBound) }
}
