import CIcal
public import CivilTime
import Wire

/// Parses an iCalendar file (RFC 5545).
///
/// `zone` is the home zone: dates begin at its midnight, and floating times are in it, unless the calendar names a zone
/// of its own (X-WR-TIMEZONE). A TZID that is an IANA name, also behind a prefix such as "/citadel.org/20210210_1/",
/// means this system's rules even if the file embeds a VTIMEZONE; any other TZID means the embedded VTIMEZONE, or else
/// a zone of Windows. An event that cannot be used is left out with a warning that names it. An event whose CLASS is
/// not PUBLIC is left out with all of its exceptions, and its warnings do not name it, since everyone may read the
/// programme; a private exception of a public event removes that occurrence.
/// - Parameter isStored: true for a copy that was taken before, perhaps by an earlier version, which demanded no last
///   line.
/// - Throws: `CalendarError` if the file as a whole is not a calendar, too large, or cut off.
public func parseCalendar(
  _ bytes: [UInt8], zone: Zone, isStored: Bool = false
) throws(CalendarError) -> ParsedCalendar {
  Libical.prepare()
  var reader = CalendarParser()
  defer { reader.free() }
  try reader.read(bytes, isStored: isStored)
  return reader.finish(zone: zone)
}

/// Parses the files of a collection as one calendar. Each has its own zones, since programs give different ones the
/// same name, but no settings of its own. One that is no calendar is left out with a warning: by itself, it does no
/// harm to the others.
/// - Parameter refused: the paths of files that the server does not give, each of which is a warning.
/// - Throws: `CalendarError` if they have too many events together.
func parseCalendars(
  _ files: [(path: String, text: String)], refused: [String], name: String?, zone: Zone
) throws(CalendarError) -> ParsedCalendar {
  Libical.prepare()
  var all = CalendarParser()
  all.name = name.map(oneLine)
  func file(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
  for path in refused { all.warnings.add(.ofRefused(file(path))) }
  for (path, text) in files {
    var reader = CalendarParser()
    defer { reader.free() }
    do throws(CalendarError) {
      try reader.read(Array(text.utf8), isStored: true)
    } catch {
      all.warnings.add(.ofFile(file(path), error.reason))
      continue
    }
    try all.take(reader)
  }
  return all.finish(zone: zone)
}

/// True for a file that is a calendar and is not cut off.
func isWhole(_ file: String) -> Bool {
  Libical.prepare()
  var reader = CalendarParser()
  defer { reader.free() }
  do throws(CalendarError) { try reader.read(Array(file.utf8)) } catch { return false }
  return true
}

/// libical's global settings.
enum Libical {
  /// Errors become results: by default, libical ends the process at the first bad value.
  private static let isPrepared: Void = icalerror_set_errors_are_fatal(0)

  static func prepare() { _ = isPrepared }
}

/// Reads the components of a file, and hands libical the properties of zones and events, one component at a time,
/// events only once it is known which are private. So components closed in the wrong order do no harm, and unused ones
/// are not kept.
private struct CalendarParser {
  var warnings = CalendarWarnings()
  var name: String?
  /// X-WR-TIMEZONE.
  private var ownZone: String?
  private var events: [EventLines] = []
  /// The zones of the file by their names; of a collection, those of each file. The first are none for those of its
  /// files that have none.
  private var zones: [[String: EmbeddedZone]] = [[:]]
  /// The lines of the zones, and the places of what other files have said with the same lines.
  private var zoneLines: [UInt8] = []
  private var knownZones: [[UInt8]: Int] = [[]: 0]
  /// The open components, outermost first.
  private var open: [(name: String, line: Int)] = []
  /// The open VEVENT.
  private var event: EventLines?
  /// The open STANDARD or DAYLIGHT.
  private var observance: RawComponent?
  private var zone: EmbeddedZone?
  private var zoneName = ""

  func free() { observance?.free() }

  // MARK: Components

  mutating func read(_ bytes: [UInt8], isStored: Bool = false) throws(CalendarError) {
    guard bytes.count <= CalendarLimits.bytes else { throw CalendarError.tooLarge(bytes: bytes.count) }
    let start = try CalendarParser.beginning(of: bytes)
    var bytes = bytes
    if isWindows1252(bytes[start...]) {
      bytes = bytes[..<start] + utf8(fromWindows1252: bytes[start...])
      warnings.add(Reason(.charsetGuessed))
    }
    let lines = ContentLines(bytes, from: start)
    while let line = lines.next() {
      guard line.isProperty else {
        if line.name.hasPrefix("CLASS") { event?.hide() }
        if open.last?.name == "VEVENT" {
          // The event may turn out to be private, so the warning does not repeat the line.
          warnings.add(Reason(.lineLeftOut, ["line": .number(line.line)]))
        }
        continue
      }
      if zone != nil { zoneLines += line.bytes + [Byte.newline] }
      switch line.name {
      case "BEGIN": try begin(line)
      case "END": end(line)
      default: property(line)
      }
    }
    // Also if only the last line is missing: the file may have broken off between two events, and those that would have
    // come would count as cancelled.
    if let (component, line) = open.last, !isStored || component != "VCALENDAR" {
      throw CalendarError.cutOff(component: component, line: line)
    }
  }

  /// Takes over the events of another file, with what it says of zones.
  mutating func take(_ file: CalendarParser) throws(CalendarError) {
    guard events.count + file.events.count <= CalendarLimits.events else { throw CalendarError.tooManyItems }
    let place = knownZones[file.zoneLines] ?? zones.count
    if place == zones.count {
      zones.append(file.zones[0])
      knownZones[file.zoneLines] = place
    }
    for var event in file.events {
      event.zones = place
      events.append(event)
    }
    for warning in file.warnings.all { warnings.add(warning) }
  }

  /// The position where the calendar begins, after a byte order mark and white space.
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
    throw CalendarError.notACalendar(kind: kind)
  }

  /// The components that are used here, or known to be nested in others. Warnings do not repeat other names, which may
  /// be private.
  private static let components: Set<String> = [
    "VCALENDAR", "VEVENT", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM", "VTODO", "VJOURNAL", "VFREEBUSY",
    "PARTICIPANT", "VLOCATION", "VRESOURCE", "VAVAILABILITY", "AVAILABLE",
  ]

  /// Those that stand beside events, and have none inside.
  private static let withoutEvents: Set<String> = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

  private static func component(_ line: ContentLine) -> String {
    let name = uppercased(line.value.prefix(16))
    return components.contains(name) ? name : "component"
  }

  private mutating func begin(_ line: ContentLine) throws(CalendarError) {
    let component = CalendarParser.component(line)
    if component == "VEVENT", let index = open.firstIndex(where: { Self.withoutEvents.contains($0.name) }) {
      warnings.add(Reason(.componentUnended, ["line": .number(line.line), "component": .text(open[index].name)]))
      while open.count > index { close(open.removeLast().name) }
    }
    let parent = open.last?.name
    guard open.count < CalendarLimits.depth else { return }
    open.append((component, line.line))
    switch (parent, component) {
    case ("VCALENDAR", "VEVENT"):
      guard events.count < CalendarLimits.events else { throw CalendarError.tooManyEvents(line: line.line) }
      event = EventLines(line: line.line)
    case ("VCALENDAR", "VTIMEZONE"):
      zone = EmbeddedZone()
      zoneName = ""
    case ("VTIMEZONE", "STANDARD"), ("VTIMEZONE", "DAYLIGHT"):
      if zone != nil { observance = RawComponent(component, line: line.line) }
    default: break
    }
  }

  /// Closes a component, and the components inside of it that were not closed.
  private mutating func end(_ line: ContentLine) {
    let component = CalendarParser.component(line)
    guard let index = open.lastIndex(where: { $0.name == component }) else { return }
    if index < open.count - 1 {
      let inner = open.last!.name
      warnings.add(
        Reason(
          .componentOpen, ["line": .number(line.line), "component": .text(component), "inner": .text(inner)]))
    }
    while open.count > index { close(open.removeLast().name) }
  }

  private mutating func close(_ component: String) {
    switch (open.last?.name, component) {
    case ("VCALENDAR", "VEVENT"):
      if let event { events.append(event) }
      event = nil
    case ("VTIMEZONE", "STANDARD"), ("VTIMEZONE", "DAYLIGHT"):
      if var observance {
        observance.close()
        zone?.observances.append(EmbeddedZone.Observance(observance))
        observance.free()
      }
      observance = nil
    case ("VCALENDAR", "VTIMEZONE"):
      if let zone { zones[0][zoneName] = zone }
      zone = nil
    default: break
    }
  }

  private mutating func property(_ line: ContentLine) {
    // Only events have a CLASS; an open component inside of one may merely lack its end.
    if line.name == "CLASS" {
      event?.add(line)
      return
    }
    switch open.last?.name {
    case "VEVENT": event?.add(line)
    case "STANDARD", "DAYLIGHT": observance?.add(line)
    case "VTIMEZONE": if line.name == "TZID" { zoneName = decodeLine(line.value) }
    case "VCALENDAR":
      if line.name == "X-WR-CALNAME" || line.name == "NAME" {
        let text = decodeLine(line.value)
        if !text.isEmpty { name = text }
      } else if line.name == "X-WR-TIMEZONE" {
        ownZone = decodeLine(line.value)
      }
    default: break
    }
  }

  // MARK: Events

  mutating func finish(zone home: Zone) -> ParsedCalendar {
    var reader = EventReader(zones: CalendarZones(home: home, own: ownZone, embedded: zones))
    var components: [EventComponent] = []
    components.reserveCapacity(events.count)
    // Exceptions of a private event are private as well.
    var privateUIDs = Set(events.lazy.filter { $0.isPrivate && !$0.isOverride }.map(\.uid))
    privateUIDs.remove("")
    var hidden = 0
    for index in events.indices {
      let event = events[index]
      let isOfPrivate = privateUIDs.contains(event.uid)
      let isHidden = event.isPrivate || isOfPrivate
      if isHidden { hidden += 1 }
      if isHidden, isOfPrivate || !event.isOverride || event.uid.isEmpty { continue }
      let raw = events[index].read()
      defer { raw.free() }
      reader.zones.file = event.zones
      if isHidden {
        if let change = reader.readHidden(raw) { components.append(change) }
        continue
      }
      var problems: [Reason] = []
      do throws(EventProblem) {
        components.append(try reader.read(raw, &problems))
      } catch {
        warnings.add(raw.warning(.eventLeftOut, error.reason))
      }
      for problem in problems { warnings.add(raw.warning(.eventProblem, problem)) }
    }
    if hidden > 0 {
      warnings.add(hidden == 1 ? Reason(.onePrivate) : Reason(.somePrivate, ["count": .number(hidden)]))
    }
    let series = SeriesAssembly(home: home).series(of: components)
    return ParsedCalendar(name: name, series: series, problems: warnings.all, zone: home)
  }
}
