package import CivilTime

/// Reads an iCalendar file (RFC 5545).
///
/// `zone` is the space's: floating times are on its wall, dates begin at its midnight. A TZID that is an IANA name, also
/// behind a prefix such as "/citadel.org/20210210_1/", means this system's rules whatever VTIMEZONE the file embeds; any
/// other TZID means the embedded VTIMEZONE. An event that cannot be used is left out with a warning that names it.
/// - Throws: `CalendarError` if the file as a whole is no calendar, too large, or cut off.
package func parseCalendar(_ bytes: [UInt8], zone: Zone) throws(CalendarError) -> ParsedCalendar {
  var parser = CalendarParser()
  try parser.read(bytes)
  return parser.finish(zone: zone)
}

private struct CalendarParser {
  private var warnings = CalendarWarnings()
  private var name: String?
  private var events: [RawEvent] = []
  private var zones: [String: EmbeddedZone] = [:]
  /// The components that are open, outermost first.
  private var open: [(name: String, line: Int)] = []
  private var event: RawEvent?
  private var zone: EmbeddedZone?
  private var zoneName = ""
  private var observance: EmbeddedZone.Observance?

  // MARK: Components

  mutating func read(_ bytes: [UInt8]) throws(CalendarError) {
    guard bytes.count <= CalendarLimits.bytes else { throw CalendarError.tooLarge(bytes: bytes.count) }
    var lines = ContentLineReader(bytes, from: try CalendarParser.beginning(of: bytes))
    while let (text, number) = lines.next() {
      guard let line = ContentLine(text, line: number) else {
        if event != nil, open.count == 2 {
          warnings.add("Line \(number) was left out: \"\(shortened(decodeLine(text), bytes: 40))\" is no property.")
        }
        continue
      }
      switch line.name {
      case "BEGIN": try begin(line)
      case "END": end(line)
      default: property(line)
      }
    }
    // Files that merely lack their last line are complete; in the middle of an event, something is missing.
    if let (component, line) = open.last, component != "VCALENDAR" {
      throw CalendarError.cutOff(component: component, line: line)
    }
  }

  /// Where the calendar begins, behind a byte order mark and white space.
  private static func beginning(of bytes: [UInt8]) throws(CalendarError) -> Int {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count, bytes[start] <= Byte.space, bytes[start] != 0 { start += 1 }
    guard start < bytes.count else { throw CalendarError.empty }
    let wanted = "BEGIN:VCALENDAR"
    if uppercased(bytes[start...].prefix(wanted.utf8.count)) == wanted { return start }
    let head = bytes[start...].prefix(200)
    let kind: String
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      kind = "UTF-16 text"
    } else if head.contains(where: { $0 < 0x20 && $0 != Byte.tab && $0 != Byte.newline && $0 != Byte.carriageReturn }) {
      kind = "binary data"
    } else if head.first == UInt8(ascii: "<") {
      kind = "a web page or XML"
    } else if head.first == UInt8(ascii: "{") || head.first == UInt8(ascii: "[") {
      kind = "JSON"
    } else {
      kind = "text"
    }
    let visible = head.map { $0 < 0x20 || $0 >= 0x7F ? UInt8(ascii: "?") : $0 }
    throw CalendarError.notACalendar(kind: kind, beginning: shortened(decodeLine(visible[...]), bytes: 60))
  }

  private mutating func begin(_ line: ContentLine) throws(CalendarError) {
    let component = uppercased(trimmed(line.value))
    let parent = open.last?.name
    guard open.count < CalendarLimits.depth else { return }
    open.append((component, line.line))
    switch (parent, component) {
    case ("VCALENDAR", "VEVENT"):
      guard events.count < CalendarLimits.events else { throw CalendarError.tooManyEvents(line: line.line) }
      event = RawEvent(line: line.line)
    case ("VCALENDAR", "VTIMEZONE"):
      zone = EmbeddedZone()
      zoneName = ""
    case ("VTIMEZONE", "STANDARD"), ("VTIMEZONE", "DAYLIGHT"):
      observance = EmbeddedZone.Observance()
    default: break
    }
  }

  /// Closes a component, and with it those inside that have no end of their own.
  private mutating func end(_ line: ContentLine) {
    let component = uppercased(trimmed(line.value))
    guard let index = open.lastIndex(where: { $0.name == component }) else { return }
    if index < open.count - 1 {
      warnings.add("Line \(line.line) ends a \(component) in which a \(open.last!.name) is still open.")
    }
    while open.count > index { close(open.removeLast().name) }
  }

  private mutating func close(_ component: String) {
    switch component {
    case "VEVENT" where open.count == 1:
      if let event { events.append(event) }
      event = nil
    case "STANDARD", "DAYLIGHT":
      if let observance { zone?.observances.append(observance) }
      observance = nil
    case "VTIMEZONE":
      if let zone { zones[zoneName] = zone }
      zone = nil
    default: break
    }
  }

  private mutating func property(_ line: ContentLine) {
    switch open.last?.name {
    case "VEVENT":
      if open.count == 2, RawEvent.names.contains(line.name) { event?.properties.append(line) }
    case "STANDARD", "DAYLIGHT": observance?.read(line)
    case "VTIMEZONE": if line.name == "TZID" { zoneName = decodeLine(line.value) }
    case "VCALENDAR":
      if line.name == "X-WR-CALNAME" || line.name == "NAME" {
        let text = decodeLine(line.value)
        if !text.isEmpty { name = text }
      }
    default: break
    }
  }

  // MARK: Values

  mutating func finish(zone space: Zone) -> ParsedCalendar {
    var reader = EventReader(zones: CalendarZones(space: space, embedded: zones))
    var components: [EventComponent] = []
    components.reserveCapacity(events.count)
    for event in events {
      var problems: [String] = []
      do throws(EventProblem) {
        components.append(try reader.read(event, &problems))
      } catch {
        warnings.add("\(CalendarParser.named(event)) was left out: \(error.reason).")
      }
      for problem in problems { warnings.add("\(CalendarParser.named(event)): \(problem).") }
    }
    return ParsedCalendar(
      name: name, series: SeriesAssembly(space: space).series(of: components), warnings: warnings.all, zone: space)
  }

  /// "Event "Title" (UID 123, line 12)"
  private static func named(_ event: RawEvent) -> String {
    func value(_ name: String) -> String {
      event.properties.first { $0.name == name }.map { shortened(decodeLine($0.value), bytes: 80) } ?? ""
    }
    return "Event \"\(value("SUMMARY"))\" (UID \(value("UID")), line \(event.line))"
  }
}
