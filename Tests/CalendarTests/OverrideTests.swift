import CivilTime
import Calendar
import Testing

struct OverrideTests {
  private typealias Fixture = CalendarFixture
  private static let weekly = CalendarFixture.event(
    "a", "DTSTART;TZID=Europe/Berlin:20260901T180000", "DTEND;TZID=Europe/Berlin:20260901T190000",
    "RRULE:FREQ=WEEKLY;COUNT=6")

  private func change(_ original: String, _ start: String, _ lines: String..., title: String = "changed") -> [String] {
    ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID\(original)", "DTSTART;TZID=Europe/Berlin:\(start)", "DURATION:PT2H"]
      + lines
      + ["SUMMARY:\(title)", "END:VEVENT"]
  }

  @Test func `several changes under one UID replace their occurrences and keep their identifiers`() throws {
    let before = try Fixture(OverrideTests.weekly).occurrences()
    let fixture = try Fixture(
      OverrideTests.weekly + change(";TZID=Europe/Berlin:20260908T180000", "20260909T200000")
        + change(":20260915T160000Z", "20260915T170000"))
    let after = try fixture.occurrences()
    #expect(Set(after.map(\.id)) == Set(before.map(\.id)))
    #expect(after.map(\.title) == ["a", "changed", "changed", "a", "a", "a"])
    #expect(after[1].id.hasSuffix("-20260908T160000Z"))
    #expect(timestamp(after[1].start, in: fixture.zone) == "2026-09-09T20:00:00+02:00")
  }

  @Test func `changes are found where they are moved to, and not where they were`() throws {
    let fixture = try Fixture(OverrideTests.weekly + change(";TZID=Europe/Berlin:20260908T180000", "20271201T100000"))
    #expect(try fixture.occurrences("2026-09-08", "2026-09-09").isEmpty)
    #expect(try fixture.occurrences("2027-12-01", "2027-12-02").map(\.title) == ["changed"])
  }

  @Test func `a change whose original is no occurrence is still shown`() throws {
    let fixture = try Fixture(OverrideTests.weekly + change(";TZID=Europe/Berlin:20260910T180000", "20260910T190000"))
    #expect(try fixture.occurrences().count == 7)
    let alone = try Fixture(change(";TZID=Europe/Berlin:20260910T180000", "20260910T190000"))
    #expect(try alone.occurrences().map(\.title) == ["changed"])
  }

