import Calendar
import CivilTime
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
    for rule in ["FREQ=MINUTELY;INTERVAL=7", "FREQ=MINUTELY;INTERVAL=7;COUNT=4000", "FREQ=SECONDLY;INTERVAL=1001"] {
      let fixture = try Fixture(Fixture.event("a", "DTSTART:19691230T235959Z", "RRULE:\(rule)"), zone: "UTC")
      let all = try fixture.starts("1969-12-01", "1970-01-10")
      let later = try fixture.starts("1970-01-03", "1970-01-05")
      #expect(later.count > 150 && later == all.filter { ("1970-01-03"..<"1970-01-05").contains($0) }, "\(rule)")
    }
  }
}
