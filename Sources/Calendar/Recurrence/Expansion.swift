/// The occurrences of a calendar that overlap [from, to) (instants, seconds since 1970 UTC), by start, then title.
///
/// An event without length counts if it begins in the range. Warnings name the series that were cut short at a limit of
/// `CalendarLimits`, or because the budget, which all calendars of an answer share, ran out. `calendarID` distinguishes
/// equal UIDs of different calendars.
public func expand(
  _ calendar: ParsedCalendar, calendarID: String, from: Int, to: Int, budget: inout ExpansionBudget
) -> (occurrences: [Occurrence], warnings: [String]) {
  var expansion = SeriesExpansion(
    zone: calendar.zone, ids: calendar.ids(calendarID: calendarID), from: from, to: to, budget: budget)
  // What takes place once comes first, so that no rules take its room.
  for isRecurring in [false, true] {
    for place in calendar.series.indices where calendar.series[place].isRecurring == isRecurring && !expansion.isFull {
      expansion.add(calendar.series[place], place: place)
    }
  }
  budget = expansion.budget
  return (sorted(expansion.occurrences), expansion.warnings.texts)
}

/// The same for a single calendar without a time limit: with ten times the budget of an answer.
public func expand(
  _ calendar: ParsedCalendar, calendarID: String, from: Int, to: Int
) -> (occurrences: [Occurrence], warnings: [String]) {
  var budget = ExpansionBudget(steps: 10 * CalendarLimits.steps)
  return expand(calendar, calendarID: calendarID, from: from, to: to, budget: &budget)
}

/// The occurrence with an identifier (`Occurrence.id`), also if it was moved; nil if the calendar has none.
public func occurrence(id: String, in calendar: ParsedCalendar, calendarID: String) -> Occurrence? {
  var budget = ExpansionBudget()
  return occurrence(id: id, in: calendar, calendarID: calendarID, budget: &budget)
}

/// The same for one of many look-ups that share a budget.
public func occurrence(
  id: String, in calendar: ParsedCalendar, calendarID: String, budget: inout ExpansionBudget
) -> Occurrence? {
  guard let (wanted, original) = parseOccurrenceID(id) else { return nil }
  let ids = calendar.ids(calendarID: calendarID)
  for place in ids.places(of: wanted) {
    var expansion = SeriesExpansion(zone: calendar.zone, ids: ids, from: 0, to: 0, budget: budget)
    let found = expansion.occurrence(original, of: calendar.series[place], place: place)
    // Each look-up costs a step, whatever its rules cost.
    budget.steps = expansion.budget.steps - 1
    if let found, found.id == id { return found }
  }
  return nil
}

/// Occurrences that have come from another calendar, by the identifiers that they had there: of events with the same
/// UIDs, and of recurring ones with the same original starts.
public func occurrences(
  formerIDs: [String], in former: String, nowIn calendar: ParsedCalendar, calendarID: String,
  budget: inout ExpansionBudget
) -> [String: Occurrence] {
  // Not cached: the cache is for the identifiers of today.
  let before = SeriesIDs(calendarID: former, series: calendar.series)
  let after = calendar.ids(calendarID: calendarID)
  var found: [String: Occurrence] = [:]
  for id in formerIDs where budget.steps > 0 {
    guard let (seriesID, _) = parseOccurrenceID(id), let place = before.places(of: seriesID).first else { continue }
    let now = "\(after.text(place))\(id.dropFirst(seriesID.count))"
    found[id] = occurrence(id: now, in: calendar, calendarID: calendarID, budget: &budget)
  }
  return found
}

/// Sorted by start, then title, then identifier, so that the order never depends on the file's.
func sorted(_ occurrences: [Occurrence]) -> [Occurrence] {
  // Sorting small keys is several times faster than moving whole occurrences.
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
