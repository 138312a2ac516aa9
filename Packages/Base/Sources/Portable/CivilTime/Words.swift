/// The word that a page uses for a day, relative to today; both are day numbers (days since 1970-01-01).
///
/// - Returns: 0 today, 1 tomorrow, 2 in the next 2 to 6 days (its weekday is unambiguous), 3 later; -1 yesterday, -2 in
///   the last 2 to 6 days, -3 earlier.
public func relativeDay(today: Int, day: Int) -> Int {
  switch day - today {
  case 0: 0
  case 1: 1
  case -1: -1
  case 2...6: 2
  case -6 ... -2: -2
  case let distance: distance > 0 ? 3 : -3
  }
}

/// The unit that a page uses for an age in seconds: 0 "just now" (under a minute, and anything in the future), 1
/// minutes, 2 hours, 3 days.
public func ageUnit(seconds: Int) -> Int {
  switch seconds {
  case ..<60: 0
  case ..<3600: 1
  case ..<86_400: 2
  default: 3
  }
}

/// The count of whole units of `ageUnit(seconds:)` in an age in seconds; 0 for "just now".
public func ageCount(seconds: Int) -> Int {
  switch ageUnit(seconds: seconds) {
  case 0: 0
  case 1: seconds / 60
  case 2: seconds / 3600
  default: seconds / 86_400
  }
}
