import CivilTime

/// The hours in which a person is not rung, by the clock of the place where the device is.
public struct QuietHours: Equatable, Sendable {
  /// Minutes since midnight, 0 to 1439. They may span midnight; if both are equal, there are none.
  public var from: Int
  public var to: Int
  /// The IANA name of the zone for devices that have not told theirs.
  public var zone: String

  public init(from: Int, to: Int, zone: String) {
    self.from = from
    self.to = to
    self.zone = zone
  }

  /// The end of the quiet hours, such as "07:00", if it is quiet at this moment; nil otherwise.
  /// - Parameter deviceZone: the device's own zone; an unknown one counts as none.
  public func end(at now: Double, deviceZone: String?) -> String? {
    let minute = wall(at: now, in: clock(deviceZone)).secondOfDay / 60
    let isQuiet = from <= to ? (from..<to).contains(minute) : minute >= from || minute < to
    guard isQuiet else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(to / 60)):\(two(to % 60))"
  }

  /// The seconds until the clock of the device shows their end, also in a night in which it is put forward or back.
  package func secondsLeft(at now: Double, deviceZone: String?) -> Double {
    let zone = clock(deviceZone)
    let wall = wall(at: now, in: zone)
    let day = wall.dayNumber + (to * 60 > wall.secondOfDay ? 0 : 1)
    let end = WallTime(date: CivilDate(dayNumber: day), secondOfDay: to * 60)
    let left = Double(zone.instant(of: end)) - now
    // In an hour that comes twice, the end may have been shown already: it is quiet until the second one.
    return left > 0 ? left : Double(end.seconds - wall.seconds)
  }

  private func clock(_ deviceZone: String?) -> Zone { .ofDevice(deviceZone, else: zone) }

  private func wall(at now: Double, in zone: Zone) -> WallTime { zone.wall(at: EpochSeconds(now.rounded(.down))) }
}
