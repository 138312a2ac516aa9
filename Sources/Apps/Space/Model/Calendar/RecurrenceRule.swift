import CivilTime

/// An RRULE (RFC 5545, section 3.3.10), as written.
struct RecurrenceRule: Sendable {
  enum Frequency: Int, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly
  }

  /// "MO" is any Monday (position 0), "2MO" the second, "-1MO" the last of the month or year.
  struct Day: Equatable, Sendable {
    var position: Int
    /// 1 Monday … 7 Sunday.
    var weekday: Int
  }

  var frequency: Frequency
  var interval = 1
  var count: Int?
  var until: (wall: WallTime, form: TimeForm)?
  /// 1 Monday … 7 Sunday.
  var weekStart = 1
  var seconds: [Int] = []
  var minutes: [Int] = []
  var hours: [Int] = []
  var days: [Day] = []
  var monthDays: [Int] = []
  var yearDays: [Int] = []
  var weeks: [Int] = []
  var months: [Int] = []
  var positions: [Int] = []

  /// Reads a rule such as "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T225959Z".
  init(_ text: ArraySlice<UInt8>) throws(EventProblem) {
    var frequency: Frequency?
    var rule = RecurrenceRule(frequency: .daily)
    for part in text.split(separator: Byte.semicolon) {
      guard let equals = part.firstIndex(of: Byte.equals) else { throw RecurrenceRule.problem(part) }
      let name = uppercased(trimmed(part[..<equals]))
      let value = trimmed(part[(equals + 1)...])
      if name == "FREQ" {
        guard let known = RecurrenceRule.frequencies[uppercased(value)] else { throw RecurrenceRule.problem(part) }
        frequency = known
      } else if !rule.read(name, value) {
        throw RecurrenceRule.problem(part)
      }
    }
    guard let frequency else { throw EventProblem("its RRULE has no FREQ") }
    rule.frequency = frequency
    self = rule
  }

  private init(frequency: Frequency) {
    self.frequency = frequency
  }

  private static let frequencies: [String: Frequency] = [
    "SECONDLY": .secondly, "MINUTELY": .minutely, "HOURLY": .hourly, "DAILY": .daily, "WEEKLY": .weekly,
    "MONTHLY": .monthly, "YEARLY": .yearly,
  ]

  private static func problem(_ part: ArraySlice<UInt8>) -> EventProblem {
    EventProblem("its RRULE contains \"\(shortened(decodeLine(part), bytes: 60))\"")
  }

  /// Takes one part of the rule; false if it is not valid.
  private mutating func read(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
    switch name {
    case "INTERVAL": return number(value, 1...1_000_000) { $0.interval = $1 }
    case "COUNT": return number(value, 1...1_000_000_000) { $0.count = $1 }
    case "UNTIL":
      until = parseTime(value)
      return until != nil
    case "WKST":
      guard let day = RecurrenceRule.weekday(value) else { return false }
      weekStart = day
      return true
    case "BYDAY":
      days = value.split(separator: Byte.comma).compactMap(RecurrenceRule.day)
      return !days.isEmpty && days.count == value.split(separator: Byte.comma).count
    case "BYSECOND":
      return numbers(value, 0...60, isSigned: false) { $0.seconds = Set($1.map { min($0, 59) }).sorted() }
    case "BYMINUTE": return numbers(value, 0...59, isSigned: false) { $0.minutes = $1 }
    case "BYHOUR": return numbers(value, 0...23, isSigned: false) { $0.hours = $1 }
    case "BYMONTHDAY": return numbers(value, 1...31, isSigned: true) { $0.monthDays = $1 }
    case "BYYEARDAY": return numbers(value, 1...366, isSigned: true) { $0.yearDays = $1 }
    case "BYWEEKNO": return numbers(value, 1...53, isSigned: true) { $0.weeks = $1 }
    case "BYMONTH": return numbers(value, 1...12, isSigned: false) { $0.months = $1 }
    case "BYSETPOS": return numbers(value, 1...366, isSigned: true) { $0.positions = $1 }
    // RFC 7529: another calendar's months cannot be worked out, and leaving out is what a rule without SKIP does.
    case "RSCALE": return uppercased(value) == "GREGORIAN"
    case "SKIP": return uppercased(value) == "OMIT"
    default: return name.hasPrefix("X-")
    }
  }

  private mutating func number(
    _ value: ArraySlice<UInt8>, _ range: ClosedRange<Int>, _ take: (inout RecurrenceRule, Int) -> Void
  ) -> Bool {
    guard let number = RecurrenceRule.integer(value), range.contains(number) else { return false }
    take(&self, number)
    return true
  }

  /// Numbers separated by commas, ascending and each once; with `isSigned`, each may be negative.
  private mutating func numbers(
    _ value: ArraySlice<UInt8>, _ range: ClosedRange<Int>, isSigned: Bool,
    _ take: (inout RecurrenceRule, [Int]) -> Void
  ) -> Bool {
    var numbers: Set<Int> = []
    for part in value.split(separator: Byte.comma, omittingEmptySubsequences: false) {
      guard let number = RecurrenceRule.integer(trimmed(part)), range.contains(isSigned ? abs(number) : number) else {
        return false
      }
      numbers.insert(number)
    }
    take(&self, numbers.sorted())
    return !numbers.isEmpty
  }

  /// "[+-]digits".
  private static func integer(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.count <= 11 else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }

  private static func day(_ text: ArraySlice<UInt8>) -> Day? {
    let text = trimmed(text)
    guard text.count >= 2, let weekday = weekday(text.suffix(2)) else { return nil }
    if text.count == 2 { return Day(position: 0, weekday: weekday) }
    guard let position = integer(text.dropLast(2)), (1...53).contains(abs(position)) else { return nil }
    return Day(position: position, weekday: weekday)
  }

  private static func weekday(_ text: ArraySlice<UInt8>) -> Int? {
    switch uppercased(text) {
    case "MO": 1
    case "TU": 2
    case "WE": 3
    case "TH": 4
    case "FR": 5
    case "SA": 6
    case "SU": 7
    default: nil
    }
  }
}
