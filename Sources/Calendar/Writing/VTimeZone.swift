import CivilTime

/// Writes the VTIMEZONE of a zone (RFC 5545 section 3.6.5).
///
/// The current rule is an RRULE, which is all that many programs read; earlier changes, and zones without a yearly
/// rule, are lists of dates.
struct VTimeZone {
  private let zone: Zone
  /// The first instant at which the zone must be right.
  private let from: Int
  private let years: Range<Int>

  /// - Parameter now: seconds since 1970. Without a yearly rule, ten years from then on are written.
  init(_ zone: Zone, from: Int, now: Int) {
    self.zone = zone
    self.from = from
    let year = WallTime(seconds: now).date.year
    // The years until each day of a month has fallen on each day of the week, leap years included.
    years = year..<year + 30
  }

  /// One change of the offset.
  private struct Onset {
    var instant: Int
    var before: Int
    var after: Int
    /// The wall time before the change.
    var wall: WallTime { WallTime(seconds: instant + before) }
  }

  func write(to writer: inout CalendarWriter) {
    writer.line("BEGIN", "VTIMEZONE".utf8)
    writer.line("TZID", zone.name.utf8)
    let onsets = onsets
    var rest: [Onset] = []
    var rules: [(first: Onset, rule: String)] = []
    var kinds: [[Onset]] = []
    for onset in onsets {
      if let kind = kinds.firstIndex(where: { $0[0].before == onset.before && $0[0].after == onset.after }) {
        kinds[kind].append(onset)
      } else {
        kinds.append([onset])
      }
    }
    let lastYear = WallTime(seconds: onsets.last?.instant ?? from).date.year
    for kind in kinds {
      let (early, rule) = yearly(kind, upTo: lastYear)
      if let rule { rules.append(rule) }
      rest += early
    }
    // Ten years of dates are enough without a yearly rule: the file is fetched again before.
    let end = WallTime(date: CivilDate(year: years.lowerBound + 10, month: 1, day: 1), secondOfDay: 0).seconds
    rest = rest.filter { $0.instant < end }
    if rules.isEmpty, rest.isEmpty {
      let offset = zone.offset(at: from)
      let wall = WallTime(date: CivilDate(year: 1970, month: 1, day: 1), secondOfDay: 0)
      write("STANDARD", before: offset, after: offset, start: min(wall, zone.wall(at: from)), to: &writer)
    }
    while let first = rest.first {
      let same = rest.filter { $0.before == first.before && $0.after == first.after }
      rest.removeAll { $0.before == first.before && $0.after == first.after }
      write(
        name(first), before: first.before, after: first.after, start: first.wall, dates: same.dropFirst().map(\.wall),
        to: &writer)
    }
    for (first, rule) in rules.sorted(by: { $0.first.instant < $1.first.instant }) {
      write(name(first), before: first.before, after: first.after, start: first.wall, rule: rule, to: &writer)
    }
    writer.line("END", "VTIMEZONE".utf8)
  }

  /// The changes, beginning with the last one before the first instant.
  private var onsets: [Onset] {
    let end = WallTime(date: CivilDate(year: years.upperBound, month: 1, day: 1), secondOfDay: 0).seconds
    let all = zone.transitions(before: end)
    let first = max(0, countOfFirst(all) { $0.instant <= from } - 1)
    return all.indices.dropFirst(first).map { index in
      Onset(
        instant: all[index].instant,
        before: index > 0 ? all[index - 1].offset : zone.offset(at: all[index].instant - 1),
        after: all[index].offset)
    }
  }

  private func name(_ onset: Onset) -> String { onset.after > onset.before ? "DAYLIGHT" : "STANDARD" }

  // MARK: Rules

  /// Splits the changes into a yearly rule with its first onset, if there is one, and those before it.
  private func yearly(_ onsets: [Onset], upTo lastYear: Int) -> (early: [Onset], rule: (first: Onset, rule: String)?) {
    guard let last = onsets.last, last.wall.date.year == lastYear || last.wall.date.year == lastYear - 1 else {
      return (onsets, nil)
    }
    let (date, time, weekday) = (last.wall.date, last.wall.secondOfDay, last.wall.date.weekday)
    var first = onsets.count
    var (weeks, days) = (Set([1, 2, 3, 4, -1]), date.day...date.day)
    while first > 0 {
      let next = onsets[first - 1].wall
      guard next.secondOfDay == time, next.date.month == date.month, next.date.weekday == weekday,
        first == onsets.count || next.date.year == onsets[first].wall.date.year - 1
      else { break }
      let fitting = weeks.intersection(Self.weeks(next.date))
      let spread = min(days.lowerBound, next.date.day)...max(days.upperBound, next.date.day)
      guard !fitting.isEmpty || spread.count <= 7 else { break }
      (weeks, days, first) = (fitting, spread, first - 1)
    }
    // With fewer years, the changes might fit another rule as well.
    guard onsets.count - first >= 28 else { return (onsets, nil) }
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    var rule = "FREQ=YEARLY;BYMONTH=\(date.month)"
    if let week = weeks.max() {
      rule += ";BYDAY=\(week)\(names[weekday - 1])"
    } else {
      let list = (days.lowerBound..<days.lowerBound + 7).map(String.init).joined(separator: ",")
      rule += ";BYMONTHDAY=\(list);BYDAY=\(names[weekday - 1])"
    }
    return (Array(onsets[..<first]), (onsets[first], rule))
  }

  /// The positions of a date among its month's days of the same weekday.
  private static func weeks(_ date: CivilDate) -> Set<Int> {
    var weeks: Set<Int> = [(date.day - 1) / 7 + 1]
    if date.day + 7 > CivilDate.days(inMonth: date.month, of: date.year) { weeks.insert(-1) }
    return weeks
  }

  // MARK: Lines

  private func write(
    _ name: String, before: Int, after: Int, start: WallTime, dates: [WallTime] = [], rule: String? = nil,
    to writer: inout CalendarWriter
  ) {
    writer.line("BEGIN", name.utf8)
    writer.line("DTSTART", compactTime(start.seconds).utf8)
    writer.line("TZOFFSETFROM", Self.offset(before).utf8)
    writer.line("TZOFFSETTO", Self.offset(after).utf8)
    writer.line("TZNAME", Self.offset(after).utf8)
    if let rule { writer.line("RRULE", rule.utf8) }
    for date in dates { writer.line("RDATE", compactTime(date.seconds).utf8) }
    writer.line("END", name.utf8)
  }

  /// "+0100", or with seconds if there are any.
  private static func offset(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let distance = abs(seconds)
    let rest = distance % 60
    return (seconds < 0 ? "-" : "+") + two(distance / 3600) + two(distance / 60 % 60) + (rest > 0 ? two(rest) : "")
  }
}
