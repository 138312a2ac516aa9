import CivilTime

/// Assembles the events of each UID to a series.
struct SeriesAssembly {
  let home: Zone

  /// The series in the order of the file: one for each UID, or for each event of those that share one.
  func series(of components: [EventComponent]) -> [Series] {
    var order: [String] = []
    var groups: [String: [EventComponent]] = [:]
    groups.reserveCapacity(components.count)
    for component in components {
      if groups[component.uid]?.append(component) == nil {
        groups[component.uid] = [component]
        order.append(component.uid)
      }
    }
    return order.flatMap { series(of: groups[$0]!, uid: $0) }
  }

  private func series(of components: [EventComponent], uid: String) -> [Series] {
    let changes = components.filter { $0.recurrenceID != nil }
    let events = events(among: components.filter { $0.recurrenceID == nil })
    guard events.count > 1 else { return [series(uid, key: uid, events.first, changes)] }
    let recurring = events.indices.filter { events[$0].isRecurring }
    // Exceptions are of the event that recurs, which keeps the UID then; of several, of the latest.
    let candidates = recurring.isEmpty ? Array(events.indices) : recurring
    let changed = candidates.dropFirst().reduce(candidates[0]) { isNewer(events[$1], than: events[$0]) ? $1 : $0 }
    // A private exception may be of any of several: they are not shown then.
    let left = changes.contains(where: \.isHidden) ? recurring.filter { $0 != changed } : []
    return Set(events.indices).subtracting(left).sorted().map { place in
      let key = recurring == [place] ? uid : events[place].ownUID(uid)
      return series(uid, key: key, events[place], place == changed ? changes : [])
    }
  }

  /// The events under one UID in their latest versions: one, unless versions with the same SEQUENCE begin at different
  /// times, since a later version with another start has a higher one. Some programs give all events the same UID.
  private func events(among versions: [EventComponent]) -> [EventComponent] {
    guard versions.count > 1 else { return versions }
    var starts: [Int: Int] = [:]
    var isShared = false
    for version in versions {
      let start = version.event.start.instant(in: home)
      if starts.updateValue(start, forKey: version.event.details.sequence) ?? start != start { isShared = true }
    }
    var latest: [String: (place: Int, event: EventComponent)] = [:]
    for (place, event) in versions.enumerated() {
      let key = isShared ? event.ownUID("") : ""
      if let other = latest[key]?.event, !isNewer(event, than: other) { continue }
      latest[key] = (latest[key]?.place ?? place, event)
    }
    return latest.values.sorted { $0.place < $1.place }.map(\.event)
  }

  /// - Parameter key: see `Series.key`.
  private func series(_ uid: String, key: String, _ event: EventComponent?, _ changes: [EventComponent]) -> Series {
    guard !changes.isEmpty else {
      return Series(uid: uid, key: key, master: event.map(master), overrides: [], following: [])
    }
    var newest: [Int: (component: EventComponent, change: Override)] = [:]
    for component in changes {
      let change = override(component, master: event?.event)
      if let other = newest[change.key] {
        // Private in one version means private in all.
        if other.change.isHidden || !change.isHidden && !isNewer(component, than: other.component) { continue }
      }
      newest[change.key] = (component, change)
    }
    let all = newest.values.sorted { $0.change.key < $1.change.key }
    let following = all.map(\.change).filter(\.isThisAndFuture)
    let overrides = all.map { component, change in
      component.isOriginalAlone ? completed(change, details: component.event.details, by: following) : change
    }
    return Series(
      uid: uid, key: key, master: event.map(master), overrides: overrides,
      following: overrides.filter(\.isThisAndFuture))
  }

  /// A cancellation that tells only which occurrence it is of, behind a change of all from one on: it is of what that
  /// change has made of the occurrence.
  private func completed(_ change: Override, details: EventDetails, by following: [Override]) -> Override {
    guard let earlier = following.last(where: { $0.key < change.key }) else { return change }
    var change = change
    change.isHidden = change.isHidden || earlier.isHidden
    change.event = Event(
      details: details.completed(by: earlier.event.details),
      start: CalendarTime(wall: earlier.moved(change.wall), clock: earlier.event.start.clock),
      length: earlier.event.length)
    return change
  }

