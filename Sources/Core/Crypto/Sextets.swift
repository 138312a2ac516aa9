/// Bytes from the digits of base64 (RFC 4648), six bits each.
struct Sextets: Sendable {
  private var bits: UInt32 = 0
  private var count = 0

  /// The value of a digit: a letter, a figure, or one of the last two, in which the alphabets differ.
  static func value(of character: UInt8, _ last: (UInt8, UInt8)) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case last.0: 62
    case last.1: 63
    default: nil
    }
  }

  /// Takes a digit's value, which may complete a byte.
  mutating func take(_ value: UInt8, _ bytes: inout [UInt8]) {
    bits = bits << 6 | UInt32(value)
    count += 6
    guard count >= 8 else { return }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    bits &= (1 << UInt32(count)) - 1
  }

  /// True if the digits may end here: none is missing, and no bit that is left over is set.
  var isComplete: Bool { bits == 0 && count < 6 }
}
