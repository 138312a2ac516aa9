import CIcal
import CivilTime
import Wire

/// A checked RRULE (RFC 5545, section 3.3.10), kept as text, since libical's form takes 2,896 bytes.
struct RecurrenceRule: Sendable {
  let text: String
  /// True for rules by the hour, the minute and the second.
  let isSubdaily: Bool
  let count: Int?
  let until: (wall: WallTime, form: TimeForm)?

  /// Parses a rule such as "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T225959Z" of an event that begins at `start`.
  init(_ text: String, start: WallTime, isDate: Bool) throws(EventProblem) {
    func problem(_ kind: Reason.Kind) -> EventProblem { EventProblem(kind, ["rule": Self.shown(text)]) }
    guard text.utf8.count <= CalendarLimits.ruleBytes else {
      throw EventProblem(.ruleTooLong, ["rule": Self.shown(text), "limit": .number(CalendarLimits.ruleBytes)])
    }
    let rule = LibicalRule(text)
    guard rule.frequency != ICAL_NO_RECURRENCE else { throw problem(.ruleUnreadable) }
    isSubdaily = rule.frequency.rawValue < ICAL_DAILY_RECURRENCE.rawValue
    if isSubdaily, isDate {
      throw problem(.ruleTooOften)
    }
    let isYearly = rule.frequency == ICAL_YEARLY_RECURRENCE
    if !isYearly, !isSubdaily, !rule.weeks.isEmpty || !rule.yearDays.isEmpty {
      throw problem(.ruleNotYearly)
    }
    if rule.frequency == ICAL_WEEKLY_RECURRENCE, !rule.monthDays.isEmpty {
      throw problem(.ruleWeekly)
    }
    guard rule.isGregorian else {
      throw problem(.ruleScale)
    }
    guard RecurrenceRule.isNumber("INTERVAL", of: text, rule.interval),
      RecurrenceRule.isNumber("COUNT", of: text, rule.count)
    else { throw problem(.ruleNumber) }
    // By the hour and less, periods are counted without visiting them, or as far as the steps go.
    if !isSubdaily {
      try RecurrenceRule.check("INTERVAL", rule.interval, most: CalendarLimits.interval, text)
      try RecurrenceRule.check("COUNT", rule.count, most: CalendarLimits.count, text)
    }
    if !rule.yearDays.isEmpty, rule.days.contains(where: { icalrecurrencetype_day_position($0) != 0 }) {
      throw problem(.ruleWeekdays)
    }
    guard rule.hasDays else { throw problem(.ruleNever) }
    if !isSubdaily {
      let plan = RecurrencePlan(rule, start: start, isDate: isDate)
      guard plan.times <= CalendarLimits.times else {
        throw EventProblem(
          .ruleTimes,
          ["rule": Self.shown(text), "count": .number(plan.times), "limit": .number(CalendarLimits.times)])
      }
      guard plan.canHappen else { throw problem(.ruleNever) }
    }
    self.text = text
    count = rule.count > 0 ? rule.count : nil
    until = Self.end(rule.until)
  }

  /// The end that a rule names; none in a year beyond all. Of a day or a time that does not exist the last one before
  /// it counts: there are programs that write "31" for every month, and without an end the events would go on for ever.
  private static func end(_ named: icaltimetype) -> (wall: WallTime, form: TimeForm)? {
    guard CalendarLimits.years.contains(Int(named.year)) else { return nil }
    var end = named
    if end.month > 12 { (end.month, end.day) = (12, 32) }
    end.month = max(end.month, 1)
    let days = Int32(CivilDate.days(inMonth: Int(end.month), of: Int(end.year)))
    if end.day > days { (end.day, end.hour) = (days, 24) }
    if end.hour > 23 { (end.hour, end.minute) = (23, 60) }
    if end.minute > 59 { (end.minute, end.second) = (59, 60) }
    (end.day, end.hour) = (max(end.day, 1), max(end.hour, 0))
    (end.minute, end.second) = (max(end.minute, 0), min(max(end.second, 0), 60))
    return readTime(end)
  }

  private static func check(_ name: String, _ value: Int, most: Int, _ text: String) throws(EventProblem) {
    guard value > most else { return }
    throw EventProblem(.ruleNumberLimit, ["rule": shown(text), "name": .text(name), "limit": .number(most)])
  }

  private static func shown(_ text: String) -> Reason.Value { Reason.named(oneLine(text)) }

  /// True if libical has read a number as written; it truncates numbers that do not fit its types.
  private static func isNumber(_ name: String, of text: String, _ read: Int) -> Bool {
    for part in text.utf8.split(separator: Byte.semicolon) {
      let sides = part.split(separator: Byte.equals, maxSplits: 1)
      guard sides.count == 2, uppercased(ArraySlice(sides[0])) == name else { continue }
      return Int(String(decoding: trimmed(ArraySlice(sides[1])), as: UTF8.self)) == read
    }
    return true
  }
}
