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
      // Hours that go on at midnight do not open there.
      let goesOn = openings(on: CivilDate(dayNumber: day - 1)).contains { $0.to >= Self.minutesPerDay }
      for span in openings(on: date) where span.from > 0 || !goesOn {
        let start = zone.instant(of: WallTime(date: date, secondOfDay: span.from * 60))
        if start > now { return start }
      }
    }
    return nil
  }

  private func openings(on date: CivilDate) -> [Span] {
    spans.filter { $0.weekday == date.weekday && Self.isIn($0.weeks, Self.occurrence(date)) }
  }

  /// A date among the same weekdays of its month.
  private static func occurrence(_ date: CivilDate) -> Occurrence {
    let after = CivilDate.days(inMonth: date.month, of: date.year) - date.day
    return (fromStart: (date.day - 1) / 7 + 1, fromEnd: -(after / 7 + 1))
  }
}
