import CivilTime
public import Wire

/// Milliseconds since 1970 as Parse writes them: "2026-01-01T00:00:00.000Z". Texts of this form sort as their times do.
public enum ObjectDate {
  /// - Parameter milliseconds: in the years 0 to 9999.
  public static func text(_ milliseconds: Int) -> String {
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000)
    let rest = milliseconds - seconds * 1000
    let wall = WallTime(seconds: seconds)
    // Each answer has two of them for each object, so they are written without texts in between.
    return String(unsafeUninitializedCapacity: 28) { bytes in
      var count = 0
      func write(_ number: Int, _ width: Int, _ end: StaticString) {
        var number = number
        for place in stride(from: width - 1, through: 0, by: -1) {
          bytes[count + place] = 48 + UInt8(number % 10)
          number /= 10
        }
        bytes[count + width] = end.utf8Start.pointee
        count += width + 1
      }
      write(wall.date.year, 4, "-")
      write(wall.date.month, 2, "-")
      write(wall.date.day, 2, "T")
      write(wall.secondOfDay / 3600, 2, ":")
      write(wall.secondOfDay / 60 % 60, 2, ":")
      write(wall.secondOfDay % 60, 2, ".")
      write(rest, 3, "Z")
      return count
    }
  }

  /// The time that a text of RFC 3339 says, for the years 0 to 9999, rounded down to milliseconds. As in JavaScript, a
  /// day alone is its midnight in UTC, and seconds may be left out.
  public static func milliseconds(_ text: String) -> Int? {
    guard let seconds = parseTimestamp(text) ?? completed(text).flatMap({ parseTimestamp($0) }) else { return nil }
    var fraction = 0
    if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) {
      var scale = 100
      for byte in text.utf8[text.utf8.index(after: point)...] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), scale > 0 else { break }
        fraction += Int(byte - UInt8(ascii: "0")) * scale
        scale /= 10
      }
    }
    let all = seconds * 1000 + fraction
    return range.contains(all) ? all : nil
  }

  /// "2026-01-01" or "2026-01-01T12:00Z" with what it leaves out; nil for a text that is too long, or too short.
  private static func completed(_ text: String) -> String? {
    let bytes = text.utf8
    if bytes.count == 10 { return text + "T00:00:00Z" }
    guard (17...22).contains(bytes.count) else { return nil }
    let zone = bytes.index(bytes.startIndex, offsetBy: 16)
    return "\(text[..<zone]):00\(text[zone...])"
  }

  /// The years 0 to 9999, which have four digits.
  private static let range = -62_167_219_200_000...253_402_300_799_999

  /// The value of a field of the type Date.
  public static func json(_ milliseconds: Int) -> JSON {
    ["__type": "Date", "iso": .string(text(milliseconds))]
  }

  /// The time that a value of the type Date says; nil for other values.
  public static func milliseconds(_ json: JSON) -> Int? {
    guard json["__type"]?.string == "Date", let text = json["iso"]?.string else { return nil }
    return milliseconds(text)
  }
}
