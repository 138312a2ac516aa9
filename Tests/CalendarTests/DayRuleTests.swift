import Calendar
import CivilTime
import Testing

struct DayRuleTests {
  /// Friday.
  static let start = "2026-11-20"

  func days(_ rule: String, from: String = start, count: Int = 4) throws -> [String] {
    let rule = try DayRule(rule, from: try #require(CivilDate(from)).dayNumber)
    var days = [rule.first]
    while days.count < count, let next = rule.next(after: days.last!) { days.append(next) }
    return days.map { String(CivilDate(dayNumber: $0).text.dropFirst(5)) }
  }

  @Test(arguments: [
    ("FREQ=DAILY", ["11-20", "11-21", "11-22", "11-23"]),
    ("FREQ=DAILY;INTERVAL=2;COUNT=3", ["11-20", "11-22", "11-24"]),
    ("FREQ=DAILY;UNTIL=20261121", ["11-20", "11-21"]),
    ("FREQ=WEEKLY;UNTIL=20261131", ["11-20", "11-27"]),
    ("FREQ=WEEKLY", ["11-20", "11-27", "12-04", "12-11"]),
    // The start is no day of the rule, and is not counted.
    ("FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", ["11-23", "11-25", "11-30"]),
    ("FREQ=WEEKLY;BYDAY=FR", ["11-20", "11-27", "12-04", "12-11"]),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,FR", ["11-20", "12-03", "12-04", "12-17"]),
    ("FREQ=MONTHLY", ["11-20", "12-20", "01-20", "02-20"]),
    ("FREQ=MONTHLY;BYDAY=-1SU", ["11-29", "12-27", "01-31", "02-28"]),
    ("FREQ=MONTHLY;BYMONTHDAY=31", ["12-31", "01-31", "03-31", "05-31"]),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", ["02-29", "02-29", "02-29", "02-29"]),
    ("FREQ=YEARLY", ["11-20", "11-20", "11-20", "11-20"]),
    ("RRULE", []), ("FREQ=HOURLY", []), ("FREQ=DAILY;BYHOUR=8", []), ("FREQ=DAILY;UNTIL=20261119", []),
    ("FREQ=DAILY;UNTIL=20261231T100000Z", []), ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", []),
    ("FREQ=DAILY;INTERVAL=1001", []), ("", []),
  ])
  func `a rule names these days, or is refused`(rule: String, expected: [String]) throws {
    if expected.isEmpty {
      let fault = #expect(throws: DayRule.Fault.self) { try days(rule) }
      #expect(fault?.sentence.isEmpty == false)
    } else {
      #expect(try days(rule) == expected)
    }
  }

  @Test func `the day after any other is found without the first`() throws {
    let first = try #require(CivilDate("2026-11-20")).dayNumber
    let rule = try DayRule("FREQ=DAILY;COUNT=400", first: first)
    #expect(rule.next(after: first - 100) == first)
    #expect(rule.next(after: first + 398) == first + 399 && rule.next(after: first + 399) == nil)
  }
}
