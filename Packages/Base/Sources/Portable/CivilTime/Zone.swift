/// A time zone's offsets from UTC, for all times.
///
/// A sorted table of transitions, found by binary search. A zone whose rules go on for ever has 400 years of them,
/// after which the Gregorian calendar repeats, weekdays included.
public struct Zone: Sendable {
  /// From an instant on (seconds since 1970 UTC), the zone is `offset` seconds east of UTC.
  public struct Transition: Hashable, Sendable {
    public let instant: EpochSeconds
    public let offset: Int

    public init(instant: EpochSeconds, offset: Int) {
      self.instant = instant
      self.offset = offset
    }
  }

  private let table: Table

  /// Coordinated Universal Time.
  public static let utc = Zone(
    table: Table(name: "UTC", initialOffset: 0, transitions: [], repeats: false, isUTC: true))

  /// A zone from a list of transitions, as from an iCalendar VTIMEZONE or a browser.
  ///
  /// Offsets are seconds east of UTC; `initialOffset` applies before the first transition, the last one's for ever
  /// after.
  public init(name: String, transitions: [Transition], initialOffset: Int) {
    self.init(name: name, transitions: transitions, initialOffset: initialOffset, repeats: false)
  }

  /// The same; with `repeats`, the table's last 400 years repeat for ever.
  init(name: String, transitions: [Transition], initialOffset: Int, repeats: Bool) {
    table = Table(
      name: name, initialOffset: initialOffset, transitions: transitions, repeats: repeats, isUTC: false)
  }

  private init(table: Table) {
    self.table = table
  }

  /// The name that the zone was made with, such as "Europe/Berlin".
  public var name: String { table.name }

  /// True for `Zone.utc`, but not for other zones with an offset of zero.
  var isUTC: Bool { table.isUTC }

  /// Seconds east of UTC at an instant (seconds since 1970 UTC).
  public func offset(at instant: EpochSeconds) -> Int {
    table.offset(of: instant, among: table.instants)
  }

  /// The wall time at an instant (seconds since 1970 UTC).
  public func wall(at instant: EpochSeconds) -> WallTime {
    WallTime(seconds: instant + EpochSeconds(offset(at: instant)))
  }

  /// The transitions before an instant, ascending, as far as the table goes: 400 years or more for rules that go on for
  /// ever.
  public func transitions(before end: EpochSeconds) -> [Transition] { table.transitions(before: end) }

  /// The instant (seconds since 1970 UTC) of a wall time, by RFC 5545 section 3.3.5: of an ambiguous time the first
  /// instant; a skipped time is read with the offset before the gap.
  public func instant(of wall: WallTime) -> EpochSeconds {
    wall.seconds - EpochSeconds(table.offset(of: wall.seconds, among: table.walls))
  }

  /// The instant (seconds since 1970 UTC) at which a day begins.
  public func start(of day: CivilDate) -> EpochSeconds { instant(of: WallTime(date: day, secondOfDay: 0)) }
}

/// The zone's table; a class, so that copying a zone costs one reference count.
private final class Table: Sendable {
  let name: String
  let isUTC: Bool
  /// The beginnings of the offsets, in seconds since 1970 UTC, ascending.
  let instants: [EpochSeconds]
  /// The beginnings of the offsets in wall seconds, for reading wall times, ascending.
  let walls: [EpochSeconds]
  private let offsets: [Int32]
  private let initialOffset: Int
  private let repeats: Bool

  init(name: String, initialOffset: Int, transitions: [Zone.Transition], repeats: Bool, isUTC: Bool) {
    var instants: [EpochSeconds] = []
    var walls: [EpochSeconds] = []
    var offsets: [Int32] = []
    var before = initialOffset
    let sorted = transitions.sorted { $0.instant < $1.instant }
    for (index, transition) in sorted.enumerated() {
      if index + 1 < sorted.count, sorted[index + 1].instant == transition.instant { continue }
      let instant = min(max(transition.instant, -farthestInstant), farthestInstant)
      // A change of the name alone is not a transition here.
      if transition.offset == before { continue }
      // Forwards, [instant + before, instant + offset) does not exist and is read with the offset before; backwards,
      // [instant + offset, instant + before) comes twice and the first is meant. In both cases the new offset applies
      // from the later of the two.
      let wall = instant + EpochSeconds(max(transition.offset, before))
      if let last = walls.last, wall < last { walls.append(last) } else { walls.append(wall) }
      instants.append(instant)
      offsets.append(Int32(truncatingIfNeeded: transition.offset))
      before = transition.offset
    }
    self.name = name
    self.initialOffset = initialOffset
    self.repeats = repeats && !instants.isEmpty
    self.isUTC = isUTC
    self.instants = instants
    self.walls = walls
    self.offsets = offsets
  }

  func transitions(before end: EpochSeconds) -> [Zone.Transition] {
    var found: [Zone.Transition] = []
    for index in instants.indices where instants[index] < end {
      found.append(Zone.Transition(instant: instants[index], offset: Int(offsets[index])))
    }
    return found
  }

  /// The offset of the last key at or before a moment.
  func offset(of moment: EpochSeconds, among keys: [EpochSeconds]) -> Int {
    var moment = moment
    if repeats, let last = keys.last, moment > last {
      moment -= ((moment - last - 1) / gregorianCycle + 1) * gregorianCycle
    }
    var low = 0
    var length = keys.count
    while length > 0 {
      let half = length >> 1
      if keys[low + half] <= moment {
        low += half + 1
        length -= half + 1
      } else {
        length = half
      }
    }
    return low == 0 ? initialOffset : Int(offsets[low - 1])
  }
}

/// The table's outermost instant, 18 thousand million years from 1970, so that no sum overflows. (Zone files begin with
/// the big bang.)
private let farthestInstant: EpochSeconds = 1 << 59

/// The seconds after which the Gregorian calendar repeats: 400 years, 146,097 days, 20,871 weeks.
private let gregorianCycle: EpochSeconds = 146_097 * 86_400
