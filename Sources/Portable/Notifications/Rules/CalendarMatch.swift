public import CivilTime

extension DateComponents {
  /// The first instant after another (seconds since 1970) at which the clock in a zone shows these components; nil if
  /// there is none in the next 41 years.
  ///
  /// A time that the clock skips comes as much later as is skipped (2:30 becomes 3:30). Of a time that comes twice the
  /// first is meant; where the hour is not named, as for "each half hour", both are.
  public func next(after moment: EpochSeconds, in zone: Zone) -> EpochSeconds? {
    // The day before too, of which a time may have been moved into this one.
    let today = zone.wall(at: moment).dayNumber
    let lastYear = year ?? CivilDate(dayNumber: today).year + NotificationLimits.yearsAhead
    var number = today - 1
    while true {
      let date = CivilDate(dayNumber: number)
      if date.year > lastYear { return nil }
      if let year, date.year < year {
        number = CivilDate(year: year, month: 1, day: 1).dayNumber
        continue
      }
      if let month, date.month != month {
        let year = date.month < month ? date.year : date.year + 1
        number = CivilDate(year: year, month: month, day: 1).dayNumber
        continue
      }
      if matches(date), let found = first(on: number, after: moment, in: zone) { return found }
      number += 1
    }
  }

  /// True if the date is one of those meant.
  private func matches(_ date: CivilDate) -> Bool {
    if let year, date.year != year { return false }
    if let month, date.month != month { return false }
    if let weekday, date.weekday != weekday { return false }
    if let day { return date.day == day }
    // Nothing below the month is named: its first day; nothing below the year: 1 January.
    guard weekday == nil, hour == nil, minute == nil, second == nil else { return true }
    return date.day == 1 && (month != nil || date.month == 1)
  }

  /// The first matching time of a day whose instant is after another.
  private func first(on dayNumber: Int, after moment: EpochSeconds, in zone: Zone) -> EpochSeconds? {
    let midnight = EpochSeconds(dayNumber) * EpochSeconds(secondsPerDay)
    let hours = hour.map { $0...$0 } ?? (minute == nil && second == nil ? 0...0 : 0...23)
    let minutes = minute.map { $0...$0 } ?? (second == nil ? 0...0 : 0...59)
    let second = EpochSeconds(second ?? 0)
    var earliest: EpochSeconds?
    for hour in hours {
      for minute in minutes {
        let wall = WallTime(seconds: midnight + EpochSeconds(hour * 3600 + minute * 60) + second)
        let instant = zone.instant(of: wall)
        if instant > moment {
          earliest = min(earliest ?? instant, instant)
        } else if self.hour == nil {
          // The offset a day later is the one after a change, if there is one.
          let later = EpochSeconds(zone.offset(at: instant + EpochSeconds(secondsPerDay)))
          let again = wall.seconds - later
          if again > moment, again > instant, EpochSeconds(zone.offset(at: again)) == later {
            earliest = min(earliest ?? again, again)
          }
        }
      }
    }
    return earliest
  }
}
