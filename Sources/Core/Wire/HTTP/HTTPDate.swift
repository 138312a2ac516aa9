import CivilTime

/// Parses the dates of HTTP (RFC 9110 section 5.6.7); `ResponseHead.date` writes them.
public enum HTTPDate {
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// Seconds since 1970 of a date in any of its three forms:
  ///
  /// - `Sun, 06 Nov 1994 08:49:37 GMT`
  /// - `Sunday, 06-Nov-94 08:49:37 GMT`, obsolete (RFC 850)
  /// - `Sun Nov  6 08:49:37 1994`, obsolete (C's asctime)
  ///
  /// nil for anything else, for a day that is not in the calendar, and for one that has another weekday.
  /// - Parameter now: seconds since 1970, which decides the century of a year with two digits.
  public static func seconds(_ text: some StringProtocol, now: Int) -> Int? {
    var text = Rest(bytes: Array(text.utf8))
    let (weekday, year, month, day, clock): (Int, Int, Int, Int, Int)
    if let found = text.skip(anyOf: weekdays.map { $0 + ", " }) {
      weekday = found
      guard let two = text.number(2), text.skip(" "), let name = text.skip(anyOf: months), text.skip(" "),
        let four = text.number(4), text.skip(" "), let time = text.clock(), text.skip(" GMT")
      else { return nil }
      (year, month, day, clock) = (four, name, two, time)
    } else if let found = text.skip(anyOf: longWeekdays.map { $0 + ", " }) {
      weekday = found
      guard let two = text.number(2), text.skip("-"), let name = text.skip(anyOf: months), text.skip("-"),
        let short = text.number(2), text.skip(" "), let time = text.clock(), text.skip(" GMT")
      else { return nil }
      (year, month, day, clock) = (century(of: short, now: now), name, two, time)
    } else if let found = text.skip(anyOf: weekdays.map { $0 + " " }) {
      weekday = found
      guard let name = text.skip(anyOf: months), text.skip(" "),
        let two = text.skip(" ") ? text.number(1) : text.number(2),
        text.skip(" "), let time = text.clock(), text.skip(" "), let four = text.number(4)
      else { return nil }
      (year, month, day, clock) = (four, name, two, time)
    } else {
      return nil
    }
    guard text.isEmpty, let date = CivilDate(validYear: year, month: month + 1, day: day), date.weekday == weekday + 1
    else { return nil }
    return Int(WallTime(date: date, secondOfDay: clock).seconds)
  }

  /// The year with two digits in full: one more than 50 years ahead belongs to the century before.
  private static func century(of year: Int, now: Int) -> Int {
    let thisYear = WallTime(seconds: EpochSeconds(now)).date.year
    let candidate = thisYear - thisYear % 100 + year
    return candidate > thisYear + 50 ? candidate - 100 : candidate
  }

  /// The text still to be parsed.
  private struct Rest {
    let bytes: [UInt8]
    var position = 0

    var isEmpty: Bool { position == bytes.count }

    mutating func skip(_ text: String) -> Bool {
      guard bytes[position...].starts(with: text.utf8) else { return false }
      position += text.utf8.count
      return true
    }

    /// Skips the first text of the list that matches, and returns its index.
    mutating func skip(anyOf texts: [String]) -> Int? { texts.firstIndex { skip($0) } }

    /// A number of exactly so many digits.
    mutating func number(_ digits: Int) -> Int? {
      let text = bytes[position...].prefix(digits)
      guard text.count == digits, text.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
      position += digits
      return text.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    /// hh:mm:ss as seconds of the day; a leap second, :60, is the first second of the next minute.
    mutating func clock() -> Int? {
      guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
        let second = number(2), second <= 60
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }
  }
}
