/// The place and the reason why a text was not read.
struct JSONFault: Error {
  var position: Int
  var accepted: StaticString
}

/// Reads a JSON text (RFC 8259) strictly. What it accepts every other reader in the house accepts too: valid UTF-8
/// without NUL, no name twice in an object, integers of 64 bits, fractions below 10^308. The depth, the values and the
/// bytes are bounded.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var valuesLeft: Int

  /// Reads a content, or something like it.
  static func read(_ bytes: [UInt8]) throws(JSONFault) -> JSONValue {
    guard bytes.count <= NotificationLimits.textBytes else {
      throw JSONFault(position: NotificationLimits.textBytes, accepted: "at most 65536 bytes are accepted")
    }
    return try read(bytes, values: NotificationLimits.values)
  }

  static func read(_ bytes: [UInt8], values: Int) throws(JSONFault) -> JSONValue {
    var reader = JSONReader(bytes: bytes, valuesLeft: values)
    reader.skipSpaces()
    let value = try reader.value(depth: 1)
    reader.skipSpaces()
    guard reader.position == bytes.count else { throw reader.fault("nothing behind the value is accepted") }
    return value
  }

  private init(bytes: [UInt8], valuesLeft: Int) {
    (self.bytes, self.valuesLeft) = (bytes, valuesLeft)
  }

  private func fault(_ accepted: StaticString) -> JSONFault { JSONFault(position: position, accepted: accepted) }

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpaces() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth <= NotificationLimits.depth else { throw fault("at most 16 levels are accepted") }
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw fault("at most 1000 values are accepted") }
    switch next {
    case 0x7B: return .object(try object(depth: depth))
    case 0x5B: return .array(try array(depth: depth))
    case 0x22: return .string(try string())
    case 0x74: return try word("true", .bool(true))
    case 0x66: return try word("false", .bool(false))
    case 0x6E: return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    for index in 0..<text.utf8CodeUnitCount {
      guard skip(text.utf8Start[index]) else { throw fault("true, false or null is accepted") }
    }
    return value
  }

  private mutating func object(depth: Int) throws(JSONFault) -> [JSONMember] {
    position += 1
    var members: [JSONMember] = []
    skipSpaces()
    if skip(0x7D) { return members }
    repeat {
      skipSpaces()
      guard next == 0x22 else { throw fault("a name in quotes is accepted") }
      let start = position
      let name = try string()
      for member in members where member.name == name {
        position = start
        throw fault("a name that comes once in its object is accepted")
      }
      guard members.count < NotificationLimits.members else { throw fault("at most 100 members are accepted") }
      skipSpaces()
      guard skip(0x3A) else { throw fault("a colon is accepted") }
      skipSpaces()
      members.append(JSONMember(name, try value(depth: depth + 1)))
      skipSpaces()
    } while skip(0x2C)
    guard skip(0x7D) else { throw fault("a comma or } is accepted") }
    return members
  }

  private mutating func array(depth: Int) throws(JSONFault) -> [JSONValue] {
    position += 1
    var values: [JSONValue] = []
    skipSpaces()
    if skip(0x5D) { return values }
    repeat {
      skipSpaces()
      values.append(try value(depth: depth + 1))
      skipSpaces()
    } while skip(0x2C)
    guard skip(0x5D) else { throw fault("a comma or ] is accepted") }
    return values
  }

  // MARK: Texts

  private mutating func string() throws(JSONFault) -> [UInt8] {
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x22 {
        position += 1
        return Array(bytes[start..<position - 1])
      }
      if byte == 0x5C { return try escapedString(Array(bytes[start..<position])) }
      try skipScalar()
    }
    throw fault("a closing quote is accepted")
  }

  /// The rest of a text from its first escape on.
  private mutating func escapedString(_ start: [UInt8]) throws(JSONFault) -> [UInt8] {
    var text = start
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        position += 1
        return text
      case 0x5C: try appendEscaped(to: &text)
      default:
        let start = position
        try skipScalar()
        text += bytes[start..<position]
      }
    }
    throw fault("a closing quote is accepted")
  }

  /// Steps over one character, which has to be valid UTF-8 (RFC 3629, section 4).
  private mutating func skipScalar() throws(JSONFault) {
    let first = bytes[position]
    if first < 0x80 {
      guard first >= 0x20 else { throw fault("an escape instead of a control character is accepted") }
      position += 1
      return
    }
    var (low, high): (UInt8, UInt8) = (0x80, 0xBF)
    let length: Int
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { low = 0xA0 }
      if first == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { low = 0x90 }
      if first == 0xF4 { high = 0x8F }
    default: throw fault("valid UTF-8 is accepted")
    }
    guard position + length <= bytes.count, bytes[position + 1] >= low, bytes[position + 1] <= high else {
      throw fault("valid UTF-8 is accepted")
    }
    for index in position + 2..<position + length where bytes[index] & 0xC0 != 0x80 {
      throw fault("valid UTF-8 is accepted")
    }
    position += length
  }

  private mutating func appendEscaped(to text: inout [UInt8]) throws(JSONFault) {
    position += 1
    let escape = next
    position += 1
    switch escape {
    case 0x22, 0x5C, 0x2F: text.append(escape)
    case 0x62: text.append(8)
    case 0x66: text.append(12)
    case 0x6E: text.append(10)
    case 0x72: text.append(13)
    case 0x74: text.append(9)
    case 0x75:
      var scalar = try fourDigits()
      if scalar >= 0xD800, scalar <= 0xDFFF {
        guard scalar < 0xDC00, skip(0x5C), skip(0x75) else { throw fault("a pair of surrogates is accepted") }
        let low = try fourDigits()
        guard low >= 0xDC00, low <= 0xDFFF else { throw fault("a pair of surrogates is accepted") }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
      }
      guard scalar != 0 else { throw fault("a text without NUL is accepted") }
      appendScalar(scalar, to: &text)
    default:
      position -= 1
      throw fault("an escape that JSON has is accepted")
    }
  }

  private mutating func fourDigits() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimal(next) else { throw fault("four hexadecimal digits are accepted") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private func appendScalar(_ scalar: UInt32, to text: inout [UInt8]) {
    func rest(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(scalar >> shift & 0x3F) }
    switch scalar {
    case ..<0x80: text.append(UInt8(scalar))
    case ..<0x800: text += [0xC0 | UInt8(scalar >> 6), rest(0)]
    case ..<0x10000: text += [0xE0 | UInt8(scalar >> 12), rest(6), rest(0)]
    default: text += [0xF0 | UInt8(scalar >> 18), rest(12), rest(6), rest(0)]
    }
  }

  // MARK: Numbers

  private mutating func number() throws(JSONFault) -> [UInt8] {
    let start = position
    _ = skip(0x2D)
    let first = position
    if !skip(0x30) { try digits() }
    // The number is below 10 to the power of this.
    var magnitude = position - first
    let isInteger = next != 0x2E && next | 0x20 != 0x65
    if skip(0x2E) { try digits() }
    if next | 0x20 == 0x65 {
      position += 1
      let isSmall = next == 0x2D
      if isSmall || next == 0x2B { position += 1 }
      let exponent = position
      try digits()
      var value = 0
      for index in exponent..<position { value = min(value * 10 + Int(bytes[index] - 0x30), 10_000) }
      magnitude += isSmall ? -value : value
    }
    let text = Array(bytes[start..<position])
    let isInRange = isInteger ? JSONValue.number(text).integer != nil : magnitude <= 308 && magnitude > -300
    guard isInRange, text.count <= NotificationLimits.numberBytes else {
      position = start
      throw fault("an integer of 64 bits, or at most 40 bytes of a fraction below 10^308, is accepted")
    }
    return text
  }

  private mutating func digits() throws(JSONFault) {
    let start = position
    while next >= 0x30, next <= 0x39 { position += 1 }
    guard position > start else { throw fault("a value is accepted") }
  }
}
