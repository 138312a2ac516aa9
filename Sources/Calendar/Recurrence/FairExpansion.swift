/// The occurrences of several calendars that overlap [from, to), listed per calendar in the order given. A calendar
/// that was not read yet has none.
///
/// The steps of an answer (`CalendarLimits.steps`) are shared fairly, so that no calendar's rules cut another's series
/// short: each gets an equal part of the rest, and the steps left over go to those that ran out. The same goes for the
/// size of an answer: if all together are too large, the largest are left out with a warning.
/// - Parameters:
///   - occurrences: the most of an answer.
///   - bytes: the most of their texts; each occurrence has `bytesOfEach` besides.
/// - Returns: nil if even the smallest calendar with occurrences is too large.
public func expandFairly(
  _ calendars: [(id: String, calendar: ParsedCalendar?)], from: Int, to: Int, steps: Int = CalendarLimits.steps,
  occurrences: Int, bytes: Int, bytesOfEach: Int
) -> [(occurrences: [Occurrence], warnings: [String])]? {
  var results = [(occurrences: [Occurrence], warnings: [String])](repeating: ([], []), count: calendars.count)
  var left = steps
  func work(_ places: [Int]) -> [Int] {
    var ranOut: [Int] = []
    for (turn, place) in places.enumerated() {
      guard let calendar = calendars[place].calendar else { continue }
      let share = max(0, left) / (places.count - turn)
      var budget = ExpansionBudget(steps: share, occurrences: occurrences + 1)
      results[place] = expand(calendar, calendarID: calendars[place].id, from: from, to: to, budget: &budget)
      left -= share - budget.steps
      if budget.steps <= 0 { ranOut.append(place) }
    }
    return ranOut
  }
  let ranOut = work(calendars.indices.filter { calendars[$0].calendar != nil })
  // Try again only if clearly more steps are left for them than they had.
  if !ranOut.isEmpty, left / ranOut.count > steps / calendars.count { _ = work(ranOut) }

  let counts = results.map(\.occurrences.count)
  let sizes = results.map { $0.occurrences.reduce(0) { $0 + $1.details.byteCount + bytesOfEach } }
  // The largest are left out first.
  var order = results.indices.filter { counts[$0] > 0 }.sorted { sizes[$0] < sizes[$1] }
  var (count, size) = (counts.reduce(0, +), sizes.reduce(0, +))
  while count > occurrences || size > bytes, let place = order.popLast() {
    guard !order.isEmpty else { return nil }
    (count, size) = (count - counts[place], size - sizes[place])
    results[place].occurrences = []
    results[place].warnings.append(
      "Its \(counts[place] > occurrences ? "more than \(occurrences)" : "\(counts[place])") events of these days are "
        + "not listed: with those of the other calendars they are more than one answer takes. Ask for fewer days.")
  }
  return results
}
