import CivilTime

/// The occurrences of a calendar that overlap [from, to) (instants, seconds since 1970 UTC), by start, then title.
///
/// An event without length counts if it begins in the range. Warnings name the series that were cut short at a limit of
/// `CalendarLimits`. `calendarID` tells equal UIDs of different calendars apart.
package func expand(
  _ calendar: ParsedCalendar, calendarID: String, from: Int, to: Int
) -> (occurrences: [Occurrence], warnings: [String]) {
  var expansion = SeriesExpansion(zone: calendar.zone, calendarID: calendarID, from: from, to: to)
  for series in calendar.series { expansion.add(series) }
  return (sorted(expansion.occurrences), expansion.warnings)
}

/// The occurrence with an identifier (`Occurrence.id`), wherever it has been moved to; nil if the calendar has none.
package func occurrence(id: String, in calendar: ParsedCalendar, calendarID: String) -> Occurrence? {
  guard let (wanted, original) = parseOccurrenceID(id) else { return nil }
  for series in calendar.series where seriesID(calendar: calendarID, uid: series.uid) == wanted {
    let ranges = series.ranges(of: original, zone: calendar.zone)
    for range in ranges {
      var expansion = SeriesExpansion(
        zone: calendar.zone, calendarID: calendarID, from: range.lowerBound, to: range.upperBound)
      expansion.add(series)
      if let found = expansion.occurrences.first(where: { $0.original == original }) { return found }
    }
  }
  return nil
}

extension Series {
  /// Ranges of instants in which the occurrence with an original start begins, if there is one.
  fileprivate func ranges(of original: Occurrence.Original?, zone: Zone) -> [Range<Int>] {
    func day(around instant: Int) -> Range<Int> { instant - 2 * secondsPerDay..<instant + 2 * secondsPerDay }
    guard let original else {
      guard let start = master?.event.start.instant(in: zone) else { return [] }
      return [start..<start + 1]
    }
    let key: Int
    let instant: Int
    switch original {
    case .day(let number):
      key = number
      instant = number * secondsPerDay
    case .instant(let moment):
      key = moment
      instant = moment
    }
    if let change = overrides.first(where: { $0.key == key }) {
      return [day(around: change.event.start.instant(in: zone))]
    }
    if let change = following.last(where: { $0.key <= key }) {
      return [day(around: instant + change.event.start.wall.seconds - change.wall.seconds)]
    }
    return [day(around: instant)]
  }
}

/// By start, then title, then identifier, so that the order never depends on the file's.
func sorted(_ occurrences: [Occurrence]) -> [Occurrence] {
  // Sorting small keys is several times faster than moving whole occurrences about.
  var keys: [(start: Int, index: Int)] = []
  keys.reserveCapacity(occurrences.count)
  for index in occurrences.indices { keys.append((occurrences[index].start, index)) }
  keys.sort { left, right in
    if left.start != right.start { return left.start < right.start }
    let (first, second) = (occurrences[left.index], occurrences[right.index])
    if first.details !== second.details, first.title != second.title { return first.title < second.title }
    return first.id < second.id
  }
  return keys.map { occurrences[$0.index] }
}
