import CivilTime
import Calendar
import Testing

/// Malicious files: nothing in them may trap or take long.
struct HostileCalendarTests {
  private typealias Fixture = CalendarFixture

  /// Does all that is done with a calendar: lists, writes and finds every occurrence.
  private func use(_ calendar: ParsedCalendar) {
    let earliest = WallTime(date: CivilDate(year: 0, month: 1, day: 1), secondOfDay: 0).seconds
    let latest = WallTime(date: CivilDate(year: 9999, month: 12, day: 31), secondOfDay: 0).seconds
    for (from, to) in [(earliest, latest), (1_767_225_600, 1_798_761_600)] {
      for one in expand(calendar, calendarID: "test", from: from, to: to).occurrences.prefix(50) {
        #expect(timestamp(one.start, in: .utc).utf8.count == 20)
        #expect(timestamp(one.end, in: .utc).utf8.count == 20)
        #expect(one.end >= one.start)
        #expect(!icsText(of: one, now: 0).isEmpty)
        #expect(occurrence(id: one.id, in: calendar, calendarID: "test")?.id == one.id, "\(one.id)")
      }
    }
  }

  @Test(arguments: [
    "RECURRENCE-ID;TZID=Europe/Berlin:00000101T000000", "RECURRENCE-ID;VALUE=DATE:00000101",
    "RECURRENCE-ID:99990101T000000Z", "DTSTART:00000101T000000Z", "DTSTART:99991231T235959Z",
    "DTSTART;VALUE=DATE:99990101", "DTSTART:-0010101T000000Z", "DTSTART:21474836470101T000000Z",
  ])
  func `a time outside of the years there are is refused with a warning that names the event`(line: String) throws {
    let start = line.hasPrefix("DTSTART") ? [] : ["DTSTART;TZID=Europe/Berlin:20260301T100000"]
    let fixture = try Fixture(["BEGIN:VEVENT", "UID:x", "SUMMARY:Soldering"] + start + [line, "END:VEVENT"])
    use(fixture.calendar)
    #expect(fixture.calendar.series.isEmpty)
    let warning = try #require(fixture.calendar.warnings.first)
    #expect(warning.contains("Soldering") && warning.contains("(UID x"), "\(warning)")
  }

  @Test(arguments: [
    "DTSTART:00010101T000000Z", "DTSTART;VALUE=DATE:00010101", "DTSTART;TZID=Asia/Tokyo:00010101T000000",
    "DTSTART:99981231T235959Z", "DTSTART;VALUE=DATE:99981231", "DTSTART;TZID=America/New_York:99981231T235959",
  ])
  func `the first and the last year that are taken do no harm`(line: String) throws {
    let lengths = ["DURATION:P36525D", "DURATION:P36524DT86399S", "DTEND:99981231T235959Z", "STATUS:X"]
    let rules = [
      "STATUS:X", "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=YEARLY", "RDATE:00010101T000000Z,99981231T000000Z",
    ]
    for length in lengths {
      for rule in rules {
        let event = Fixture.event("a", line, length, rule)
        let moved = ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE\(line.dropFirst(7))"]
        for start in ["00010102T000000Z", "99981231T000000Z"] {
          use(try Fixture(event + moved + ["DTSTART:\(start)", length, "END:VEVENT"]).calendar)
        }
      }
    }
  }

