import CivilTime
import Lifecycle
import Calendar
import Testing

/// Zones that a calendar names without defining them.
struct OwnZoneTests {
  private typealias Fixture = CalendarFixture

  @Test(arguments: [
    ("W. Europe Standard Time", "2026-07-01T19:00:00+02:00"), ("GMT Standard Time", "2026-07-01T20:00:00+02:00"),
    ("Eastern Standard Time", "2026-07-02T01:00:00+02:00"), ("Tokyo Standard Time", "2026-07-01T12:00:00+02:00"),
    ("UTC", "2026-07-01T21:00:00+02:00"),
  ])
  func `names of Windows are known where nothing describes them`(name: String, start: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART;TZID=\(name):20260701T190000"))
    #expect(fixture.calendar.warnings == [])
    #expect(try fixture.starts() == [start])
  }

  @Test func `what the calendar says of such a name counts before the table`() throws {
    let fixture = try Fixture(
      ["BEGIN:VTIMEZONE", "TZID:W. Europe Standard Time", "BEGIN:STANDARD", "DTSTART:16010101T000000"]
        + ["TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE"]
        + Fixture.event("a", "DTSTART;TZID=W. Europe Standard Time:20260701T190000"))
    #expect(try fixture.starts() == ["2026-07-01T16:00:00+02:00"])
  }

  @Test func `every zone of the table is one that this system has`() {
    for (name, zone) in windowsZones { #expect((try? systemZone(zone)) != nil, "\(name): \(zone)") }
    #expect(windowsZones.count > 90)
  }

  @Test(arguments: [
    ("America/New_York", "2026-07-02T01:00:00+02:00"), ("Tokyo Standard Time", "2026-07-01T12:00:00+02:00"),
    ("Mars/Olympus", "2026-07-01T19:00:00+02:00"), ("", "2026-07-01T19:00:00+02:00"),
  ])
  func `times without a zone are in the calendar's own`(name: String, start: String) throws {
    let fixture = try Fixture(
      ["X-WR-TIMEZONE:\(name)"] + Fixture.event("a", "DTSTART:20260701T190000")
        + Fixture.event("b", "DTSTART;TZID=Europe/Berlin:20260701T190000") + Fixture.event("c", "DTSTART:20260701"))
    let starts = Dictionary(
      uniqueKeysWithValues: try fixture.occurrences().map { ($0.uid, timestamp($0.start, in: fixture.zone)) })
    #expect(starts == ["a": start, "b": "2026-07-01T19:00:00+02:00", "c": "2026-07-01T00:00:00+02:00"])
  }

  @Test func `a series in the calendar's own zone keeps its wall time there`() throws {
    let fixture = try Fixture(
      ["X-WR-TIMEZONE:America/New_York"]
        + Fixture.event("a", "DTSTART:20260304T190000", "RRULE:FREQ=WEEKLY;COUNT=2"))
    #expect(try fixture.starts() == ["2026-03-05T01:00:00+01:00", "2026-03-12T00:00:00+01:00"])
  }
}
