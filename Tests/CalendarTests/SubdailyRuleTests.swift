import Calendar
import Testing

/// Rules by the hour, the minute and the second.
struct SubdailyRuleTests {
  private typealias Fixture = CalendarFixture

  /// Days and times of the occurrences in New York, where the examples of RFC 5545 are.
  private func times(_ rule: String, to end: String = "1998-01-01") throws -> [String] {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=America/New_York:19970902T090000", "RRULE:\(rule)"), zone: "America/New_York")
    #expect(fixture.calendar.warnings == [])
    return try fixture.starts("1997-01-01", end).map { String($0.dropFirst(5).prefix(14)) }
  }

  /// Section 3.8.5.3, the examples from "Every 3 hours from 9:00 AM to 5:00 PM" on.
  @Test(arguments: [
    // UNTIL is 17:00 UTC, 13:00 in New York, though the text of the example says 5:00 PM.
    ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", "09:00 12:00"),
    ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", "09:00 12:00 15:00"),
    ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", "09:00 09:15 09:30 09:45 10:00 10:15"),
    ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "09:00 10:30 12:00 13:30"),
  ])
  func `the examples of the standard are expanded`(rule: String, expected: String) throws {
    #expect(try times(rule) == expected.split(separator: " ").map { "09-02T\($0):00" })
  }

  @Test func `every 20 minutes from 9 to 16:40 every day, in both ways of the standard`() throws {
    let daily = try times("FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40", to: "1997-09-30")
    let minutely = try times("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16", to: "1997-09-30")
    #expect(daily.count == 28 * 24)
    #expect(daily == minutely)
    #expect(minutely.prefix(25).suffix(3) == ["09-02T16:20:00", "09-02T16:40:00", "09-03T09:00:00"])
  }

  @Test(arguments: [
    ("FREQ=SECONDLY;INTERVAL=20;COUNT=4", "09-02T09:00:00 09-02T09:00:20 09-02T09:00:40 09-02T09:01:00"),
    ("FREQ=SECONDLY;BYMINUTE=30;BYSECOND=0,59;COUNT=3", "09-02T09:00:00 09-02T09:30:00 09-02T09:30:59"),
    ("FREQ=MINUTELY;BYSECOND=30,0;BYMINUTE=0;COUNT=3", "09-02T09:00:00 09-02T09:00:30 09-02T10:00:00"),
    ("FREQ=MINUTELY;BYMONTH=11;BYMONTHDAY=-1;BYHOUR=23;BYMINUTE=59;COUNT=2", "09-02T09:00:00 11-30T23:59:00"),
    ("FREQ=MINUTELY;INTERVAL=10080;COUNT=2", "09-02T09:00:00 09-09T09:00:00"),
    ("FREQ=HOURLY;INTERVAL=2;BYHOUR=9,10,11;COUNT=4", "09-02T09:00:00 09-02T11:00:00 09-03T09:00:00 09-03T11:00:00"),
    ("FREQ=HOURLY;BYMONTH=10;BYDAY=SA;COUNT=3", "09-02T09:00:00 10-04T00:00:00 10-04T01:00:00"),
    ("FREQ=HOURLY;BYYEARDAY=300,-1;BYHOUR=6;COUNT=3", "09-02T09:00:00 10-27T06:00:00 12-31T06:00:00"),
    ("FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=-1,2;COUNT=3", "09-02T09:00:00 09-02T09:20:00 09-02T09:40:00"),
    ("FREQ=HOURLY;BYMONTHDAY=31;INTERVAL=36;COUNT=2", "09-02T09:00:00 12-31T09:00:00"),
  ])
  func `parts of a time below the period add times, those above it limit it`(rule: String, expected: String) throws {
    #expect(try times(rule) == expected.split(separator: " ").map(String.init))
  }

  @Test func `a look at a later day has what a look at all days has there`() throws {
    for rule in [
      "FREQ=MINUTELY;INTERVAL=7", "FREQ=MINUTELY;INTERVAL=7;COUNT=700", "FREQ=SECONDLY;INTERVAL=1001",
      "FREQ=HOURLY;BYMINUTE=0,59;BYSECOND=0,59;COUNT=280", "FREQ=MINUTELY;INTERVAL=7;BYWEEKNO=1;COUNT=700",
    ] {
      let fixture = try Fixture(Fixture.event("a", "DTSTART:19691230T235959Z", "RRULE:\(rule)"), zone: "UTC")
      let all = try fixture.starts("1969-12-01", "1970-01-04")
      let later = try fixture.starts("1970-01-02", "1970-01-04")
      #expect(later.count > 80 && later == all.filter { $0 > "1970-01-02" }, "\(rule)")
      let count = rule.split(separator: "COUNT=").dropFirst().first.flatMap { Int($0) }
      #expect(count == nil || all.count == count, "\(rule)")
    }
  }

  @Test(arguments: [
    "FREQ=SECONDLY", "FREQ=SECONDLY;INTERVAL=30", "FREQ=MINUTELY", "FREQ=MINUTELY;COUNT=100000",
    "FREQ=MINUTELY;COUNT=90000000", "FREQ=HOURLY;BYWEEKNO=\((1...53).map(String.init).joined(separator: ","))",
  ])
  func `a rule that fills an answer leaves its first thousand, each found again, and says so`(rule: String) throws {
    for (start, length) in [("19991201T100000", "PT0S"), ("20260701T100000", "P1D"), ("20260720T100000", "PT1H")] {
      let calendar = try Fixture(
        Fixture.event("a", "DTSTART;TZID=Europe/Berlin:\(start)", "DURATION:\(length)", "RRULE:\(rule)")
      ).calendar
      #expect(calendar.warnings == [])
      // A day of seconds is more than is worked out, and 100,000 minutes are over.
      if length == "P1D" && rule == "FREQ=SECONDLY" || start < "2026" && rule.contains("=100000") { continue }
      let from = 1_783_339_200  // 2026-07-06, 12:00 UTC
      let (found, warnings) = expand(calendar, calendarID: "test", from: from, to: from + 400 * 86_400)
      try #require(found.count == CalendarLimits.subdailyOccurrences, "\(rule)")
      #expect(warnings.count == 1 && warnings[0].contains("up to 1000 of one event"), "\(warnings)")
      for one in [found[0], found[999]] {
        #expect(occurrence(id: one.id, in: calendar, calendarID: "test")?.start == one.start, "\(rule)")
      }
    }
  }
}
