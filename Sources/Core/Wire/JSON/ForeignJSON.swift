import CJansson

/// A JSON text of somebody else's program, read although it is not quite JSON. What we are sent ourselves is read
/// strictly (`JSON.init(parsing:)`).
public struct ForeignJSON: Sendable {
  /// What a text has that JSON has not.
  public enum Deviation: Sendable {
    /// A byte order mark at the beginning. Browsers skip it.
    case byteOrderMark
    /// Bytes that are not UTF-8. Browsers read U+FFFD.
    case notUTF8
    /// A comma behind the last value of a list or an object. Browsers refuse it, JavaScript does not.
    case trailingComma
    /// A name twice in one object. In browsers the last one counts.
    case repeatedName
  }

  public let value: JSON
  public private(set) var deviations: [Deviation] = []

  /// - Parameter values: as in `JSON.init(parsing:)`.
  public init(_ text: [UInt8], values: Int = WireLimits.jsonValues) throws(JSONError) {
    var bytes = text
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes.removeFirst(3)
      deviations.append(.byteOrderMark)
    }
    if String(validating: bytes, as: UTF8.self) == nil {
      bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
      deviations.append(.notUTF8)
    }
    let without = Self.withoutTrailingCommas(bytes)
    if without.count < bytes.count { deviations.append(.trailingComma) }
    let plain = Self.withinBounds(without, clamps: true)
    if let strict = try? JSON(parsing: plain, values: values) {
      value = strict
      return
    }
    value = try JSON(plain, values: values, flags: Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL))
    // A name twice, or a NUL in a text: nothing else is taken here and refused above.
    if (try? JSON(plain, values: values, flags: Int(JSON_DECODE_ANY))) != nil { deviations.append(.repeatedName) }
  }

  /// The text as browsers read it where Jansson has bounds and JSON has none: integers of more than 64 bits become
  /// fractions, and halves of characters ("\\ud83d") U+FFFD.
  /// - Parameter clamps: true to read what is too large for a fraction as the largest there is.
  fileprivate static func withinBounds(_ bytes: [UInt8], clamps: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var (isInString, position) = (false, 0)
    while position < bytes.count {
      let byte = bytes[position]
      var end = position + 1
      if isInString, byte == UInt8(ascii: "\\") {
        end = min(position + 2, bytes.count)
        if let unit = codeUnit(bytes, at: position) {
          let isPair =
            UTF16.isLeadSurrogate(unit) && codeUnit(bytes, at: position + 6).map(UTF16.isTrailSurrogate) == true
          end = position + (isPair ? 12 : 6)
          if !isPair, UTF16.isSurrogate(unit) {
            result += "\\ufffd".utf8
            position = end
            continue
          }
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if !isInString, isOfNumber(byte) {
        end = bytes[position...].firstIndex { !isOfNumber($0) } ?? bytes.count
        result += bounded(bytes[position..<end], clamps: clamps)
        position = end
        continue
      }
      result += bytes[position..<end]
      position = end
    }
    return result
  }

  /// The number of an escape such as "\\u00e4"; nil for anything else.
  private static func codeUnit(_ bytes: [UInt8], at place: Int) -> UInt16? {
    guard place + 6 <= bytes.count, bytes[place..<place + 2].elementsEqual("\\u".utf8) else { return nil }
    return UInt16(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
  }

  private static func bounded(_ number: ArraySlice<UInt8>, clamps: Bool) -> [UInt8] {
    let text = String(decoding: number, as: UTF8.self)
    guard Int(text) == nil, let value = Double(text) else { return Array(number) }
    if !value.isFinite {
      return clamps ? Array((value < 0 ? "-" : "").utf8) + "\(Double.greatestFiniteMagnitude)".utf8 : Array(number)
    }
    let isInteger = number.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    return Array(number) + (isInteger ? ".0" : "").utf8
  }

  /// The text without commas that come before a closing bracket or brace, and after a value.
  private static func withoutTrailingCommas(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var (isInString, isEscaped) = (false, false)
    /// The place of a comma behind which there was only white space yet, and the place of the last other byte.
    var comma: Int?
    var before: UInt8?
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          isInString = byte != UInt8(ascii: "\"")
        }
        result.append(byte)
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: break
      case UInt8(ascii: ","):
        let isFirst = before == nil || before == UInt8(ascii: "[") || before == UInt8(ascii: "{")
        comma = isFirst || before == byte ? nil : result.count
        before = byte
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let place = comma { result.remove(at: place) }
        (comma, before) = (nil, byte)
      default:
        isInString = byte == UInt8(ascii: "\"")
        (comma, before) = (nil, byte)
      }
      result.append(byte)
    }
    return result
  }
}

extension JSON {
  /// Parses a JSON text that a program in JavaScript has written, with Jansson's bounds put right: a text cut in the
  /// middle of an emoji (U+FFFD stands for the half), and integers of more than 64 bits, which become fractions. All
  /// else is read as strictly as by `init(parsing:)`; a number that is too large even for a fraction is refused, since
  /// another one would be kept in its place.
  /// - Parameter values: as in `init(parsing:)`.
  public init(fromBrowser bytes: [UInt8], values: Int = WireLimits.jsonValues) throws(JSONError) {
    do throws(JSONError) {
      try self.init(parsing: bytes, values: values)
    } catch {
      let plain = ForeignJSON.withinBounds(bytes, clamps: false)
      guard plain != bytes else { throw error }
      try self.init(parsing: plain, values: values)
    }
  }

  public init(fromBrowser text: String, values: Int = WireLimits.jsonValues) throws(JSONError) {
    try self.init(fromBrowser: Array(text.utf8), values: values)
  }
}
