/// A date of the proleptic Gregorian calendar, without a time and without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Astronomical year: 1 BC is 0.
  public let year: Int
  /// 1 January … 12 December.
  public let month: Int
  /// 1…31.
  public let day: Int

  /// A date whose parts are valid; see `init(validYear:month:day:)` for parts that may not be.
  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// A date of the years 0…9999, or nil if there is no such day.
  public init?(validYear year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= CivilDate.days(inMonth: month, of: year) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date that is so many days after 1970-01-01.
  public init(dayNumber: Int) {
    // The year is counted from March, so that the leap day is its last. Eras have 400 years.
    let shifted = dayNumber + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// Days since 1970-01-01.
  public var dayNumber: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date so many days later; earlier for less than 0.
  public func adding(_ days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

  /// ISO 8601 weekday: 1 Monday … 7 Sunday.
  public var weekday: Int { floorRemainder(dayNumber + 3, 7) + 1 }

  /// ISO 8601 week, 1…53: week 1 contains the year's first Thursday.
  public var isoWeek: Int {
    let thursday = adding(4 - weekday)
    return (thursday.dayNumber - CivilDate(year: thursday.year, month: 1, day: 1).dayNumber) / 7 + 1
  }

  /// The number of days of a month, 28…31.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// True if a year has a 29 February.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    if left.year != right.year { return left.year < right.year }
    if left.month != right.month { return left.month < right.month }
    return left.day < right.day
  }
}

extension CivilDate {
  /// Parses exactly "2026-11-20" (RFC 3339 full-date); nil for anything else, and for a day that does not exist.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), reader.isAtEnd
    else { return nil }
    self.init(validYear: year, month: month, day: day)
  }

  /// "2026-11-20" (RFC 3339 full-date), for the years 0…9999.
  public var text: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(10)
    appendDate(self, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }
}
