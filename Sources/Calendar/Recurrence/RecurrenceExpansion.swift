import CIcal
import CivilTime

/// Works out the wall times of one rule with libical's iterator.
///
/// A rule is a row of periods (years, months, …, hours), every INTERVAL-th of which yields a set of times. The periods
/// before the answer's range are never looked at, but where COUNT has to be counted and they differ.
struct RecurrenceExpansion: Sendable {
  let rule: RecurrenceRule
  private let start: WallTime
  private let isDate: Bool
  /// The last wall second that the rule allows.
  let last: Int

  /// `last` is UNTIL, as a wall second; a date has no use for parts of a day (`isDate`).
  init(_ rule: RecurrenceRule, start: WallTime, isDate: Bool, last: Int?) {
    self.rule = rule
    self.start = start
    self.isDate = isDate
    self.last = min(last ?? RecurrenceExpansion.endOfTime, RecurrenceExpansion.endOfTime)
  }

  /// The end of the last year that libical looks at.
  private static let endOfTime = WallTime(date: CivilDate(year: 2582, month: 12, day: 31), secondOfDay: 86_399).seconds

  /// The first year that libical is asked about: before 1582 it takes the weekdays, before 1753 the leap years of the
  /// Julian calendar, where iCalendar has the Gregorian alone (RFC 5545, section 3.3.4).
  private static let firstYear = 1800

  /// Seconds after which the Gregorian calendar repeats itself, weekdays included: 400 years.
  private static let cycle = 146_097 * secondsPerDay

  /// Steps to read a rule and begin a search, more for long ones, and of a search that fails.
  private static let stepsOfBeginning = 10
  private static let bytesPerStep = 16
  private static let stepsOfFailure = 20_000

  /// Where the times of an expansion go, and what it may still cost.
  struct Output {
    /// Wall seconds, ascending; the start itself is not among them.
    var walls: [Int] = []
    var steps: Int
    /// Occurrences that are still taken.
    var room = CalendarLimits.occurrencesPerSeries
    /// Whether the rule was given up because the steps or the occurrences ran out.
    var isCutShort = false
  }

  /// Appends the rule's times in [from, to) (wall seconds) that come after the start. The start counts as the first
  /// occurrence whether or not it fits the rule (RFC 5545, sections 3.3.10 and 3.8.2.4).
  func expand(from: Int, to: Int, into output: inout Output) {
    var state = State(from: max(from, start.seconds + 1), to: min(to, last + 1), left: (rule.count ?? Int.max) - 1)
    guard state.left > 0, state.from < state.to else { return }
    guard output.steps > 0 else {
      output.isCutShort = true
      return
    }
    output.steps -= RecurrenceExpansion.stepsOfBeginning + rule.text.utf8.count / RecurrenceExpansion.bytesPerStep
    let plan = RecurrencePlan(LibicalRule(rule.text), start: start, isDate: isDate)
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
    // BYSETPOS needs whole periods; elsewhere the search ends with the range.
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
    /// Seconds by which libical's times are later.
    let shift: Int
    /// Whether the search goes to the end of what is wanted, and not only as far as its steps allow.
    let isWhole: Bool
  }

  private struct State {
    let from: Int
    let to: Int
    /// Occurrences that COUNT still allows.
    var left: Int
    var isDone = false
  }

  /// Calls a body with what libical finds, ascending, until it says no or the steps run out. What libical skips costs
  /// steps as well.
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
      // A day that two values of a list mean comes twice.
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
    // Where the search was cut short, the last period is not whole.
    if !output.isCutShort, !state.isDone { takePicked(times, plan.positions, &state, &output) }
  }

  /// Takes those of a period's times that BYSETPOS picks.
  private func takePicked(_ times: [Int], _ positions: Set<Int>, _ state: inout State, _ output: inout Output) {
    for index in times.indices where positions.contains(index + 1) || positions.contains(index - times.count) {
      if state.isDone { return }
      take(times[index], &state, &output)
    }
  }

  // MARK: Counting

  /// Counts a time, and keeps it if it is in the range.
  private func take(_ wall: Int, _ state: inout State, _ output: inout Output) {
    guard wall > start.seconds else { return }
    if wall >= state.to {
      state.isDone = true
      return
    }
    if wall >= state.from {
      guard output.room > 0 else {
        output.isCutShort = true
        state.isDone = true
        return
      }
      output.room -= 1
      output.walls.append(wall)
    }
    state.left -= 1
    if state.left == 0 { state.isDone = true }
  }
}
