/// Decodes base64 (RFC 4648 section 4) that comes in pieces.
public struct Base64Decoder: Sendable {
  private var bits: UInt32 = 0
  private var count = 0
  private var padding = 0
  private var length = 0

  public init() {}

  /// The bytes that the next characters complete; nil for what is no base64.
  public mutating func decode(_ characters: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.underestimatedCount * 3 / 4 + 3)
    for character in characters {
      length += 1
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = Self.value(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      bits &= (1 << UInt32(count)) - 1
    }
    return bytes
  }

  /// True if the text may end here: with its padding, or, as some programs write it, without.
  public var isComplete: Bool { bits == 0 && count < 6 && (padding == 0 || padding < 3 && length % 4 == 0) }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
