import CIcal
import CivilTime
import Wire

/// A VEVENT with its values, before it is assembled with the others of its UID.
struct EventComponent {
  var uid: String
  /// The number of the line on which it begins.
  var line: Int
  var event: Event
  var rules: [RecurrenceRule] = []
  var additions: [Addition] = []
  var exclusions: [CalendarTime] = []
  var recurrenceID: CalendarTime?
  /// True if RECURRENCE-ID names no zone: the series' own is meant.
  var isOriginalFloating = false
  /// The same of DTSTART.
  var isStartFloating = false
  var isThisAndFuture = false
  /// True for a cancellation of one occurrence, of which it may have nothing but the RECURRENCE-ID.
  var isOriginalAlone = false
  /// True for a private exception of a public event: nothing of it is used but the occurrences that it removes.
  var isHidden = false
  /// The time of the last change: among events with the same SEQUENCE the latest counts.
  var changed = 0

  var isRecurring: Bool { !rules.isEmpty || !additions.isEmpty }

  /// The text in place of a UID, for an event without one and for one of several that share it.
  func ownUID(_ beginning: String) -> String {
    Self.ownUID(beginning, event.start, title: event.details.title)
  }

  static func ownUID(_ beginning: String, _ start: CalendarTime, title: String) -> String {
    "\(beginning)-\(start.wall.seconds)-\(title)"
  }
}

/// Reads the values of VEVENT components.
struct EventReader {
  var zones: CalendarZones
  /// The zone of an event's times without one: the one that its DTSTART names. RFC 5545 has a TZID at each of them, and
  /// programs leave it out.
  private var zoneOfStart: Zone?
  /// What is wrong with the zones of an event whose times are read in another one.
  private var zoneProblems: [Reason] = []

  init(zones: CalendarZones) {
    self.zones = zones
  }

  /// Reads an event. Throws a fault that makes it useless; faults of parts that can be left out go to the problems.
  mutating func read(_ raw: RawComponent, _ problems: inout [Reason]) throws(EventProblem) -> EventComponent {
    for (name, value) in raw.unreadable {
      let problem = EventProblem(.unreadableProperty, ["name": .text(name), "value": .text(value)])
      // With another start, or another occurrence to replace, it would be a different event.
      if name == "DTSTART" || name == "RECURRENCE-ID" { throw problem }
      problems.append(Reason(.leftOutFromThere, ["reason": .reason(problem.reason)]))
    }
    if raw.isFull { problems.append(Reason(.tooManyProperties)) }
    (zoneOfStart, zoneProblems) = (nil, [])
    guard let first = raw.properties(ICAL_DTSTART_PROPERTY).last else {
      guard let cancellation = try readCancellation(raw) else { throw EventProblem(.noStart) }
      problems += zoneProblems
      return cancellation
    }
    let start = try time(first, "DTSTART")
    switch start.clock {
    case .zone(let zone): zoneOfStart = zone
    case .utc: zoneOfStart = .utc
    case .date: break
    }
    let texts = EventTexts(raw)
    var component = EventComponent(
      uid: raw.uid.isEmpty ? EventComponent.ownUID("eightbells-without-uid", start, title: texts.title) : raw.uid,
      line: raw.line,
      event: Event(details: EventDetails.none, start: start, length: .exact(seconds: 0)))
    if case .zone = start.clock { component.isStartFloating = zoneName(first)?.isEmpty ?? true }
    component.event.details = texts.details(uid: component.uid)
    component.event.length = EventReader.length(
      from: start, to: end(raw, &problems), duration: duration(raw, &problems), home: zones.home)
    try readOriginal(raw, into: &component)
    component.changed = EventReader.changed(raw)
    readRecurrence(raw, into: &component, &problems)
    problems += zoneProblems
    return component
  }

  /// The time of LAST-MODIFIED, or that of DTSTAMP if it is later.
  private static func changed(_ raw: RawComponent) -> Int {
    var changed = 0
    for kind in [ICAL_LASTMODIFIED_PROPERTY, ICAL_DTSTAMP_PROPERTY] {
      for property in raw.properties(kind) {
        let time = icalproperty_get_value(property).flatMap { readTime(icalvalue_get_datetime($0)) }
        changed = max(changed, time?.wall.seconds ?? 0)
      }
    }
    return changed
  }

