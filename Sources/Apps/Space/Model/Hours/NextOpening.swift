package import CivilTime

extension OpeningHours {
  /// Days ahead in which an opening is looked for: a weekday that a month has only five times comes within three
  /// months.
  private static let daysAhead = 100

  /// The next time after `now` at which the space opens by these hours, in seconds since 1970; nil if it never does.
  /// While it should be open, that is the opening after this one.
  package func nextOpening(after now: Int, zone: Zone) -> Int? {
    let today = zone.wall(at: now).date.dayNumber
    for day in today...today + Self.daysAhead {
      let date = CivilDate(dayNumber: day)
      for span in spans where span.weekday == date.weekday && Self.isIn(span.weeks, date) {
        let start = zone.instant(of: WallTime(date: date, secondOfDay: span.from * 60))
        if start > now { return start }
      }
    }
    return nil
  }

  /// True if a date is one of these occurrences of its weekday in the month.
  private static func isIn(_ weeks: [Int], _ date: CivilDate) -> Bool {
    if weeks.isEmpty { return true }
    let fromStart = (date.day - 1) / 7 + 1
    let fromEnd = -((CivilDate.days(inMonth: date.month, of: date.year) - date.day) / 7 + 1)
    return weeks.contains(fromStart) || weeks.contains(fromEnd)
  }
}
