/// Checks text that arrives in pieces for UTF-8 (RFC 3629 section 4), and fails at the first byte that is not possible.
struct UTF8Check: Sendable {
  /// Bytes still missing of the current character, and the range of the next one.
  private var missing: UInt8 = 0
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xbf

  /// Checks the next bytes.
  /// - Returns: false when the text cannot be UTF-8.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count {
      if missing == 0, position + 8 <= bytes.count {
        let word = UnsafeRawPointer(bytes.baseAddress! + position).loadUnaligned(as: UInt64.self)
        if word & 0x8080_8080_8080_8080 == 0 {
          position += 8
          continue
        }
      }
      if !take(bytes[position]) { return false }
      position += 1
    }
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard byte >= low, byte <= high else { return false }
      missing -= 1
      (low, high) = (0x80, 0xbf)
      return true
    }
    switch byte {
    case 0..<0x80: return true
    case 0xc2...0xdf: missing = 1
    // No overlong forms, no surrogates, nothing above U+10FFFF.
    case 0xe0: (missing, low) = (2, 0xa0)
    case 0xed: (missing, high) = (2, 0x9f)
    case 0xe1...0xef: missing = 2
    case 0xf0: (missing, low) = (3, 0x90)
    case 0xf4: (missing, high) = (3, 0x8f)
    case 0xf1...0xf3: missing = 3
    default: return false
    }
    return true
  }
}
