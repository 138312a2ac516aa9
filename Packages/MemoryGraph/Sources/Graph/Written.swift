import Glibc

/// Formats values of Foundation and of the standard library.
enum Written {
  /// A date as Foundation's formatters write it (`ISO8601FormatStyle`): before 15 October 1582 in the Julian calendar,
  /// so that `Date.distantPast` is the first day of year 1. Outside of the years 1 to 9999, the number itself.
  ///
  /// - Parameter seconds: since 2001, as in `Date`.
  static func date(_ seconds: Double) -> String {
    let whole = seconds.rounded(.down)
    var parts = tm()
    let number = "\(seconds) s since 2001"
    guard seconds.magnitude < mostSeconds else { return number }
    var time = time_t(whole) + secondsBefore2001
    guard gmtime_r(&time, &parts) != nil else { return number }
    if time < firstGregorian { setJulian(&parts, daysSince1970: Int((Double(time) / 86_400).rounded(.down))) }
    guard (1...9999).contains(parts.tm_year + 1900) else { return number }
    func digits(_ number: Int32, _ count: Int = 2) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    let thousandths = Int32(((seconds - whole) * 1000).rounded(.down))
    let fraction = thousandths == 0 ? "" : "." + digits(thousandths, 3)
    return "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday)) "
      + "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))\(fraction) UTC"
  }

  /// A little more than from 2001 to 9999.
  private static let mostSeconds = 1e12
  private static let secondsBefore2001 = 978_307_200
  /// 15 October 1582, in seconds since 1970.
  private static let firstGregorian = -12_219_292_800

  /// Sets a date of the Julian calendar, from the year -4800 on. Years begin in March here, so that a leap day is their
  /// last.
  private static func setJulian(_ parts: inout tm, daysSince1970 days: Int) {
    let sinceMarch4801BC = days + 2_440_588 + 32_082
    let year = (4 * sinceMarch4801BC + 3) / 1461
    let day = sinceMarch4801BC - 1461 * year / 4
    let month = (5 * day + 2) / 153
    parts.tm_mday = Int32(day - (153 * month + 2) / 5 + 1)
    parts.tm_mon = Int32((month + 2) % 12)
    parts.tm_year = Int32(year - 4800 + month / 10 - 1900)
  }

  /// - Parameter attoseconds: 10^-18 seconds.
  static func duration(_ attoseconds: Int128) -> String {
    decimal(attoseconds.magnitude, exponent: -18, isNegative: attoseconds < 0) + " s"
  }

  /// - Parameter exponent: the power of ten, from -128 to 127.
  static func decimal(_ mantissa: UInt128, exponent: Int, isNegative: Bool) -> String {
    var digits = "\(mantissa)"
    if mantissa != 0, exponent > 0 { digits += String(repeating: "0", count: exponent) }
    if exponent < 0 {
      digits = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
      let fraction = digits.suffix(-exponent)
      let rest = String(fraction.reversed().drop { $0 == "0" }.reversed())
      digits = digits.dropLast(-exponent) + (rest.isEmpty ? "" : "." + rest)
    }
    return isNegative && mantissa != 0 ? "-" + digits : digits
  }
}
