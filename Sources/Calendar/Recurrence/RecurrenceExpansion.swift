import CIcal
import CivilTime

/// Expands one rule to wall times, with libical's iterator; rules by the hour or less with `SubdailyExpansion`.
///
/// A rule has periods (years, months, …, hours), every INTERVAL-th of which yields times. Periods before the answer's
/// range are skipped, unless COUNT has to be applied and they differ in their number of times.
struct RecurrenceExpansion: Sendable {
  let rule: RecurrenceRule
  private let start: WallTime
  private let isDate: Bool
  /// The last second, as wall time, that the rule allows.
  let last: Int

  /// `last` is UNTIL, as a wall second; with `isDate`, parts of a day are ignored.
  init(_ rule: RecurrenceRule, start: WallTime, isDate: Bool, last: Int?) {
    self.rule = rule
    self.start = start
    self.isDate = isDate
    self.last = min(last ?? RecurrenceExpansion.endOfTime, RecurrenceExpansion.endOfTime)
  }

  /// The end of the last year that libical searches.
  private static let endOfTime = WallTime(date: CivilDate(year: 2582, month: 12, day: 31), secondOfDay: 86_399).seconds

  /// The first year for which libical is used: before 1582 its weekdays and before 1753 its leap years are those of the
  /// Julian calendar, but iCalendar is Gregorian only (RFC 5545, section 3.3.4).
  private static let firstYear = 1800

  /// The seconds of 400 years, after which the Gregorian calendar repeats, weekdays included.
  private static let cycle = 146_097 * secondsPerDay

  /// Steps for parsing a rule and starting a search, more for long rules, and for a search that fails.
  private static let stepsOfBeginning = 10
  private static let bytesPerStep = 16
  private static let timesPerStep = 16
  private static let stepsOfFailure = 20_000

  /// The results of an expansion, and its budget.
  struct Output {
    /// Wall seconds, ascending; the start itself is not among them.
    var walls: [Int] = []
    var steps: Int
    /// Occurrences that may still be added.
    var room = CalendarLimits.occurrencesPerSeries
    /// The wall second from which on a time is surely in the answer, and how many such times of rules by the hour and
    /// less may still be added.
    var inside = Int.max
    var subdailyRoom = CalendarLimits.subdailyOccurrences
    /// True if the expansion ended early because steps or occurrences ran out.
    var isCutShort = false
  }

  /// Appends the rule's times in [from, to) (wall seconds) after the start. The start counts as the first occurrence
  /// even if it does not match the rule (RFC 5545, sections 3.3.10 and 3.8.2.4).
  func expand(from: Int, to: Int, into output: inout Output) {
    var state = State(from: max(from, start.seconds + 1), to: min(to, last + 1), left: (rule.count ?? Int.max) - 1)
    guard state.left > 0, state.from < state.to else { return }
    guard output.steps > 0 else {
      output.isCutShort = true
      return
    }
    output.steps -= RecurrenceExpansion.stepsOfBeginning + rule.text.utf8.count / RecurrenceExpansion.bytesPerStep
    let libical = LibicalRule(rule.text)
    if rule.isSubdaily {
      let expansion = SubdailyExpansion(libical, start: start)
      var from = state.from
      // COUNT counts from the start.
      if rule.count != nil {
        if let before = expansion.times(after: start, before: from) {
          state.left -= before
          guard state.left > 0 else { return }
        } else {
          from = start.seconds
        }
      }
      var steps = output.steps
      let isWhole = expansion.forEachTime(from: from, to: state.to, steps: &steps) { wall in
        take(wall, &state, &output)
        return !state.isDone
      }
      output.steps = steps
      if !isWhole { output.isCutShort = true }
      return
    }
    let plan = RecurrencePlan(libical, start: start, isDate: isDate)
    output.steps -= plan.times / RecurrenceExpansion.timesPerStep
    var beginning = plan.beginning(reaching: WallTime(seconds: state.from))
    if rule.count != nil {
      if let before = plan.times(before: beginning, isDate: isDate) {
        state.left -= before
        guard state.left > 0 else { return }
      } else {
        beginning = plan.beginning(reaching: start)
      }
    }
    guard beginning.seconds < state.to else { return }
    // BYSETPOS needs whole periods; otherwise the search ends with the range.
    let needed = plan.positions.isEmpty ? state.to - 1 : state.to + 13 * plan.unit / 12
    let wanted = min(needed, RecurrenceExpansion.endOfTime)
    let cycles = max(0, (RecurrenceExpansion.firstYear - beginning.date.year + 399) / 400)
    let shift = cycles * RecurrenceExpansion.cycle
    let end = min(wanted, plan.end(from: beginning, steps: output.steps), RecurrenceExpansion.endOfTime - shift)
    output.steps -= plan.steps(toFirstFrom: beginning)
    let iterator = plan.rule.iterator(
      from: icaltimetype(WallTime(seconds: beginning.seconds + shift), isDate: isDate),
      to: icaltimetype(WallTime(seconds: end + shift), isDate: isDate))
    guard let iterator else {
      output.steps -= RecurrenceExpansion.stepsOfFailure
      return
    }
    defer { icalrecur_iterator_free(iterator) }
    let search = Search(
      iterator: iterator, plan: plan, beginning: beginning.seconds, end: end, shift: shift, isWhole: end == wanted)
    if plan.positions.isEmpty {
      forEachTime(search, &output) { wall, output in
        take(wall.seconds, &state, &output)
        return !state.isDone
      }
    } else {
      expandPositions(search, &state, &output)
    }
  }

