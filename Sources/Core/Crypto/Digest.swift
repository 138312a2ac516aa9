import COpenSSL

/// Digests, random bytes and their spellings, by OpenSSL's libcrypto.
public enum Digest {
  public static let sha256Bytes = 32

  /// The SHA-256 digest, 32 bytes (FIPS 180-4).
  public static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] { digest(bytes, fetchedSHA256) }

  /// The SHA-1 digest, 20 bytes. Only for protocols that demand it, such as RFC 6455's handshake; it is broken for all
  /// else.
  public static func sha1(_ bytes: some Collection<UInt8>) -> [UInt8] { digest(bytes, EVP_sha1()) }

  /// The MD5 digest, 16 bytes (RFC 1321). Only for protocols that demand it, such as Pusher's HTTP API, where an HMAC
  /// stands over it; it is broken for all else.
  public static func md5(_ bytes: some Collection<UInt8>) -> [UInt8] { digest(bytes, EVP_md5()) }

  /// Cryptographically secure random bytes. Traps when the system has none, since nothing secret can be made then.
  public static func random(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "OpenSSL has no random bytes")
      initialized = count
    }
  }

  /// The bytes that hexadecimal digits spell; nil for anything else.
  public static func bytes(hex text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { digits in
      guard digits.count.isMultiple(of: 2) else { return nil }
      var isHex = true
      let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
        while count < digits.count / 2, let high = value(digits[2 * count]), let low = value(digits[2 * count + 1]) {
          bytes.initializeElement(at: count, to: high << 4 | low)
          count += 1
        }
        isHex = count == digits.count / 2
      }
      return isHex ? bytes : nil
    }
  }

  /// The value of a hexadecimal digit.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 65...70: digit - 55
    case 97...102: digit - 87
    default: nil
    }
  }

  public static func hex(_ bytes: some Collection<UInt8>) -> String {
    // As an array, since loops over other collections are not specialized across modules.
    let bytes = Array(bytes)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      var end = 0
      for byte in bytes {
        text[end] = digit(byte >> 4)
        text[end + 1] = digit(byte & 15)
        end += 2
      }
      return end
    }
  }

  /// The hexadecimal digit of a value below 16.
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The UUID of 16 bytes, some bits of which say how they were made (RFC 9562 section 4).
  /// - Parameter version: 4 for random ones, 8 for others.
  public static func uuid(_ bytes: [UInt8], version: UInt8) -> String {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | version << 4
    bytes[8] = bytes[8] & 0x3F | 0x80
    let parts: [Range<Int>] = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return parts.map { hex(bytes[$0]) }.joined(separator: "-")
  }

  /// The bytes in base64 (RFC 4648 section 4), with padding.
  public static func base64(_ bytes: [UInt8]) -> String {
    let encoded = [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4 + 1) { buffer, initialized in
      initialized = Int(EVP_EncodeBlock(buffer.baseAddress, bytes, Int32(bytes.count)))
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The bytes in base64url (RFC 4648 section 5), without padding.
  public static func base64URL(_ bytes: [UInt8]) -> String {
    String(
      base64(bytes).compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// Fetched once and never freed: EVP_sha256 fetches it at each use, which takes longer than a short digest.
  nonisolated(unsafe) private static let fetchedSHA256 = EVP_MD_fetch(nil, "SHA256", nil)

  private static func digest(_ bytes: some Collection<UInt8>, _ algorithm: OpaquePointer?) -> [UInt8] {
    let bytes = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, initialized in
      var size: UInt32 = 0
      let code = EVP_Digest(bytes, bytes.count, buffer.baseAddress, &size, algorithm, nil)
      precondition(code == 1, "OpenSSL cannot compute a digest")
      initialized = Int(size)
    }
  }
}