  @Test func `a change for this and the future moves what follows, but what has its own change`() throws {
    let fixture = try Fixture(
      OverrideTests.weekly + change(";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260915T180000", "20260916T193000")
        + change(";TZID=Europe/Berlin:20260929T180000", "20260929T120000", title: "single"))
    #expect(
      try fixture.occurrences().map { "\($0.title) \(timestamp($0.start, in: fixture.zone).prefix(16))" } == [
        "a 2026-09-01T18:00", "a 2026-09-08T18:00", "changed 2026-09-16T19:30", "changed 2026-09-23T19:30",
        "single 2026-09-29T12:00", "changed 2026-10-07T19:30",
      ])
  }

  @Test(arguments: [("20260910T180000", "2026-09-17"), ("20260925T180000", "2026-10-02")])
  func `what a change for the future moves far is found there alone`(start: String, day: String) throws {
    let fixture = try Fixture(
      OverrideTests.weekly + change(";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260915T180000", start))
    let date = try #require(CivilDate(day))
    let next = CivilDate(dayNumber: date.dayNumber + 1).text
    let found = try fixture.occurrences(day, next)
    #expect(found.map { String($0.id.suffix(16)) } == ["20260922T160000Z"])
    #expect(try fixture.occurrences("2026-09-22", "2026-09-23").isEmpty)
  }

  @Test func `a change to whole days for this and the future begins at midnight whatever time the series has`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Europe/Berlin:20260901T080000", "RRULE:FREQ=DAILY;BYHOUR=8,20;COUNT=5")
        + [
          "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260901T200000",
          "DTSTART;VALUE=DATE:20260902", "SUMMARY:changed", "END:VEVENT",
        ])
    let all = try fixture.occurrences()
    #expect(
      all.map { "\($0.id.suffix(16)) \(timestamp($0.start, in: fixture.zone).prefix(16))" } == [
        "20260901T060000Z 2026-09-01T08:00", "20260901T180000Z 2026-09-02T00:00", "20260902T060000Z 2026-09-03T00:00",
        "20260902T180000Z 2026-09-03T00:00", "20260903T060000Z 2026-09-04T00:00",
      ])
    // Each is found on the days that its own file has.
    for one in all.dropFirst() {
      let days = [try #require(one.startDate).text, try #require(one.endDate).text]
      #expect(try fixture.occurrences(days[0], days[1]).contains { $0.id == one.id })
      #expect(timestamp(one.end, in: fixture.zone).hasPrefix(days[1]))
    }
  }

  @Test func `a change for this and the future counts from the wall of the series, not of a further date`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;TZID=Europe/Berlin:20260901T180000", "RRULE:FREQ=WEEKLY;COUNT=3",
        "RDATE;TZID=America/New_York:20260920T120000")
        + change(";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260908T180000", "20260908T193000"))
    #expect(
      try fixture.starts().map { String($0.prefix(16)) } == [
        "2026-09-01T18:00", "2026-09-08T19:30", "2026-09-15T19:30", "2026-09-20T19:30",
      ])
  }

  @Test func `of two versions of an event the higher SEQUENCE wins`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260702T100000Z", "SEQUENCE:2")
        + Fixture.event("a", "DTSTART:20260701T100000Z", "SEQUENCE:1"))
    #expect(try fixture.occurrences().map(\.sequence) == [2])
    let changes = try Fixture(
      OverrideTests.weekly
        + change(";TZID=Europe/Berlin:20260908T180000", "20260908T190000", "SEQUENCE:5", title: "later")
        + change(";TZID=Europe/Berlin:20260908T180000", "20260908T200000", "SEQUENCE:4", title: "earlier"))
    #expect(try changes.occurrences()[1].title == "later")
  }

  @Test func `a change of an all-day series has the date in its identifier`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;VALUE=DATE:20260901", "RRULE:FREQ=DAILY;COUNT=3")
        + ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE:20260902", "DTSTART;VALUE=DATE:20260910", "END:VEVENT"])
    #expect(try fixture.occurrences().map { String($0.id.dropFirst(12)) } == ["-20260901", "-20260903", "-20260902"])
  }

  @Test func `a single event keeps its identifier when it is moved`() throws {
    let one = try Fixture(Fixture.event("a", "DTSTART:20260701T100000Z")).occurrences()[0].id
    let other = try Fixture(Fixture.event("a", "DTSTART:20260801T100000Z")).occurrences()[0].id
    #expect(one == other && one.utf8.count == 12)
  }

  @Test func `equal UIDs of two calendars have different identifiers`() throws {
    let calendar = try Fixture(Fixture.event("a", "DTSTART:20260701T100000Z")).calendar
    let identifiers = ["one", "two"].map { id in
      expand(calendar, calendarID: id, from: 1_767_225_600, to: 1_798_761_600).occurrences[0].id
    }
    #expect(identifiers[0] != identifiers[1])
  }

  @Test func `every occurrence is found by its identifier`() throws {
    let fixture = try Fixture(
      OverrideTests.weekly + change(";TZID=Europe/Berlin:20260908T180000", "20271201T100000")
        + change(";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260922T180000", "20260924T193000")
        + Fixture.event("single", "DTSTART:20260701T100000Z")
        + Fixture.event("days", "DTSTART;VALUE=DATE:20260901", "RRULE:FREQ=MONTHLY"))
    let all = try fixture.occurrences("2026-01-01", "2029-01-01")
    for one in all {
      let found = occurrence(id: one.id, in: fixture.calendar, calendarID: "test")
      #expect(found?.id == one.id && found?.start == one.start && found?.title == one.title)
    }
    for id in [
      "", "0123456789ab", "\(all[0].id)-20260101", all[0].id.uppercased(), "\(all[0].id.prefix(12))-20260902T160000Z",
    ] {
      #expect(occurrence(id: id, in: fixture.calendar, calendarID: "test") == nil)
    }
  }

  @Test func `an occurrence is cancelled without saying when it begins`() throws {
    func cancel(_ lines: String...) -> [String] { ["BEGIN:VEVENT", "UID:a"] + lines + ["END:VEVENT"] }
    let fixture = try Fixture(
      OverrideTests.weekly + cancel("RECURRENCE-ID;TZID=Europe/Berlin:20260908T180000", "STATUS:CANCELLED")
        + cancel("RECURRENCE-ID:20260915T180000", "STATUS:CANCELLED", "SUMMARY:off")
        + cancel("RECURRENCE-ID;VALUE=DATE:20260922", "STATUS:CANCELLED"))
    #expect(fixture.calendar.warnings == [])
    let found = try fixture.occurrences()
    #expect(try found.map(\.id) == Fixture(OverrideTests.weekly).occurrences().map(\.id))
    #expect(found.map(\.title) == ["a", "a", "off", "a", "a", "a"])
    #expect(found.map { $0.status == .cancelled } == [false, true, true, true, false, false])
    #expect(found.allSatisfy { $0.end - $0.start == 3600 && !$0.allDay })
    // It is of what the series has become by then.
    let later = try Fixture(
      OverrideTests.weekly + change(";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260915T180000", "20260915T200000")
        + cancel("RECURRENCE-ID;TZID=Europe/Berlin:20260922T180000", "STATUS:CANCELLED")
        + cancel("RECURRENCE-ID;TZID=Europe/Berlin:20260908T180000", "STATUS:CANCELLED"))
    #expect(
      try later.occurrences().filter { $0.status == .cancelled }
        .map { "\($0.title) \(timestamp($0.start, in: later.zone).prefix(16))" } == [
          "a 2026-09-08T18:00", "changed 2026-09-22T20:00",
        ])
    let other = try Fixture(OverrideTests.weekly + cancel("RECURRENCE-ID:20260908T180000", "SUMMARY:moved"))
    #expect(other.calendar.warnings == ["Event \"moved\" (UID a, line 12) was left out: it has no DTSTART."])
  }
}
