/// Reads numbers of a fixed width and single characters from a text, strictly.
struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, without consuming it.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Exactly so many ASCII digits as a number; nil, and nothing consumed, if there are fewer.
  mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for index in position..<position + digits {
      guard bytes[index] >= 0x30, bytes[index] <= 0x39 else { return nil }
      value = value * 10 + Int(bytes[index] - 0x30)
    }
    position += digits
    return value
  }

  /// One to `most` ASCII digits as a number.
  mutating func number(upTo most: Int) -> Int? {
    var value = 0
    var count = 0
    while count < most, position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
      value = value * 10 + Int(bytes[position] - 0x30)
      position += 1
      count += 1
    }
    return count > 0 ? value : nil
  }

  /// Consumes an ASCII character if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  /// Consumes bytes for as long as they pass a test, and returns their count.
  mutating func skip(while test: (UInt8) -> Bool) -> Int {
    let start = position
    while position < bytes.count, test(bytes[position]) { position += 1 }
    return position - start
  }
}

/// Appends a number with leading zeros up to a width.
func appendNumber(_ number: Int, width: Int, to digits: inout [UInt8]) {
  var divisor = 1
  for _ in 1..<width { divisor *= 10 }
  while divisor > 0 {
    digits.append(UInt8(0x30 + number / divisor % 10))
    divisor /= 10
  }
}

/// Appends "2026-11-20".
func appendDate(_ date: CivilDate, to digits: inout [UInt8]) {
  appendNumber(date.year, width: 4, to: &digits)
  digits.append(0x2D)
  appendNumber(date.month, width: 2, to: &digits)
  digits.append(0x2D)
  appendNumber(date.day, width: 2, to: &digits)
}