  private struct Search {
    let iterator: OpaquePointer
    let plan: RecurrencePlan
    /// Wall seconds.
    let beginning: Int
    let end: Int
    /// The seconds by which libical's times are moved to later years.
    let shift: Int
    /// True if the search covers the whole range, and not only as far as its steps allow.
    let isWhole: Bool
  }

  private struct State {
    let from: Int
    let to: Int
    /// Occurrences that COUNT still allows.
    var left: Int
    var isDone = false
  }

  /// Calls a body with libical's times, ascending, until it returns false or the steps run out. Candidates that libical
  /// skips cost steps as well.
  private func forEachTime(
    _ search: Search, _ output: inout Output, _ body: (WallTime, inout Output) -> Bool
  ) {
    let plan = search.plan
    var position = search.beginning
    var previous: Int?
    while true {
      let found = readTime(icalrecur_iterator_next(search.iterator))?.wall
      let wall = found.map { WallTime(seconds: $0.seconds - search.shift) }
      output.steps -= plan.steps(from: position, to: wall?.seconds ?? search.end)
      guard let wall else {
        output.steps -= plan.steps(toFirstFrom: WallTime(seconds: search.end))
        if !search.isWhole { output.isCutShort = true }
        return
      }
      if output.steps < 0 {
        output.isCutShort = true
        return
      }
      position = wall.seconds
      // A day that matches two values of a list is found twice.
      if let previous, wall.seconds <= previous { continue }
      previous = wall.seconds
      if plan.filter.allows(wall), !body(wall, &output) { return }
    }
  }

  // MARK: BYSETPOS

  private func expandPositions(_ search: Search, _ state: inout State, _ output: inout Output) {
    let plan = search.plan
    var period = Int.min
    var times: [Int] = []
    forEachTime(search, &output) { wall, output in
      let next = plan.period(of: wall)
      if next != period {
        takePicked(times, plan.positions, &state, &output)
        times.removeAll(keepingCapacity: true)
        period = next
      }
      times.append(wall.seconds)
      return !state.isDone
    }
    // If the search ended early, the last period is incomplete.
    if !output.isCutShort, !state.isDone { takePicked(times, plan.positions, &state, &output) }
  }

  /// Adds the times of a period that BYSETPOS selects.
  private func takePicked(_ times: [Int], _ positions: Set<Int>, _ state: inout State, _ output: inout Output) {
    for index in times.indices where positions.contains(index + 1) || positions.contains(index - times.count) {
      if state.isDone { return }
      take(times[index], &state, &output)
    }
  }

  // MARK: COUNT

  /// Counts a time, and adds it if it is in the range.
  private func take(_ wall: Int, _ state: inout State, _ output: inout Output) {
    guard wall > start.seconds else { return }
    if wall >= state.to {
      state.isDone = true
      return
    }
    if wall >= state.from {
      let isCounted = rule.isSubdaily && wall >= output.inside
      guard output.room > 0, !isCounted || output.subdailyRoom > 0 else {
        output.isCutShort = true
        state.isDone = true
        return
      }
      output.room -= 1
      if isCounted { output.subdailyRoom -= 1 }
      output.walls.append(wall)
    }
    state.left -= 1
    if state.left == 0 { state.isDone = true }
  }
}
