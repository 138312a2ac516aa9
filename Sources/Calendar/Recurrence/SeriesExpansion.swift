import CivilTime
import Wire

/// The rest of an answer's budget, shared by all of its calendars, so that no file makes it take long.
public struct ExpansionBudget: Sendable {
  /// Steps of recurrence rules: see `CalendarLimits.steps`.
  public var steps: Int
  /// Occurrences that may still be added. A caller that accepts n of them sets n + 1, to see that there are too many.
  public var occurrences: Int

  public init(steps: Int = CalendarLimits.steps, occurrences: Int = CalendarLimits.occurrences) {
    self.steps = steps
    self.occurrences = occurrences
  }
}

/// Expands series to occurrences in a range of instants.
struct SeriesExpansion {
  let zone: Zone
  let ids: SeriesIDs
  /// Instants, end exclusive.
  let from: Int
  let to: Int
  var budget: ExpansionBudget
  private(set) var occurrences: [Occurrence] = []
  private(set) var warnings = CalendarWarnings()

  /// The most by which wall times and instants differ, in any zone: a day and a half.
  private static let slack = 36 * 3600

  /// True if no more occurrences may be added.
  var isFull: Bool { budget.occurrences <= 0 }

  /// Appends the occurrences of a series that overlap the range. `place` is its index in the calendar.
  mutating func add(_ series: Series, place: Int) {
    guard let master = series.master else {
      add(overridesOf: series, place)
      return
    }
    if !master.isRecurring, !master.hasExclusions, series.overrides.isEmpty {
      let event = master.event
      let start = event.start.instant(in: zone)
      if start < to, start + event.length.longest >= from {
        appendIfInside(occurrence(of: event, at: event.start.wall, original: nil, place))
      }
      return
    }
    let isSubdaily = master.rules.contains { $0.rule.isSubdaily }
    let limit = isSubdaily ? CalendarLimits.subdailyOccurrences : CalendarLimits.occurrencesPerSeries
    let most = occurrences.count + limit
    var isCutShort = false
    for instance in instances(of: master, series, &isCutShort) {
      if isFull { return }
      if occurrences.count == most {
        isCutShort = true
        break
      }
      appendIfInside(occurrence(of: instance, in: series, master, place))
    }
    if isCutShort { warnings.add(.cutShort(title: series.title, uid: series.uid, limit: limit)) }
    add(overridesOf: series, place)
  }

  private mutating func add(overridesOf series: Series, _ place: Int) {
    for change in series.overrides where !isFull { appendIfInside(occurrence(of: change, place)) }
  }

  /// The occurrence with an original start, also if it was moved. Nothing else is expanded.
  mutating func occurrence(_ original: Occurrence.Original?, of series: Series, place: Int) -> Occurrence? {
    let key: Int
    switch original {
    case .day(let number): key = number
    case .instant(let instant): key = instant
    case nil:
      guard let master = series.master, !master.isRecurring else { return nil }
      key = master.event.start.key(in: zone)
    }
    if let index = index(of: key, in: series.overrides) { return occurrence(of: series.overrides[index], place) }
    guard let master = series.master else { return nil }
    let wall = master.event.start.isDate ? key * secondsPerDay : key
    let walls = wall - SeriesExpansion.slack..<wall + SeriesExpansion.slack
    var output = RecurrenceExpansion.Output(steps: 0)
    let instance = instances(
      of: master, walls: walls, ofSubdaily: tightWalls(of: master, from: key, to: key + 1), &output
    ).first { $0.key == key }
    return instance.flatMap { occurrence(of: $0, in: series, master, place) }
  }

  // MARK: Instances

  /// One member of the recurrence set, before exceptions are applied.
  private struct Instance {
    var key: Int
    var wall: WallTime
    var original: Occurrence.Original
    /// Set where an RDATE differs from the master.
    var clock: CalendarTime.Clock?
    var length: EventLength?
  }

