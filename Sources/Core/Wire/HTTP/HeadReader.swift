import Glibc

/// Finds the end of a head and parses its lines. Strict, since lenient parsing permits request smuggling (RFC 9112
/// section 11.2).
enum HeadReader {
  /// The index after the head's empty line; nil while the head is incomplete.
  /// - Parameter scanned: the bytes examined before; moved to the start of the first incomplete line.
  static func end(of bytes: UnsafeBufferPointer<UInt8>, scanned: inout Int) throws(WireFault) -> Int? {
    while scanned < bytes.count {
      guard let found = memchr(bytes.baseAddress! + scanned, 10, bytes.count - scanned) else { break }
      let lineFeed = found.assumingMemoryBound(to: UInt8.self) - UnsafeMutablePointer(mutating: bytes.baseAddress!)
      guard lineFeed > 0, bytes[lineFeed - 1] == 13 else { throw .bareLineFeed }
      let isEmpty = lineFeed - 1 == scanned
      scanned = lineFeed + 1
      if isEmpty { return scanned }
    }
    if bytes.count > WireLimits.headBytes { throw tooLarge(bytes) }
    return nil
  }

  /// The fault of a head that is too large: of its target or of its fields.
  private static func tooLarge(_ bytes: UnsafeBufferPointer<UInt8>) -> WireFault {
    memchr(bytes.baseAddress!, 10, WireLimits.headBytes) == nil ? .targetTooLong : .headTooLarge
  }

  /// Parses a complete head, including its empty line.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireFault) -> RequestHead {
    if bytes.count > WireLimits.headBytes { throw tooLarge(bytes) }
    var position = 0
    let line = try nextLine(bytes, &position)
    let request = try requestLine(bytes, line)

