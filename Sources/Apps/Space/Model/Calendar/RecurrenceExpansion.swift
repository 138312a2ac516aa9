import CivilTime

/// Works out the wall times of one rule.
///
/// A rule is a row of periods (years, months, …, seconds), every INTERVAL-th of which yields a set of times. Without COUNT,
/// the periods before the answer's range are never looked at; with it, they have to be counted. Days, hours and minutes
/// that the rule leaves out are skipped at once, and every step is paid for, so that no rule takes for ever.
///
/// libical's iterator is not used for this: its search for the next time has no limit (FREQ=SECONDLY;BYMONTH=2;
/// BYMONTHDAY=30 keeps it busy for more than a minute), and calendars come from outside.
struct RecurrenceExpansion: Sendable {
  private let frequency: RecurrenceRule.Frequency
  private let interval: Int
  private let count: Int?
  private let positions: [Int]
  private let weekStart: Int
  private let start: WallTime
  /// The last wall second that the rule allows.
  private let last: Int
  private let days: RecurrenceDays
  /// Bits 0…23 and 0…59; 0 if the rule has no such part.
  private let hours: UInt64
  private let minutes: UInt64
  private let seconds: UInt64
  /// The times of a period, seconds from its beginning (of a day, for periods of a day and longer), ascending.
  private let times: [Int]

  /// `last` is UNTIL, as a wall second; a date has no use for parts of a day (`isDate`).
  init(_ rule: RecurrenceRule, start: WallTime, isDate: Bool, last: Int?) {
    frequency = rule.frequency
    interval = rule.interval
    count = rule.count
    positions = rule.positions
    weekStart = rule.weekStart
    self.start = start
    self.last = last ?? RecurrenceExpansion.endOfTime
    days = RecurrenceDays(rule, start: start.date)
    func bits(_ numbers: [Int]) -> UInt64 { isDate ? 0 : numbers.reduce(0) { $0 | 1 << UInt64($1) } }
    hours = bits(rule.hours)
    minutes = bits(rule.minutes)
    seconds = bits(rule.seconds)
    let second = start.secondOfDay
    let hourList = hours == 0 ? [second / 3600] : rule.hours
    let minuteList = minutes == 0 ? [second / 60 % 60] : rule.minutes
    let secondList = seconds == 0 ? [second % 60] : rule.seconds
    switch rule.frequency {
    case .secondly: times = [0]
    case .minutely: times = secondList
    case .hourly: times = minuteList.flatMap { minute in secondList.map { minute * 60 + $0 } }
    default:
      times = hourList.flatMap { hour in
        minuteList.flatMap { minute in secondList.map { hour * 3600 + minute * 60 + $0 } }
      }
    }
  }

  /// The end of the year 9999.
  private static let endOfTime = WallTime(date: CivilDate(year: 9999, month: 12, day: 31), secondOfDay: 86_399).seconds

  /// Where the times of an expansion go, and what it may still cost.
  struct Output {
    /// Wall seconds, ascending; the start itself is not among them.
    var walls: [Int] = []
    var steps: Int
    /// Whether the rule was given up because the steps or the occurrences ran out.
    var isCutShort = false
  }

  /// Appends the rule's times in [from, to) (wall seconds) that come after the start. The start counts as the first
  /// occurrence whether or not it fits the rule (RFC 5545, sections 3.3.10 and 3.8.2.4).
  func expand(from: Int, to: Int, into output: inout Output) {
    var state = State(from: max(from, start.seconds + 1), to: min(to, last + 1), left: (count ?? Int.max) - 1)
    guard state.left > 0, state.to > start.seconds, state.from < state.to else { return }
    switch frequency {
    case .yearly, .monthly, .weekly, .daily: expandDays(&state, &output)
    case .hourly: expandTimes(unit: 3600, &state, &output)
    case .minutely: expandTimes(unit: 60, &state, &output)
    case .secondly: expandTimes(unit: 1, &state, &output)
    }
  }

  private struct State {
    let from: Int
    let to: Int
    /// Occurrences that COUNT still allows.
    var left: Int
    var isDone = false
  }

  // MARK: Periods of days

  private func expandDays(_ state: inout State, _ output: inout Output) {
    let date = start.date
    // COUNT has to be counted from the beginning.
    let first = count == nil ? WallTime(seconds: state.from).date : date
    var period = firstPeriod(reaching: first, from: date)
    var candidates: [Int] = []
    while !state.isDone {
      candidates.removeAll(keepingCapacity: true)
      let firstDay = collectDays(ofPeriod: period, from: date, into: &candidates, &output)
      if firstDay * secondsPerDay >= state.to { return }
      if output.steps < 0 {
        output.isCutShort = true
        return
      }
      emit(candidates, &state, &output)
      period += interval
    }
  }

  /// The first period, counted in units of the frequency from the start's, that may contain a date.
  private func firstPeriod(reaching first: CivilDate, from date: CivilDate) -> Int {
    let distance =
      switch frequency {
      case .yearly: first.year - date.year
      case .monthly: (first.year - date.year) * 12 + first.month - date.month
      case .weekly: (first.dayNumber - firstDayOfWeek(date)) / 7
      default: first.dayNumber - date.dayNumber
      }
    return max(0, distance) / interval * interval
  }

