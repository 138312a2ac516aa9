import CIcal
import CivilTime

/// A rule split into a part that libical 3.0.16 expands correctly, and filters that are applied here.
///
/// Values that RFC 5545 section 3.3.10 derives from the start are written into the rule, so that a search can begin
/// with any of the rule's periods. The parts that libical cannot expand become filters:
/// - BYMONTHDAY=-1 in daily rules: it compares -1 with the day of the month.
/// - BYWEEKNO: it leaves out the end of long years, and counts weeks from Monday whatever WKST is.
/// - BYYEARDAY with BYMONTH, BYMONTHDAY or BYWEEKNO: it gives up.
/// - BYMONTHDAY without BYMONTH in yearly rules: it uses the month of the start only.
/// - BYMONTHDAY with positions in BYDAY: if no month has both, it searches until the year 20000.
/// - BYSETPOS: it supports days of months and years only, and then loses the times of a day.
struct RecurrencePlan {
  private(set) var rule: LibicalRule
  private(set) var filter = DayFilter()
  /// The values of BYSETPOS.
  let positions: Set<Int>
  /// Steps for one period. Months and years cost the same whatever their days; a shorter period costs as many steps as
  /// it has times.
  private var stepsPerPeriod = 0
  private let date: CivilDate
  let start: WallTime

  init(_ rule: LibicalRule, start: WallTime, isDate: Bool) {
    self.rule = rule
    self.rule.removeDuplicates()
    self.start = start
    date = start.date
    positions = Set(rule.positions.map { Int($0) })
    self.rule.positions = []
    filter.weekStart = rule.weekStart
    completeTimes(start.secondOfDay, isDate: isDate)
    completeDays()
    stepsPerPeriod = stepsOfPeriod
  }

  /// Sorts the times of a day and removes duplicates: libical takes them in the order written.
  private mutating func completeTimes(_ second: Int, isDate: Bool) {
    guard !isDate else {
      (rule.hours, rule.minutes, rule.seconds) = ([], [], [])
      return
    }
    func sorted(_ numbers: [Int16], or number: Int) -> [Int16] {
      numbers.isEmpty ? [Int16(number)] : Set(numbers.map { min($0, 59) }).sorted()
    }
    rule.hours = sorted(rule.hours, or: second / 3600)
    rule.minutes = sorted(rule.minutes, or: second / 60 % 60)
    rule.seconds = sorted(rule.seconds, or: second % 60)
  }

  private mutating func completeDays() {
    switch rule.frequency {
    case ICAL_YEARLY_RECURRENCE:
      completeYear()
    case ICAL_MONTHLY_RECURRENCE:
      if rule.days.isEmpty, rule.monthDays.isEmpty { rule.monthDays = [Int16(date.day)] }
      if hasPositions { filterMonthDays() }
    default:
      // Positions have a meaning in months and years only; elsewhere they are ignored, as other programs do.
      dropPositions()
      if rule.frequency == ICAL_WEEKLY_RECURRENCE {
        let days = rule.days.isEmpty ? [libicalWeekday(date.weekday)] : rule.days
        rule.days = days.sorted { daysFromWeekStart($0) < daysFromWeekStart($1) }
      } else if rule.monthDays.contains(where: { $0 < 0 }) {
        filterMonthDays()
      }
    }
  }

  private mutating func completeYear() {
    if rule.yearDays.isEmpty, rule.monthDays.isEmpty, rule.days.isEmpty {
      if rule.weeks.isEmpty {
        rule.monthDays = [Int16(date.day)]
        if rule.months.isEmpty { rule.months = [Int16(date.month)] }
      } else {
        rule.days = [libicalWeekday(date.weekday)]
      }
    }
    if !rule.weeks.isEmpty {
      filter.weeks = Set(rule.weeks)
      rule.weeks = []
      dropPositions()
    }
    if !rule.yearDays.isEmpty {
      filter.months = Set(rule.months)
      filter.monthDays = Set(rule.monthDays)
      (rule.months, rule.monthDays) = ([], [])
    } else if hasPositions {
      filterMonthDays()
    } else if !rule.monthDays.isEmpty, rule.months.isEmpty {
      rule.months = Array(1...12)
    }
  }

  private var hasPositions: Bool { rule.days.contains { icalrecurrencetype_day_position($0) != 0 } }

  private mutating func filterMonthDays() {
    filter.monthDays = Set(rule.monthDays)
    rule.monthDays = []
  }

  private mutating func dropPositions() {
    rule.days = Set(rule.days.map { Int16(icalrecurrencetype_day_day_of_week($0).rawValue) }).sorted()
  }

  func daysFromWeekStart(_ day: Int16) -> Int {
    (isoWeekday(icalrecurrencetype_day_day_of_week(day)) - rule.weekStart + 7) % 7
  }

  // MARK: Costs

  /// The number of the rule's times on each of its days.
  var times: Int { max(1, rule.hours.count) * max(1, rule.minutes.count) * max(1, rule.seconds.count) }

  private var hasLongPeriods: Bool {
    rule.frequency == ICAL_MONTHLY_RECURRENCE || rule.frequency == ICAL_YEARLY_RECURRENCE
  }

  /// True if there ever is a day for libical to find; otherwise it would search until the year 20000.
  var canHappen: Bool { !hasLongPeriods || RecurrenceDays(rule).emptyPeriods(from: period(of: start)) != nil }

