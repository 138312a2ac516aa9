import Markup

/// One occurrence as an iCalendar file (RFC 5545), for people to add to their own calendar.
///
/// It is a single event with a UID of its own ("<id>@eightbells"), so that it neither replaces its series nor is
/// replaced by it. `now` is an instant.
/// - Parameters:
///   - house: where it takes place, unless it says an address itself; and whose it is.
///   - page: the address of its own page.
public func icsText(of occurrence: Occurrence, now: Int, at house: EventHouse? = nil, page: String? = nil) -> String {
  var writer = CalendarWriter()
  writer.line("BEGIN", "VCALENDAR".utf8)
  writer.line("VERSION", "2.0".utf8)
  writer.line("PRODID", "-//Eightbells//Space//EN".utf8)
  writer.line("METHOD", "PUBLISH".utf8)
  // No X-WR-CALNAME: Outlook would open a new calendar, instead of the event (MS-OXCICAL).
  writer.line("BEGIN", "VEVENT".utf8)
  writer.line("DTSTAMP", "\(compactTime(now))Z".utf8)
  writer.times(of: occurrence)
  writer.line("SUMMARY", encodeText(occurrence.title))
  let isElsewhere = occurrence.location.map(EventHouse.isElsewhere) ?? false
  let location = [occurrence.location, isElsewhere ? nil : house?.text].compactMap { $0 }.joined(separator: ", ")
  if !location.isEmpty { writer.line("LOCATION", encodeText(location)) }
  if let place = occurrence.place ?? (isElsewhere ? nil : house?.place) {
    writer.line("GEO", "\(place.latitude);\(place.longitude)".utf8)
  }
  // Not every program shows the address of an event, and none says whose calendar it came from.
  let source = [house?.name, page].compactMap { $0 }.joined(separator: ": ")
  let about = [plainText(fromHTML: occurrence.descriptionHTML), source].filter { !$0.isEmpty }
  if !about.isEmpty { writer.line("DESCRIPTION", encodeText(about.joined(separator: "\n\n"))) }
  if !occurrence.descriptionHTML.isEmpty {
    writer.line("X-ALT-DESC;FMTTYPE=text/html", encodeText(occurrence.descriptionHTML))
  }
  if let url = occurrence.url ?? page { writer.line("URL", url.utf8) }
  for attachment in occurrence.attachments { writer.line("ATTACH", attachment.utf8) }
  writer.line("STATUS", occurrence.status.rawValue.uppercased().utf8)
  writer.line("SEQUENCE", String(max(0, occurrence.sequence)).utf8)
  writer.line("END", "VEVENT".utf8)
  writer.line("END", "VCALENDAR".utf8)
  return writer.text
}

extension CalendarWriter {
  /// Writes the UID and the times of one occurrence as an event of its own.
  mutating func times(of occurrence: Occurrence) {
    line("UID", encodeText("\(occurrence.id)@eightbells"))
    if let days = occurrence.days {
      line("DTSTART;VALUE=DATE", compactDate(days.lowerBound).utf8)
      line("DTEND;VALUE=DATE", compactDate(days.upperBound).utf8)
    } else {
      line("DTSTART", "\(compactTime(occurrence.start))Z".utf8)
      // RFC 5545 section 3.8.2.2: an end must be later than its start. Without one the event has no length.
      if occurrence.end > occurrence.start { line("DTEND", "\(compactTime(occurrence.end))Z".utf8) }
    }
  }
}

/// Writes content lines, folded at 75 octets (RFC 5545, section 3.1).
struct CalendarWriter {
  private(set) var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var count: Int { bytes.count }

  /// Appends "NAME;PARAMETERS:value".
  mutating func line(_ name: String, _ value: some Collection<UInt8>) {
    var line = Array(name.utf8)
    line.append(Byte.colon)
    line += value
    raw(line)
  }

  /// Appends a complete line, folding it.
  mutating func raw(_ line: [UInt8]) {
    var start = 0
    // The space that begins a continuation counts as one of its 75 octets.
    var room = 75
    while line.count - start > room {
      var end = start + room
      // 10xxxxxx continues a UTF-8 character, which must not be split.
      while line[end] & 0xC0 == 0x80 { end -= 1 }
      bytes += line[start..<end]
      bytes += [Byte.carriageReturn, Byte.newline, Byte.space]
      start = end
      room = 74
    }
    bytes += line[start...]
    bytes += [Byte.carriageReturn, Byte.newline]
  }
}
