import Calendar
import Testing

/// Events that were in another calendar before.
struct FormerIDTests {
  private typealias Fixture = CalendarFixture

  @Test func `what has come from another calendar is found by the identifiers that it had there`() throws {
    let fixture = try Fixture(
      Fixture.event("once", "DTSTART:20260101T090000Z")
        + Fixture.event("daily", "DTSTART:20260102T090000Z", "RRULE:FREQ=DAILY;COUNT=3")
        + Fixture.event("days", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=DAILY;COUNT=2")
        + Fixture.event("exception", "RECURRENCE-ID:20260107T090000Z", "DTSTART:20260108T100000Z"))
    let now = try fixture.occurrences().map(\.id)
    let before = expand(fixture.calendar, calendarID: "other", from: 1_767_222_000, to: 1_798_758_000).occurrences
      .map(\.id)
    #expect(now.count == 7 && Set(now).isDisjoint(with: before))
    let others = ["000000000000", "\(before[0])-20260101T090000Z", "no identifier"]
    var budget = ExpansionBudget()
    let found = occurrences(
      formerIDs: before + others, in: "other", nowIn: fixture.calendar, calendarID: "test", budget: &budget)
    #expect(found.mapValues(\.id) == Dictionary(zip(before, now), uniquingKeysWith: { $1 }))
    var spent = ExpansionBudget(steps: 0)
    let none = occurrences(
      formerIDs: before, in: "other", nowIn: fixture.calendar, calendarID: "test", budget: &spent)
    #expect(none.isEmpty)
  }
}
