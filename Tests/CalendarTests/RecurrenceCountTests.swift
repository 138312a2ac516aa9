import CivilTime
import Calendar
import Testing

/// When COUNT is applied by counting periods, the answer for a few days must match that for the whole series.
struct RecurrenceCountTests {
  static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;BYHOUR=10,14;BYMINUTE=0,20", "FREQ=DAILY;BYDAY=MO,FR",
    "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,SU", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,TU;BYHOUR=9,19",
    "FREQ=WEEKLY;BYMONTH=3,4;BYDAY=TH", "FREQ=MONTHLY", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=3,28",
    "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=1TU,4SA,TH",
    "FREQ=MONTHLY;BYDAY=2MO,4FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=5WE", "FREQ=YEARLY",
    "FREQ=HOURLY;INTERVAL=30", "FREQ=HOURLY;INTERVAL=7;BYDAY=MO",
  ]
  static let starts = [
    "DTSTART;TZID=Europe/Berlin:20240131T100000", "DTSTART;TZID=Europe/Berlin:20240229T142000",
    "DTSTART;TZID=Europe/Berlin:20240303T235900", "DTSTART;VALUE=DATE:20240401",
  ]

  @Test(arguments: rules, [1, 2, 7, 40, 151])
  func `a part of a series is what the whole series says of it`(rule: String, count: Int) throws {
    for start in RecurrenceCountTests.starts {
      if start.contains("VALUE=DATE"), rule.contains("HOUR") { continue }
      let fixture = try CalendarFixture(
        CalendarFixture.event("a", start, "RRULE:\(rule);COUNT=\(count)"), zone: "Europe/Berlin")
      let all = try fixture.occurrences("2023-12-01", "2041-01-01")
      #expect((1...count).contains(all.count))
      // Some days, and those around the last occurrence.
      let early = stride(from: 0, to: 900, by: 29).map { CivilDate(year: 2024, month: 1, day: 25).dayNumber + $0 }
      let last = all.map(\.start).max()! / 86_400
      for day in early + (last - 2...last + 1) {
        let (from, to) = (CivilDate(dayNumber: day), CivilDate(dayNumber: day + 1))
        let instants = [from, to].map { fixture.zone.instant(of: WallTime(date: $0, secondOfDay: 0)) }
        let expected = all.filter { (instants[0]..<instants[1]).contains($0.start) }
        #expect(try fixture.occurrences(from.text, to.text).map(\.id) == expected.map(\.id))
      }
    }
  }
}