  private var stepsOfPeriod: Int {
    switch rule.frequency {
    case ICAL_YEARLY_RECURRENCE:
      let lists = rule.monthDays.count + rule.days.count
      return 4 + 4 * rule.months.count + (max(1, rule.months.count) * lists + rule.yearDays.count) / 2
    case ICAL_MONTHLY_RECURRENCE: return 5 + (rule.monthDays.count + rule.days.count) / 2
    case ICAL_WEEKLY_RECURRENCE: return max(1, rule.days.count) * times
    default: return times
    }
  }

  /// Steps from a moment to the first period with a day: libical goes through the empty ones at once.
  func steps(toFirstFrom wall: WallTime) -> Int {
    guard hasLongPeriods else { return 0 }
    return (1 + (RecurrenceDays(rule).emptyPeriods(from: period(of: wall)) ?? 0)) * stepsPerPeriod
  }

  /// Steps from one time (wall seconds) to the next.
  func steps(from one: Int, to next: Int) -> Int {
    if hasLongPeriods {
      let periods = period(of: WallTime(seconds: next)) - period(of: WallTime(seconds: one))
      return 2 + max(0, periods) / rule.interval * stepsPerPeriod
    }
    // A time found is a step, and so is each candidate skipped.
    return 1 + max(0, next - one) / (unit / 100 * rule.interval) * stepsPerPeriod / 100
  }

  /// The latest end of a search with so many steps; libical itself searches until it finds something.
  func end(from beginning: WallTime, steps: Int) -> Int {
    if hasLongPeriods { return .max }
    return beginning.seconds + max(1, steps / stepsPerPeriod) * unit * rule.interval
  }

  // MARK: Periods

  /// Seconds of the shortest period of the rule's frequency.
  var unit: Int {
    switch rule.frequency {
    case ICAL_YEARLY_RECURRENCE: 365 * secondsPerDay
    case ICAL_MONTHLY_RECURRENCE: 28 * secondsPerDay
    case ICAL_WEEKLY_RECURRENCE: 7 * secondsPerDay
    default: secondsPerDay
    }
  }

  /// The number of the period of a wall time, from an arbitrary origin.
  func period(of wall: WallTime) -> Int {
    switch rule.frequency {
    case ICAL_YEARLY_RECURRENCE: return wall.date.year
    case ICAL_MONTHLY_RECURRENCE: return wall.date.year * 12 + wall.date.month - 1
    case ICAL_WEEKLY_RECURRENCE: return (wall.dayNumber - firstDayOfWeek) / 7
    default: return wall.dayNumber
    }
  }

  /// The start of a search for times from `first` on: the beginning of one of the rule's periods.
  func beginning(reaching first: WallTime) -> WallTime {
    let own = period(of: start)
    let period = own + max(0, period(of: first) - own) / rule.interval * rule.interval
    switch rule.frequency {
    case ICAL_YEARLY_RECURRENCE:
      return WallTime(date: CivilDate(year: period, month: 1, day: 1), secondOfDay: 0)
    case ICAL_MONTHLY_RECURRENCE:
      return WallTime(date: CivilDate(year: period / 12, month: period % 12 + 1, day: 1), secondOfDay: 0)
    case ICAL_WEEKLY_RECURRENCE:
      // libical goes back to the first day of BYDAY, and takes the wrong one if that is in another week.
      let day = firstDayOfWeek + period * 7 + daysFromWeekStart(rule.days[0])
      return WallTime(seconds: day * secondsPerDay)
    default: return WallTime(seconds: period * secondsPerDay)
    }
  }

  /// The day number of the first day of the start's week.
  var firstDayOfWeek: Int { date.dayNumber - (date.weekday - rule.weekStart + 7) % 7 }
}

/// The conditions that a day must fulfil; an empty set allows all.
struct DayFilter {
  var months: Set<Int16> = []
  var monthDays: Set<Int16> = []
  var weeks: Set<Int16> = []
  /// WKST: 1 Monday … 7 Sunday.
  var weekStart = 1

  var isEmpty: Bool { months.isEmpty && monthDays.isEmpty && weeks.isEmpty }

  func allows(_ wall: WallTime) -> Bool {
    if isEmpty { return true }
    let date = wall.date
    if !months.isEmpty, !months.contains(Int16(date.month)) { return false }
    if !monthDays.isEmpty {
      let fromEnd = date.day - CivilDate.days(inMonth: date.month, of: date.year) - 1
      guard monthDays.contains(Int16(date.day)) || monthDays.contains(Int16(fromEnd)) else { return false }
    }
    return weeks.isEmpty || isInWeek(date)
  }

  /// BYWEEKNO: weeks begin with WKST, and week 1 is the first with at least four days in the year.
  private func isInWeek(_ date: CivilDate) -> Bool {
    let first = date.dayNumber - (date.weekday - weekStart + 7) % 7
    let year = CivilDate(dayNumber: first + 3).year
    let week = (first - firstWeek(of: year)) / 7 + 1
    let count = (firstWeek(of: year + 1) - firstWeek(of: year)) / 7
    return weeks.contains(Int16(week)) || weeks.contains(Int16(week - count - 1))
  }

  /// The day number of the first day of a year's week 1, which contains 4 January.
  private func firstWeek(of year: Int) -> Int {
    let fourth = CivilDate(year: year, month: 1, day: 4)
    return fourth.dayNumber - (fourth.weekday - weekStart + 7) % 7
  }
}
