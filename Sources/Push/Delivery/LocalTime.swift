public import CivilTime
import Lifecycle

/// A time of day at which each device is rung by its own clock.
///
/// A time that a clock skips when it is put forward comes later by as much (2:30 becomes 3:30). Of a time that comes
/// twice when it is put back, the first one counts. Calendar triggers of devices do the same.
public struct LocalTime: Equatable, Sendable {
  /// Minutes since midnight, 0 to 1439.
  public var minute: Int
  /// The day on which it rings, as a day number (`CivilDate.dayNumber`); with a rule, the next day that has not begun.
  /// Nil: the next time that a device's clock shows this minute.
  public var day: Int?
  /// The rule (RRULE) that names the days, if there are several.
  public var rule: String?
  /// The day from which the rule counts.
  public var firstDay: Int
  /// Seconds since 1970 at which it was asked for. Nobody is rung for a time before it.
  public var since: Double
  /// The IANA name of the zone of devices that have not told theirs.
  public var zone: String

  public init(
    minute: Int, day: Int? = nil, rule: String? = nil, firstDay: Int = 0, since: Double, zone: String
  ) {
    self.minute = minute
    self.day = day
    self.rule = rule
    self.firstDay = firstDay
    self.since = since
    self.zone = zone
  }

  /// Gives the next day after `after` that a rule names, counted from the rule's first day; nil if there is none.
  public typealias NextDay = @Sendable (_ rule: String, _ firstDay: Int, _ after: Int) -> Int?

  /// The instant (seconds since 1970) at which the clock in a zone shows it.
  public func instant(in zone: Zone) -> Double {
    if let day { return instant(on: day, in: zone) }
    // The day before is tried, too: a time that was skipped may have moved into today.
    let today = zone.wall(at: EpochSeconds(since.rounded(.down))).dayNumber
    return (today - 1...today + 1).lazy.map { instant(on: $0, in: zone) }.first { $0 > since }
      ?? instant(on: today + 2, in: zone)
  }

  private func instant(on day: Int, in zone: Zone) -> Double { Double(zone.instant(of: wall(on: day))) }

  private func wall(on day: Int) -> WallTime {
    WallTime(seconds: EpochSeconds(day) * EpochSeconds(secondsPerDay) + EpochSeconds(minute * 60))
  }

  /// The instant for a device.
  /// - Parameter deviceZone: the zone that it has told; an unknown one counts as none.
  public func instant(deviceZone: String?) -> Double { instant(in: .ofDevice(deviceZone, else: zone)) }

  /// The first and the last instant at which a clock on Earth shows it.
  public var earliest: Double { day.map { Double(wall(on: $0).seconds) - DeliveryLimits.furthestEast } ?? since }
  public var latest: Double {
    day.map { Double(wall(on: $0).seconds) + DeliveryLimits.furthestWest } ?? since + DeliveryLimits.longestDay
  }

  /// The next instant after `moment` at which it may be time in some zone; nil if it is over in all zones. Offsets of
  /// zones are multiples of a quarter of an hour, so no list of zones is needed, and a device may be added, or travel,
  /// until the last moment.
  public func nextLook(after moment: Double) -> Double? {
    let step = DeliveryLimits.zoneStep
    let from = max(moment, earliest - 1)
    guard from < latest else { return nil }
    let phase = Double(minute * 60).truncatingRemainder(dividingBy: step)
    let next = ((from - phase) / step).rounded(.down) * step + step + phase
    return min(next, latest)
  }
}

extension Zone {
  /// The zone that a device has told, by its IANA name.
  /// - Parameter other: the zone for a name that is missing or unknown.
  static func ofDevice(_ name: String?, else other: String) -> Zone {
    name.flatMap { try? systemZone($0) } ?? (try? systemZone(other)) ?? .utc
  }
}
