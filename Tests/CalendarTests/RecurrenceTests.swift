import CivilTime
import Calendar
import Testing

struct RecurrenceTests {
  private typealias Fixture = CalendarFixture

  @Test func `weeks go on in wall time across a change of clocks`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261018T190000", "RRULE:FREQ=WEEKLY;COUNT=3"))
    #expect(
      try fixture.starts() == [
        "2026-10-18T19:00:00+02:00", "2026-10-25T19:00:00+01:00", "2026-11-01T19:00:00+01:00",
      ])
  }

  @Test func `UNTIL in UTC is converted to the wall of the start`() throws {
    // 22:30 UTC is 23:30 in Berlin's winter: an occurrence at exactly that minute is the last.
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261130T233000", "RRULE:FREQ=DAILY;UNTIL=20261202T223000Z"))
    #expect(try fixture.starts().count == 3)
    let earlier = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261130T233000", "RRULE:FREQ=DAILY;UNTIL=20261202T222959Z"))
    #expect(try earlier.starts().count == 2)
  }

  @Test func `UNTIL as a date includes that day`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261130T233000", "RRULE:FREQ=DAILY;UNTIL=20261202"))
    #expect(try fixture.starts().count == 3)
  }

  @Test(arguments: [
    ("20260631", 31), ("20260631T100000Z", 31), ("20260630T240000Z", 31), ("20260630T196000Z", 31),
    ("20260630T175960Z", 31), ("20260229", 0), ("20261301", 215), ("00000101", nil), ("99991231", nil),
  ])
  func `an end on a day or at a time that does not exist is an end`(until: String, count: Int?) throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20260531T195900", "RRULE:FREQ=DAILY;UNTIL=\(until)"))
    #expect(try fixture.starts("2026-01-01", "2028-01-01").count == count ?? 580)
  }

  @Test func `a rule that ends before its start leaves nothing`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261130T190000", "RRULE:FREQ=DAILY;UNTIL=20261129T180000Z"))
    #expect(try fixture.starts() == [])
  }

  @Test func `the start counts as the first of COUNT even where it does not fit`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261020T120000", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"))
    #expect(
      try fixture.starts() == [
        "2026-10-20T12:00:00+02:00", "2026-10-26T12:00:00+01:00", "2026-11-02T12:00:00+01:00",
      ])
  }

  @Test func `a rule may have spaces between its parts`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;VALUE=DATE:20260701", "RRULE:FREQ=WEEKLY; COUNT=3; BYDAY=WE, FR"))
    #expect(fixture.calendar.warnings == [])
    #expect(try fixture.starts() == ["2026-07-01", "2026-07-03", "2026-07-08"])
  }

  @Test func `days that do not exist are left out`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;VALUE=DATE:20260131", "RRULE:FREQ=MONTHLY;COUNT=4")
        + Fixture.event("b", "DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY"))
    #expect(
      try fixture.starts("2026-01-01", "2029-01-01") == [
        "2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31", "2028-02-29",
      ])
  }

  @Test func `several rules and dates make each start once`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;VALUE=DATE:20260706", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3", "RRULE:FREQ=DAILY;COUNT=3",
        "RDATE;VALUE=DATE:20260713,20260709", "RDATE:20260710T100000Z"))
    #expect(
      try fixture.starts() == [
        "2026-07-06", "2026-07-07", "2026-07-08", "2026-07-09", "2026-07-10", "2026-07-13", "2026-07-20",
      ])
  }

  @Test func `a period has a length of its own, and may stand in another zone`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;TZID=Europe/Berlin:20260701T190000", "DURATION:PT1H",
        "RDATE;VALUE=PERIOD:20260702T170000Z/20260702T200000Z,20260703T170000Z/PT30M",
        "RDATE;TZID=America/New_York:20260704T130000"))
    let occurrences = try fixture.occurrences()
    #expect(occurrences.map { ($0.end - $0.start) / 60 } == [60, 180, 30, 60])
    #expect(timestamp(occurrences[3].start, in: .utc) == "2026-07-04T17:00:00Z")
  }

  @Test func `an exception as a date takes out what begins that day on the event's wall`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;TZID=Europe/Berlin:20260701T003000", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE;VALUE=DATE:20260702",
        "EXDATE:20260702T223000Z"))
    #expect(try fixture.starts() == ["2026-07-01T00:30:00+02:00", "2026-07-04T00:30:00+02:00"])
  }

  @Test func `dates that do not exist leave the others as they are`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART:20260701T100000Z", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260231T100000Z,20260703T100000Z",
        "RDATE:20260231T100000Z,20260706T100000Z", "RDATE:20260232T100000Z"))
    #expect(
      try fixture.occurrences().map { timestamp($0.start, in: .utc).prefix(10) } == [
        "2026-07-01", "2026-07-02", "2026-07-06",
      ])
    #expect(fixture.calendar.warnings.count == 2, "one for each kind")
  }

  @Test func `times in the hour that is skipped in spring are each there once`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;TZID=Europe/Berlin:20260329T010000", "RRULE:FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30;COUNT=6"))
    let starts = try fixture.occurrences().map { timestamp($0.start, in: .utc).dropFirst(11).prefix(5) }
    #expect(starts == ["00:00", "00:30", "01:00", "01:30"])
  }

  @Test func `a single event may be taken out as well`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260701T100000Z", "EXDATE:20260701T100000Z")
        + Fixture.event("b", "DTSTART;VALUE=DATE:20260701", "EXDATE;VALUE=DATE:20260702"))
    #expect(try fixture.occurrences().map(\.uid) == ["b"])
  }

  @Test func `what DTEND says is exact, a day of DURATION is a day on the wall`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "exact", "DTSTART;TZID=Europe/Berlin:20261024T120000", "DTEND;TZID=Europe/Berlin:20261025T120000",
        "RRULE:FREQ=DAILY;COUNT=2")
        + Fixture.event(
          "nominal", "DTSTART;TZID=Europe/Berlin:20261024T120000", "DURATION:P1D", "RRULE:FREQ=DAILY;COUNT=2"))
    let hours = try fixture.occurrences().map { "\($0.uid) \(($0.end - $0.start) / 3600)" }
    #expect(hours == ["exact 25", "nominal 25", "exact 25", "nominal 24"])
  }

  @Test func `the longest event keeps the hour that the clocks give it`() throws {
    // In 1941 Berlin had summer time in winter.
    let fixture = try Fixture(Fixture.event("a", "DTSTART:19410301T000000", "DURATION:P36525D"))
    let one = try #require(try fixture.occurrences("1941-01-01", "1942-01-01").first)
    #expect(one.end - one.start == 36_525 * 86_400 + 3600)
    let copy = try Fixture(bytes: Array(icsText(of: one, now: 0).utf8)).occurrences("1941-01-01", "1942-01-01")
    #expect(copy.map(\.end) == [one.end])
  }

  @Test(arguments: ["P36525DT1S", "P36524DT86401S", "P36526D", "PT3155760001S"])
  func `a DURATION whose parts together are too long is told`(duration: String) throws {
    let calendar = try Fixture(Fixture.event("a", "DTSTART:20260701T100000Z", "DURATION:\(duration)")).calendar
    #expect(calendar.warnings.count == 1)
    #expect(calendar.warnings.first?.contains("its DURATION is longer than 36525 days") == true)
  }

  @Test func `an event without end has no length, an all-day event has its day`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260701T100000Z") + Fixture.event("b", "DTSTART;VALUE=DATE:20261025")
        + Fixture.event("c", "DTSTART;VALUE=DATE:20261101", "DTEND;VALUE=DATE:20261101")
        + Fixture.event("d", "DTSTART:20261102T100000Z", "DTEND:20261102T090000Z"))
    let occurrences = try fixture.occurrences()
    #expect(occurrences.map { $0.end - $0.start } == [0, 25 * 3600, 24 * 3600, 0])
    #expect(occurrences.map { $0.endDate?.text } == [nil, "2026-10-26", "2026-11-02", nil])
  }

  @Test func `an event may end at 24 o'clock`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20261024T190000", "DTEND;TZID=Europe/Berlin:20261024T240000"))
    #expect(fixture.calendar.warnings == [])
    #expect(try fixture.occurrences().map { $0.end - $0.start } == [5 * 3600])
  }

  @Test func `days that are written as their midnights are days`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;VALUE=DATE:20260701T000000", "DTEND;VALUE=DATE:20260703T000000", "RRULE:FREQ=WEEKLY;COUNT=4",
        "EXDATE;VALUE=DATE:20260708T000000,20260715T000000Z")
        + Fixture.event("b", "DTSTART;VALUE=DATE-TIME:20260801T000000"))
    #expect(try fixture.starts() == ["2026-07-01", "2026-07-22", "2026-08-01T00:00:00+02:00"])
    #expect(try fixture.occurrences()[0].endDate?.text == "2026-07-03")
  }

  @Test func `the end of a range is exclusive, and so is the end of an event`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20260701T220000", "DTEND;TZID=Europe/Berlin:20260702T000000")
        + Fixture.event("b", "DTSTART;TZID=Europe/Berlin:20260702T000000"))
    #expect(try fixture.occurrences("2026-07-01", "2026-07-02").map(\.uid) == ["a"])
    #expect(try fixture.occurrences("2026-07-02", "2026-07-03").map(\.uid) == ["b"])
  }

  @Test(arguments: [
    "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYWEEKNO=1", "FREQ=MINUTELY;INTERVAL=70000",
    "FREQ=DAILY;INTERVAL=70000", "FREQ=DAILY;COUNT=4294967297",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", "FREQ=WEEKLY;BYMONTHDAY=1",
    "FREQ=MONTHLY;BYWEEKNO=1", "FREQ=YEARLY;RSCALE=HEBREW", "FREQ=YEARLY;SKIP=FORWARD", "FREQ=DAILY;BYHOUR=25",
    "FREQ=DAILY;COUNT=0", "INTERVAL=2", "FREQ=DAILY;COUNT=50001", "FREQ=YEARLY;INTERVAL=1001", "FREQ=MONTHLY;BYDAY=6MO",
    "FREQ=YEARLY;BYDAY=54MO", "FREQ=YEARLY;BYMONTH=3;BYDAY=6MO,-6TU", "FREQ=YEARLY;BYYEARDAY=1;BYDAY=2MO",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "FREQ=MONTHLY;INTERVAL=48;BYMONTHDAY=-32",
    "FREQ=MONTHLY;INTERVAL=12;BYMONTH=1;BYMONTHDAY=-31;BYDAY=TU;BYYEARDAY=1", "FREQ=YEARLY;BYMONTH=13",
    "FREQ=YEARLY;INTERVAL=400;BYMONTHDAY=1;BYDAY=XX", "FREQ=YEARLY;INTERVAL=400;BYMONTH=1;BYMONTHDAY=1;BYDAY=FR",
  ])
  func `a rule that is not accepted leaves the start, with a warning that shows it`(rule: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20260101T180000Z", "RRULE:\(rule)"))
    #expect(try fixture.starts().count == 1)
    let warning = try #require(fixture.calendar.warnings.first)
    #expect(warning.contains("Event \"a\" (UID a, line 4)") && warning.contains("\"\(rule)\""), "\(warning)")
  }

  @Test func `a rule may list every minute of a day, and no more`() throws {
    func numbers(_ count: Int) -> String { (0..<count).map { "\($0)" }.joined(separator: ",") }
    let rule = "FREQ=DAILY;BYHOUR=\(numbers(24));BYMINUTE=\(numbers(60))"
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20260101T180000Z", "RRULE:\(rule)"))
    #expect(try fixture.starts("2026-01-02", "2026-01-03").count == 1_440)
    let other = try Fixture(Fixture.event("a", "DTSTART:20260101T180000Z", "RRULE:\(rule);BYSECOND=0,1"))
    #expect(other.calendar.warnings.first?.contains("lists 2880 times; accepted are up to 1440 of a day") == true)
  }

  @Test(arguments: [
    "FREQ=HOURLY", "FREQ=MINUTELY", "FREQ=SECONDLY", "FREQ=SECONDLY;BYSECOND=59", "FREQ=MINUTELY;BYMINUTE=0,30",
    "FREQ=HOURLY;BYDAY=MO,TU;BYMINUTE=0,30,45", "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2,3,4,5",
  ])
  func `a rule that repeats too often is cut short with a warning`(rule: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20200101T000000Z", "RRULE:\(rule)"))
    let (occurrences, warnings) = expand(fixture.calendar, calendarID: "test", from: 1_767_225_600, to: 1_924_992_000)
    let limit = rule.contains("DAILY") ? CalendarLimits.occurrencesPerSeries : CalendarLimits.subdailyOccurrences
    #expect(occurrences.count == limit || rule.contains("DAILY") && occurrences.count < limit)
    #expect(warnings.count == 1 && warnings[0].contains("\"a\"") && warnings[0].contains("up to \(limit) of"))
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=DAILY;BYSETPOS=5", "FREQ=HOURLY;INTERVAL=168;BYDAY=TU",
      "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "FREQ=MONTHLY;BYSETPOS=-300", "FREQ=YEARLY;BYYEARDAY=60;BYMONTH=7",
      "FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1",
    ])
  func `a rule that never matches ends at once`(rule: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20260105T180000Z", "RRULE:\(rule)"))
    let result = expand(fixture.calendar, calendarID: "test", from: 1_767_225_600, to: 1_924_992_000)
    #expect(result.occurrences.count == 1)
    #expect(result.warnings == [])
  }

  /// libical uses the Julian calendar for old dates. The expected values are python-dateutil's.
  @Test(arguments: [
    ("06300207", "FREQ=WEEKLY;COUNT=3", ["0630-02-07", "0630-02-14", "0630-02-21"]),
    ("15000222", "FREQ=MONTHLY;BYDAY=-1MO;UNTIL=15000430", ["1500-02-22", "1500-02-26", "1500-03-26", "1500-04-30"]),
    ("15821001", "FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4", ["1582-10-01", "1582-10-04", "1582-10-08", "1582-10-11"]),
    ("16991231", "FREQ=YEARLY;BYYEARDAY=-1;COUNT=3", ["1699-12-31", "1700-12-31", "1701-12-31"]),
    ("17000227", "FREQ=DAILY;COUNT=3", ["1700-02-27", "1700-02-28", "1700-03-01"]),
  ])
  func `dates of all centuries are the Gregorian calendar's`(start: String, rule: String, expected: [String]) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART;VALUE=DATE:\(start)", "RRULE:\(rule)"))
    #expect(try fixture.starts("0600-01-01", "1900-01-01") == expected)
  }

  @Test func `what began centuries ago goes on`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;VALUE=DATE:14520415", "RRULE:FREQ=YEARLY")
        + Fixture.event("b", "DTSTART;VALUE=DATE:14520415", "RRULE:FREQ=YEARLY;COUNT=600"))
    #expect(try fixture.starts() == ["2026-04-15", "2026-04-15"])
  }

  @Test func `hours of a day are in order whatever the rule's`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260701T080000Z", "RRULE:FREQ=DAILY;BYHOUR=18,8,18;COUNT=4"), zone: "UTC")
    #expect(
      try fixture.starts() == [
        "2026-07-01T08:00:00Z", "2026-07-01T18:00:00Z", "2026-07-02T08:00:00Z", "2026-07-02T18:00:00Z",
      ])
  }

  @Test func `a list of more than 500 dates is taken whole`() throws {
    let days = (0..<900).map { WallTime(seconds: ($0 + 20_454) * 86_400).date.text.filter { $0 != "-" } }
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=DAILY;COUNT=901",
        "EXDATE;VALUE=DATE:\(days.joined(separator: ","))"))
    #expect(try fixture.starts("2026-01-01", "2030-01-01") == ["2028-06-19"])
  }
}
