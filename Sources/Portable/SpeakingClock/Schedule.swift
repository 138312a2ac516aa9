public import CivilTime

/// One announcement of a clock.
public struct Announcement: Equatable, Sendable {
  /// The second at which it begins.
  public var at: EpochSeconds
  /// The minute of the day that the clock shows then, 0 to 1439.
  public var minute: Int
  public var parts: [Part]

  public init(at: EpochSeconds, minute: Int, parts: [Part]) { (self.at, self.minute, self.parts) = (at, minute, parts) }
}

/// The seconds by which a zone is ahead of UTC at an instant.
public typealias ZoneOffset = (EpochSeconds) -> Int

extension ClockSettings {
  /// The first announcement after an instant; nil if all of the next two days are quiet.
  ///
  /// An announcement is due whenever the clock of the zone shows one of its minutes. So when the clock is put forward,
  /// the times that it skips are not announced, and when it is put back, those that come again are announced again. On
  /// most days there are 96 quarters of an hour, on those two 92 and 100.
  public func next(after moment: EpochSeconds, offset: ZoneOffset) -> Announcement? {
    var instant = moment
    let end = moment + 2 * EpochSeconds(secondsPerDay)
    while instant <= end {
      instant = boundary(after: instant, offset)
      let minute = WallTime(seconds: instant + EpochSeconds(offset(instant))).secondOfDay / 60
      if quiet?.contains(minute) != true {
        return Announcement(at: instant, minute: minute, parts: parts(at: minute))
      }
    }
    return nil
  }

  /// The announcements from an instant on, before another one.
  public func announcements(from start: EpochSeconds, before end: EpochSeconds, offset: ZoneOffset) -> [Announcement] {
    var found: [Announcement] = []
    while let one = next(after: found.last?.at ?? start - 1, offset: offset), one.at < end { found.append(one) }
    return found
  }

  /// The first instant after another one at which the clock of the zone shows a multiple of the interval.
  private func boundary(after instant: EpochSeconds, _ offset: ZoneOffset) -> EpochSeconds {
    let before = offset(instant)
    let there = instant + untilBoundary(instant, before)
    guard offset(there) != before else { return there }
    // The clock is set in between: the first instant with the other offset decides.
    var (last, change) = (instant, there)
    while change - last > 1 {
      let middle = last + (change - last) / 2
      if offset(middle) == before { last = middle } else { change = middle }
    }
    let left = untilBoundary(change, offset(change))
    return left == step * 60 ? change : boundary(after: change, offset)
  }

  /// Seconds from an instant to the next boundary after it, 1 to the whole interval.
  private func untilBoundary(_ instant: EpochSeconds, _ offset: Int) -> EpochSeconds {
    let interval = EpochSeconds(step) * 60
    let rest = (instant + EpochSeconds(offset)) % interval
    return rest < 0 ? -rest : interval - rest
  }
}
