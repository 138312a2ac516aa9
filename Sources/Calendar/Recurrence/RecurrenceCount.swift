import CIcal
import CivilTime

/// Applies COUNT without visiting each occurrence: if all periods of a rule have the same number of times, the periods
/// are counted. libical takes a microsecond for each time, and a programme has hundreds of rules that began years ago.
extension RecurrencePlan {
  /// The number of the rule's times after the start and before the period that begins at `beginning` (a result of
  /// `beginning(reaching:)`); nil if they have to be counted one by one.
  func times(before beginning: WallTime, isDate: Bool) -> Int? {
    guard let days = daysOfFirstPeriod else { return nil }
    let periods = (period(of: beginning) - period(of: start)) / rule.interval
    guard periods > 0 else { return 0 }
    let seconds = isDate ? [start.secondOfDay] : secondsOfDay
    var inFirst = 0
    for day in days { for second in seconds where day * secondsPerDay + second > start.seconds { inFirst += 1 } }
    return inFirst + (periods - 1) * days.count * seconds.count
  }

  /// The day numbers in the period of the start, for a rule with the same number in each period; nil for any other.
  private var daysOfFirstPeriod: [Int]? {
    guard positions.isEmpty, filter.isEmpty, rule.months.isEmpty else { return nil }
    switch rule.frequency {
    case ICAL_DAILY_RECURRENCE:
      return rule.days.isEmpty && rule.monthDays.isEmpty ? [start.dayNumber] : nil
    case ICAL_WEEKLY_RECURRENCE:
      return rule.days.map { firstDayOfWeek + daysFromWeekStart($0) }
    case ICAL_MONTHLY_RECURRENCE:
      let first = start.dayNumber - start.date.day + 1
      if rule.days.isEmpty {
        // Days that every month has.
        return rule.monthDays.allSatisfy { (1...28).contains($0) } ? rule.monthDays.map { first + Int($0) - 1 } : nil
      }
      guard rule.monthDays.isEmpty else { return nil }
      let weekday = CivilDate(dayNumber: first).weekday
      var days: [Int] = []
      for day in rule.days {
        let position = Int(icalrecurrencetype_day_position(day))
        // Every month has a fourth Tuesday, but not always a fifth.
        guard (1...4).contains(position) else { return nil }
        let isoDay = isoWeekday(icalrecurrencetype_day_day_of_week(day))
        days.append(first + (isoDay - weekday + 7) % 7 + 7 * (position - 1))
      }
      return days
    default: return nil
    }
  }

  private var secondsOfDay: [Int] {
    rule.hours.flatMap { hour in
      rule.minutes.flatMap { minute in
        rule.seconds.map { Int(hour) * 3600 + Int(minute) * 60 + Int($0) }
      }
    }
  }
}
