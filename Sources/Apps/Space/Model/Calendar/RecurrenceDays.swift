import CivilTime

/// Which days a rule allows: its BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY and BYDAY parts, completed from the start as
/// RFC 5545 section 3.3.10 asks ("Information, not contained in the rule, … derived from the Start Time").
struct RecurrenceDays: Sendable {
  /// Bit 1…12.
  private(set) var months: UInt16 = 0
  /// Bit 1…31: days from the month's beginning, and from its end.
  private var monthDays: UInt32 = 0
  private var monthDaysFromEnd: UInt32 = 0
  /// Bit 1…7: weekdays without a position.
  private var weekdays: UInt8 = 0
  private var positioned: [RecurrenceRule.Day] = []
  private let yearDays: [Int]
  private let weeks: [Int]
  private let weekStart: Int
  /// Whether "2MO" is the second Monday of the year, and not of the month.
  private let countsInYear: Bool

  init(_ rule: RecurrenceRule, start: CivilDate) {
    yearDays = rule.yearDays
    weeks = rule.weeks
    weekStart = rule.weekStart
    countsInYear = rule.frequency == .yearly && rule.months.isEmpty
    for month in rule.months { months |= 1 << month }
    for day in rule.monthDays {
      if day > 0 { monthDays |= 1 << day } else { monthDaysFromEnd |= 1 << -day }
    }
    for day in rule.days {
      // Positions mean something in months and years alone; elsewhere they are left out, as other programs do.
      if day.position == 0 || rule.frequency.rawValue < RecurrenceRule.Frequency.monthly.rawValue {
        weekdays |= 1 << day.weekday
      } else {
        positioned.append(day)
      }
    }
    guard rule.days.isEmpty, rule.monthDays.isEmpty, rule.yearDays.isEmpty else { return }
    switch rule.frequency {
    case .yearly where !rule.weeks.isEmpty, .weekly:
      weekdays = 1 << start.weekday
    case .yearly:
      if rule.months.isEmpty { months = 1 << start.month }
      monthDays = 1 << start.day
    case .monthly:
      monthDays = 1 << start.day
    default: break
    }
  }

  /// Whether any day of a month can be allowed.
  func allows(month: Int) -> Bool { months == 0 || months & 1 << month != 0 }

  /// Whether a day is allowed; `number` is its day number.
  func allows(_ date: CivilDate, number: Int) -> Bool {
    guard allows(month: date.month) else { return false }
    if monthDays != 0 || monthDaysFromEnd != 0 {
      let fromEnd = CivilDate.days(inMonth: date.month, of: date.year) - date.day + 1
      guard monthDays & 1 << date.day != 0 || monthDaysFromEnd & 1 << fromEnd != 0 else { return false }
    }
    if weekdays != 0 || !positioned.isEmpty {
      let weekday = weekday(number)
      guard weekdays & 1 << weekday != 0 || isPositioned(date, number: number, weekday: weekday) else { return false }
    }
    if !yearDays.isEmpty {
      let length = CivilDate.isLeap(date.year) ? 366 : 365
      let day = number - CivilDate(year: date.year, month: 1, day: 1).dayNumber + 1
      guard yearDays.contains(day) || yearDays.contains(day - length - 1) else { return false }
    }
    return weeks.isEmpty || isInWeek(number)
  }

  private func isPositioned(_ date: CivilDate, number: Int, weekday: Int) -> Bool {
    guard positioned.contains(where: { $0.weekday == weekday }) else { return false }
    let day: Int
    let length: Int
    if countsInYear {
      day = number - CivilDate(year: date.year, month: 1, day: 1).dayNumber + 1
      length = CivilDate.isLeap(date.year) ? 366 : 365
    } else {
      day = date.day
      length = CivilDate.days(inMonth: date.month, of: date.year)
    }
    let fromStart = (day - 1) / 7 + 1
    let fromEnd = -((length - day) / 7 + 1)
    return positioned.contains { $0.weekday == weekday && ($0.position == fromStart || $0.position == fromEnd) }
  }

  /// BYWEEKNO: weeks begin on WKST, and week 1 is the first with at least four days in the year.
  private func isInWeek(_ number: Int) -> Bool {
    let first = number - (weekday(number) - weekStart + 7) % 7
    let year = CivilDate(dayNumber: first + 3).year
    let week = (first - firstWeek(of: year)) / 7 + 1
    let count = (firstWeek(of: year + 1) - firstWeek(of: year)) / 7
    return weeks.contains(week) || weeks.contains(week - count - 1)
  }

  /// The day number on which week 1 of a year begins: the week that contains 4 January.
  private func firstWeek(of year: Int) -> Int {
    let fourth = CivilDate(year: year, month: 1, day: 4).dayNumber
    return fourth - (weekday(fourth) - weekStart + 7) % 7
  }
}

/// 1 Monday … 7 Sunday.
func weekday(_ dayNumber: Int) -> Int {
  let remainder = (dayNumber + 3) % 7
  return (remainder < 0 ? remainder + 7 : remainder) + 1
}
