package import CivilTime

/// Decides which moments have come since the clock was last looked at, and which were missed while the hub was off.
package struct AlertClock: Equatable, Sendable {
  /// Everything up to this moment was rung or dropped, in seconds since 1970.
  package var done: Int
  package var now: Int

  /// - Parameter done: nil at the very first time; nothing rings for moments before that.
  package init(done: Int?, now: Int) {
    self.now = now
    // A clock that was set back by more than this would keep everything silent until it has caught up.
    let kept = done ?? now
    self.done = kept > now + Self.longestStep ? now : kept
  }

  private static let longestStep = 3600
  /// Seconds after which it is too late to ring.
  package static let patience = 30 * 60

  package enum Verdict: Equatable, Sendable {
    case due
    case missed
    /// It was rung or missed before, or is still to come.
    case not
  }

  /// - Parameter last: before this moment it is not too late, however long ago the other was; in seconds since 1970.
  package func verdict(_ moment: Int, before last: Int = .min) -> Verdict {
    guard moment > done, moment <= now else { return .not }
    return now - moment > Self.patience && now >= last ? .missed : .due
  }
}

/// A time of day at which something rings, such as "16:00"; "off" for never.
package struct DailyTime: Equatable, Sendable {
  /// Nil for never.
  package var secondOfDay: Int?

  package init?(_ text: String) {
    if text == "off" { return }
    guard let second = parseTimeOfDay(text) else { return nil }
    secondOfDay = second
  }

  /// The moment on a day of a place.
  package func moment(on day: CivilDate, zone: Zone) -> Int? {
    secondOfDay.map { zone.instant(of: WallTime(date: day, secondOfDay: $0)) }
  }

  /// The next moment after `now`.
  package func next(after now: Int, zone: Zone) -> Int? {
    let today = zone.wall(at: now).date
    return [0, 1].lazy.compactMap { moment(on: today.adding($0), zone: zone) }.first { $0 > now }
  }
}
