import CIcal
import CivilTime
import Lifecycle
import Wire

/// Finds the zone of a TZID.
///
/// A TZID that is an IANA name ("Europe/Berlin"), also behind a prefix
/// ("/freeassociation.sourceforge.net/Europe/Berlin", "/citadel.org/20210210_1/Europe/Berlin"), means this system's
/// rules, even if the calendar embeds a different VTIMEZONE: those are often outdated or cover one year. Any other TZID
/// means the embedded VTIMEZONE; without one, a name of Windows' ("W. Europe Standard Time") means the IANA zone that
/// CLDR maps it to. A name that is none of these is read as its program may have meant it: in another case
/// ("europe/berlin"), as a replaced name ("US/Eastern"), as an offset ("UTC+02:00").
struct CalendarZones {
  /// The zone in which dates begin.
  let home: Zone
  /// The zone of floating times: the calendar's own (X-WR-TIMEZONE), else the home zone.
  private(set) var floating: Zone
  /// The zones of each file of a collection.
  private let embedded: [[String: EmbeddedZone]]
  /// The file whose zones count.
  var file = 0
  /// The names of the embedded zones by their keys (`LenientZones.key`).
  private let namesInAnyCase: [[String: String]]
  private var known: [[String: Result<Zone, EventProblem>]]
  /// The steps left for the rules of all embedded zones together.
  private var steps = CalendarLimits.steps

