import CIcal
import CivilTime

/// A DATE or DATE-TIME value of a calendar (RFC 5545, sections 3.3.4 and 3.3.5).
struct CalendarTime: Sendable {
  /// The clock that a time refers to.
  enum Clock: Sendable {
    /// A date without a time, the same in every zone.
    case date
    case utc
    /// A zone's wall time. A floating time is in the home zone.
    case zone(Zone)
  }

  /// The wall time; of a date, its midnight.
  var wall: WallTime
  var clock: Clock

  var isDate: Bool { if case .date = clock { true } else { false } }

  /// Seconds since 1970 UTC; a date begins at midnight in the home zone.
  func instant(in home: Zone) -> Int { clock.instant(of: wall, in: home) }

  /// The key of an occurrence within its series: the day number of a date, the instant of a time.
  func key(in home: Zone) -> Int { clock.key(of: wall, in: home) }
}

extension CalendarTime.Clock {
  func instant(of wall: WallTime, in home: Zone) -> Int {
    switch self {
    case .date: home.instant(of: wall)
    case .utc: wall.seconds
    case .zone(let zone): zone.instant(of: wall)
    }
  }

  func wall(at instant: Int, in home: Zone) -> WallTime {
    switch self {
    case .date: WallTime(seconds: home.wall(at: instant).dayNumber * secondsPerDay)
    case .utc: WallTime(seconds: instant)
    case .zone(let zone): zone.wall(at: instant)
    }
  }

  func key(of wall: WallTime, in home: Zone) -> Int {
    if case .date = self { return wall.dayNumber }
    return instant(of: wall, in: home)
  }
}

/// The form of a value whose zone is not known yet.
enum TimeForm {
  case date
  case local
  case utc
}

/// Converts a time of libical's, which accepts any six numbers, so they are checked here.
func readTime(_ time: icaltimetype) -> (wall: WallTime, form: TimeForm)? {
  guard CalendarLimits.years.contains(Int(time.year)),
    let date = CivilDate(validYear: Int(time.year), month: Int(time.month), day: Int(time.day))
  else { return nil }
  if time.is_date != 0 { return (WallTime(date: date, secondOfDay: 0), .date) }
  let (hour, minute, second) = (Int(time.hour), Int(time.minute), Int(time.second))
  // Programs write the end of a day as "T240000".
  guard (0..<24).contains(hour) || hour == 24 && minute == 0 && second == 0, (0..<60).contains(minute),
    (0...60).contains(second)
  else { return nil }
  // A leap second counts as the second before it, as section 3.3.12 demands of systems without leap seconds.
  let secondOfDay = hour * 3600 + minute * 60 + min(second, 59)
  return (WallTime(date: date, secondOfDay: secondOfDay), icaltime_is_utc(time) != 0 ? .utc : .local)
}

extension icaltimetype {
  /// A wall time for libical, which leaves times without a zone unchanged; with `isDate`, its date.
  init(_ wall: WallTime, isDate: Bool) {
    self = icaltime_null_time()
    let (date, second) = (wall.date, wall.secondOfDay)
    year = Int32(clamping: date.year)
    month = Int32(date.month)
    day = Int32(date.day)
    is_date = isDate ? 1 : 0
    guard !isDate else { return }
    hour = Int32(second / 3600)
    minute = Int32(second / 60 % 60)
    self.second = Int32(second % 60)
  }
}

/// A DURATION value (RFC 5545, section 3.3.6): days are calendar days, seconds are exact.
struct CalendarDuration {
  var days: Int
  var seconds: Int

  /// Converts a duration of libical's; nil if it is longer than any event, or so long that libical's numbers wrapped
  /// around.
  init?(_ duration: icaldurationtype) {
    let sign = duration.is_neg != 0 ? -1 : 1
    let days = Int(duration.weeks) * 7 + Int(duration.days)
    let seconds = Int(duration.hours) * 3600 + Int(duration.minutes) * 60 + Int(duration.seconds)
    let most = CalendarLimits.longestEventDays
    guard (0...most).contains(days), (0...(most - days) * secondsPerDay).contains(seconds) else { return nil }
    self.days = sign * days
    self.seconds = sign * seconds
  }
}
