import CIcal
import CivilTime

/// Expands rules by the hour, the minute and the second: libical would search them for a time without an end, and
/// ignores INTERVAL beside BYHOUR. Days, hours and minutes in which such a rule has nothing are leapt over.
struct SubdailyExpansion {
  /// Seconds of a period.
  private let unit: Int
  private let interval: Int
  /// The number of the start's period; every `interval`-th from there on counts.
  private let own: Int
  /// The seconds of a period at which there are times, ascending.
  private let offsets: [Int]
  // Limits; an empty set allows all.
  private let hours: Set<Int16>
  private let minutes: Set<Int16>
  private let seconds: Set<Int16>
  private let yearDays: Set<Int>
  private let weekdays: Set<Int>
  private var filter = DayFilter()

  init(_ rule: LibicalRule, start: WallTime) {
    // The lesser parts of a time are further times of the period, or the start's; the greater ones limit it.
    func times(_ list: [Int16], or number: Int) -> [Int] {
      list.isEmpty ? [number] : Set(list.map { min(Int($0), 59) }).sorted()
    }
    let (second, minute) = (start.secondOfDay % 60, start.secondOfDay / 60 % 60)
    var all: [Int]
    switch rule.frequency {
    case ICAL_SECONDLY_RECURRENCE: (unit, all) = (1, [0])
    case ICAL_MINUTELY_RECURRENCE: (unit, all) = (60, times(rule.seconds, or: second))
    default:
      unit = 3600
      let seconds = times(rule.seconds, or: second)
      all = times(rule.minutes, or: minute).flatMap { minute in seconds.map { minute * 60 + $0 } }
    }
    if !rule.positions.isEmpty {
      let (picked, count) = (Set(rule.positions.map { Int($0) }), all.count)
      all = all.indices.filter { picked.contains($0 + 1) || picked.contains($0 - count) }.map { all[$0] }
    }
    offsets = all
    interval = max(1, rule.interval)
    own = floored(start.seconds, by: unit)
    hours = Set(rule.hours)
    minutes = unit < 3600 ? Set(rule.minutes) : []
    seconds = unit < 60 ? Set(rule.seconds.map { min($0, 59) }) : []
    yearDays = Set(rule.yearDays.map { Int($0) })
    weekdays = Set(rule.days.map { isoWeekday(icalrecurrencetype_day_day_of_week($0)) })
    filter.months = Set(rule.months)
    filter.monthDays = Set(rule.monthDays)
    filter.weeks = Set(rule.weeks)
    filter.weekStart = rule.weekStart
  }

  /// The number of the rule's times after the start and before the first period that reaches a moment (wall seconds);
  /// nil if they have to be counted one by one.
  func times(after start: WallTime, before moment: Int) -> Int? {
    guard hours.isEmpty, minutes.isEmpty, seconds.isEmpty, yearDays.isEmpty, weekdays.isEmpty, filter.isEmpty else {
      return nil
    }
    let periods = (next(atLeast: floored(moment, by: unit)) - own) / interval
    guard periods > 0 else { return 0 }
    return periods * offsets.count - offsets.count { own * unit + $0 <= start.seconds }
  }

  /// Calls a body with the times of the periods from one moment to another (wall seconds), ascending, until it returns
  /// false; each time and each leap is a step.
  /// - Returns: false if the steps ran out.
  func forEachTime(from: Int, to: Int, steps: inout Int, _ body: (Int) -> Bool) -> Bool {
    guard !offsets.isEmpty else { return true }
    var period = next(atLeast: floored(from, by: unit))
    var (day, isDay) = (Int.min, false)
    while period * unit < to {
      steps -= 1
      if steps < 0 { return false }
      let wall = period * unit
      if floored(wall, by: secondsPerDay) != day {
        day = floored(wall, by: secondsPerDay)
        isDay = allows(day)
      }
      let second = wall - day * secondsPerDay
      if !isDay {
        period = next(atLeast: (day + 1) * secondsPerDay / unit)
      } else if !hours.isEmpty, !hours.contains(Int16(second / 3600)) {
        period = next(atLeast: (wall + 3600 - second % 3600) / unit)
      } else if !minutes.isEmpty, !minutes.contains(Int16(second / 60 % 60)) {
        period = next(atLeast: (wall + 60 - second % 60) / unit)
      } else {
        if seconds.isEmpty || seconds.contains(Int16(second % 60)) {
          steps -= offsets.count
          for offset in offsets where !body(wall + offset) { return true }
        }
        period += interval
      }
    }
    return true
  }

  /// The first of the rule's periods from one on.
  private func next(atLeast period: Int) -> Int { own + max(0, period - own + interval - 1) / interval * interval }

  private func allows(_ day: Int) -> Bool {
    let wall = WallTime(seconds: day * secondsPerDay)
    let date = wall.date
    if !weekdays.isEmpty, !weekdays.contains(date.weekday) { return false }
    if !yearDays.isEmpty {
      let number = day - CivilDate(year: date.year, month: 1, day: 1).dayNumber + 1
      let fromEnd = number - (CivilDate.isLeap(date.year) ? 366 : 365) - 1
      guard yearDays.contains(number) || yearDays.contains(fromEnd) else { return false }
    }
    return filter.allows(wall)
  }
}

/// The quotient rounded down.
private func floored(_ number: Int, by divisor: Int) -> Int {
  number / divisor - (number % divisor < 0 ? 1 : 0)
}
