import CIcal
import CivilTime
import Wire

/// A rule (RRULE) for days without times and zones: each device counts them by its own clock. Days are numbers as in
/// `CivilDate`.
public struct DayRule: Sendable {
  /// The reason why a rule cannot be used, as a sentence.
  public struct Fault: Error, Equatable {
    public let sentence: String
  }

  /// The first day that the rule names, from which it counts.
  public let first: Int
  private let rule: RecurrenceRule

  /// A rule that begins with the first day it names, on a given day or later: a start that the rule does not name is no
  /// day of its own, other than in calendars.
  public init(_ text: String, from day: Int) throws(Fault) {
    guard let first = try Self.endless(text, before: day).day(after: day - 1) else {
      throw Fault(sentence: "it names no day.")
    }
    try self.init(text, first: first)
  }

  /// A rule that counts from a day that it names.
  public init(_ text: String, first: Int) throws(Fault) {
    self.first = first
    do throws(EventProblem) {
      rule = try RecurrenceRule(text, start: Self.wall(first), isDate: true)
    } catch {
      throw Fault(sentence: error.reason.text)
    }
    let parts = LibicalRule(text)
    guard parts.hours.isEmpty, parts.minutes.isEmpty, parts.seconds.isEmpty else {
      throw Fault(sentence: "BYHOUR, BYMINUTE and BYSECOND are not accepted beside a time of day.")
    }
    if let until = rule.until {
      guard until.form != .utc else {
        throw Fault(sentence: "UNTIL is accepted as a day, such as UNTIL=20261231.")
      }
      guard until.wall.dayNumber >= first else { throw Fault(sentence: "UNTIL is before the first day.") }
    }
  }

  /// The first day after another one; nil if there is none, or none within 41 years.
  public func next(after day: Int) -> Int? { day < first ? first : self.day(after: day) }

  private func day(after day: Int) -> Int? {
    let last = rule.until.map { $0.wall.dayNumber * secondsPerDay + secondsPerDay - 1 }
    let expansion = RecurrenceExpansion(rule, start: Self.wall(first), isDate: true, last: last)
    var output = RecurrenceExpansion.Output(steps: CalendarLimits.stepsPerSeries, room: 1)
    let from = (day + 1) * secondsPerDay
    expansion.expand(from: from, to: from + CalendarLimits.dayRuleDays * secondsPerDay, into: &output)
    return output.walls.first.map { $0 / secondsPerDay }
  }

  /// The rule without an end, from a day some periods earlier: whether a day is one of its own can only be seen from
  /// before it, and what the rule takes from its start (a weekday, a day of the month) is the same there.
  private static func endless(_ text: String, before day: Int) throws(Fault) -> DayRule {
    let parts = text.split(separator: ";").filter { part in
      let name = uppercased(trimmed(ArraySlice(part.utf8.prefix { $0 != Byte.equals })))
      return name != "COUNT" && name != "UNTIL"
    }
    let libical = LibicalRule(text)
    let interval = min(max(1, libical.interval), CalendarLimits.interval)
    let origin: Int
    switch libical.frequency {
    case ICAL_DAILY_RECURRENCE: origin = day - interval
    case ICAL_WEEKLY_RECURRENCE: origin = day - 7 * interval
    default:
      // Years that are leap years if this one is, unless the turn of a century lies between.
      let date = CivilDate(dayNumber: day)
      let earlier = CivilDate(validYear: date.year - 4 * interval, month: date.month, day: date.day)
      origin = earlier?.dayNumber ?? day - 1
    }
    return try DayRule(parts.joined(separator: ";"), first: origin)
  }

  private static func wall(_ day: Int) -> WallTime { WallTime(seconds: day * secondsPerDay) }
}
