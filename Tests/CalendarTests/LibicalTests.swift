import CIcal
import CivilTime
import Calendar
import Testing

/// The use of libical: preparing a rule for it must not change results that are right.
struct LibicalTests {
  /// The wall times of a rule by libical, in UTC.
  private func byLibical(_ rule: String, start: String, limit: Int) -> [String] {
    guard let iterator = icalrecur_iterator_new(icalrecurrencetype_from_string(rule), icaltime_from_string(start))
    else {
      return []
    }
    defer { icalrecur_iterator_free(iterator) }
    var times: [String] = []
    while times.count < limit {
      let next = icalrecur_iterator_next(iterator)
      if icaltime_is_null_time(next) != 0 { break }
      times.append(String(cString: icaltime_as_ical_string(next)))
    }
    return times
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYWEEKNO=44;BYDAY=MO,SU;COUNT=9", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=20",
    "FREQ=MONTHLY;BYDAY=MO,1TU;COUNT=20", "FREQ=MONTHLY;BYDAY=-1MO;COUNT=9", "FREQ=MONTHLY;BYMONTHDAY=26,-1;COUNT=20",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-5,2;COUNT=9", "FREQ=YEARLY;BYMONTH=10;BYDAY=-1MO;COUNT=9",
    "FREQ=YEARLY;BYYEARDAY=299,-1;COUNT=9", "FREQ=DAILY;INTERVAL=10;COUNT=30",
    "FREQ=DAILY;BYMONTH=10,11;BYDAY=MO;COUNT=30",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU;COUNT=20", "FREQ=HOURLY;INTERVAL=5;BYDAY=MO,FR;COUNT=40",
    "FREQ=DAILY;BYHOUR=10,14;BYMINUTE=0,20;COUNT=30",
  ])
  func `rules have libical's own occurrences`(rule: String) throws {
    let start = "20261026T100000Z"
    let fixture = try CalendarFixture(CalendarFixture.event("a", "DTSTART:\(start)", "RRULE:\(rule)"), zone: "UTC")
    let ours = try fixture.occurrences("2026-01-01", "2040-01-01").map { occurrence in
      timestamp(occurrence.start, in: .utc).filter { $0 != "-" && $0 != ":" }
    }
    let theirs = byLibical(rule, start: start, limit: 100)
    #expect(ours == theirs)
    #expect(!theirs.isEmpty)
  }

  /// Cases in which libical 3.0.16 violates the standard, and other programs do not: once a case is fixed, this fails,
  /// and code of RecurrencePlan can be deleted.
  @Test(arguments: [
    // BYWEEKNO without BYDAY yields nothing; the weekday comes from DTSTART (RFC 5545, 3.3.10).
    ("FREQ=YEARLY;BYWEEKNO=44;COUNT=2", "20261026T100000Z 20271101T100000Z"),
    // BYSETPOS is ignored in weekly rules; it applies to every frequency (RFC 5545, 3.3.10).
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1;COUNT=2", "20261026T100000Z 20261102T100000Z"),
    // BYSETPOS counts days; it should select among all times of a month (RFC 5545, 3.3.10).
    ("FREQ=MONTHLY;BYDAY=MO;BYHOUR=9,10;BYSETPOS=-1;COUNT=2", "20261026T100000Z 20261130T100000Z"),
    // A DTSTART that does not match its rule is not counted; it is the first occurrence (RFC 5545, 3.8.2.4).
    ("FREQ=WEEKLY;BYDAY=TU;COUNT=2", "20261026T100000Z 20261027T100000Z"),
    // Negative days of the month never match in daily rules.
    ("FREQ=DAILY;BYMONTHDAY=-6,-1;COUNT=2", "20261026T100000Z 20261031T100000Z"),
    // Without BYMONTH, BYMONTHDAY applies to every month of a yearly rule, not only to that of the start.
    ("FREQ=YEARLY;BYMONTHDAY=26;COUNT=2", "20261026T100000Z 20261126T100000Z"),
    // BYYEARDAY and BYMONTH together yield nothing.
    ("FREQ=YEARLY;BYYEARDAY=299,300,310;BYMONTH=10;COUNT=3", "20261026T100000Z 20261027T100000Z 20271026T100000Z"),
    // A day that matches two values is one day.
    ("FREQ=MONTHLY;BYMONTHDAY=26,-6,-1;BYSETPOS=-2;COUNT=2", "20261026T100000Z 20261126T100000Z"),
    // Hours are taken in the order of the list.
    ("FREQ=DAILY;BYHOUR=18,10;COUNT=3", "20261026T100000Z 20261026T180000Z 20261027T100000Z"),
  ])
  func `where libical is wrong the standard is right`(rule: String, expected: String) throws {
    let start = "20261026T100000Z"
    let fixture = try CalendarFixture(CalendarFixture.event("a", "DTSTART:\(start)", "RRULE:\(rule)"), zone: "UTC")
    let ours = try fixture.occurrences("2026-01-01", "2040-01-01").map { occurrence in
      timestamp(occurrence.start, in: .utc).filter { $0 != "-" && $0 != ":" }
    }
    #expect(ours == expected.split(separator: " ").map(String.init))
    #expect(byLibical(rule, start: start, limit: ours.count) != ours)
  }
}
