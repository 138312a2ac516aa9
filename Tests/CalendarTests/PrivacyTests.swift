import Calendar
import Testing

/// Private events are not in the programme, nor in its warnings, which everyone may read.
struct PrivacyTests {
  private typealias Fixture = CalendarFixture
  private static let weekly = CalendarFixture.event("a", "DTSTART:20260901T160000Z", "RRULE:FREQ=WEEKLY;COUNT=4")

  private func change(_ lines: String..., uid: String = "a") -> [String] {
    ["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["SUMMARY:secret", "END:VEVENT"]
  }

  @Test func `private events are left out without their names`() throws {
    let fixture = try Fixture(
      Fixture.event("public", "DTSTART:20260701T100000Z", "CLASS:PUBLIC")
        + Fixture.event("private", "DTSTART:20260701T100000Z", "CLASS:PRIVATE")
        + Fixture.event("confidential", "DTSTART:20260701T100000Z", "CLASS;X-A=b: Confidential ")
        + Fixture.event("unknown", "DTSTART:20260701T100000Z", "CLASS:X-MINE"))
    #expect(try fixture.occurrences().map(\.uid) == ["public"])
    #expect(fixture.calendar.warnings == ["3 events are marked as private and not shown."])
  }

  @Test func `one private event is one event`() throws {
    let fixture = try Fixture(Fixture.event("private", "DTSTART:20260701T100000Z", "CLASS:PRIVATE"))
    #expect(fixture.calendar.warnings == ["1 event is marked as private and not shown."])
  }

  @Test(arguments: [
    ["Meet Bob at secret 42"], ["secret;=:x"], ["DTSTART:secret"], ["RRULE:FREQ=SECRET"], ["RDATE:secret"],
    ["DTSTART;TZID=secret:20260701T100000"], ["BEGIN:secret", "SUMMARY:x"], ["BEGIN:VALARM", "SUMMARY:x"],
    ["RECURRENCE-ID:secret"],
  ])
  func `no warning repeats what a private event says`(lines: [String]) throws {
    for event in [["CLASS:PRIVATE"] + lines, lines + ["CLASS:PRIVATE"]] {
      let all = ["BEGIN:VEVENT", "UID:secret", "DTSTART:20260701T100000Z"] + event + ["END:VEVENT"]
      let fixture = try Fixture(all)
      #expect(try fixture.occurrences().isEmpty)
      let warnings = fixture.calendar.warnings
      #expect(!warnings.contains { $0.lowercased().contains("secret") }, "\(warnings)")
    }
  }

  @Test func `a component that is cut off is not named in its own words`() throws {
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:Secret\n"
    #expect(throws: CalendarError.cutOff(component: "component", line: 3)) {
      try CalendarFixture(bytes: Array(text.utf8))
    }
  }

  @Test(arguments: ["DTSTART:x", "DTSTAMP:20260101T000000Z"])
  func `CLASS counts behind more lines than are taken`(line: String) throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260701T100000Z")
        + change("DTSTART:20260701T100000Z", uid: "b").dropLast()
        + [String](repeating: line, count: CalendarLimits.properties + 1) + ["CLASS:PRIVATE", "END:VEVENT"])
    #expect(try fixture.occurrences().map(\.uid) == ["a"])
  }

  @Test(arguments: ["CLASS", "CLASS PRIVATE", "CLASS;;:PRIVATE", "CLASS;\"x:PRIVATE"])
  func `a CLASS that cannot be read is not public`(line: String) throws {
    #expect(try Fixture(Fixture.event("a", "DTSTART:20260701T100000Z", line)).occurrences().isEmpty)
  }

  @Test func `changes of a private event are private whatever they say`() throws {
    let fixture = try Fixture(
      change("RECURRENCE-ID:20260908T160000Z", "DTSTART:20260908T170000Z")
        + change("RECURRENCE-ID:20260915T160000Z", "DTSTART:20260915T170000Z", "CLASS:PUBLIC")
        + Fixture.event("a", "DTSTART:20260901T160000Z", "RRULE:FREQ=WEEKLY;COUNT=4", "CLASS:PRIVATE")
        + change("RECURRENCE-ID:20260922T160000Z", "DTSTART:secret"))
    #expect(try fixture.occurrences().isEmpty)
    #expect(fixture.calendar.warnings == ["4 events are marked as private and not shown."])
  }

  @Test func `a private change takes its occurrence out`() throws {
    let fixture = try Fixture(
      PrivacyTests.weekly + change("RECURRENCE-ID:20260908T160000Z", "CLASS:PRIVATE", "DTSTART:20260909T160000Z"))
    #expect(
      try fixture.starts() == ["2026-09-01T18:00:00+02:00", "2026-09-15T18:00:00+02:00", "2026-09-22T18:00:00+02:00"])
    let first = try fixture.occurrences()[0].id
    #expect(occurrence(id: "\(first.prefix(12))-20260908T160000Z", in: fixture.calendar, calendarID: "test") == nil)
  }

  @Test func `a private change for the future takes all that follows out`() throws {
    let fixture = try Fixture(
      PrivacyTests.weekly
        + change("RECURRENCE-ID;RANGE=THISANDFUTURE:20260915T160000Z", "CLASS:PRIVATE", "DTSTART:20260916T160000Z"))
    #expect(try fixture.starts() == ["2026-09-01T18:00:00+02:00", "2026-09-08T18:00:00+02:00"])
  }

  @Test(arguments: [1, 3]) func `of two versions of a change the private one counts`(sequence: Int) throws {
    let fixture = try Fixture(
      PrivacyTests.weekly
        + change("RECURRENCE-ID:20260908T160000Z", "DTSTART:20260909T160000Z", "SEQUENCE:2")
        + change("RECURRENCE-ID:20260908T160000Z", "DTSTART:20260909T160000Z", "SEQUENCE:\(sequence)", "CLASS:PRIVATE"))
    #expect(try fixture.occurrences().count == 3)
  }

  @Test func `a private change alone is nothing`() throws {
    let fixture = try Fixture(change("RECURRENCE-ID:20260908T160000Z", "CLASS:PRIVATE", "DTSTART:20260909T160000Z"))
    #expect(try fixture.occurrences().isEmpty)
  }
}