  private func firstDayOfWeek(_ date: CivilDate) -> Int {
    date.dayNumber - (date.weekday - weekStart + 7) % 7
  }

  /// Appends the days that the rule allows in a period, ascending, and returns the day number on which it begins.
  private func collectDays(
    ofPeriod period: Int, from date: CivilDate, into candidates: inout [Int], _ output: inout Output
  ) -> Int {
    switch frequency {
    case .yearly:
      let year = date.year + period
      for month in 1...12 where days.allows(month: month) {
        collectMonth(year, month, into: &candidates, &output)
      }
      return CivilDate(year: year, month: 1, day: 1).dayNumber
    case .monthly:
      let month = date.year * 12 + date.month - 1 + period
      output.steps -= 1
      if days.allows(month: month % 12 + 1) {
        collectMonth(month / 12, month % 12 + 1, into: &candidates, &output)
      }
      return CivilDate(year: month / 12, month: month % 12 + 1, day: 1).dayNumber
    case .weekly:
      let first = firstDayOfWeek(date) + period * 7
      output.steps -= 7
      for number in first..<first + 7 where days.allows(CivilDate(dayNumber: number), number: number) {
        candidates.append(number)
      }
      return first
    default:
      let number = date.dayNumber + period
      output.steps -= 1
      if days.allows(CivilDate(dayNumber: number), number: number) { candidates.append(number) }
      return number
    }
  }

  private func collectMonth(_ year: Int, _ month: Int, into candidates: inout [Int], _ output: inout Output) {
    let first = CivilDate(year: year, month: month, day: 1).dayNumber
    let length = CivilDate.days(inMonth: month, of: year)
    output.steps -= length
    for day in 1...length {
      let date = CivilDate(year: year, month: month, day: day)
      if days.allows(date, number: first + day - 1) { candidates.append(first + day - 1) }
    }
  }

  /// Takes the times of a period's days, all of them or those that BYSETPOS picks.
  private func emit(_ candidates: [Int], _ state: inout State, _ output: inout Output) {
    if positions.isEmpty {
      for day in candidates {
        for time in times {
          take(day * secondsPerDay + time, &state, &output)
          if state.isDone { return }
        }
      }
      return
    }
    for index in picked(of: candidates.count * times.count) {
      take(candidates[index / times.count] * secondsPerDay + times[index % times.count], &state, &output)
      if state.isDone { return }
    }
  }

  /// The indices that BYSETPOS picks out of so many times, ascending.
  private func picked(of total: Int) -> [Int] {
    let indices = positions.map { $0 > 0 ? $0 - 1 : total + $0 }.filter { $0 >= 0 && $0 < total }
    return Set(indices).sorted()
  }

  // MARK: Periods shorter than a day

  private func expandTimes(unit: Int, _ state: inout State, _ output: inout Output) {
    let base = start.seconds - start.secondOfDay % unit
    let step = unit * interval
    /// The first period that begins at or after a wall second.
    func next(_ wall: Int) -> Int { wall <= base ? base : base + (wall - base + step - 1) / step * step }
    var period = count == nil ? next(state.from - unit + 1) : base
    var allowedDay = Int.min
    let shown = positions.isEmpty ? Array(times.indices) : picked(of: times.count)
    while period < state.to, !state.isDone {
      output.steps -= 1
      if output.steps < 0 {
        output.isCutShort = true
        return
      }
      let wall = WallTime(seconds: period)
      let day = wall.dayNumber
      let second = wall.secondOfDay
      if day != allowedDay {
        guard days.allows(wall.date, number: day) else {
          period = next((day + 1) * secondsPerDay)
          continue
        }
        allowedDay = day
      }
      if hours != 0, hours & 1 << UInt64(second / 3600) == 0 {
        period = next(period - second % 3600 + 3600)
      } else if unit < 3600, minutes != 0, minutes & 1 << UInt64(second / 60 % 60) == 0 {
        period = next(period - second % 60 + 60)
      } else if unit == 1, seconds != 0, seconds & 1 << UInt64(second % 60) == 0 {
        period += step
      } else {
        for index in shown where !state.isDone { take(period + times[index], &state, &output) }
        period += step
      }
    }
  }

  /// Counts a time, and keeps it if it is in the range.
  private func take(_ wall: Int, _ state: inout State, _ output: inout Output) {
    guard wall > start.seconds else { return }
    output.steps -= 1
    if wall >= state.to {
      state.isDone = true
      return
    }
    if wall >= state.from {
      if output.walls.count >= CalendarLimits.occurrencesPerSeries {
        output.isCutShort = true
        state.isDone = true
        return
      }
      output.walls.append(wall)
    }
    state.left -= 1
    if state.left == 0 || output.steps < 0 {
      if state.left > 0 { output.isCutShort = true }
      state.isDone = true
    }
  }
}
