#if _pointerBitWidth(_64)
  /// Seconds since 1970, UTC or wall time: 64 bits on every machine.
  public typealias EpochSeconds = Int
#else
  /// Seconds since 1970, UTC or wall time: 64 bits on every machine. (An Int of 32 bits, as in WebAssembly, ends in
  /// 2038.)
  public typealias EpochSeconds = Int64
#endif

/// A wall time: a date and a time of day, without a time zone.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00 wall time. Every day has 86,400 of them.
  public let seconds: EpochSeconds

  /// - Parameter seconds: since 1970-01-01T00:00:00 wall time.
  public init(seconds: EpochSeconds) {
    self.seconds = seconds
  }

  /// A time of a date; a `secondOfDay` outside of 0…86,399 runs into the neighbouring days.
  public init(date: CivilDate, secondOfDay: Int) {
    seconds = EpochSeconds(date.dayNumber) * EpochSeconds(secondsPerDay) + EpochSeconds(secondOfDay)
  }

  public var date: CivilDate { CivilDate(dayNumber: dayNumber) }

  /// Days since 1970-01-01.
  public var dayNumber: Int { Int(floorDivide(seconds, EpochSeconds(secondsPerDay))) }

  /// Seconds since midnight, 0…86,399.
  public var secondOfDay: Int { Int(floorRemainder(seconds, EpochSeconds(secondsPerDay))) }

  public static func < (left: WallTime, right: WallTime) -> Bool { left.seconds < right.seconds }
}

/// Parses a time of day such as "18:00" or "8:00" to seconds since midnight; nil for anything else.
public func parseTimeOfDay(_ text: String) -> Int? {
  var reader = DigitReader(text)
  guard let hour = reader.number(upTo: 2), hour < 24, reader.skip(":"), let minute = reader.number(digits: 2),
    minute < 60, reader.isAtEnd
  else { return nil }
  return hour * 3600 + minute * 60
}

/// A time of day as "08:05".
/// - Parameter second: seconds since midnight, 0…86,399; those beyond the minute are left out.
public func timeOfDay(_ second: Int) -> String {
  var text: [UInt8] = []
  appendNumber(second / 3600, width: 2, to: &text)
  text.append(0x3A)
  appendNumber(second / 60 % 60, width: 2, to: &text)
  return String(decoding: text, as: UTF8.self)
}

/// Seconds of a day of wall time, and of POSIX time.
public let secondsPerDay = 86_400

/// Division that rounds towards minus infinity, since instants before 1970 are negative.
func floorDivide<Number: SignedInteger>(_ dividend: Number, _ divisor: Number) -> Number {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}

/// The remainder of `floorDivide`, 0..<divisor.
func floorRemainder<Number: SignedInteger>(_ dividend: Number, _ divisor: Number) -> Number {
  let remainder = dividend % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
