import CIcal
import CivilTime

/// An RRULE (RFC 5545, section 3.3.10) that has been checked. It is kept as written, since libical's form of it takes
/// 2,896 bytes.
struct RecurrenceRule: Sendable {
  let text: String
  let count: Int?
  let until: (wall: WallTime, form: TimeForm)?

  /// Reads a rule such as "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T225959Z" of an event that begins at `start`.
  init(_ text: String, start: WallTime, isDate: Bool) throws(EventProblem) {
    let shown = "its RRULE is \"\(shortened(oneLine(text), bytes: 100))\""
    guard text.utf8.count <= CalendarLimits.ruleBytes else {
      throw EventProblem("\(shown), which is too long; accepted are up to \(CalendarLimits.ruleBytes) bytes")
    }
    let rule = LibicalRule(text)
    guard rule.frequency != ICAL_NO_RECURRENCE else { throw EventProblem("\(shown), which cannot be read") }
    // libical's search for the next time has no limit, and looks at every hour of 550 years for 30 February.
    let isHourly = rule.frequency == ICAL_HOURLY_RECURRENCE
    if isHourly ? isDate : rule.frequency.rawValue < ICAL_HOURLY_RECURRENCE.rawValue {
      throw EventProblem(
        "\(shown), which repeats too often; accepted are events that repeat hourly or less often, and all-day events "
          + "that repeat daily or less often")
    }
    if isHourly, !rule.months.isEmpty || !rule.monthDays.isEmpty || !rule.yearDays.isEmpty || !rule.weeks.isEmpty {
      throw EventProblem("\(shown); accepted are hourly rules without BYMONTH, BYMONTHDAY, BYYEARDAY and BYWEEKNO")
    }
    // libical forgets INTERVAL where BYHOUR goes with it.
    if isHourly, rule.interval > 1, !rule.hours.isEmpty {
      throw EventProblem("\(shown); accepted are hourly rules with INTERVAL or with BYHOUR, not both")
    }
    let isYearly = rule.frequency == ICAL_YEARLY_RECURRENCE
    if !isYearly, !rule.weeks.isEmpty || !rule.yearDays.isEmpty {
      throw EventProblem("\(shown); accepted are BYWEEKNO and BYYEARDAY in yearly rules")
    }
    if rule.frequency == ICAL_WEEKLY_RECURRENCE, !rule.monthDays.isEmpty {
      throw EventProblem("\(shown); accepted are weekly rules without BYMONTHDAY")
    }
    guard rule.isGregorian else {
      throw EventProblem("\(shown); accepted are rules with RSCALE=GREGORIAN and SKIP=OMIT, or without both")
    }
    guard RecurrenceRule.isNumber("INTERVAL", of: text, rule.interval),
      RecurrenceRule.isNumber("COUNT", of: text, rule.count)
    else { throw EventProblem("\(shown), in which a number is too large") }
    try RecurrenceRule.check("INTERVAL", rule.interval, most: CalendarLimits.interval, shown)
    try RecurrenceRule.check("COUNT", rule.count, most: CalendarLimits.count, shown)
    if !rule.yearDays.isEmpty, rule.days.contains(where: { icalrecurrencetype_day_position($0) != 0 }) {
      throw EventProblem("\(shown); accepted are weekdays without numbers where there is BYYEARDAY")
    }
    let plan = RecurrencePlan(rule, start: start, isDate: isDate)
    guard plan.times <= CalendarLimits.times else {
      throw EventProblem(
        "\(shown), which lists \(plan.times) times; accepted are up to \(CalendarLimits.times) of a day, or of an hour "
          + "in hourly rules")
    }
    guard rule.hasDays, plan.canHappen else {
      throw EventProblem("\(shown), of which no day exists")
    }
    self.text = text
    count = rule.count > 0 ? rule.count : nil
    until = readTime(rule.until)
  }

  private static func check(_ name: String, _ value: Int, most: Int, _ shown: String) throws(EventProblem) {
    guard value > most else { return }
    throw EventProblem("\(shown), whose \(name) is too large; accepted are up to \(most)")
  }

  /// Whether libical read a number as it is written: it cuts off what does not fit its types.
  private static func isNumber(_ name: String, of text: String, _ read: Int) -> Bool {
    for part in text.utf8.split(separator: Byte.semicolon) {
      let sides = part.split(separator: Byte.equals, maxSplits: 1)
      guard sides.count == 2, uppercased(ArraySlice(sides[0])) == name else { continue }
      return Int(String(decoding: trimmed(ArraySlice(sides[1])), as: UTF8.self)) == read
    }
    return true
  }
}
