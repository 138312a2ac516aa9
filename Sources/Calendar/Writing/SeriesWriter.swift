import CIcal
import CivilTime
import Lifecycle
import Markup

/// Writes a series with its rule and exceptions, if other programs will understand all of it alike.
///
/// Not possible: several rules in one event, exceptions for all following occurrences (THISANDFUTURE), added dates,
/// which Outlook and Exchange ignore (MS-OXCICAL, RDATE), exclusions by day if a day has several occurrences, zones
/// that only the calendar defines, and exceptions without their event. Such a series is written as its occurrences.
struct SeriesWriter {
  let home: Zone
  /// The UID of the series: see `CalendarFeed`.
  let uid: String
  let extra: (inout CalendarWriter) -> Void

  /// Writes the series.
  /// - Returns: the zones that the lines name, with the first instants at which they are needed. Nil if the series
  ///   cannot be written; then nothing was.
  func write(_ series: Series, to writer: inout CalendarWriter) -> [(Zone, from: Int)]? {
    guard let master = series.master, series.following.isEmpty, !master.isStartExcluded, master.additions.isEmpty,
      let clock = Self.known(master.event.start.clock), master.rules.count == 1,
      let rule = master.rules[0].text(clock: clock, home: home), let exclusions = exclusions(of: master, series)
    else { return nil }
    let start = CalendarTime(wall: master.event.start.wall, clock: clock)
    let changes = series.overrides.filter { !$0.isHidden }
    guard changes.allSatisfy({ Self.known($0.event.start.clock) != nil }) else { return nil }

    var zones: [(Zone, from: Int)] = []
    func note(_ time: CalendarTime) {
      if case .zone(let zone) = time.clock { zones.append((zone, time.instant(in: home))) }
    }
    note(start)
    begin(master.event, start, to: &writer)
    writer.line("RRULE", rule.utf8)
    list("EXDATE", exclusions, start, to: &writer)
    end(master.event, to: &writer)
    for change in changes {
      let changed = CalendarTime(wall: change.event.start.wall, clock: Self.known(change.event.start.clock)!)
      note(changed)
      begin(change.event, changed, to: &writer)
      let original = CalendarTime(
        wall: clock.isDate ? WallTime(seconds: change.key * secondsPerDay) : clock.wall(at: change.key, in: home),
        clock: clock)
      note(original)
      writer.line("RECURRENCE-ID\(original.parameter)", original.text.utf8)
      end(change.event, to: &writer)
    }
    return zones
  }

  /// The clock, if others know it as well; nil for a zone that only the calendar defines.
  private static func known(_ clock: CalendarTime.Clock) -> CalendarTime.Clock? {
    guard case .zone(let zone) = clock else { return clock }
    if zone.name == "UTC" { return .utc }
    return isZoneName(zone.name) && (try? systemZone(zone.name)) != nil ? clock : nil
  }

  // MARK: Exclusions

  /// The keys of excluded occurrences: of EXDATE and of private exceptions, but not of those that are there with a
  /// change, which some programs would leave out. Nil if they cannot be listed.
  private func exclusions(of master: Master, _ series: Series) -> [Int]? {
    var keys = master.excludedKeys + series.overrides.filter(\.isHidden).map(\.key)
    if !master.excludedDays.isEmpty {
      // An exclusion by day needs a series with one occurrence a day, always at the same time.
      guard master.rules.allSatisfy(\.isOnceADay) else { return nil }
      let start = master.event.start
      keys += master.excludedDays.map { day in
        start.clock.key(of: WallTime(seconds: day * secondsPerDay + start.wall.secondOfDay), in: home)
      }
    }
    return Set(keys).subtracting(series.overrides.filter { !$0.isHidden }.map(\.key)).sorted()
  }

  private func list(_ name: String, _ keys: [Int], _ start: CalendarTime, to writer: inout CalendarWriter) {
    // Some programs read only some hundred values of a line.
    for first in stride(from: 0, to: keys.count, by: 100) {
      let values = keys[first..<min(first + 100, keys.count)].map { key in
        let wall = start.isDate ? WallTime(seconds: key * secondsPerDay) : start.clock.wall(at: key, in: home)
        return CalendarTime(wall: wall, clock: start.clock).text
      }
      writer.line(name + start.parameter, values.joined(separator: ",").utf8)
    }
  }

