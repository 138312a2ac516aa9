/// The occurrences of several calendars that overlap [from, to), listed per calendar in the order given. A calendar
/// that was not read yet has none.
///
/// The steps of an answer (`CalendarLimits.steps`) are shared fairly, so that no calendar's rules cut another's series
/// short: each gets an equal part of the rest, and the steps left over go to those that ran out. The same goes for the
/// size of an answer: if all together are too large, the largest series are shortened, and where that is not enough the
/// largest calendars are left out, each with a warning.
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
  let most = max(occurrences + 1, CalendarLimits.workedOut / max(1, calendars.count))
  func work(_ places: [Int]) -> [Int] {
    var ranOut: [Int] = []
    for (turn, place) in places.enumerated() {
      guard let calendar = calendars[place].calendar else { continue }
      let share = max(0, left) / (places.count - turn)
      var budget = ExpansionBudget(steps: share, occurrences: most)
      results[place] = expand(calendar, calendarID: calendars[place].id, from: from, to: to, budget: &budget)
      left -= share - budget.steps
      if budget.steps <= 0 { ranOut.append(place) }
    }
    return ranOut
  }
  let ranOut = work(calendars.indices.filter { calendars[$0].calendar != nil })
  // Try again only if clearly more steps are left for them than they had.
  if !ranOut.isEmpty, left / ranOut.count > steps / calendars.count { _ = work(ranOut) }

  let all = results.lazy.flatMap(\.occurrences)
  let size = all.reduce((count: 0, bytes: 0)) { ($0.count + 1, $0.bytes + $1.details.byteCount + bytesOfEach) }
  if size.count <= occurrences, size.bytes <= bytes { return results }
  let sizes = results.map { SeriesSizes($0.occurrences, bytesOfEach: bytesOfEach) }
  // With one occurrence of each series, calendars differ in what cannot be shortened.
  var order = results.indices.filter { !results[$0].occurrences.isEmpty }
    .sorted { sizes[$0].cut(to: 0).bytes < sizes[$1].cut(to: 0).bytes }
  /// True if what is left of all series, each of so many bytes, is no more than an answer takes.
  func fits(_ seriesBytes: Int) -> Bool {
    let rest = order.map { sizes[$0].cut(to: seriesBytes) }
    return rest.reduce(0) { $0 + $1.count } <= occurrences && rest.reduce(0) { $0 + $1.bytes } <= bytes
  }
  while !fits(0), let place = order.popLast() {
    guard !order.isEmpty else { return nil }
    let count = results[place].occurrences.count
    results[place].occurrences = []
    results[place].warnings.append(
      "Its \(count > occurrences ? "more than \(occurrences)" : "\(count)") events of these days are not listed: with "
        + "those of the other calendars they are more than one answer takes. Ask for fewer days.")
  }
  // The largest size of a series with which all of them fit.
  var (fitting, tooLarge) = (0, bytes + 1)
  while tooLarge - fitting > 1 {
    let middle = (fitting + tooLarge) / 2
    if fits(middle) { fitting = middle } else { tooLarge = middle }
  }
  for place in order { sizes[place].shorten(&results[place], to: fitting) }
  return results
}

/// The sizes of the series in a calendar's part of an answer.
private struct SeriesSizes {
  /// For each series the bytes of its first occurrence, of the first two, and so on.
  private var sums: [String: [Int]] = [:]

  init(_ occurrences: [Occurrence], bytesOfEach: Int) {
    for one in occurrences {
      let before = sums[one.seriesID]?.last ?? 0
      sums[one.seriesID, default: []].append(before + one.details.byteCount + bytesOfEach)
    }
  }

  /// The number of a series' occurrences with so many bytes together: one at least.
  private func count(_ sums: [Int], _ most: Int) -> Int { max(1, countOfFirst(sums) { $0 <= most }) }

  /// What is left if each series has at most so many bytes.
  func cut(to most: Int) -> (count: Int, bytes: Int) {
    sums.values.reduce(into: (0, 0)) { all, sums in
      let count = count(sums, most)
      all = (all.0 + count, all.1 + sums[count - 1])
    }
  }

  /// Leaves out the last occurrences of each series that has more bytes.
  func shorten(_ result: inout (occurrences: [Occurrence], warnings: [String]), to most: Int) {
    var left = sums.mapValues { count($0, most) }
    var warnings = CalendarWarnings()
    result.occurrences = result.occurrences.filter { one in
      let rest = left[one.seriesID]! - 1
      left[one.seriesID] = rest
      if rest == -1 {
        let limit = count(sums[one.seriesID]!, most)
        warnings.add(.cutShort(title: one.title, uid: one.uid, limit: limit))
      }
      return rest >= 0
    }
    result.warnings += warnings.texts
  }
}
