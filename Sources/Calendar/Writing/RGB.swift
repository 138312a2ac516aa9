/// A colour in the notation of web pages.
struct RGB: Equatable, Sendable {
  /// 0…255.
  var red: Int
  var green: Int
  var blue: Int

  /// Parses "#rrggbb"; nil for anything else.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 7, bytes[0] == UInt8(ascii: "#") else { return nil }
    var value = 0
    for byte in bytes[1...] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value * 16 + Int(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value * 16 + Int(byte - UInt8(ascii: "a")) + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value * 16 + Int(byte - UInt8(ascii: "A")) + 10
      default: return nil
      }
    }
    (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
  }

  init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// An approximate measure of the visible difference of two colours: the eye is most sensitive to green.
  func distance(to other: RGB) -> Int {
    let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
    return 3 * r * r + 6 * g * g + b * b
  }
}