  /// The range of wall times in which members of the recurrence set may begin so that their occurrences overlap the
  /// range.
  private func walls(of master: Master, _ series: Series) -> Range<Int> {
    var longest = master.event.length.longest
    var earlier = 0
    var later = 0
    for change in series.following {
      let rounding = change.event.start.isDate ? secondsPerDay : 0
      longest = max(longest, change.event.length.longest)
      earlier = max(earlier, rounding - change.shift)
      later = max(later, change.shift + rounding)
    }
    for addition in master.additions { longest = max(longest, addition.length?.longest ?? 0) }
    let first = from - longest - later - SeriesExpansion.slack
    return first..<max(first, to + earlier + SeriesExpansion.slack)
  }

  /// The recurrence set of a master as far as its occurrences may overlap the range.
  private mutating func instances(of master: Master, _ series: Series, _ isCutShort: inout Bool) -> [Instance] {
    let walls = walls(of: master, series)
    var output = RecurrenceExpansion.Output(steps: 0)
    var subdaily = walls
    if series.following.isEmpty {
      subdaily = tightWalls(of: master, from: from - master.event.length.longest, to: to)
      output.inside = master.event.start.clock.wall(at: from, in: zone).seconds
    }
    defer { isCutShort = output.isCutShort }
    return instances(of: master, walls: walls, ofSubdaily: subdaily, &output)
  }

  /// The wall times whose instants may be in a range, without slack, since a rule by the second has more than a hundred
  /// thousand times in it.
  private func tightWalls(of master: Master, from: Int, to: Int) -> Range<Int> {
    let (clock, slack) = (master.event.start.clock, SeriesExpansion.slack)
    // Times that the clock skips or shows twice are read with the offset before.
    func walls(_ instant: Int) -> [Int] {
      [instant, instant - slack].map { clock.wall(at: $0, in: zone).seconds + instant - $0 }
    }
    let first = walls(from).min()!
    return first..<max(first, walls(to).max()!)
  }

  /// The recurrence set of a master in a range of wall times, each member once, ascending.
  /// - Parameters:
  ///   - ofSubdaily: the same for rules by the hour and less.
  ///   - output: for the budget's steps, which are set here.
  private mutating func instances(
    of master: Master, walls: Range<Int>, ofSubdaily: Range<Int>, _ output: inout RecurrenceExpansion.Output
  ) -> [Instance] {
    let clock = master.event.start.clock
    let isDate = master.event.start.isDate
    func instance(_ wall: WallTime) -> Instance {
      let key = clock.key(of: wall, in: zone)
      return Instance(key: key, wall: wall, original: isDate ? .day(key) : .instant(key))
    }
    var instances: [Instance] = []
    let start = master.event.start.wall
    if !master.isStartExcluded, walls.contains(start.seconds) { instances.append(instance(start)) }
    let allowed = min(budget.steps, CalendarLimits.stepsPerSeries)
    output.steps = allowed
    // Before the rules, which may use up the steps, and since an RDATE with its own length takes precedence over a
    // rule.
    for addition in master.additions where walls.contains(addition.start.wall.seconds) {
      output.steps -= 1
      guard output.steps >= 0 else {
        output.isCutShort = true
        break
      }
      let wall = addition.start.wall
      let key = isDate ? wall.dayNumber : addition.start.key(in: zone)
      instances.append(
        Instance(
          key: key, wall: wall, original: isDate ? .day(key) : .instant(key), clock: addition.start.clock,
          length: addition.length))
    }
    for rule in master.rules {
      let range = rule.rule.isSubdaily ? ofSubdaily : walls
      rule.expand(from: range.lowerBound, to: range.upperBound, into: &output)
      for wall in output.walls { instances.append(instance(WallTime(seconds: wall))) }
      output.walls.removeAll(keepingCapacity: true)
    }
    budget.steps -= allowed - output.steps
    // One rule is nearly always in order already, but for several times in the hour that is skipped in spring.
    instances.sort { $0.key < $1.key }
    return unique(instances, excluding: master)
  }

  /// Each key once, without those of EXDATE. Of two with one key, the one with a length of its own counts.
  private func unique(_ instances: [Instance], excluding master: Master) -> [Instance] {
    var result: [Instance] = []
    result.reserveCapacity(instances.count)
    for instance in instances {
      if let last = result.last, last.key == instance.key {
        if instance.length != nil { result[result.count - 1] = instance }
        continue
      }
      if contains(master.excludedKeys, instance.key) { continue }
      if !master.excludedDays.isEmpty, contains(master.excludedDays, instance.wall.dayNumber) { continue }
      result.append(instance)
    }
    return result
  }

