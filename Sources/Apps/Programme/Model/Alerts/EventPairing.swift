import CivilTime

/// Pairs events that are gone with new ones: of the same series, or else that look alike.
///
/// The identifiers of a recurring event's occurrences contain their original starts. When it is moved as a whole, all
/// of them are others, and so they are when a single event becomes a recurring one. Where "this and all following" is
/// changed, most programs end the series and write another one, whose UID is new; some write new UIDs each time.
struct EventPairing {
  /// The event as it is now, by its former identifier.
  private(set) var pairs: [String: KnownEvent] = [:]
  /// The identifiers of those that were moved beyond what is in sight.
  private(set) var outOfSight: Set<String> = []

  private let zone: Zone

  /// - Parameters:
  ///   - former: known events that no calendar has any more.
  ///   - new: events that were not known.
  ///   - calendars: the calendars as they were looked at. What begins after `until` has only come into sight.
  ///   - zone: the zone of the place.
  init(former: [KnownEvent], new: [KnownEvent], calendars: [String: KnownCalendar], zone: Zone) {
    self.zone = zone
    let candidates = Dictionary(grouping: new, by: \.series)
    for (series, former) in Dictionary(grouping: former, by: \.series) {
      guard let new = candidates[series], let until = calendars[former[0].calendar]?.until else { continue }
      pair(former.sorted { ($0.start, $0.id) < ($1.start, $1.id) }, with: new, until: until)
    }
    pairAlike(former, with: new)
  }

  /// Pairs the events of one series: those of the same day first, then the nearest. Another day does not bring back a
  /// cancelled one.
  private mutating func pair(_ former: [KnownEvent], with new: [KnownEvent], until: Int) {
    var (free, far) = (new.filter { $0.start < until }, new.filter { $0.start >= until })
    let zone = zone
    func day(_ event: KnownEvent) -> Int { zone.wall(at: EpochSeconds(event.start)).dayNumber }
    var left: [KnownEvent] = []
    for event in former where !take(event, from: &free, where: { day($0) == day(event) }) { left.append(event) }
    left = left.filter { $0.isCancelled || !take($0, from: &free, where: { _ in true }) }
    // The end of what was known has moved too: the last ones are where nobody has looked before.
    guard let last = former.last(where: { pairs[$0.id] != nil }), let moved = pairs[last.id] else { return }
    for event in left {
      let there = event.start + moved.start - last.start
      // A day, since the clocks may change in between.
      if take(event, from: &far, where: { abs($0.start - there) < secondsPerDay }) { continue }
      if there + secondsPerDay > until { outOfSight.insert(event.id) }
    }
  }

  /// Pairs what is left with events of the same calendar, title and day: those of the same time first, then the
  /// nearest.
  private mutating func pairAlike(_ former: [KnownEvent], with new: [KnownEvent]) {
    struct Look: Hashable { let calendar, title: String, day: Int }
    let zone = zone
    func look(_ event: KnownEvent) -> Look {
      Look(calendar: event.calendar, title: event.title, day: zone.wall(at: event.start).dayNumber)
    }
    let taken = Set(pairs.values.map(\.id))
    var free = Dictionary(grouping: new.filter { !taken.contains($0.id) }, by: look)
    var left = former.filter { pairs[$0.id] == nil && !outOfSight.contains($0.id) }
    left.sort { ($0.start, $0.id) < ($1.start, $1.id) }
    left = left.filter { event in
      !take(event, from: &free[look(event), default: []]) {
        $0.start == event.start && $0.isAllDay == event.isAllDay
      }
    }
    for event in left { _ = take(event, from: &free[look(event), default: []]) { _ in true } }
  }

  /// Pairs an event with the nearest of those that are left.
  /// - Returns: false if there is none.
  private mutating func take(
    _ event: KnownEvent, from free: inout [KnownEvent], where isSuitable: (KnownEvent) -> Bool
  ) -> Bool {
    let suitable = free.indices.filter { isSuitable(free[$0]) }
    guard let index = suitable.min(by: { abs(free[$0].start - event.start) < abs(free[$1].start - event.start) }) else {
      return false
    }
    pairs[event.id] = free.remove(at: index)
    return true
  }
}
