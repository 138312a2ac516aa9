import CIcal
import CivilTime

/// Finds the months and years in which a monthly or yearly rule has a day. libical's search for the next one is
/// unbounded, so this is checked before.
struct RecurrenceDays {
  private let months: [Int]
  private let yearDays: [Int]
  private let monthDays: [Int]
  /// The weekdays of BYDAY (1 Monday … 7 Sunday) with positions (0 any, 5 the fifth, -1 the last).
  private let weekdays: [(day: Int, position: Int)]
  private let isYearly: Bool
  private let interval: Int

  init(_ rule: LibicalRule) {
    months = rule.months.map { Int($0) }
    yearDays = rule.yearDays.map { Int($0) }
    monthDays = rule.monthDays.map { Int($0) }
    interval = rule.interval
    weekdays = rule.days.map {
      (isoWeekday(icalrecurrencetype_day_day_of_week($0)), Int(icalrecurrencetype_day_position($0)))
    }
    isYearly = rule.frequency == ICAL_YEARLY_RECURRENCE
  }

  /// The number of the rule's periods, from `first` on, without a day; nil if none ever has one. Periods are years, or
  /// months counted from year 0.
  func emptyPeriods(from first: Int) -> Int? {
    // The calendar repeats after 400 years.
    let all = isYearly ? 400 : 4800
    return (0..<all / greatestCommonDivisor(all, interval)).first { has(period: first + $0 * interval) }
  }

  private func has(period: Int) -> Bool {
    guard isYearly else {
      let month = period % 12 + 1
      return (months.isEmpty || months.contains(month)) && hasDay(period / 12, month)
    }
    let days = CivilDate.isLeap(period) ? 366 : 365
    let first = CivilDate(year: period, month: 1, day: 1).weekday
    if !yearDays.isEmpty { return hasDay(yearDays, of: days, first: first) }
    if months.isEmpty, monthDays.isEmpty { return hasWeekday(of: days, first: first) }
    return (1...12).contains { (months.isEmpty || months.contains($0)) && hasDay(period, $0) }
  }

  private func hasDay(_ year: Int, _ month: Int) -> Bool {
    let days = CivilDate.days(inMonth: month, of: year)
    let first = CivilDate(year: year, month: month, day: 1).weekday
    return monthDays.isEmpty
      ? hasWeekday(of: days, first: first) : hasDay(monthDays, of: days, first: first)
  }

  /// True if a day of a list exists and, where the rule has weekdays, is one of them.
  private func hasDay(_ list: [Int], of days: Int, first: Int) -> Bool {
    list.contains { number in
      guard abs(number) <= days else { return false }
      let index = number > 0 ? number - 1 : days + number
      return weekdays.isEmpty || weekdays.contains { $0.day == (first - 1 + index) % 7 + 1 }
    }
  }

  private func hasWeekday(of days: Int, first: Int) -> Bool {
    weekdays.contains { weekday in
      let index = (weekday.day - first + 7) % 7
      return abs(weekday.position) <= (days - index + 6) / 7
    }
  }
}

private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
  other == 0 ? one : greatestCommonDivisor(other, one % other)
}
