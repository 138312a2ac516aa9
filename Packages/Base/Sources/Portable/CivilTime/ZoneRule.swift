/// The rule for the time after a zone's last transition: a POSIX TZ string (IEEE 1003.1, chapter 8.3) with the
/// extension of RFC 9636 section 3.3.2, in which times of day range from -167 to 167 hours.
struct ZoneRule {
  struct Daylight {
    var offset: Int
    var start: YearlyMoment
    var end: YearlyMoment
  }

  /// Standard time's offset in seconds east of UTC.
  var standardOffset: Int
  var daylight: Daylight?

  /// Parses a rule such as "CET-1CEST,M3.5.0,M10.5.0/3" or "<+03>-3"; nil for anything else.
  init?(_ text: [UInt8]) {
    var reader = DigitReader(text)
    guard ZoneRule.skipName(&reader), let west = ZoneRule.time(&reader, mostHours: 24) else { return nil }
    standardOffset = -west
    if reader.isAtEnd { return }
    guard ZoneRule.skipName(&reader) else { return nil }
    var offset = standardOffset + 3600
    if reader.next != 0x2C {
      guard let west = ZoneRule.time(&reader, mostHours: 24) else { return nil }
      offset = -west
    }
    guard reader.skip(","), let start = YearlyMoment(&reader), reader.skip(","), let end = YearlyMoment(&reader),
      reader.isAtEnd
    else { return nil }
    daylight = Daylight(offset: offset, start: start, end: end)
  }

  /// The transitions after an instant, for a little more than 400 years.
  func transitions(after last: EpochSeconds?) -> [Zone.Transition] {
    guard let daylight else {
      return last == nil ? [] : [Zone.Transition(instant: last! + 1, offset: standardOffset)]
    }
    // No place had a rule for each year before 1900, and some files begin with the age of the universe.
    let beginning: EpochSeconds = -2_208_988_800
    let firstYear = WallTime(seconds: max(last ?? beginning, beginning)).date.year
    var transitions: [Zone.Transition] = []
    for year in firstYear...firstYear + 402 {
      let start = Zone.Transition(
        instant: daylight.start.wall(in: year) - EpochSeconds(standardOffset), offset: daylight.offset)
      let end = Zone.Transition(
        instant: daylight.end.wall(in: year) - EpochSeconds(daylight.offset), offset: standardOffset)
      // If one year's end is the next year's start, daylight saving time lasts all year: the start must come later.
      if let last = transitions.last, last.instant == end.instant { transitions.removeLast() }
      if start.instant < end.instant {
        if let last = transitions.last, last.instant == start.instant { transitions.removeLast() }
        transitions.append(start)
        transitions.append(end)
      } else {
        transitions.append(end)
        transitions.append(start)
      }
    }
    guard let last else { return transitions }
    return transitions.filter { $0.instant > last }
  }

  /// Skips a name of at least three letters, or any text between angle brackets.
  private static func skipName(_ reader: inout DigitReader) -> Bool {
    if reader.skip("<") {
      let length = reader.skip { $0 != 0x3E }
      return length >= 3 && reader.skip(">")
    }
    return reader.skip { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } >= 3
  }

  /// Parses "[+-]hh[:mm[:ss]]" to seconds.
  static func time(_ reader: inout DigitReader, mostHours: Int) -> Int? {
    let isNegative = reader.skip("-")
    if !isNegative { _ = reader.skip("+") }
    guard let hours = reader.number(upTo: 3), hours <= mostHours else { return nil }
    var seconds = hours * 3600
    if reader.skip(":") {
      guard let minutes = reader.number(upTo: 2), minutes < 60 else { return nil }
      seconds += minutes * 60
      if reader.skip(":") {
        guard let rest = reader.number(upTo: 2), rest < 60 else { return nil }
        seconds += rest
      }
    }
    return isNegative ? -seconds : seconds
  }
}

/// A moment that recurs every year, such as "M10.5.0/3": the last Sunday of October, 03:00.
struct YearlyMoment {
  private enum Day {
    /// "J60": day 1…365, 29 February is not counted.
    case withoutLeapDay(Int)
    /// "59": day 0…365, 29 February is counted.
    case ofYear(Int)
    /// "M3.5.0": month, week 1…5 (5 is the last), weekday 0 Sunday … 6 Saturday.
    case ofMonth(Int, week: Int, weekday: Int)
  }

  private var day: Day
  /// Seconds after midnight of the day, in wall time before the change.
  private var time = 2 * 3600

  init?(_ reader: inout DigitReader) {
    if reader.skip("J") {
      guard let number = reader.number(upTo: 3), (1...365).contains(number) else { return nil }
      day = .withoutLeapDay(number)
    } else if reader.skip("M") {
      guard let month = reader.number(upTo: 2), (1...12).contains(month), reader.skip("."),
        let week = reader.number(upTo: 1), (1...5).contains(week), reader.skip("."),
        let weekday = reader.number(upTo: 1), weekday <= 6
      else { return nil }
      day = .ofMonth(month, week: week, weekday: weekday)
    } else {
      guard let number = reader.number(upTo: 3), number <= 365 else { return nil }
      day = .ofYear(number)
    }
    if reader.skip("/") {
      guard let seconds = ZoneRule.time(&reader, mostHours: 167) else { return nil }
      time = seconds
    }
  }

  /// The moment in a year, in wall seconds since 1970.
  func wall(in year: Int) -> EpochSeconds {
    let newYear = CivilDate(year: year, month: 1, day: 1).dayNumber
    let number: Int
    switch day {
    case .withoutLeapDay(let count):
      number = newYear + count - 1 + (count >= 60 && CivilDate.isLeap(year) ? 1 : 0)
    case .ofYear(let count):
      number = newYear + count
    case .ofMonth(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1)
      let length = CivilDate.days(inMonth: month, of: year)
      var day = 1 + floorRemainder(weekday - first.weekday, 7) + (week - 1) * 7
      if day > length { day -= 7 }
      number = first.dayNumber + day - 1
    }
    return EpochSeconds(number) * EpochSeconds(secondsPerDay) + EpochSeconds(time)
  }
}
