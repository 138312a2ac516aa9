import CivilTime

/// A JSON value (RFC 8259) as this module reads it. Texts are UTF-8, since comparing Strings would bring Unicode's
/// tables into the browser; numbers stay as they were written. Members keep their order.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number([UInt8])
  case string([UInt8])
  case array([JSONValue])
  case object([JSONMember])
}

public struct JSONMember: Equatable, Sendable {
  public var name: [UInt8]
  public var value: JSONValue

  public init(_ name: [UInt8], _ value: JSONValue) {
    (self.name, self.value) = (name, value)
  }

  init(_ name: StaticString, _ value: JSONValue) {
    self.init(utf8(name), value)
  }
}

extension JSONValue {
  init(_ text: StaticString) { self = .string(utf8(text)) }
  init(_ number: EpochSeconds) { self = .number(digits(Int64(number))) }

  /// The member of that name. Null counts as absent.
  subscript(_ name: StaticString) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    for member in members where isEqual(member.name, name) {
      if case .null = member.value { return nil }
      return member.value
    }
    return nil
  }

  /// The words in a list of that name, without those that are not known.
  func words<Word: Named>(_ name: StaticString) -> [Word] {
    (self[name]?.list ?? []).compactMap { $0.utf8Text.flatMap { Word(named: $0) } }
  }

  /// This object with the members of another instead of its own; a member that is null goes.
  func replacing(members changes: JSONValue) -> JSONValue {
    var members = members ?? []
    for change in changes.members ?? [] {
      let place = members.firstIndex { $0.name == change.name }
      if change.value == .null {
        if let place { members.remove(at: place) }
      } else if let place {
        members[place] = change
      } else {
        members.append(change)
      }
    }
    return .object(members)
  }

  public var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }
  var list: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var utf8Text: [UInt8]? { if case .string(let text) = self { text } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// A text as a String, for use outside of the browser.
  var string: String? { utf8Text.map { String(decoding: $0, as: UTF8.self) } }

  /// A number without a fraction and an exponent that fits into 64 bits.
  var integer: Int64? {
    guard case .number(let digits) = self else { return nil }
    var (value, isNegative): (Int64, Bool) = (0, false)
    for byte in digits {
      if byte == 0x2D {
        isNegative = true
        continue
      }
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      // Counted downwards, since there is one negative number more.
      let (product, isTooSmall) = value.multipliedReportingOverflow(by: 10)
      let (difference, overflows) = product.subtractingReportingOverflow(Int64(byte - 0x30))
      if isTooSmall || overflows { return nil }
      value = difference
    }
    if !isNegative, value == Int64.min { return nil }
    return isNegative ? value : -value
  }

  /// A number as a Double, exact to 15 digits: enough for a share and for a place on earth.
  var double: Double? {
    guard case .number(let text) = self else { return nil }
    var (mantissa, exponent, written, position): (Double, Int, Int, Int) = (0, 0, 0, 0)
    var (isNegative, isFraction, isSmall) = (false, false, false)
    while position < text.count, text[position] | 0x20 != 0x65 {
      switch text[position] {
      case 0x2D: isNegative = true
      case 0x2E: isFraction = true
      default:
        mantissa = mantissa * 10 + Double(text[position] - 0x30)
        if isFraction { exponent -= 1 }
      }
      position += 1
    }
    position += 1
    while position < text.count {
      if text[position] == 0x2D { isSmall = true }
      if text[position] >= 0x30 { written = min(written * 10 + Int(text[position] - 0x30), 999) }
      position += 1
    }
    exponent += isSmall ? -written : written
    var power = 1.0
    for _ in 0..<(exponent < 0 ? -exponent : exponent) { power *= 10 }
    let value = exponent < 0 ? mantissa / power : mantissa * power
    return isNegative ? -value : value
  }
}

// MARK: Texts as bytes

/// The bytes of a literal.
func utf8(_ text: StaticString) -> [UInt8] {
  Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
}

func isEqual(_ bytes: [UInt8], _ text: StaticString) -> Bool {
  bytes.count == text.utf8CodeUnitCount && hasPrefix(bytes, text)
}

func hasPrefix(_ bytes: [UInt8], _ text: StaticString, at start: Int = 0) -> Bool {
  guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
  for index in 0..<text.utf8CodeUnitCount where bytes[start + index] != text.utf8Start[index] { return false }
  return true
}

/// The value of a hexadecimal digit, in either case; nil for another byte.
func hexadecimal(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}

/// True if one text comes before another, byte by byte.
func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  for index in 0..<min(left.count, right.count) where left[index] != right[index] { return left[index] < right[index] }
  return left.count < right.count
}

/// A number in decimal.
func digits(_ number: Int64) -> [UInt8] {
  var (text, rest): ([UInt8], UInt64) = ([], UInt64(number.magnitude))
  repeat {
    text.append(0x30 + UInt8(rest % 10))
    rest /= 10
  } while rest > 0
  if number < 0 { text.append(0x2D) }
  text.reverse()
  return text
}

/// The length of a text of at most so many bytes that ends between two characters of Unicode.
func endOfCharacter(_ text: [UInt8], bytes most: Int) -> Int {
  if text.count <= most { return text.count }
  var end = max(most, 0)
  while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
  return end
}