    let (fields, isFramed) = try withUnsafeTemporaryAllocation(of: Fields.Entry.self, capacity: WireLimits.fields) {
      entries throws(WireFault) in
      try Self.fields(bytes, &position, request, entries)
    }
    guard isFramed else {
      // Most requests have no fields about a body or the connection.
      return RequestHead(
        method: request.method, target: request.target, version: request.version, fields: fields,
        keepsAlive: request.version == .http11)
    }
    return try checked(request, fields)
  }

  /// Parses the fields into a buffer with room for as many as allowed.
  /// - Returns: also true if one of them may be about the body or the connection, judged by the lengths of the names
  ///   Connection, Content-Length and Transfer-Encoding.
  private static func fields(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ request: RequestLine,
    _ entries: UnsafeMutableBufferPointer<Fields.Entry>
  ) throws(WireFault) -> (Fields, isFramed: Bool) {
    var count = 0
    var isFramed = false
    var host: Int?
    while true {
      let line = try nextLine(bytes, &position)
      if line.isEmpty { break }
      if count == WireLimits.fields { throw .tooManyFields }
      let entry = try field(bytes, line)
      if entry.name.count == 4, Fields.isHost(bytes, entry.name) {
        if host != nil { throw .repeatedHost }
        host = count
        guard
          isAuthority(UnsafeBufferPointer(rebasing: bytes[Int(entry.value.lowerBound)..<Int(entry.value.upperBound)]))
        else { throw .malformedHost }
      }
      let length = entry.name.count
      if length == 10 || length == 14 || length == 17 { isFramed = true }
      entries[count] = entry
      count += 1
    }
    if host == nil, request.version == .http11 { throw .missingHost }
    // The host of an absolute target takes precedence over the Host field (RFC 9112 section 3.2.2).
    if let host, let authority = request.authority { entries[host].value = authority }
    return (Fields(bytes: bytes, entries: UnsafeBufferPointer(rebasing: entries[..<count])), isFramed)
  }

  private struct RequestLine {
    var method: Method
    /// In origin form.
    var target: String
    /// The range of the host in an absolute target.
    var authority: Range<UInt16>?
    var version: HTTPVersion
  }

  /// The next line without its CR LF.
  private static func nextLine(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(WireFault)
    -> Range<Int>
  {
    let start = position
    guard start < bytes.count, let found = memchr(bytes.baseAddress! + start, 10, bytes.count - start) else {
      throw .malformedRequestLine
    }
    let lineFeed = found.assumingMemoryBound(to: UInt8.self) - UnsafeMutablePointer(mutating: bytes.baseAddress!)
    guard lineFeed > start, bytes[lineFeed - 1] == 13 else { throw .bareLineFeed }
    position = lineFeed + 1
    return start..<(lineFeed - 1)
  }

  private static func requestLine(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) throws(WireFault)
    -> RequestLine
  {
    var methodEnd = line.lowerBound
    while methodEnd < line.upperBound, isToken(bytes[methodEnd]) { methodEnd += 1 }
    guard methodEnd > line.lowerBound, methodEnd < line.upperBound, bytes[methodEnd] == 32 else {
      throw .malformedRequestLine
    }
    let targetStart = methodEnd + 1
    var targetEnd = targetStart
    while targetEnd < line.upperBound, bytes[targetEnd] > 32, bytes[targetEnd] < 127 { targetEnd += 1 }
    guard targetEnd > targetStart, targetEnd < line.upperBound, bytes[targetEnd] == 32 else {
      throw .malformedRequestLine
    }
    let version = bytes.baseAddress! + targetEnd + 1
    guard line.upperBound - targetEnd - 1 == 8, memcmp(version, "HTTP/", 5) == 0 else { throw .malformedRequestLine }
    // A later minor version is read as 1.1 (RFC 9110 section 2.5).
    let minor = version[7]
    guard version[6] == UInt8(ascii: "."), minor >= 48, minor <= 57 else { throw .malformedRequestLine }
    guard version[5] == 49 else { throw .unsupportedVersion }
    let target = try self.target(bytes, targetStart..<targetEnd)
    return RequestLine(
      method: Method(UnsafeBufferPointer(rebasing: bytes[line.lowerBound..<methodEnd])),
      target: target.text, authority: target.authority, version: minor == 48 ? .http10 : .http11)
  }

  /// The target: origin form, the asterisk of OPTIONS, or absolute form, of which the path is kept (RFC 9112 section
  /// 3.2).
  private static func target(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(WireFault)
    -> (text: String, authority: Range<UInt16>?)
  {
    let target = UnsafeBufferPointer(rebasing: bytes[range])
    if target[0] == UInt8(ascii: "/") || target.count == 1 && target[0] == UInt8(ascii: "*") {
      return (String(decoding: target, as: UTF8.self), nil)
    }
    let schemes: [StaticString] = ["http://", "https://"]
    for scheme in schemes where target.count > scheme.utf8CodeUnitCount {
      guard strncasecmp(target.baseAddress!, scheme.utf8Start, scheme.utf8CodeUnitCount) == 0 else { continue }
      let start = scheme.utf8CodeUnitCount
      let end = target[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.count
      guard end > start, isAuthority(UnsafeBufferPointer(rebasing: target[start..<end])) else { break }
      let path = String(decoding: target[end...], as: UTF8.self)
      return (
        path.hasPrefix("/") ? path : "/" + path, UInt16(range.lowerBound + start)..<UInt16(range.lowerBound + end)
      )
    }
    throw .malformedRequestLine
  }

  private static func field(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) throws(WireFault) -> Fields.Entry {
    let first = bytes[line.lowerBound]
    if first == 32 || first == 9 { throw .obsoleteFold }
    var colon = line.lowerBound
    while colon < line.upperBound, isToken(bytes[colon]) { colon += 1 }
    guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == UInt8(ascii: ":") else {
      throw .malformedField
    }
    var start = colon + 1
    while start < line.upperBound, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
    var end = line.upperBound
    while end > start, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
    for index in start..<end {
      let byte = bytes[index]
      if byte < 32 && byte != 9 || byte == 127 { throw .malformedField }
    }
    return Fields.Entry(
      name: UInt16(line.lowerBound)..<UInt16(colon), value: UInt16(start)..<UInt16(end))
  }

  /// The head, after checking the fields about body and connection against each other.
  private static func checked(_ request: RequestLine, _ fields: Fields) throws(WireFault) -> RequestHead {
    var framing = BodyFraming.none
    let lengths = fields.count(of: "content-length")
    if fields.count(of: "transfer-encoding") > 0 {
      if lengths > 0 { throw .conflictingLength }
      guard request.version == .http11, fields.count(of: "transfer-encoding") == 1,
        equalsIgnoringCase(fields["transfer-encoding"]!, "chunked")
      else { throw .unsupportedTransferCoding }
      framing = .chunked
    } else if lengths > 0 {
      let digits = fields["content-length"]!
      guard lengths == 1, !digits.isEmpty, digits.utf8.count <= WireLimits.lengthDigits,
        digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let length = Int(digits)
      else { throw .malformedLength }
      framing = length == 0 ? .none : .length(length)
    }
    // In HTTP/1.0 keep-alive counts only where the answer confirms it; else the client waits for the end (RFC 9112
    // section C.2.2). It is hardly used any more.
    let keepsAlive = request.version == .http11 && !fields.contains("connection", token: "close")
    return RequestHead(
      method: request.method, target: request.target, version: request.version, fields: fields,
      framing: framing, keepsAlive: keepsAlive)
  }

  /// True for the characters of a token (RFC 9110 section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    let bits: (UInt64, UInt64) = (0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe)
    return byte < 128 && (byte < 64 ? bits.0 >> UInt64(byte) : bits.1 >> UInt64(byte - 64)) & 1 == 1
  }
}