  @Test(arguments: [
    "DURATION:-P99999999999W", "DURATION:P2147483648D", "DURATION:PT4294967295H", "DURATION:-P2147483647W",
    "DURATION:P36525DT999999999S", "SEQUENCE:-2147483648", "SEQUENCE:99999999999", "RRULE:FREQ=DAILY;INTERVAL=32767",
    "RRULE:FREQ=YEARLY;INTERVAL=32767;BYMONTH=2;BYMONTHDAY=29", "RRULE:FREQ=MONTHLY;BYDAY=-128MO",
    "RRULE:FREQ=MONTHLY;BYDAY=255MO", "RRULE:FREQ=YEARLY;BYMONTH=13", "RRULE:FREQ=YEARLY;BYMONTH=2L",
    "RRULE:FREQ=WEEKLY;WKST=XX", "RRULE:FREQ=DAILY;UNTIL=00000101", "RRULE:FREQ=DAILY;UNTIL=99991231T235959Z",
    "RRULE:FREQ=DAILY;BYHOUR=24;BYMINUTE=60;BYSECOND=61", "RRULE:FREQ=DAILY;BYSETPOS=-366,366,1,-1",
    "RDATE;VALUE=PERIOD:20260101T000000Z/-P2147483647W", "RDATE;VALUE=PERIOD:00010101T000000Z/99981231T000000Z",
    "EXDATE:00000101T000000Z", "EXDATE;VALUE=DATE:99991231", "DTEND:00010101T000000Z",
  ])
  func `numbers at the ends of their types do no harm`(line: String) throws {
    for start in ["DTSTART:20260301T100000Z", "DTSTART;VALUE=DATE:20260301", "DTSTART:19691231T235959Z"] {
      use(try Fixture(Fixture.event("a", start, line)).calendar)
    }
  }

  @Test(arguments: ["25:00:00", "+9999", "-2359", "+235959", "+2400"]) func `offsets of zones do no harm`(
    offset: String
  ) throws {
    let zone =
      ["BEGIN:VTIMEZONE", "TZID:Ours", "BEGIN:STANDARD", "DTSTART:00010101T000000", "TZOFFSETFROM:\(offset)"]
      + ["TZOFFSETTO:-2359", "RRULE:FREQ=YEARLY", "END:STANDARD", "END:VTIMEZONE"]
    for start in ["00010101T000000", "99981231T235959", "20260101T000000"] {
      use(try Fixture(zone + Fixture.event("a", "DTSTART;TZID=Ours:\(start)", "RRULE:FREQ=DAILY;COUNT=3")).calendar)
    }
  }

  @Test func `an identifier is taken only as it is given out`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260102T090000Z", "RRULE:FREQ=DAILY;COUNT=3")
        + Fixture.event("b", "DTSTART;VALUE=DATE:20260102", "RRULE:FREQ=DAILY;COUNT=3")
        + Fixture.event("c", "DTSTART:20260102T090000Z"))
    let ids = try fixture.occurrences().map(\.id)
    let (day, time, single) = (ids[0].prefix(12), ids[1].prefix(12), ids[2].prefix(12))
    #expect(Set([day, time, single]).count == 3)
    for id in [
      "\(time)-2026\n\n1\n2T9\n0\n0Z",
      "\(time)-20260102T090000z", "\(time)-20260102T 90000Z", "\(time)-20260102T09000 Z",
      "\(time)-20260102T090000", "\(time)-20260102T090000Z ", " \(time)-20260102T090000Z", "\(time)-+2026102T090000Z",
      "\(time)-20260102", "\(day)-20260102T000000Z", "\(single)-20260102T090000Z", "\(day)-2026 102", "\(time)-",
      "\(time)", "\(day)", "\(time)-20260102T240000Z", "\(time)-20260101T330000Z", "\(day)-20260230", "\(day)-20260000",
      "\(time)-20260102T085960Z", "\(day)-٢٠٢٦٠١٠٢", "\(time.uppercased())-20260102T090000Z",
    ] {
      let found = occurrence(id: id, in: fixture.calendar, calendarID: "test")
      #expect(found == nil || found?.id == id, "\(id)")
      #expect((found == nil) == !ids.contains(id), "\(id)")
    }
  }

  @Test func `occurrences share what their event says, and tell how many bytes that is`() throws {
    let text = String(repeating: "word ", count: 19_000)
    let fixture = try Fixture(
      Fixture.event(
        "ä", "DTSTART:20260101T000000Z", "RRULE:FREQ=DAILY", "DESCRIPTION:\(text)", "LOCATION:Hall",
        "URL:https://example.org/"))
    let all = try fixture.occurrences()
    #expect(all.count == 365)
    #expect(Set(all.map { ObjectIdentifier($0.details) }).count == 1)
    let details = all[0].details
    #expect(details.byteCount == 2 + 4 + 20 + details.descriptionHTML.utf8.count)
  }
}
