public import CivilTime

/// A calendar to subscribe to: the whole programme, one calendar of it, or one person's favourites (RFC 5545 and 7986).
///
/// A series is written as one if other programs will understand it alike (`SeriesWriter`), so that the file stays small
/// and the series goes on for ever; otherwise as its occurrences in the window. UIDs are stable: a series has
/// "<series>@eightbells", an occurrence its identifier and "@eightbells". Private events were left out by the parser.
public struct CalendarFeed {
  /// The range of the occurrences written, in seconds since 1970.
  public let window: Range<Int>
  let now: Int
  /// The zone of the window's days and of floating times.
  let home: Zone
  private var events = CalendarWriter()
  private var zones: [String: (zone: Zone, from: Int)] = [:]
  private var budget = ExpansionBudget()
  private var warnings: [String] = []

  public init(zone: Zone, now: Int) {
    home = zone
    self.now = now
    let today = zone.wall(at: now).dayNumber
    func midnight(_ day: Int) -> Int { zone.instant(of: WallTime(seconds: day * secondsPerDay)) }
    // Whole days, so that the file stays the same all day.
    window = midnight(today - CalendarLimits.feedPastDays)..<midnight(today + CalendarLimits.feedDays)
  }

  /// Bytes so far.
  public var byteCount: Int { events.count }
  /// True if it has reached its size, so that nothing more is added.
  public var isFull: Bool { byteCount > CalendarLimits.feedBytes }

  // MARK: Events

  /// The properties that a calendar gives to each of its events.
  public struct Look {
    public var name: String?
    public var color: String?
    public init(name: String?, color: String?) {
      self.name = name
      self.color = color
    }
  }

  /// Adds the series of a calendar.
  /// - Parameter share: the number of calendars still to come, including this one: each may use an equal part of the
  ///   steps.
  public mutating func add(_ calendar: ParsedCalendar, id: String, look: Look, share: Int) {
    let ids = calendar.ids(calendarID: id)
    let all = budget.steps
    budget.steps = max(0, all) / share
    let before = budget.steps
    for place in calendar.series.indices where !isFull {
      add(calendar.series[place], place: place, ids: ids, look: look)
    }
    budget.steps += all - before
  }

  private mutating func add(_ series: Series, place: Int, ids: SeriesIDs, look: Look) {
    guard !isOver(series) else { return }
    if series.isPlain, let master = series.master {
      let start = master.event.start.instant(in: home)
      guard start + master.event.length.longest >= window.lowerBound else { return }
    } else {
      let writer = SeriesWriter(home: home, uid: "\(ids.text(place))@eightbells") { Self.write(look, to: &$0) }
      if let used = writer.write(series, to: &events) {
        for (zone, from) in used { note(zone, from) }
        return
      }
    }
    // A single event is written whatever its time, a series' occurrences only within the window.
    let end = series.master?.isRecurring ?? false ? window.upperBound : Int.max >> 2
    var expansion = SeriesExpansion(zone: home, ids: ids, from: window.lowerBound, to: end, budget: budget)
    expansion.add(series, place: place)
    budget = expansion.budget
    warnings += expansion.warnings.texts
    for occurrence in expansion.occurrences { add(occurrence, look: look) }
  }

  /// Adds one occurrence as an event of its own.
  public mutating func add(_ occurrence: Occurrence, look: Look) {
    events.line("BEGIN", "VEVENT".utf8)
    events.times(of: occurrence)
    events.details(occurrence.details)
    Self.write(look, to: &events)
    events.line("END", "VEVENT".utf8)
  }

  private func isOver(_ series: Series) -> Bool {
    func isOver(_ event: Event) -> Bool {
      event.start.instant(in: home) + event.length.longest < window.lowerBound
    }
    guard let master = series.master else { return series.overrides.allSatisfy { isOver($0.event) } }
    let longest = master.event.length.longest
    return isOver(master.event) && series.overrides.allSatisfy { isOver($0.event) } && series.following.isEmpty
      && master.rules.allSatisfy { $0.isOver(before: window.lowerBound - longest) }
      && master.additions.allSatisfy {
        $0.start.instant(in: home) + max(longest, $0.length?.longest ?? 0) < window.lowerBound
      }
  }

  private static func write(_ look: Look, to writer: inout CalendarWriter) {
    if let name = look.name { writer.line("CATEGORIES", encodeText(name)) }
    if let color = look.color.flatMap({ RGB($0) }) { writer.line("COLOR", namedColor(nearest: color).utf8) }
  }

  private mutating func note(_ zone: Zone, _ from: Int) {
    if let known = zones[zone.name], known.from <= from { return }
    zones[zone.name] = (zone, from)
  }

  // MARK: The file

  /// The properties of the file as a whole.
  public struct Title {
    public var name: String
    public var color: String?
    /// The address to fetch it from; nil if that is a secret.
    public var source: String?
    public init(name: String, color: String?, source: String?) {
      self.name = name
      self.color = color
      self.source = source
    }
  }

  public mutating func finish(_ title: Title) -> [UInt8] {
    var head = CalendarWriter()
    head.line("BEGIN", "VCALENDAR".utf8)
    head.line("VERSION", "2.0".utf8)
    head.line("PRODID", "-//Eightbells//Space//EN".utf8)
    head.line("CALSCALE", "GREGORIAN".utf8)
    head.line("METHOD", "PUBLISH".utf8)
    // Each twice: by RFC 7986, and as older programs know it.
    head.line("NAME", encodeText(title.name))
    head.line("X-WR-CALNAME", encodeText(title.name))
    // No X-WR-TIMEZONE: every time has its zone, and some programs would move series in UTC.
    if let text = title.color, let color = RGB(text) {
      head.line("COLOR", namedColor(nearest: color).utf8)
      head.line("X-APPLE-CALENDAR-COLOR", text.uppercased().utf8)
    }
    head.line("REFRESH-INTERVAL;VALUE=DURATION", CalendarLimits.feedRefresh.utf8)
    head.line("X-PUBLISHED-TTL", CalendarLimits.feedRefresh.utf8)
    if let source = title.source { head.line("SOURCE;VALUE=URI", source.utf8) }
    if !warnings.isEmpty { head.line("DESCRIPTION", encodeText(warnings.joined(separator: "\n"))) }
    // A calendar needs at least one component, even without an event.
    note(home, window.lowerBound)
    for name in zones.keys.sorted() {
      let (zone, from) = zones[name]!
      VTimeZone(zone, from: from, now: now).write(to: &head)
    }
    var bytes = head.bytes
    bytes += events.bytes
    var foot = CalendarWriter()
    foot.line("END", "VCALENDAR".utf8)
    return bytes + foot.bytes
  }
}

extension Series {
  /// True for one event at one time.
  fileprivate var isPlain: Bool {
    guard let master else { return false }
    return !master.isRecurring && !master.hasExclusions && overrides.isEmpty
  }
}
