import CZlib

/// Compression of WebSocket messages, as agreed on in the handshake (RFC 7692). Every message is compressed by itself,
/// in both directions: keeping the window between messages would take 300 KB per connection, and a broadcast could not
/// be compressed once for all.
public struct PerMessageDeflate: Equatable, Sendable {
  /// True if the client wants to be told the window's size.
  private var namesWindow: Bool

  /// Chooses the first acceptable offer of Sec-WebSocket-Extensions; nil when there is none. An offer with unknown,
  /// repeated or invalid parameters is skipped (RFC 7692 section 7).
  /// - Throws: for a field that is not a list of extensions (RFC 6455 section 9.1).
  public static func negotiate(_ fields: Fields) throws(WebSocketRefusal) -> PerMessageDeflate? {
    guard let text = fields.list("sec-websocket-extensions") else { return nil }
    guard let offers = ExtensionOffer.list(text) else {
      throw WebSocketRefusal("Sec-WebSocket-Extensions is malformed; such as permessage-deflate is accepted.")
    }
    return offers.lazy.compactMap(Self.init).first
  }

  private init?(_ offer: ExtensionOffer) {
    guard equalsIgnoringCase(offer.name, "permessage-deflate") else { return nil }
    var seen: Set<String> = []
    namesWindow = false
    for (name, value) in offer.parameters {
      guard seen.insert(name).inserted else { return nil }
      switch name {
      case "server_no_context_takeover", "client_no_context_takeover": guard value == nil else { return nil }
      case "server_max_window_bits":
        guard let value, let bits = Self.windowBits(value), bits >= WireLimits.deflateWindowBits else { return nil }
        namesWindow = true
      // A hint that the client could use a smaller window; every size is accepted here.
      case "client_max_window_bits": guard value.map({ Self.windowBits($0) != nil }) ?? true else { return nil }
      default: return nil
      }
    }
  }

  /// 8 to 15, without a leading zero (RFC 7692 section 7.1.2).
  private static func windowBits(_ text: String) -> Int? {
    guard text.utf8.first != 48, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let bits = Int(text),
      (8...15).contains(bits)
    else { return nil }
    return bits
  }

  /// The value of Sec-WebSocket-Extensions in the response.
  public var answer: String {
    "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
      + (namesWindow ? "; server_max_window_bits=\(WireLimits.deflateWindowBits)" : "")
  }

  // MARK: Messages

  /// The end of every flush, which is not sent (RFC 7692 section 7.2.1).
  private static let tail: [UInt8] = [0, 0, 0xff, 0xff]

  /// Compresses a message's payload.
  static func deflate(_ payload: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var stream = z_stream()
    let code = czlib_deflate_raw_init(&stream, 6, Int32(WireLimits.deflateWindowBits), 5)
    precondition(code == Z_OK, "zlib cannot start: error \(code)")
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, UInt(payload.count))) + 16
    var bytes = [UInt8](unsafeUninitializedCapacity: capacity) { output, initialized in
      stream.next_in = UnsafeMutablePointer(mutating: payload.baseAddress)
      stream.avail_in = UInt32(payload.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      let code = CZlib.deflate(&stream, Z_SYNC_FLUSH)
      precondition(code == Z_OK && stream.avail_in == 0, "zlib did not finish: error \(code)")
      initialized = Int(stream.total_out)
    }
    precondition(bytes.suffix(4) == tail[...], "zlib did not flush")
    bytes.removeLast(4)
    return bytes
  }

  enum InflateFault: Error {
    case malformed
    case tooLarge
  }

  /// Decompresses a message's payload. Stops when it becomes larger than `limit`.
  static func inflate(_ payload: [UInt8], limit: Int) throws(InflateFault) -> [UInt8] {
    var stream = z_stream()
    let code = czlib_inflate_raw_init(&stream)
    precondition(code == Z_OK, "zlib cannot start: error \(code)")
    defer { inflateEnd(&stream) }
    var message: [UInt8] = []
    var input = payload
    input += tail
    let result = input.withUnsafeBufferPointer { input in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: min(WireLimits.inflatePieceBytes, limit + 1)) { piece in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        return run(&stream, piece, &message, limit)
      }
    }
    if let result { throw result }
    return message
  }

  private static func run(
    _ stream: inout z_stream, _ piece: UnsafeMutableBufferPointer<UInt8>, _ message: inout [UInt8], _ limit: Int
  ) -> InflateFault? {
    var isBetweenBlocks = false
    while true {
      stream.next_out = piece.baseAddress
      stream.avail_out = UInt32(piece.count)
      let code = CZlib.inflate(&stream, Z_SYNC_FLUSH)
      let count = piece.count - Int(stream.avail_out)
      if message.count + count > limit { return .tooLarge }
      message.append(contentsOf: piece[..<count])
      switch code {
      case Z_STREAM_END where stream.avail_in > 0:
        // A block may be marked as the last, and another follow (RFC 7692 section 7.2.3.4).
        guard inflateReset(&stream) == Z_OK else { return .malformed }
      case Z_OK:
        // By zlib's flags: after the end of a block, with no unused bits of a byte.
        isBetweenBlocks = stream.data_type & (128 | 63) == 128
        if stream.avail_in == 0, stream.avail_out > 0 { return isBetweenBlocks ? nil : .malformed }
      case Z_BUF_ERROR:
        // The stream ended exactly with a full buffer before.
        return isBetweenBlocks ? nil : .malformed
      default: return .malformed
      }
    }
  }
}

/// One extension that a client offers (RFC 6455 section 9.1).
private struct ExtensionOffer {
  var name: String
  var parameters: [(name: String, value: String?)]

  /// Nil for text that is not a list of extensions.
  static func list(_ text: String) -> [ExtensionOffer]? {
    var reader = TokenReader(bytes: Array(text.utf8))
    var offers: [ExtensionOffer] = []
    while true {
      reader.skipSpaces()
      // Empty elements of a list are skipped (RFC 9110 section 5.6.1.2).
      if reader.skip(",") { continue }
      if reader.isAtEnd { return offers.isEmpty ? nil : offers }
      guard let name = reader.token() else { return nil }
      var offer = ExtensionOffer(name: name, parameters: [])
      while reader.skip(";") {
        guard let name = reader.token() else { return nil }
        var value: String?
        if reader.skip("=") {
          guard let found = reader.token() ?? reader.quotedToken() else { return nil }
          value = found
        }
        offer.parameters.append((name, value))
      }
      offers.append(offer)
      guard reader.isAtEnd || reader.skip(",") else { return nil }
    }
  }
}

private struct TokenReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == 32 || bytes[position] == 9 { position += 1 }
  }

  /// Skips the character with the spaces around it.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    skipSpaces()
    return true
  }

  mutating func token() -> String? {
    let token = bytes[position...].prefix(while: HeadReader.isToken)
    position = token.endIndex
    return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
  }

  /// A token in quotes, possibly with backslashes.
  mutating func quotedToken() -> String? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    var token: [UInt8] = []
    var index = position + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") { index += 1 }
      guard index < bytes.count, HeadReader.isToken(bytes[index]) else { return nil }
      token.append(bytes[index])
      index += 1
    }
    guard index < bytes.count, !token.isEmpty else { return nil }
    position = index + 1
    return String(decoding: token, as: UTF8.self)
  }
}
