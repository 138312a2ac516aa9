import Calendar
import Testing

/// What stands beside the events of a calendar: tasks, journals, times that are taken.
struct OtherComponentsTests {
  private typealias Fixture = CalendarFixture

  private static let others = [
    "BEGIN:VTODO", "UID:task", "DTSTART:20260701T100000Z", "DUE:20260702T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Sweep",
    "CLASS:PRIVATE", "BEGIN:VALARM", "TRIGGER:-PT15M", "ACTION:DISPLAY", "END:VALARM", "END:VTODO", "BEGIN:VJOURNAL",
    "UID:event", "DTSTART;VALUE=DATE:20260701", "SUMMARY:Diary", "CLASS:CONFIDENTIAL", "END:VJOURNAL",
    "BEGIN:VFREEBUSY", "UID:busy", "DTSTART:20260701T000000Z", "DTEND:20260708T000000Z",
    "FREEBUSY;FBTYPE=BUSY:20260701T100000Z/20260701T110000Z,20260702T100000Z/PT2H", "END:VFREEBUSY",
    "BEGIN:VAVAILABILITY", "UID:hours", "BEGIN:AVAILABLE", "DTSTART:20260701T090000Z", "RRULE:FREQ=DAILY",
    "END:AVAILABLE", "END:VAVAILABILITY", "BEGIN:X-OURS", "CLASS:PRIVATE", "END:X-OURS",
  ]

  @Test func `they are no events, hide none, and are no reason for a warning`() throws {
    let event = Fixture.event("event", "DTSTART:20260701T190000Z", "RRULE:FREQ=DAILY;COUNT=2")
    for lines in [Self.others + event, event + Self.others, Self.others + event + Self.others] {
      let fixture = try Fixture(lines, zone: "UTC")
      #expect(fixture.calendar.warnings == [])
      #expect(try fixture.occurrences().map(\.title) == ["event", "event"])
    }
  }

  @Test(arguments: ["VTODO", "VJOURNAL", "VFREEBUSY", "VEVENT"])
  func `what has no end swallows no event behind it`(component: String) throws {
    let open = ["BEGIN:\(component)", "UID:other", "SUMMARY:Sweep", "BEGIN:VALARM", "TRIGGER:-PT15M"]
    let first = Fixture.event("event", "DTSTART:20260701T190000Z")
    for lines in [first + open, open] {
      let fixture = try Fixture(lines + Fixture.event("next", "DTSTART:20260702T190000Z"), zone: "UTC")
      #expect(try fixture.occurrences().map(\.title) == (lines == open ? ["next"] : ["event", "next"]))
      #expect(fixture.calendar.warnings.contains { $0.contains("begins an event within a \(component), which") })
    }
  }

  @Test func `a calendar of nothing else is empty, not broken`() throws {
    let fixture = try Fixture(Self.others)
    #expect(fixture.calendar.warnings == [])
    #expect(try fixture.occurrences().isEmpty)
  }

  @Test func `a task within an event, and broken lines within a task, leave the event as it is`() throws {
    let fixture = try Fixture(
      ["BEGIN:VEVENT", "UID:event", "DTSTART:20260701T190000Z", "BEGIN:VTODO", "DTSTART:20260801T190000Z"]
        + ["SUMMARY:Sweep", "not a property", "DUE;:", "END:VTODO", "SUMMARY:event", "END:VEVENT"], zone: "UTC")
    #expect(try fixture.starts() == ["2026-07-01T19:00:00Z"])
    #expect(try fixture.occurrences().map(\.title) == ["event"])
  }
}
