import Glibc

/// Values of Foundation and of the standard library as they are written.
enum Written {
  /// - Parameter seconds: since 2001, as `Date` counts; nil when that is no moment of the next and last 3,000 years.
  static func date(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds.magnitude < 1e11 else { return nil }
    let whole = seconds.rounded(.down)
    var time = time_t(whole) + secondsBefore2001
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return nil }
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let thousandths = Int(((seconds - whole) * 1000).rounded(.down))
    let fraction = thousandths == 0 ? "" : "." + String(String(1000 + thousandths).dropFirst())
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))\(fraction) UTC"
  }

  private static let secondsBefore2001 = 978_307_200

  /// - Parameter attoseconds: 10^-18 seconds.
  static func duration(_ attoseconds: Int128) -> String {
    decimal(attoseconds.magnitude, exponent: -18, isNegative: attoseconds < 0) + " s"
  }

  /// - Parameter exponent: of ten, from -128 to 127.
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
