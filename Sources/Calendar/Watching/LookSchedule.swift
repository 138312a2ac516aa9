import Wire

/// Schedules the looks at a calendar: regularly, and after failures at growing intervals.
///
/// Times are uptime. A random part spreads the looks of many hubs, so that a server that comes back is not overloaded.
public struct LookSchedule: Equatable, Sendable {
  /// The number of consecutive failures.
  public private(set) var failures = 0
  /// The uptime of the next look.
  public private(set) var due = 0.0

  public init() {}

  /// - Parameter chance: a random number from 0 up to but not including 1.
  public mutating func succeed(at uptime: Double, chance: Double) {
    failures = 0
    due = uptime + CalendarLimits.refreshSeconds * Self.spread(0.1, chance)
  }

  /// - Parameter retryAfter: the seconds of the server's Retry-After.
  public mutating func fail(at uptime: Double, retryAfter: Double?, chance: Double) {
    failures += 1
    var pause = CalendarLimits.refreshSeconds
    // Doubling ends at the maximum, so that it cannot overflow.
    for _ in 1..<failures where pause < CalendarLimits.longestPause { pause *= 2 }
    pause = min(pause * Self.spread(0.25, chance), CalendarLimits.longestPause)
    // The server's Retry-After is a minimum: the random part only adds to it.
    if let retryAfter {
      pause = max(pause, min(retryAfter, CalendarLimits.longestRetryAfter) * (1 + 0.1 * chance))
    }
    due = uptime + pause
  }

  public func isDue(at uptime: Double) -> Bool { uptime >= due }

  private static func spread(_ share: Double, _ chance: Double) -> Double { 1 - share + 2 * share * chance }
}

/// The seconds of a Retry-After field (RFC 9110 section 10.2.3); nil if it cannot be parsed.
public func retryAfterSeconds(_ field: String?, now: Int) -> Double? {
  guard let field else { return nil }
  if !field.isEmpty, field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
    return Double(field).map { min($0, CalendarLimits.longestRetryAfter) }
  }
  return HTTPDate.seconds(field, now: now).map { max(0, min(Double($0 - now), CalendarLimits.longestRetryAfter)) }
}
