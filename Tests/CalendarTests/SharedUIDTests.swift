import Calendar
import Testing

private typealias Fixture = CalendarFixture

/// Several events under one UID, as some programs write them.
struct SharedUIDTests {
  private func event(_ title: String, _ lines: String...) -> [String] {
    ["BEGIN:VEVENT", "UID:same"] + lines + ["SUMMARY:\(title)", "END:VEVENT"]
  }

  @Test func `all of them are shown, and their identifiers stay when one comes or goes`() throws {
    let first = event("A", "DTSTART:20260701T100000Z")
    let others =
      event("B", "DTSTART:20260702T100000Z") + event("C", "DTSTART:20260702T100000Z")
      + event("D", "DTSTART;VALUE=DATE:20260703", "SEQUENCE:3")
    let all = try Fixture(first + others)
    #expect(all.calendar.warnings == [])
    let events = try all.occurrences()
    #expect(events.map(\.title) == ["A", "B", "C", "D"])
    #expect(Set(events.map(\.id)).count == 4)
    #expect(events.allSatisfy { $0.uid == "same" })
    #expect(
      try Fixture(event("E", "DTSTART:20260705T100000Z") + others).occurrences().prefix(3).map(\.id)
        == events.dropFirst().map(\.id))
    for one in events {
      #expect(occurrence(id: one.id, in: all.calendar, calendarID: "test")?.title == one.title)
    }
  }

  @Test func `versions of an event are one event`() throws {
    let versions = try Fixture(
      Fixture.event("a", "DTSTART:20260702T100000Z", "SEQUENCE:1") + Fixture.event("a", "DTSTART:20260701T100000Z")
        + Fixture.event("b", "DTSTART:20260704T100000Z") + Fixture.event("b", "DTSTART:20260704T100000Z"))
    #expect(try versions.starts().map { $0.prefix(10) } == ["2026-07-02", "2026-07-04"])
    let shared = try Fixture(
      event("A", "DTSTART:20260701T100000Z", "LOCATION:Hall") + event("B", "DTSTART:20260702T100000Z")
        + event("A", "DTSTART:20260701T100000Z", "LOCATION:Kitchen"))
    #expect(try shared.occurrences().map(\.location) == ["Kitchen", nil])
  }

  @Test func `exceptions are of the one that recurs, whose identifiers stay those of its UID`() throws {
    let series = event("A", "DTSTART:20260701T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    let moved = event("A", "RECURRENCE-ID:20260708T100000Z", "DTSTART:20260709T100000Z")
    let alone = try Fixture(series + moved).occurrences().map(\.id)
    let shared = try Fixture(event("B", "DTSTART:20260702T100000Z") + series + moved).occurrences()
    #expect(shared.map(\.title) == ["A", "B", "A", "A"])
    #expect(shared.filter { $0.title == "A" }.map(\.id) == alone)
  }

  @Test func `of several that recur, none shows what is private`() throws {
    let hidden = event("secret", "RECURRENCE-ID:20260708T100000Z", "CLASS:PRIVATE")
    let fixture = try Fixture(
      event("A", "DTSTART:20260701T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
        + event("B", "DTSTART:20260702T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
        + event("C", "DTSTART:20260703T100000Z") + hidden)
    #expect(Set(try fixture.occurrences().map(\.title)) == ["B", "C"])
  }
}
