import CIcal
import CivilTime

/// A rule by the hour, minute or second (RFC 5545 section 3.3.10), worked out here: libical's search for the next time
/// has no bound, and it ignores INTERVAL beside BYHOUR.
///
/// Every so many seconds from the start there is a candidate. The parts of the rule for days and for what is longer
/// than its period are conditions, those for what is shorter give several times each.
struct ClockRule {
  /// Seconds between two candidates.
  private let interval: Int
  /// Seconds of the period: an hour, a minute or a second.
  private let unit: Int
  private let months: Set<Int16>
  private let monthDays: Set<Int16>
  private let yearDays: Set<Int16>
  /// 1 Monday … 7 Sunday.
  private let weekdays: Set<Int>
  /// Conditions.
  private let hours: Set<Int>
  private let minutes: Set<Int>
  private let seconds: Set<Int>
  /// Seconds after the beginning of a period, ascending, at which there is a time.
  private let offsets: [Int]

  /// Nil for rules by the day and longer.
  init?(_ rule: LibicalRule, start: WallTime) {
    switch rule.frequency {
    case ICAL_HOURLY_RECURRENCE: unit = 3600
    case ICAL_MINUTELY_RECURRENCE: unit = 60
    case ICAL_SECONDLY_RECURRENCE: unit = 1
    default: return nil
    }
    interval = unit * max(1, rule.interval)
    (months, monthDays, yearDays) = (Set(rule.months), Set(rule.monthDays), Set(rule.yearDays))
    weekdays = Set(rule.days.map { isoWeekday(icalrecurrencetype_day_day_of_week($0)) })
    func all(_ list: [Int16]) -> Set<Int> { Set(list.map { min(Int($0), 59) }) }
    hours = all(rule.hours)
    let second = start.secondOfDay
    let ofMinute = rule.seconds.isEmpty ? [second % 60] : all(rule.seconds).sorted()
    let ofHour = rule.minutes.isEmpty ? [second / 60 % 60] : all(rule.minutes).sorted()
    switch unit {
    case 3600:
      (minutes, seconds) = ([], [])
      offsets = ofHour.flatMap { minute in ofMinute.map { minute * 60 + $0 } }
    case 60:
      (minutes, seconds) = (all(rule.minutes), [])
      offsets = ofMinute
    default:
      (minutes, seconds) = (all(rule.minutes), all(rule.seconds))
      offsets = [0]
    }
  }

  /// Candidates that cost as much as a step; a time found is one.
  private static let candidatesPerStep = 10

  /// Calls a body with the rule's times from a wall second on, ascending, until it returns false, the range ends, or
  /// the steps run out.
  /// - Returns: false if the steps ran out.
  func forEachTime(
    from first: Int, to end: Int, start: WallTime, _ steps: inout Int, _ body: (Int) -> Bool
  ) -> Bool {
    let origin = start.seconds - start.secondOfDay % unit
    var period = origin + max(0, first - unit - origin) / interval * interval
    var candidates = 0
    while period < end {
      candidates += 1
      if candidates % Self.candidatesPerStep == 0 { steps -= 1 }
      guard steps > 0 else { return false }
      let wall = WallTime(seconds: period)
      if let next = next(after: wall) {
        period += max(1, (next - period + interval - 1) / interval) * interval
        continue
      }
      for offset in offsets where period + offset >= first && period + offset < end {
        steps -= 1
        guard body(period + offset) else { return true }
      }
      period += interval
    }
    return true
  }

  /// Nil where the conditions allow a candidate, else the first second for which they have to be asked again.
  private func next(after wall: WallTime) -> Int? {
    let second = wall.secondOfDay
    if !allows(wall.date) { return wall.seconds - second + secondsPerDay }
    if !hours.isEmpty, !hours.contains(second / 3600) { return wall.seconds - second % 3600 + 3600 }
    if !minutes.isEmpty, !minutes.contains(second / 60 % 60) { return wall.seconds - second % 60 + 60 }
    return seconds.isEmpty || seconds.contains(second % 60) ? nil : wall.seconds + 1
  }

  private func allows(_ date: CivilDate) -> Bool {
    if !months.isEmpty, !months.contains(Int16(date.month)) { return false }
    if !weekdays.isEmpty, !weekdays.contains(date.weekday) { return false }
    if !monthDays.isEmpty {
      let fromEnd = date.day - CivilDate.days(inMonth: date.month, of: date.year) - 1
      guard monthDays.contains(Int16(date.day)) || monthDays.contains(Int16(fromEnd)) else { return false }
    }
    guard !yearDays.isEmpty else { return true }
    let day = date.dayNumber - CivilDate(year: date.year, month: 1, day: 1).dayNumber + 1
    let fromEnd = date.dayNumber - CivilDate(year: date.year + 1, month: 1, day: 1).dayNumber
    return yearDays.contains(Int16(day)) || yearDays.contains(Int16(fromEnd))
  }
}
