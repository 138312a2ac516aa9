public import CivilTime
import Wire

extension GoogleCalendar {
  /// The calendar as an iCalendar file, so that the code for files expands its rules, sanitises its descriptions and
  /// leaves out its private events.
  ///
  /// An event's UID is its identifier at Google; exceptions have that of their series. A cancelled exception is an
  /// EXDATE: clients are asked to show no trace of it.
  public func iCalendar(zone home: Zone) -> [UInt8] {
    var writer = CalendarWriter()
    writer.line("BEGIN", "VCALENDAR".utf8)
    writer.line("VERSION", "2.0".utf8)
    writer.line("PRODID", "-//Eightbells//Google Calendar//EN".utf8)
    if let name { writer.line("X-WR-CALNAME", encodeText(name)) }
    var own: Zone?
    if let zone, let known = LenientZones.named(zone) {
      own = known
      writer.line("X-WR-TIMEZONE", known.name.utf8)
    }
    var cancelled: [String: [JSON]] = [:]
    for item in items.values where item["status"]?.string == "cancelled" {
      guard let series = item["recurringEventId"]?.string, let original = item["originalStartTime"] else { continue }
      cancelled[series, default: []].append(original)
    }
    for id in items.keys.sorted() {
      let item = items[id]!
      guard item["status"]?.string != "cancelled", !Self.otherTypes.contains(item["eventType"]?.string ?? "") else {
        continue
      }
      let series = item["recurringEventId"]?.string
      // A series may have become a single event, which leaves exceptions without a meaning.
      if let series, let master = items[series], master["recurrence"]?.array?.isEmpty ?? true { continue }
      let event = GoogleEvent(item: item, uid: series ?? id, zone: own ?? home, isException: series != nil)
      event.write(to: &writer, without: series == nil ? cancelled[id] ?? [] : [])
    }
    writer.line("END", "VCALENDAR".utf8)
    return Array(writer.text.utf8)
  }

  /// Kinds of events that are not part of a programme: working location, focus time, absence.
  private static let otherTypes: Set<String> = ["workingLocation", "focusTime", "outOfOffice"]
}

/// One event of events.list.
private struct GoogleEvent {
  let item: JSON
  let uid: String
  /// The calendar's zone.
  let zone: Zone
  let isException: Bool

  private var recurrence: [String] { isException ? [] : item["recurrence"]?.array?.compactMap(\.string) ?? [] }

  func write(to writer: inout CalendarWriter, without cancelled: [JSON]) {
    writer.line("BEGIN", "VEVENT".utf8)
    writer.line("UID", encodeText(uid))
    if let updated = item["updated"]?.string.flatMap(parseTimestamp) {
      writer.line("LAST-MODIFIED", "\(compactTime(updated))Z".utf8)
    }
    if let visibility = item["visibility"]?.string, visibility != "default", visibility != "public" {
      writer.line("CLASS", "PRIVATE".utf8)
    }
    write("DTSTART", item["start"], to: &writer)
    if item["endTimeUnspecified"]?.bool != true { write("DTEND", item["end"], to: &writer) }
    if isException { write("RECURRENCE-ID", item["originalStartTime"], to: &writer, inUTC: true) }
    for line in recurrence { write(recurrence: line, to: &writer) }
    // Sorted, so that the same calendar gives the same text.
    for text in Set(cancelled.compactMap { exclusion($0) }).sorted() { writer.raw(Array(text.utf8)) }
    if let summary = item["summary"]?.string { writer.line("SUMMARY", encodeText(summary)) }
    if let location = item["location"]?.string { writer.line("LOCATION", encodeText(location)) }
    if let description = item["description"]?.string { writer.line("DESCRIPTION", encodeText(description)) }
    if item["status"]?.string == "tentative" { writer.line("STATUS", "TENTATIVE".utf8) }
    if let sequence = item["sequence"]?.int { writer.line("SEQUENCE", String(max(0, sequence)).utf8) }
    writer.line("END", "VEVENT".utf8)
  }

  // MARK: Times

  private enum Time {
    case date(String)
    case instant(Int, Zone)
    case unreadable(String)
  }

  /// `{"date": "2026-06-01"}` or `{"dateTime": "2026-06-01T19:00:00+02:00", "timeZone": "Europe/Berlin"}`.
  private func time(_ value: JSON) -> Time {
    if let text = value["date"]?.string {
      guard let date = CivilDate(text) else { return .unreadable(text) }
      return .date(compactDate(date.dayNumber))
    }
    let text = value["dateTime"]?.string ?? ""
    let named = value["timeZone"]?.string.flatMap { LenientZones.named($0) }
    if let instant = parseTimestamp(text) { return .instant(instant, named ?? zone) }
    // A time may lack an offset if it names a zone.
    if let wall = parseTimestamp(text + "Z") {
      let zone = named ?? zone
      return .instant(zone.instant(of: WallTime(seconds: wall)), zone)
    }
    return .unreadable(text)
  }

  /// A time that cannot be parsed stays in the file, so that the event's warning shows it.
  private func write(_ name: String, _ value: JSON?, to writer: inout CalendarWriter, inUTC: Bool = false) {
    guard let value, value != .null else { return }
    switch time(value) {
    case .date(let date): writer.line("\(name);VALUE=DATE", date.utf8)
    case .unreadable(let text): writer.line(name, encodeText(text))
    case .instant(let instant, let zone):
      let wall = zone.wall(at: instant)
      // In autumn, when a wall time comes twice, only UTC can express the second one.
      if inUTC || zone.name == "UTC" || zone.instant(of: wall) != instant && recurrence.isEmpty {
        writer.line(name, "\(compactTime(instant))Z".utf8)
      } else {
        writer.line("\(name);TZID=\(zone.name)", compactTime(wall.seconds).utf8)
      }
    }
  }

  private func exclusion(_ original: JSON) -> String? {
    switch time(original) {
    case .date(let date): "EXDATE;VALUE=DATE:\(date)"
    case .instant(let instant, _): "EXDATE:\(compactTime(instant))Z"
    case .unreadable: nil
    }
  }

  /// RRULE, RDATE and EXDATE come as lines of iCalendar; each is checked, so that it cannot contain further lines.
  private func write(recurrence line: String, to writer: inout CalendarWriter) {
    let bytes = Array(line.utf8)
    let name = uppercased(bytes.prefix { $0 != Byte.colon && $0 != Byte.semicolon })
    guard ["RRULE", "RDATE", "EXDATE"].contains(name), bytes.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return }
    writer.raw(bytes)
  }
}