  /// Reads a cancellation of one occurrence without DTSTART (RFC 5546 section 3.2.5); nil if it is none.
  private mutating func readCancellation(_ raw: RawComponent) throws(EventProblem) -> EventComponent? {
    let details = EventTexts(raw).details(uid: raw.uid)
    guard details.status == .cancelled, !raw.uid.isEmpty,
      var component = try readOriginalAlone(raw, details)
    else { return nil }
    component.isOriginalAlone = true
    component.isStartFloating = component.isOriginalFloating
    component.changed = EventReader.changed(raw)
    return component
  }

  /// Reads from a private exception which occurrences it removes; nil if that cannot be read.
  mutating func readHidden(_ raw: RawComponent) -> EventComponent? {
    (zoneOfStart, zoneProblems) = (nil, [])
    guard var component = try? readOriginalAlone(raw, EventDetails.none) else { return nil }
    component.isHidden = true
    return component
  }

  /// Reads RECURRENCE-ID as the event's start, too; nil without one.
  private mutating func readOriginalAlone(
    _ raw: RawComponent, _ details: EventDetails
  ) throws(EventProblem) -> EventComponent? {
    let start = CalendarTime(wall: WallTime(seconds: 0), clock: .utc)
    var component = EventComponent(
      uid: raw.uid, line: raw.line, event: Event(details: details, start: start, length: .exact(seconds: 0)))
    try readOriginal(raw, into: &component)
    guard let original = component.recurrenceID else { return nil }
    component.event.start = original
    component.event.length = EventReader.length(from: original, to: nil, duration: nil, home: zones.home)
    return component
  }

  /// Reads RECURRENCE-ID.
  private mutating func readOriginal(
    _ raw: RawComponent, into component: inout EventComponent
  ) throws(EventProblem) {
    guard let property = raw.properties(ICAL_RECURRENCEID_PROPERTY).last else { return }
    let original = try time(property, "RECURRENCE-ID")
    component.recurrenceID = original
    if case .zone = original.clock { component.isOriginalFloating = zoneName(property)?.isEmpty ?? true }
    let range = icalproperty_get_first_parameter(property, ICAL_RANGE_PARAMETER)
    component.isThisAndFuture = range.map { icalparameter_get_range($0) == ICAL_RANGE_THISANDFUTURE } ?? false
  }

  /// Reads RRULE, RDATE and EXDATE; unusable values are left out.
  private mutating func readRecurrence(
    _ raw: RawComponent, into component: inout EventComponent, _ problems: inout [Reason]
  ) {
    for text in raw.rules {
      do {
        component.rules.append(
          try RecurrenceRule(text, start: component.event.start.wall, isDate: component.event.start.isDate))
      } catch {
        problems.append(Reason(.ruleLeftOut, ["reason": .reason(error.reason)]))
      }
    }
    var dates = 0
    problems += eachDate(raw.properties(ICAL_RDATE_PROPERTY), &dates, .datesLeftOut) {
      reader, property throws(EventProblem) in component.additions.append(try reader.addition(property))
    }
    problems += eachDate(raw.properties(ICAL_EXDATE_PROPERTY), &dates, .exceptionsLeftOut) {
      reader, property throws(EventProblem) in component.exclusions.append(try reader.time(property, "EXDATE"))
    }
  }

  /// Reads each date that can be read, as long as there are not too many.
  /// - Returns: the first problem.
  private mutating func eachDate(
    _ properties: [OpaquePointer], _ count: inout Int, _ kind: Reason.Kind,
    _ read: (inout EventReader, OpaquePointer) throws(EventProblem) -> Void
  ) -> [Reason] {
    var problem: Reason?
    for property in properties {
      count += 1
      guard count <= CalendarLimits.dates else {
        problem = Reason(.tooManyDates, ["limit": .number(CalendarLimits.dates)])
        break
      }
      do throws(EventProblem) { try read(&self, property) } catch { problem = problem ?? error.reason }
    }
    return problem.map { [Reason(kind, ["reason": .reason($0)])] } ?? []
  }

  // MARK: Times

  private mutating func time(_ property: OpaquePointer, _ name: String) throws(EventProblem) -> CalendarTime {
    guard let value = icalproperty_get_value(property) else { throw EventProblem(.noValue, ["name": .text(name)]) }
    return try time(icalvalue_get_datetime(value), property, name)
  }

