/// A colour in the notation of web pages.
struct RGB: Equatable, Sendable {
  /// 0…255.
  var red: Int
  var green: Int
  var blue: Int

  /// Parses "#rrggbb"; nil for anything else.
  init?(_ text: String) {
    let digits = text.dropFirst()
    // Int alone would take a sign, and isHexDigit digits of double width.
    guard text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
  }

  init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// An approximate measure of the visible difference of two colours: the eye is most sensitive to green.
  func distance(to other: RGB) -> Int {
    let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
    return 3 * r * r + 6 * g * g + b * b
  }
}
