import Wire

/// When a calendar is looked at next: regularly while all is well, more and more seldom while it fails.
///
/// Times are the clock's uptime. Chance spreads the looks of many hubs, so that a server that comes back is not run
/// over by all of them at once.
public struct LookSchedule: Equatable, Sendable {
  /// Looks that failed, one after the other, up to the last one.
  public private(set) var failures = 0
  /// From when on it is to be looked at.
  public private(set) var due = 0.0

  public init() {}

  /// - Parameter chance: from 0 up to but not including 1.
  public mutating func succeed(at uptime: Double, chance: Double) {
    failures = 0
    due = uptime + CalendarLimits.refreshSeconds * Self.spread(0.1, chance)
  }

  /// - Parameter retryAfter: the seconds for which the server asks to be left alone.
  public mutating func fail(at uptime: Double, retryAfter: Double?, chance: Double) {
    failures += 1
    var pause = CalendarLimits.refreshSeconds
    // Doubling ends at the maximum, so that it never gets out of bounds.
    for _ in 1..<failures where pause < CalendarLimits.longestPause { pause *= 2 }
    pause = min(pause * Self.spread(0.25, chance), CalendarLimits.longestPause)
    // What the server asks for is a least: chance only adds to it.
    if let retryAfter {
      pause = max(pause, min(retryAfter, CalendarLimits.longestRetryAfter) * (1 + 0.1 * chance))
    }
    due = uptime + pause
  }

  public func isDue(at uptime: Double) -> Bool { uptime >= due }

  private static func spread(_ share: Double, _ chance: Double) -> Double { 1 - share + 2 * share * chance }
}

/// The seconds that a Retry-After field asks for (RFC 9110 section 10.2.3); nil if it says nothing of use.
public func retryAfterSeconds(_ field: String?, now: Int) -> Double? {
  guard let field else { return nil }
  if !field.isEmpty, field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
    return Double(field).map { min($0, CalendarLimits.longestRetryAfter) }
  }
  return HTTPDate.seconds(field, now: now).map { max(0, min(Double($0 - now), CalendarLimits.longestRetryAfter)) }
}