  private mutating func time(
    _ value: icaltimetype, _ property: OpaquePointer, _ name: String
  ) throws(EventProblem) -> CalendarTime {
    guard let (wall, form) = readTime(value) else {
      let shown = icaltime_as_ical_string_r(value)
      defer { icalmemory_free_buffer(shown) }
      let years = CalendarLimits.years
      throw EventProblem(
        .noTime,
        [
          "name": .text(name), "value": .text(shown.map { text($0) } ?? ""), "first": .number(years.lowerBound),
          "last": .number(years.upperBound),
        ])
    }
    switch form {
    case .date: return CalendarTime(wall: wall, clock: .date)
    case .utc: return CalendarTime(wall: wall, clock: .utc)
    case .local:
      return CalendarTime(wall: wall, clock: .zone(zone(of: property, at: wall)))
    }
  }

  /// The zone of a time. One that cannot be found is no reason to leave the event out: a time without a zone is read,
  /// with a note.
  private mutating func zone(of property: OpaquePointer, at wall: WallTime) -> Zone {
    let fallback = zoneOfStart ?? zones.floating
    guard let name = zoneName(property), !name.isEmpty else { return fallback }
    do throws(EventProblem) { return try zones.zone(name) } catch {
      let zone = LenientZones.inBrackets(name, at: wall, or: fallback)
      let note = Reason(.zoneReplaced, ["reason": .reason(error.reason), "zone": .text(zone.name)])
      // An event has as many of them as its times have, nearly always the same.
      if zoneProblems.count < CalendarLimits.zonesOfEvent, !zoneProblems.contains(note) { zoneProblems.append(note) }
      return zone
    }
  }

  /// Reads a value of RDATE: a date, a time, or a period of a start and an end or a duration.
  private mutating func addition(_ property: OpaquePointer) throws(EventProblem) -> Addition {
    guard let value = icalproperty_get_value(property), icalvalue_isa(value) == ICAL_PERIOD_VALUE else {
      return Addition(start: try time(property, "RDATE"), length: nil)
    }
    let period = icalvalue_get_period(value)
    let start = try time(period.start, property, "RDATE")
    var end: CalendarTime?
    if icaltime_is_null_time(period.end) == 0 { end = try time(period.end, property, "RDATE") }
    let duration = CalendarDuration(period.duration)
    return Addition(
      start: start, length: EventReader.length(from: start, to: end, duration: duration, home: zones.home))
  }

  // MARK: Length

  private mutating func end(_ raw: RawComponent, _ problems: inout [Reason]) -> CalendarTime? {
    guard let property = raw.properties(ICAL_DTEND_PROPERTY).last else { return nil }
    do {
      return try time(property, "DTEND")
    } catch {
      problems.append(Reason(.lengthLeftOut, ["reason": .reason(error.reason)]))
      return nil
    }
  }

  private func duration(_ raw: RawComponent, _ problems: inout [Reason]) -> CalendarDuration? {
    guard let value = raw.properties(ICAL_DURATION_PROPERTY).last.flatMap({ icalproperty_get_value($0) }) else {
      return nil
    }
    let duration = CalendarDuration(icalvalue_get_duration(value))
    if duration == nil {
      problems.append(Reason(.tooLong, ["days": .number(CalendarLimits.longestEventDays)]))
    }
    return duration
  }

  /// The length by RFC 5545 section 3.6.1: without DTEND and DURATION, a date lasts its day, and a time has no length.
  /// An end that is not after the start counts as missing.
  static func length(
    from start: CalendarTime, to end: CalendarTime?, duration: CalendarDuration?, home: Zone
  ) -> EventLength {
    let most = CalendarLimits.longestEventDays
    if start.isDate {
      var days = 1
      if let end {
        // A date with a time as its end: the day of that time is the last one.
        let wall = end.isDate ? end.wall : home.wall(at: end.instant(in: home))
        days = wall.dayNumber - start.wall.dayNumber + (wall.secondOfDay > 0 ? 1 : 0)
      } else if let duration {
        days = duration.days + (duration.seconds + secondsPerDay - 1) / secondsPerDay
      }
      return .days(min(max(1, days), most))
    }
    if let end {
      // A time with a date as its end: it ends at midnight in the zone of the start.
      let instant = end.isDate ? start.clock.instant(of: end.wall, in: home) : end.instant(in: home)
      return .exact(seconds: min(max(0, instant - start.instant(in: home)), CalendarLimits.longestEventSeconds))
    }
    guard let duration else { return .exact(seconds: 0) }
    if duration.days <= 0 {
      return .exact(seconds: max(0, duration.days * secondsPerDay + duration.seconds))
    }
    return .nominal(days: duration.days, seconds: max(0, duration.seconds))
  }
}
