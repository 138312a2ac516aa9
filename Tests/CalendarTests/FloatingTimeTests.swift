import Calendar
import CivilTime
import Testing

/// Times without a zone beside a start that names one: programs leave the TZID out, and mean the start's.
struct FloatingTimeTests {
  private typealias Fixture = CalendarFixture
  private static let start = "DTSTART;TZID=America/New_York:20260701T190000"

  private func starts(_ lines: [String]) throws -> [String] {
    let fixture = try Fixture(lines)
    #expect(fixture.calendar.warnings == [])
    return try fixture.occurrences().map { "\($0.title) \(timestamp($0.start, in: .utc))" }
  }

  @Test func `an exception without a zone takes out the occurrence of that wall time`() throws {
    let lines = Fixture.event("a", Self.start, "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260702T190000")
    #expect(try starts(lines) == ["a 2026-07-01T23:00:00Z", "a 2026-07-03T23:00:00Z"])
  }

  @Test func `a further date without a zone, and a period, are on the wall of the start`() throws {
    let lines = Fixture.event(
      "a", Self.start, "RDATE:20260702T190000", "RDATE;VALUE=PERIOD:20260703T190000/20260703T200000")
    #expect(try starts(lines) == ["a 2026-07-01T23:00:00Z", "a 2026-07-02T23:00:00Z", "a 2026-07-03T23:00:00Z"])
    #expect(try Fixture(lines).occurrences().map { $0.end - $0.start } == [0, 0, 3600])
  }

  @Test func `an end without a zone is on the wall of the start`() throws {
    let lines = Fixture.event("a", Self.start, "DTEND:20260701T203000")
    #expect(try Fixture(lines).occurrences().map { $0.end - $0.start } == [5400])
  }

  @Test(arguments: ["DTSTART;TZID=Europe/Berlin:20260702T120000", "DTSTART:20260702T100000Z"])
  func `an occurrence that was moved is the one of the series' wall time, wherever it is now`(moved: String) throws {
    let lines =
      Fixture.event("a", Self.start, "RRULE:FREQ=DAILY;COUNT=3")
      + ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260702T190000", moved, "SUMMARY:moved", "END:VEVENT"]
    #expect(try starts(lines) == ["a 2026-07-01T23:00:00Z", "moved 2026-07-02T10:00:00Z", "a 2026-07-03T23:00:00Z"])
  }

  @Test func `what was moved without a zone is on the wall of its series`() throws {
    let change = ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260702T190000", "DTSTART:20260702T200000"]
    let lines =
      change + ["DTEND:20260702T213000", "SUMMARY:moved", "END:VEVENT"]
      + Fixture.event("a", Self.start, "RRULE:FREQ=DAILY;COUNT=2")
    #expect(try starts(lines) == ["a 2026-07-01T23:00:00Z", "moved 2026-07-03T00:00:00Z"])
    #expect(try Fixture(lines).occurrences().map { $0.end - $0.start } == [0, 5400])
  }

  @Test func `a private occurrence is taken out by its wall time`() throws {
    let fixture = try Fixture(
      Fixture.event("a", Self.start, "RRULE:FREQ=DAILY;COUNT=2")
        + ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260702T190000", "DTSTART:20260702T190000", "CLASS:PRIVATE"]
        + ["END:VEVENT"])
    #expect(try fixture.occurrences().map { timestamp($0.start, in: .utc) } == ["2026-07-01T23:00:00Z"])
  }

  @Test func `an exception with a zone of its own keeps it`() throws {
    let lines = Fixture.event(
      "a", Self.start, "RRULE:FREQ=DAILY;COUNT=2", "EXDATE;TZID=Europe/Berlin:20260703T010000")
    #expect(try starts(lines) == ["a 2026-07-01T23:00:00Z"])
  }

  @Test func `beside a start in UTC, times without a zone are in UTC`() throws {
    let start = "DTSTART:20260701T190000Z"
    let lines =
      Fixture.event(
        "a", start, "DTEND:20260701T210000", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20260702T190000",
        "RDATE:20260709T200000")
      + ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260703T190000", "DTSTART:20260703T200000", "SUMMARY:moved"]
      + ["END:VEVENT"]
    #expect(
      try starts(lines) == [
        "a 2026-07-01T19:00:00Z", "moved 2026-07-03T20:00:00Z", "a 2026-07-04T19:00:00Z", "a 2026-07-09T20:00:00Z",
      ])
    #expect(try Fixture(lines).occurrences().map { $0.end - $0.start } == [7200, 0, 7200, 7200])
  }
}