  /// - Parameter own: X-WR-TIMEZONE, which is in no standard but in many files.
  init(home: Zone, own: String? = nil, embedded: [[String: EmbeddedZone]]) {
    self.home = home
    self.embedded = embedded
    namesInAnyCase = embedded.map { zones in
      Dictionary(zones.keys.sorted().map { (LenientZones.key($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
    known = embedded.map { _ in [:] }
    floating = home
    if let own, let zone = try? zone(own) { floating = zone }
  }

  mutating func zone(_ name: String) throws(EventProblem) -> Zone {
    if let result = known[file][name] { return try result.get() }
    let result: Result<Zone, EventProblem>
    do throws(EventProblem) { result = .success(try find(name)) } catch { result = .failure(error) }
    known[file][name] = result
    return try result.get()
  }

  private mutating func find(_ name: String) throws(EventProblem) -> Zone {
    for candidate in CalendarZones.candidates(name) {
      if let zone = try? systemZone(candidate) { return zone }
    }
    var problem: EventProblem?
    if let rules = embedded[file][name] {
      do throws(EventProblem) { return try rules.zone(name: name, &steps) } catch { problem = error }
    } else if let known = windowsZones[name], let zone = try? systemZone(known) {
      return zone
    }
    if let zone = CalendarZones.meant(by: name) { return zone }
    if problem == nil, let key = namesInAnyCase[file][LenientZones.key(name)], let rules = embedded[file][key] {
      return try rules.zone(name: key, &steps)
    }
    throw problem ?? EventProblem(.zoneUnknown, ["zone": Reason.named(name)])
  }

  /// The zone of a name that is not quite one.
  private static func meant(by name: String) -> Zone? {
    for candidate in candidates(name) {
      let key = LenientZones.key(candidate)
      if let known = systemZoneName(inAnyCase: key) ?? LenientZones.names[key], let zone = try? systemZone(known) {
        return zone
      }
    }
    return LenientZones.offset(name)
  }

  /// The candidates for an IANA name in a TZID: the whole, and the parts after its slashes. A name without a slash
  /// ("EST") counts only as the whole, or behind a prefix that begins with a slash (RFC 5545, section 3.8.3.1), since
  /// otherwise every "Company/EST" would match.
  private static func candidates(_ name: String) -> [String] {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    var candidates: [String] = []
    // No IANA name has more than three parts, and each candidate costs a look for a file.
    for first in parts.indices where !parts[first].isEmpty && (first == 0 || parts.count - first <= 3) {
      if first == 0 || parts.count - first > 1 || parts[0].isEmpty {
        candidates.append(parts[first...].joined(separator: "/"))
      }
    }
    return candidates
  }
}

/// A VTIMEZONE: the rules for the beginnings of standard and daylight saving time.
struct EmbeddedZone {
  struct Observance {
    /// The first onset, in wall time before the change.
    var start: WallTime?
    /// Seconds east of UTC before and after an onset.
    var offsetFrom: Int?
    var offsetTo: Int?
    var rules: [RecurrenceRule] = []
    /// Further onsets.
    var dates: [WallTime] = []
    var problem: Reason?
  }

  var observances: [Observance] = []

  /// Expands all onsets up to `CalendarLimits.lastYearOfEmbeddedZones`.
  func zone(name: String, _ steps: inout Int) throws(EventProblem) -> Zone {
    let title = Reason.named(name)
    guard !observances.isEmpty else { throw EventProblem(.zoneEmpty, ["zone": title]) }
    var transitions: [Zone.Transition] = []
    var earliest: (wall: WallTime, offset: Int)?
    let end = WallTime(
      date: CivilDate(year: CalendarLimits.lastYearOfEmbeddedZones + 1, month: 1, day: 1), secondOfDay: 0)
    for observance in observances {
      if let problem = observance.problem {
        throw EventProblem(.zoneProblem, ["zone": title, "reason": .reason(problem)])
      }
      guard let start = observance.start, let from = observance.offsetFrom, let to = observance.offsetTo else {
        throw EventProblem(.zoneIncomplete, ["zone": title])
      }
      if earliest == nil || start < earliest!.wall { earliest = (start, from) }
      var onsets = [start] + observance.dates
      for rule in observance.rules {
        let last = rule.until.map { until in
          switch until.form {
          case .utc: until.wall.seconds + from
          case .local: until.wall.seconds
          case .date: until.wall.seconds + secondsPerDay - 1
          }
        }
        let expansion = RecurrenceExpansion(rule, start: start, isDate: false, last: last)
        var output = RecurrenceExpansion.Output(steps: min(steps, CalendarLimits.stepsPerSeries))
        let before = output.steps
        expansion.expand(from: start.seconds, to: end.seconds, into: &output)
        steps -= before - output.steps
        if output.isCutShort { throw EventProblem(.zoneRestless, ["zone": title]) }
        onsets += output.walls.map { WallTime(seconds: $0) }
      }
      transitions += onsets.map { Zone.Transition(instant: $0.seconds - from, offset: to) }
      guard transitions.count <= CalendarLimits.transitions else {
        throw EventProblem(.zoneRestless, ["zone": title])
      }
    }
    return Zone(name: name, transitions: transitions, initialOffset: earliest!.offset)
  }
}

extension EmbeddedZone.Observance {
  /// - Parameter raw: a STANDARD or DAYLIGHT component.
  init(_ raw: RawComponent) {
    if let (name, value) = raw.unreadable.first {
      problem = Reason(.zonePartUnreadable, ["name": .text(name), "value": .text(value)])
    }
    func value(_ kind: icalproperty_kind) -> OpaquePointer? {
      raw.properties(kind).last.flatMap { icalproperty_get_value($0) }
    }
    start = value(ICAL_DTSTART_PROPERTY).flatMap { readTime(icalvalue_get_datetime($0))?.wall }
    offsetFrom = value(ICAL_TZOFFSETFROM_PROPERTY).flatMap(offset)
    offsetTo = value(ICAL_TZOFFSETTO_PROPERTY).flatMap(offset)
    for property in raw.properties(ICAL_RDATE_PROPERTY) {
      guard let value = icalproperty_get_value(property) else { continue }
      let isPeriod = icalvalue_isa(value) == ICAL_PERIOD_VALUE
      let time = isPeriod ? icalvalue_get_period(value).start : icalvalue_get_datetime(value)
      if let time = readTime(time) { dates.append(time.wall) } else { problem = Reason(.zonePartDate) }
    }
    guard let start else { return }
    for text in raw.rules {
      do {
        rules.append(try RecurrenceRule(text, start: start, isDate: false))
      } catch {
        problem = Reason(.zonePartRule, ["reason": .reason(error.reason)])
      }
    }
  }
}

/// Seconds east of UTC (RFC 5545, section 3.3.14); nil for an impossible offset.
private func offset(_ value: OpaquePointer) -> Int? {
  let seconds = Int(icalvalue_get_utcoffset(value))
  return abs(seconds) < secondsPerDay ? seconds : nil
}