  private func contains(_ sorted: [Int], _ value: Int) -> Bool {
    guard !sorted.isEmpty else { return false }
    let index = countOfFirst(sorted) { $0 < value }
    return index < sorted.count && sorted[index] == value
  }

  private func index(of key: Int, in overrides: [Override]) -> Int? {
    guard !overrides.isEmpty else { return nil }
    let index = countOfFirst(overrides) { $0.key < key }
    return index < overrides.count && overrides[index].key == key ? index : nil
  }

  // MARK: Occurrences

  /// A member of the recurrence set, with an exception for all following ones applied; nil if it has an exception of
  /// its own or is private.
  private func occurrence(of instance: Instance, in series: Series, _ master: Master, _ place: Int) -> Occurrence? {
    if index(of: instance.key, in: series.overrides) != nil { return nil }
    let changes = series.following.isEmpty ? 0 : countOfFirst(series.following) { $0.key <= instance.key }
    if changes > 0 {
      let change = series.following[changes - 1]
      if change.isHidden { return nil }
      // An RDATE may be in another zone than the master, from whose wall time the exception counts.
      let start = master.event.start
      let isElsewhere = instance.clock != nil && !start.isDate
      let wall = isElsewhere ? start.clock.wall(at: instance.key, in: zone) : instance.wall
      return occurrence(of: change.event, at: change.moved(wall), original: instance.original, place)
    }
    var event = master.event
    if let length = instance.length { event.length = length }
    if let clock = instance.clock { event.start.clock = clock }
    return occurrence(of: event, at: instance.wall, original: master.isRecurring ? instance.original : nil, place)
  }

  private func occurrence(of change: Override, _ place: Int) -> Occurrence? {
    if change.isHidden { return nil }
    return occurrence(
      of: change.event, at: change.event.start.wall,
      original: change.isDate ? .day(change.key) : .instant(change.key), place)
  }

  /// The event with a start at a wall time; nil if that is not in the years allowed.
  private func occurrence(
    of event: Event, at wall: WallTime, original: Occurrence.Original?, _ place: Int
  ) -> Occurrence? {
    guard CalendarLimits.walls.contains(wall.seconds) else { return nil }
    let start = event.start.clock.instant(of: wall, in: zone)
    let last = CalendarLimits.walls.upperBound
    let end: Int
    var days: Range<Int>?
    switch event.length {
    case .days(let count):
      let next = min(wall.dayNumber + count, WallTime(seconds: last).dayNumber + 1)
      days = wall.dayNumber..<next
      end = zone.instant(of: WallTime(seconds: next * secondsPerDay))
    case .exact(let seconds):
      end = min(start + seconds, last)
    case .nominal(let count, let seconds):
      let later = WallTime(seconds: min(wall.seconds + count * secondsPerDay, last))
      end = min(event.start.clock.instant(of: later, in: zone) + seconds, last)
    }
    return Occurrence(
      details: event.details, calendar: ids.calendarID, start: start, end: max(start, end), days: days,
      seriesID: ids.text(place),
      original: original)
  }

  /// Appends an occurrence that overlaps the range, or one without length that begins inside.
  private mutating func appendIfInside(_ occurrence: Occurrence?) {
    guard let occurrence, !isFull, occurrence.start < to, occurrence.end > from || occurrence.start >= from else {
      return
    }
    budget.occurrences -= 1
    occurrences.append(occurrence)
    if isFull {
      let calendar = ids.calendarID
      warnings.add(Reason(.answerFull, ["calendar": .text(calendar)]))
    }
  }
}

/// The number of elements at the beginning of a sorted list that fulfil a condition.
func countOfFirst<Element>(_ sorted: [Element], _ isBefore: (Element) -> Bool) -> Int {
  var low = 0
  var high = sorted.count
  while low < high {
    let middle = (low + high) / 2
    if isBefore(sorted[middle]) { low = middle + 1 } else { high = middle }
  }
  return low
}