  // MARK: Events

  private func begin(_ event: Event, _ start: CalendarTime, to writer: inout CalendarWriter) {
    writer.line("BEGIN", "VEVENT".utf8)
    writer.line("UID", encodeText(uid))
    writer.line("DTSTART\(start.parameter)", start.text.utf8)
    switch event.length {
    case .days(let days):
      let end = CalendarTime(wall: WallTime(seconds: start.wall.seconds + days * secondsPerDay), clock: .date)
      writer.line("DTEND\(end.parameter)", end.text.utf8)
    case .exact(let seconds):
      guard seconds > 0 else { break }
      let wall = start.clock.wall(at: start.instant(in: home) + seconds, in: home)
      // Where the clocks go back just then, the wall time is ambiguous, and only the length is exact.
      if start.clock.instant(of: wall, in: home) == start.instant(in: home) + seconds {
        writer.line("DTEND\(start.parameter)", CalendarTime(wall: wall, clock: start.clock).text.utf8)
      } else {
        writer.line("DURATION", "PT\(seconds)S".utf8)
      }
    case .nominal(let days, let seconds):
      writer.line("DURATION", "P\(days)D\(seconds > 0 ? "T\(seconds)S" : "")".utf8)
    }
  }

  private func end(_ event: Event, to writer: inout CalendarWriter) {
    writer.details(event.details)
    extra(&writer)
    writer.line("END", "VEVENT".utf8)
  }
}

extension CalendarTime {
  /// The parameters between a property's name and its colon.
  var parameter: String {
    switch clock {
    case .date: ";VALUE=DATE"
    case .utc: ""
    case .zone(let zone): ";TZID=\(zone.name)"
    }
  }

  /// The property's value.
  var text: String {
    switch clock {
    case .date: compactDate(wall.dayNumber)
    case .utc: "\(compactTime(wall.seconds))Z"
    case .zone: compactTime(wall.seconds)
    }
  }
}

extension CalendarTime.Clock {
  var isDate: Bool { if case .date = self { true } else { false } }
}

extension CalendarWriter {
  /// Writes the event's details.
  mutating func details(_ details: EventDetails) {
    // The time of the last change, not that of the request, so that the same event gives the same file.
    line("DTSTAMP", "\(compactTime(details.modified))Z".utf8)
    if details.modified > 0 { line("LAST-MODIFIED", "\(compactTime(details.modified))Z".utf8) }
    line("SUMMARY", encodeText(details.title))
    if let location = details.location { line("LOCATION", encodeText(location)) }
    if !details.descriptionHTML.isEmpty {
      line("DESCRIPTION", encodeText(plainText(fromHTML: details.descriptionHTML)))
    }
    if let url = details.url { line("URL", url.utf8) }
    for attachment in details.attachments { line("ATTACH", attachment.utf8) }
    line("STATUS", details.status.rawValue.uppercased().utf8)
    line("SEQUENCE", String(max(0, details.sequence)).utf8)
  }
}

extension RecurrenceExpansion {
  /// The rule as libical understands it, with UNTIL in the form that RFC 5545 demands: a date for dates, UTC for times.
  /// Nil if that is not possible.
  func text(clock: CalendarTime.Clock, home: Zone) -> String? {
    if rule.count != nil, rule.until != nil { return nil }
    var libical = LibicalRule(rule.text).rule
    libical.until = icaltime_null_time()
    guard let text = icalrecurrencetype_as_string_r(&libical) else { return nil }
    defer { icalmemory_free_buffer(text) }
    var result = String(cString: text)
    if rule.until != nil {
      let wall = WallTime(seconds: last)
      let until = clock.isDate ? compactDate(wall.dayNumber) : "\(compactTime(clock.instant(of: wall, in: home)))Z"
      result += ";UNTIL=\(until)"
    }
    return result
  }

  /// True if all of its times have the start's time of day.
  var isOnceADay: Bool {
    let libical = LibicalRule(rule.text)
    return !rule.isSubdaily && libical.hours.isEmpty && libical.minutes.isEmpty && libical.seconds.isEmpty
  }

  /// True if it has no occurrence at or after an instant, in any zone. Always false without UNTIL.
  func isOver(before instant: Int) -> Bool { rule.until != nil && last < instant - 2 * secondsPerDay }
}
