import CivilTime
import SpeakingClock

/// The dead man's check of one device: it should have spoken, and has said nothing of it.
enum Silence {
  /// - Parameters:
  ///   - heard: the second of the last announcement that it reported; nil for none.
  ///   - since: seconds since 1970 from which reports are awaited: it was switched on then, or the hub began.
  static func isOverdue(_ clock: PersonClock, in zone: Zone, heard: Int?, since: Double, now: Double) -> Bool {
    guard clock.mutedUntil <= now else { return false }
    var from = max(since, clock.changedAt, clock.mutedUntil)
    // A report that is ahead was written while the hub's clock was ahead.
    if let heard, Double(heard) <= now + ClockLimits.jump { from = max(from, Double(heard)) }
    var moment = Int(min(from, now))
    // Nearly all have reported lately, and need no schedule.
    guard now - Double(moment) > ClockLimits.patience else { return false }
    for _ in 0..<ClockLimits.missedAnnouncements {
      guard let next = clock.next(after: moment, in: zone), Double(next.at) <= now else { return false }
      moment = next.at
    }
    return now >= Double(moment) + ClockLimits.patience
  }
}
