import CivilTime

/// A VEVENT as the file has it: its properties, and the line on which it begins.
struct RawEvent {
  var line: Int
  var properties: [ContentLine] = []

  /// The properties that are read; the others are not kept.
  static let names: Set<String> = [
    "UID", "SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "STATUS",
    "LOCATION", "URL", "DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION", "SEQUENCE", "DTSTAMP", "LAST-MODIFIED",
  ]
}

/// A VEVENT whose values have been read, before it is put together with the others of its UID.
struct EventComponent {
  var uid: String
  var event: Event
  var rules: [RecurrenceRule] = []
  var additions: [Addition] = []
  var exclusions: [CalendarTime] = []
  var recurrenceID: CalendarTime?
  var isThisAndFuture = false
  /// When it was last changed: of two with one SEQUENCE the later counts.
  var changed = 0
}

/// Reads the values of VEVENT components.
struct EventReader {
  private var zones: CalendarZones

  init(zones: CalendarZones) {
    self.zones = zones
  }

  /// Reads an event. What makes it useless is thrown, what can be left out is added to the problems.
  mutating func read(_ raw: RawEvent, _ problems: inout [String]) throws(EventProblem) -> EventComponent {
    var start: CalendarTime?
    var end: CalendarTime?
    var duration: CalendarDuration?
    var texts = EventTexts()
    var component = EventComponent(
      uid: "", event: Event(details: EventReader.noDetails, start: EventReader.noTime, length: .exact(seconds: 0)))
    var dates = 0
    for line in raw.properties {
      switch line.name {
      case "DTSTART": start = try time(line)
      case "DTEND":
        do { end = try time(line) } catch { problems.append("\(error.reason); its length is left out") }
      case "DURATION":
        duration = CalendarDuration(line.value)
        if duration == nil { problems.append("its DURATION is \"\(shown(line))\", which is none") }
      case "RRULE":
        do { component.rules.append(try RecurrenceRule(line.value)) } catch {
          problems.append("\(error.reason), which is not supported; the rule is left out")
        }
      case "RDATE":
        do { component.additions += try additions(line, &dates) } catch {
          problems.append("\(error.reason); dates are left out")
        }
      case "EXDATE":
        do { component.exclusions += try times(line, &dates) } catch {
          problems.append("\(error.reason); exceptions are left out")
        }
      case "RECURRENCE-ID":
        component.recurrenceID = try time(line)
        component.isThisAndFuture = line.parameter("RANGE").map { uppercased(ArraySlice($0.utf8)) } == "THISANDFUTURE"
      case "LAST-MODIFIED", "DTSTAMP":
        component.changed = max(component.changed, parseTime(line.value)?.wall.seconds ?? 0)
      default: texts.read(line)
      }
    }
    guard let start else { throw EventProblem("it has no DTSTART") }
    component.uid =
      texts.uid.isEmpty ? "eightbells-without-uid-\(start.wall.seconds)-\(texts.title)" : texts.uid
    component.event = Event(
      details: texts.details(uid: component.uid), start: start,
      length: EventReader.length(from: start, to: end, duration: duration, space: zones.space))
    return component
  }

  private static let noDetails = EventDetails(uid: "", title: "")
  private static let noTime = CalendarTime(wall: WallTime(seconds: 0), clock: .utc)

  private func shown(_ line: ContentLine) -> String { shortened(decodeLine(line.value), bytes: 60) }

  // MARK: Times

  private mutating func time(_ line: ContentLine) throws(EventProblem) -> CalendarTime {
    guard let time = try time(line.value, line) else {
      throw EventProblem("its \(line.name) is \"\(shown(line))\", which is no date and no time")
    }
    return time
  }

  private mutating func time(_ value: ArraySlice<UInt8>, _ line: ContentLine) throws(EventProblem) -> CalendarTime? {
    guard let (wall, form) = parseTime(value) else { return nil }
    switch form {
    case .date: return CalendarTime(wall: wall, clock: .date)
    case .utc: return CalendarTime(wall: wall, clock: .utc)
    case .local:
      guard let name = line.parameter("TZID"), !name.isEmpty else {
        return CalendarTime(wall: wall, clock: .zone(zones.space))
      }
      return CalendarTime(wall: wall, clock: .zone(try zones.zone(name)))
    }
  }

  private mutating func times(_ line: ContentLine, _ count: inout Int) throws(EventProblem) -> [CalendarTime] {
    var times: [CalendarTime] = []
    for value in line.value.split(separator: Byte.comma) {
      try EventReader.count(&count, line)
      guard let time = try time(value, line) else {
        throw EventProblem("its \(line.name) contains \"\(shortened(decodeLine(value), bytes: 60))\"")
      }
      times.append(time)
    }
    return times
  }

  private static func count(_ count: inout Int, _ line: ContentLine) throws(EventProblem) {
    count += 1
    guard count <= CalendarLimits.dates else {
      throw EventProblem(
        "it has more than \(CalendarLimits.dates) values of RDATE and EXDATE, on line \(line.line) and before")
    }
  }

  /// RDATE: dates, times, or periods of a start and an end or a duration.
  private mutating func additions(_ line: ContentLine, _ count: inout Int) throws(EventProblem) -> [Addition] {
    var additions: [Addition] = []
    for value in line.value.split(separator: Byte.comma) {
      try EventReader.count(&count, line)
      let parts = value.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
      guard let start = try time(parts[0], line) else {
        throw EventProblem("its RDATE contains \"\(shortened(decodeLine(value), bytes: 60))\"")
      }
      var addition = Addition(start: start, length: nil)
      if parts.count == 2 {
        let duration = CalendarDuration(parts[1])
        let end = duration == nil ? try time(parts[1], line) : nil
        guard duration != nil || end != nil else {
          throw EventProblem("its RDATE contains \"\(shortened(decodeLine(value), bytes: 60))\"")
        }
        addition.length = EventReader.length(from: start, to: end, duration: duration, space: zones.space)
      }
      additions.append(addition)
    }
    return additions
  }

  // MARK: Length

  /// RFC 5545 section 3.6.1: without DTEND and DURATION, a date lasts its day, and a time has no length. An end that is
  /// not after its start counts the same.
  static func length(
    from start: CalendarTime, to end: CalendarTime?, duration: CalendarDuration?, space: Zone
  ) -> EventLength {
    let most = CalendarLimits.longestEventDays
    if start.isDate {
      var days = 1
      if let end {
        // A time as the end of a date: the day on which it falls is the last one.
        let wall = end.isDate ? end.wall : space.wall(at: end.instant(in: space))
        days = wall.dayNumber - start.wall.dayNumber + (wall.secondOfDay > 0 ? 1 : 0)
      } else if let duration {
        days = duration.days + (duration.seconds + secondsPerDay - 1) / secondsPerDay
      }
      return .days(min(max(1, days), most))
    }
    if let end {
      // A date as the end of a time: midnight on the wall of the start.
      let instant = end.isDate ? start.clock.instant(of: end.wall, in: space) : end.instant(in: space)
      return .exact(seconds: min(max(0, instant - start.instant(in: space)), most * secondsPerDay))
    }
    guard let duration else { return .exact(seconds: 0) }
    if duration.days <= 0 {
      return .exact(seconds: max(0, duration.days * secondsPerDay + duration.seconds))
    }
    return .nominal(days: duration.days, seconds: max(0, duration.seconds))
  }
}
