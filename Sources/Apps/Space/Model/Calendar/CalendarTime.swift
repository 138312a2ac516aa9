import CivilTime

/// A DATE or DATE-TIME value of a calendar (RFC 5545, sections 3.3.4 and 3.3.5).
struct CalendarTime: Sendable {
  /// Which clock shows the time.
  enum Clock: Sendable {
    /// A date without a time, the same in every zone.
    case date
    case utc
    /// A zone's wall. A floating time is one on the space's wall.
    case zone(Zone)
  }

  /// For a date, its midnight.
  var wall: WallTime
  var clock: Clock

  var isDate: Bool { if case .date = clock { true } else { false } }

  /// Seconds since 1970 UTC; a date begins at midnight in the space.
  func instant(in space: Zone) -> Int { clock.instant(of: wall, in: space) }

  /// What tells the occurrences of one series apart: the day number of a date, the instant of a time.
  func key(in space: Zone) -> Int { clock.key(of: wall, in: space) }
}

extension CalendarTime.Clock {
  func instant(of wall: WallTime, in space: Zone) -> Int {
    switch self {
    case .date: space.instant(of: wall)
    case .utc: wall.seconds
    case .zone(let zone): zone.instant(of: wall)
    }
  }

  func wall(at instant: Int, in space: Zone) -> WallTime {
    switch self {
    case .date: WallTime(seconds: space.wall(at: instant).dayNumber * secondsPerDay)
    case .utc: WallTime(seconds: instant)
    case .zone(let zone): zone.wall(at: instant)
    }
  }

  func key(of wall: WallTime, in space: Zone) -> Int {
    if case .date = self { return wall.dayNumber }
    return instant(of: wall, in: space)
  }
}

/// A value's form before its zone is known.
enum TimeForm {
  case date
  case local
  case utc
}

/// Reads "20261120", "20261120T190000" or "20261120T190000Z". The form decides, whatever a VALUE parameter says, since
/// programs forget that parameter.
func parseTime(_ text: ArraySlice<UInt8>) -> (wall: WallTime, form: TimeForm)? {
  let text = trimmed(text)
  let start = text.startIndex
  guard text.count >= 8, let year = digits(text, start, 4), let month = digits(text, start + 4, 2),
    let day = digits(text, start + 6, 2), let date = CivilDate(validYear: year, month: month, day: day)
  else { return nil }
  if text.count == 8 { return (WallTime(date: date, secondOfDay: 0), .date) }
  let isUTC = text.count == 16 && text[start + 15] | 0x20 == UInt8(ascii: "z")
  guard text.count == 15 || isUTC, text[start + 8] | 0x20 == UInt8(ascii: "t"), let hour = digits(text, start + 9, 2),
    let minute = digits(text, start + 11, 2), let second = digits(text, start + 13, 2), hour < 24, minute < 60,
    second <= 60
  else { return nil }
  // A leap second counts as the second before it, as section 3.3.12 asks of systems without leap seconds.
  let secondOfDay = hour * 3600 + minute * 60 + min(second, 59)
  return (WallTime(date: date, secondOfDay: secondOfDay), isUTC ? .utc : .local)
}

/// A DURATION value (RFC 5545, section 3.3.6): days are days on the wall, seconds are exact.
struct CalendarDuration {
  var days: Int
  var seconds: Int

  /// Reads "P1W", "P15DT5H0M20S" or "-PT15M".
  init?(_ text: ArraySlice<UInt8>) {
    let text = trimmed(text)
    var position = text.startIndex
    var isNegative = false
    if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      position += 1
    }
    guard position < text.endIndex, text[position] | 0x20 == UInt8(ascii: "p") else { return nil }
    position += 1
    days = 0
    seconds = 0
    var isTime = false
    var hasParts = false
    while position < text.endIndex {
      if !isTime, text[position] | 0x20 == UInt8(ascii: "t") {
        isTime = true
        position += 1
        continue
      }
      var number = 0
      let start = position
      while position < text.endIndex, let digit = digits(text, position, 1) {
        number = number * 10 + digit
        position += 1
        guard position - start <= 9 else { return nil }
      }
      guard position > start, position < text.endIndex else { return nil }
      switch (isTime, text[position] | 0x20) {
      case (false, UInt8(ascii: "w")): days += number * 7
      case (false, UInt8(ascii: "d")): days += number
      case (true, UInt8(ascii: "h")): seconds += number * 3600
      case (true, UInt8(ascii: "m")): seconds += number * 60
      case (true, UInt8(ascii: "s")): seconds += number
      default: return nil
      }
      position += 1
      hasParts = true
    }
    guard hasParts, days <= CalendarLimits.longestEventDays,
      seconds <= CalendarLimits.longestEventDays * secondsPerDay
    else { return nil }
    if isNegative {
      days = -days
      seconds = -seconds
    }
  }
}

/// So many digits as a number, or nil.
func digits(_ text: ArraySlice<UInt8>, _ start: Int, _ count: Int) -> Int? {
  guard start + count <= text.endIndex else { return nil }
  var value = 0
  for index in start..<start + count {
    guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
    value = value * 10 + Int(text[index] - 0x30)
  }
  return value
}

/// Without white space at its ends.
func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var text = text
  while let byte = text.first, byte <= Byte.space { text.removeFirst() }
  while let byte = text.last, byte <= Byte.space { text.removeLast() }
  return text
}
