/// One sentence of NMEA 0183, its checksum checked: "$GPRMC,120000,A,…*hh".
struct NMEASentence {
  /// The talker and the kind, such as "GPRMC".
  let address: String
  /// The fields after the address; empty ones are legal.
  let fields: [Substring]

  /// The kind without the talker, such as "RMC".
  var kind: Substring { address.suffix(3) }

  func text(_ index: Int) -> Substring { index < fields.count ? fields[index] : "" }

  func number(_ index: Int) -> Double? { Double(text(index)) }

  /// Reads a line. What stands before the last dollar sign, such as a logger's time, a tag block, or the beginning of a
  /// sentence that was cut off, is skipped.
  /// - Returns: nil for a line without a sentence (AIS, comments).
  init?(_ line: UnsafeBufferPointer<UInt8>) throws(Refused) {
    guard let start = line.lastIndex(of: UInt8(ascii: "$")) else { return nil }
    let sentence = line[(start + 1)...]
    guard let star = sentence.firstIndex(of: UInt8(ascii: "*")) else {
      throw Refused(sentence.count < Self.shortest ? .unfinished : .checksumMissing)
    }
    let body = sentence[..<star]
    let digits = sentence[(star + 1)...].prefix { $0 > 32 }
    guard digits.count == 2, let said = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw Refused(digits.count < 2 ? .unfinished : .checksumWrong)
    }
    guard body.reduce(0, ^) == said else { throw Refused(.checksumWrong) }
    guard body.allSatisfy({ $0 >= 32 && $0 < 127 }) else { throw Refused(.unreadable) }
    let parts = String(decoding: body, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
    address = String(parts[0])
    fields = Array(parts.dropFirst())
  }

  private static let shortest = 6

  // MARK: Fields

  /// An angle of two fields: "5406.0000" and "N" is 54° 6′ north. Nil if one is empty.
  func angle(_ index: Int, degreeDigits: Int) throws(Refused) -> Double? {
    let (digits, side) = (text(index), text(index + 1))
    if digits.isEmpty || side.isEmpty { return nil }
    let whole = digits.prefix { $0 != "." }
    guard (degreeDigits...degreeDigits + 2).contains(whole.count),
      digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 || $0 == UInt8(ascii: ".") }),
      let degrees = Double(digits.prefix(whole.count - 2).isEmpty ? "0" : digits.prefix(whole.count - 2)),
      let minutes = Double(digits.dropFirst(whole.count - 2)), minutes < 60
    else { throw Refused(.positionImpossible) }
    let sides: [Substring] = degreeDigits == 2 ? ["N", "S"] : ["E", "W"]
    guard sides.contains(side) else { throw Refused(.positionImpossible) }
    let angle = degrees + minutes / 60
    return side == sides[1] ? -angle : angle
  }

  /// Seconds since midnight of a field such as "120000.50"; nil if it is empty or no time.
  func secondOfDay(_ index: Int) -> Double? {
    let text = text(index)
    let whole = text.prefix { $0 != "." }
    guard whole.utf8.count == 6, let number = Int(whole), number >= 0, let seconds = Double(text.dropFirst(4)),
      number / 10_000 < 24, number / 100 % 100 < 60, seconds < 61
    else { return nil }
    return Double(number / 10_000 * 3_600 + number / 100 % 100 * 60) + seconds
  }
}
