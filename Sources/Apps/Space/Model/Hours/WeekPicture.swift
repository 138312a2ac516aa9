package import CivilTime

/// The frequency of a state, such as open, for each hour of the week, over some weeks.
package struct WeekPicture: Equatable, Sendable {
  /// For each quarter of an hour of the week, from Monday's midnight: seconds in the state, and seconds for which the
  /// state is known.
  private var so: [Int]
  private var known: [Int]

  package static let slotsPerDay = 96
  static let slots = 7 * slotsPerDay
  private static let halfHoursPerDay = slotsPerDay / 2
  /// Seconds of a slot. Three full slots mean three weeks: fewer are not a custom.
  static let slotSeconds = 900
  static let week = 7 * secondsPerDay
  private static let customWeeks = 3

  package init() {
    so = Array(repeating: 0, count: Self.slots)
    known = so
  }

  /// A period for which it is known if the state applied.
  package struct Stretch: Equatable, Sendable {
    package var from: Int
    package var to: Int
    package var isSo: Bool

    package init(from: Int, to: Int, isSo: Bool) { (self.from, self.to, self.isSo) = (from, to, isSo) }
  }

  /// Counts a period in the zone's wall time. A skipped hour does not count, a repeated one counts twice.
  package mutating func add(_ stretch: Stretch, zone: Zone) {
    var instant = stretch.from
    while instant < stretch.to {
      let wall = zone.wall(at: instant)
      let second = wall.secondOfDay
      let slot = (wall.date.weekday - 1) * Self.slotsPerDay + second / Self.slotSeconds
      // In all existing zones, quarters of an hour begin at slots.
      let next = min(stretch.to, instant + Self.slotSeconds - second % Self.slotSeconds)
      known[slot] += next - instant
      if stretch.isSo { so[slot] += next - instant }
      instant = next
    }
  }

  private func share(_ slots: Range<Int>) -> Double? {
    let total = known[slots].reduce(0, +)
    return total == 0 ? nil : Double(so[slots].reduce(0, +)) / Double(total)
  }

  /// For each weekday from Monday, for each hour: the frequency, 0 … 1; nil where nothing is known.
  package var hours: [[Double?]] {
    (0..<7).map { day in
      (0..<24).map { hour in
        let first = day * Self.slotsPerDay + hour * 4
        return share(first..<first + 4)
      }
    }
  }

  /// A time of the week at which the state usually applies.
  package struct Custom: Equatable, Sendable {
    /// 1 Monday … 7 Sunday, and minutes since its midnight, in whole half hours; `to` may be on the next day, a day
    /// after `from` at most.
    package var weekday: Int
    package var from: Int
    package var to: Int
    /// The frequency in this period.
    package var share: Double

    package init(weekday: Int, from: Int, to: Int, share: Double) {
      self.weekday = weekday
      self.from = from
      self.to = to
      self.share = share
    }
  }

  /// The times at which the state applied at least every other week, for an hour or more.
  package var customs: [Custom] {
    let isUsual = (0..<Self.slots).map { slot in
      known[slot] >= Self.customWeeks * Self.slotSeconds && 2 * so[slot] >= known[slot]
    }
    guard isUsual.contains(false) else {
      let share = share(0..<Self.slots) ?? 0
      return (1...7).map { Custom(weekday: $0, from: 0, to: OpeningHours.minutesPerDay, share: share) }
    }
    let hourOrMore = Self.runs(isUsual).filter { $0.count >= 4 }
    let halfHours = hourOrMore.map { ($0.lowerBound + 1) / 2..<($0.upperBound + 1) / 2 }
    return Self.byDay(halfHours) { share(2 * $0..<2 * $0 + 2) ?? 0 }
  }

  /// The customs of runs of the week's half hours, ascending: a run of more than a day is one for each of its days, so
  /// that all of them are named; a shorter one stays whole, as a night does.
  private static func byDay(_ runs: [Range<Int>], share: (Int) -> Double) -> [Custom] {
    let day = halfHoursPerDay
    let customs = runs.flatMap { run -> [Custom] in
      let midnights = run.count > day ? run.dropFirst().filter { $0 % day == 0 } : []
      let starts = [run.lowerBound] + midnights
      return zip(starts, midnights + [run.upperBound]).map { start, end in
        let from = start % day * 30
        let all = (start..<end).map { share($0 % (7 * day)) }
        return Custom(
          weekday: start / day % 7 + 1, from: from, to: from + all.count * 30,
          share: all.reduce(0, +) / Double(all.count))
      }
    }
    return customs.sorted { ($0.weekday, $0.from) < ($1.weekday, $1.from) }
  }

  /// The runs of slots in which something is so. The week goes round: one may end in the next. None if it is always so.
  private static func runs(_ isSo: [Bool]) -> [Range<Int>] {
    guard let pause = isSo.firstIndex(of: false) else { return [] }
    var runs: [Range<Int>] = []
    var first: Int?
    for slot in pause...pause + isSo.count {
      if isSo[slot % isSo.count] {
        first = first ?? slot
      } else if let start = first {
        first = nil
        runs.append(start % isSo.count..<start % isSo.count + slot - start)
      }
    }
    return runs
  }
}

extension WeekPicture {
  /// The periods in which the space was open or closed, from its changes; periods of unknown state are left out.
  /// - Parameter changes: oldest first; the first may be before `from`.
  package static func stretches(_ changes: [SpaceAPI.PastEvent], from: Int, to: Int) -> [Stretch] {
    changes.enumerated().compactMap { index, change in
      let start = max(from, change.at)
      let end = min(to, index + 1 < changes.count ? changes[index + 1].at : to)
      guard let open = change.open, start < end else { return nil }
      return Stretch(from: start, to: end, isSo: open)
    }
  }

  /// The weeks up to `end` in which events are counted: from the first one on, since some calendars drop past events,
  /// and a programme may be new. At least six: two evenings are no custom.
  package static func weeks(of events: [Range<Int>], before end: Int, most: Int) -> Int {
    let first = events.map(\.lowerBound).min() ?? end
    return min(most, max(6, (end - first + week - 1) / week))
  }

  /// The times at which there are events at least every other week, however many there are at a time. Events that last
  /// for days do not count.
  /// - Parameter weeks: those in which the events are counted.
  package static func planned(_ events: [Range<Int>], zone: Zone, weeks: Int) -> [Custom] {
    // For each half hour of the week, the days on which there is one: at most one of a week.
    var days = Array(repeating: Set<Int>(), count: 7 * halfHoursPerDay)
    for event in events where event.count <= 16 * 3600 {
      for instant in stride(from: event.lowerBound, to: event.upperBound, by: 2 * slotSeconds) {
        let wall = zone.wall(at: instant)
        let halfHour = (wall.date.weekday - 1) * halfHoursPerDay + wall.secondOfDay / (2 * slotSeconds)
        days[halfHour].insert(wall.date.dayNumber)
      }
    }
    let shares = days.map { Double($0.count) / Double(weeks) }
    return byDay(runs(shares.map { $0 >= 0.5 })) { min(1, shares[$0]) }
  }
}
