import CivilTime

/// Works out the occurrences of series in a range of instants.
struct SeriesExpansion {
  let zone: Zone
  let calendarID: String
  /// Instants, end exclusive.
  let from: Int
  let to: Int
  /// What the series of this answer may still cost together.
  var steps = CalendarLimits.steps
  private(set) var occurrences: [Occurrence] = []
  private(set) var warnings: [String] = []

  /// Wall times and instants never differ by more than a day and a half, whatever the zone.
  private static let slack = 36 * 3600

  init(zone: Zone, calendarID: String, from: Int, to: Int) {
    self.zone = zone
    self.calendarID = calendarID
    self.from = from
    self.to = to
  }

  /// Appends the occurrences of a series that overlap the range.
  mutating func add(_ series: Series) {
    guard let master = series.master else {
      add(overridesOf: series)
      return
    }
    let isRecurring = master.isRecurring
    if !isRecurring, series.overrides.isEmpty {
      let event = master.event
      let start = event.start.instant(in: zone)
      if start < to, start + event.length.longest >= from {
        addIfInside(event, at: event.start.wall, original: nil, series)
      }
      return
    }
    for instance in instances(of: master, series) {
      if isOverridden(instance.key, in: series.overrides) { continue }
      if let change = series.following.last(where: { $0.key <= instance.key }) {
        let shift = change.event.start.wall.seconds - change.wall.seconds
        let wall = WallTime(seconds: instance.wall.seconds + shift)
        addIfInside(change.event, at: wall, original: instance.original, series)
      } else {
        var event = master.event
        if let length = instance.length { event.length = length }
        if let clock = instance.clock { event.start.clock = clock }
        addIfInside(event, at: instance.wall, original: isRecurring ? instance.original : nil, series)
      }
    }
    add(overridesOf: series)
  }

  private mutating func add(overridesOf series: Series) {
    for change in series.overrides {
      addIfInside(
        change.event, at: change.event.start.wall, original: change.isDate ? .day(change.key) : .instant(change.key),
        series)
    }
  }

  private func isOverridden(_ key: Int, in overrides: [Override]) -> Bool {
    guard !overrides.isEmpty else { return false }
    var low = 0
    var high = overrides.count
    while low < high {
      let middle = (low + high) / 2
      if overrides[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < overrides.count && overrides[low].key == key
  }

  // MARK: Instances

  /// One member of the recurrence set, before overrides.
  private struct Instance {
    var key: Int
    var wall: WallTime
    var original: Occurrence.Original
    /// Where an RDATE differs from the master.
    var clock: CalendarTime.Clock?
    var length: EventLength?
  }

  /// The recurrence set of a master, each member once, ascending: those that may overlap the range, and maybe some
  /// more.
  private mutating func instances(of master: Master, _ series: Series) -> [Instance] {
    var longest = master.event.length.longest
    var earlier = 0
    var later = 0
    for change in series.following {
      let shift = change.event.start.wall.seconds - change.wall.seconds
      longest = max(longest, change.event.length.longest)
      earlier = max(earlier, -shift)
      later = max(later, shift)
    }
    for addition in master.additions { longest = max(longest, addition.length?.longest ?? 0) }
    let firstWall = from - longest - later - SeriesExpansion.slack
    let endWall = to + earlier + SeriesExpansion.slack

    let clock = master.event.start.clock
    let isDate = master.event.start.isDate
    func instance(_ wall: WallTime) -> Instance {
      let key = clock.key(of: wall, in: zone)
      return Instance(key: key, wall: wall, original: isDate ? .day(key) : .instant(key))
    }
    var instances: [Instance] = []
    let start = master.event.start.wall
    if !master.isStartExcluded, start.seconds >= firstWall, start.seconds < endWall {
      instances.append(instance(start))
    }
    for rule in master.rules {
      var output = RecurrenceExpansion.Output(steps: min(steps, CalendarLimits.stepsPerSeries))
      let before = output.steps
      rule.expand(from: firstWall, to: endWall, into: &output)
      steps -= before - output.steps
      if output.isCutShort { warnCutShort(series) }
      instances.reserveCapacity(instances.count + output.walls.count)
      for wall in output.walls { instances.append(instance(WallTime(seconds: wall))) }
    }
    for addition in master.additions {
      let wall = addition.start.wall
      guard wall.seconds >= firstWall, wall.seconds < endWall else { continue }
      let key = isDate ? wall.dayNumber : addition.start.key(in: zone)
      instances.append(
        Instance(
          key: key, wall: wall, original: isDate ? .day(key) : .instant(key), clock: addition.start.clock,
          length: addition.length))
    }
    // The DTSTART and one rule are in order already, and times that DST makes equal are neighbours.
    if master.rules.count > 1 || !master.additions.isEmpty { instances.sort { $0.key < $1.key } }
    return unique(instances, excluding: master)
  }

  /// Each key once, without what EXDATE takes out. Of two with one key, the one with a length of its own counts.
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
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == value
  }

  private mutating func warnCutShort(_ series: Series) {
    warnings.append(
      "Event \"\(shortened(series.title, bytes: 80))\" (UID \(shortened(series.uid, bytes: 80))) repeats too often: "
        + "not all of its occurrences are listed; accepted are up to \(CalendarLimits.occurrencesPerSeries) in one "
        + "answer."
    )
  }

  // MARK: Occurrences

  /// Appends an event that begins at a wall time if it overlaps the range; one without length if it begins inside.
  private mutating func addIfInside(
    _ event: Event, at wall: WallTime, original: Occurrence.Original?, _ series: Series
  ) {
    let start = event.start.clock.instant(of: wall, in: zone)
    let end: Int
    var days: Range<Int>?
    switch event.length {
    case .days(let count):
      days = wall.dayNumber..<wall.dayNumber + count
      end = zone.instant(of: WallTime(seconds: wall.seconds + count * secondsPerDay))
    case .exact(let seconds):
      end = start + seconds
    case .nominal(let count, let seconds):
      let later = WallTime(seconds: wall.seconds + count * secondsPerDay)
      end = event.start.clock.instant(of: later, in: zone) + seconds
    }
    guard start < to, end > from || start >= from else { return }
    guard occurrences.count < CalendarLimits.occurrences else {
      warnFull()
      return
    }
    occurrences.append(
      Occurrence(
        details: event.details, calendar: calendarID, start: start, end: max(start, end), days: days,
        seriesID: identifier(of: series), original: original))
  }

  private var isFull = false

  private mutating func warnFull() {
    guard !isFull else { return }
    isFull = true
    warnings.append(
      "Calendar \"\(calendarID)\" has too many occurrences: not all are listed; accepted are up to "
        + "\(CalendarLimits.occurrences) in one answer.")
  }

  /// The identifier of the series that was asked for last: hashing is worth doing once per series.
  private var lastIdentifier = (uid: "", seriesID: "")

  private mutating func identifier(of series: Series) -> String {
    if lastIdentifier.seriesID.isEmpty || lastIdentifier.uid != series.uid {
      lastIdentifier = (series.uid, seriesID(calendar: calendarID, uid: series.uid))
    }
    return lastIdentifier.seriesID
  }
}
