import CivilTime
import Wire

/// Assembles the events of each UID to a series.
struct SeriesAssembly {
  let home: Zone

  /// One series per UID, in the order of the file. What has no place in one goes to the warnings.
  func series(of components: [EventComponent], _ warnings: inout CalendarWarnings) -> [Series] {
    var order: [String] = []
    var groups: [String: [EventComponent]] = [:]
    groups.reserveCapacity(components.count)
    for component in components {
      if groups[component.uid]?.append(component) == nil {
        groups[component.uid] = [component]
        order.append(component.uid)
      }
    }
    return order.map { series(uid: $0, of: groups[$0]!, &warnings) }
  }

  private func series(
    uid: String, of components: [EventComponent], _ warnings: inout CalendarWarnings
  ) -> Series {
    var first: EventComponent?
    for next in components where next.recurrenceID == nil {
      guard let best = first else {
        first = next
        continue
      }
      let (newer, older) = isNewer(next, than: best) ? (next, best) : (best, next)
      // A later version with another start has a higher SEQUENCE. This is another event, under a UID that is taken.
      if newer.event.details.sequence == older.event.details.sequence, !isSame(newer.event.start, older.event.start) {
        warnings.add(
          .ofEvent(
            .eventLeftOut, title: older.event.details.title, uid: older.uid, line: older.line, Reason(.uidTaken)))
      }
      first = newer
    }
    let changes = components.filter { $0.recurrenceID != nil }
    guard !changes.isEmpty else {
      return Series(uid: uid, master: first.map(master), overrides: [], following: [])
    }
    var newest: [Int: (component: EventComponent, change: Override)] = [:]
    for component in changes {
      let change = override(component, master: first?.event)
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
      uid: uid, master: first.map(master), overrides: overrides, following: overrides.filter(\.isThisAndFuture))
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

  private func isSame(_ one: CalendarTime, _ other: CalendarTime) -> Bool {
    one.isDate == other.isDate && one.instant(in: home) == other.instant(in: home)
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
