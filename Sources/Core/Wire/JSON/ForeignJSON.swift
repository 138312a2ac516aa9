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
    if let strict = try? JSON(parsing: without, values: values) {
      value = strict
      return
    }
    value = try JSON(without, values: values, flags: Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL))
    // A name twice, or a NUL in a text: nothing else is taken here and refused above.
    if (try? JSON(without, values: values, flags: Int(JSON_DECODE_ANY))) != nil { deviations.append(.repeatedName) }
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