  /// True if `one` is the later version: the higher SEQUENCE (RFC 5545 section 3.8.7.4), then the later change, then
  /// the later place in the file.
  private func isNewer(_ one: EventComponent, than other: EventComponent) -> Bool {
    let (left, right) = (one.event.details.sequence, other.event.details.sequence)
    return left != right ? left > right : one.changed >= other.changed
  }

  // MARK: The master

  private func master(_ component: EventComponent) -> Master {
    let start = component.event.start
    var master = Master(
      event: component.event, rules: [], additions: component.additions.map { matched($0, to: start) },
      excludedKeys: [], excludedDays: [])
    // All rules end before the event begins: programs shorten a series so when its first occurrence is deleted.
    master.isStartExcluded = !component.rules.isEmpty
    for rule in component.rules {
      let last = rule.until.map { lastWall($0.wall, $0.form, start: start) }
      if last == nil || last! >= start.wall.seconds { master.isStartExcluded = false }
      master.rules.append(RecurrenceExpansion(rule, start: start.wall, isDate: start.isDate, last: last))
    }
    for exclusion in component.exclusions {
      if exclusion.isDate && !start.isDate {
        master.excludedDays.append(exclusion.wall.dayNumber)
      } else {
        master.excludedKeys.append(key(of: exclusion, start: start))
      }
    }
    master.excludedKeys.sort()
    master.excludedDays.sort()
    return master
  }

  /// UNTIL as the last second in the event's wall time. A UTC time is converted; a date includes its day.
  private func lastWall(_ wall: WallTime, _ form: TimeForm, start: CalendarTime) -> Int {
    switch form {
    case .date: wall.seconds + secondsPerDay - 1
    case .local: wall.seconds
    case .utc:
      switch start.clock {
      case .date: home.wall(at: wall.seconds).seconds
      case .utc: wall.seconds
      case .zone(let zone): zone.wall(at: wall.seconds).seconds
      }
    }
  }

  /// An RDATE in the event's form: for an all-day event, the day of a time; for a timed event, a date with the event's
  /// time of day.
  private func matched(_ addition: Addition, to start: CalendarTime) -> Addition {
    guard addition.start.isDate != start.isDate else { return addition }
    if start.isDate {
      return Addition(start: CalendarTime(wall: midnight(of: addition.start), clock: .date), length: nil)
    }
    let wall = WallTime(seconds: addition.start.wall.seconds + start.wall.secondOfDay)
    return Addition(start: CalendarTime(wall: wall, clock: start.clock), length: nil)
  }

  // MARK: Overrides

  private func override(_ component: EventComponent, master: Event?) -> Override {
    var original = component.recurrenceID!
    // The event itself may have been moved to another zone, but its original start is one of the series.
    var event = component.event
    if component.isOriginalFloating, let start = master?.start, !start.isDate {
      original.clock = start.clock
      if component.isStartFloating { event.start.clock = start.clock }
    }
    let start = master?.start ?? original
    let key = key(of: original, start: start)
    let wall = start.isDate ? WallTime(seconds: key * secondsPerDay) : start.clock.wall(at: key, in: home)
    if component.isOriginalAlone, let master {
      event = Event(
        details: event.details.completed(by: master.details), start: CalendarTime(wall: wall, clock: start.clock),
        length: master.length)
    }
    return Override(
      key: key, wall: wall, isDate: start.isDate, event: event, isThisAndFuture: component.isThisAndFuture,
      isHidden: component.isHidden)
  }

  /// The key for a RECURRENCE-ID or EXDATE in the event's own form, since programs confuse dates and times.
  private func key(of time: CalendarTime, start: CalendarTime) -> Int {
    if start.isDate { return midnight(of: time).dayNumber }
    guard time.isDate else { return time.instant(in: home) }
    return start.clock.instant(of: WallTime(seconds: time.wall.seconds + start.wall.secondOfDay), in: home)
  }

  /// The midnight of a time's day in its own zone; of a UTC time, in the home zone.
  private func midnight(of time: CalendarTime) -> WallTime {
    let day = if case .utc = time.clock { home.wall(at: time.wall.seconds).dayNumber } else { time.wall.dayNumber }
    return WallTime(seconds: day * secondsPerDay)
  }
}
