import CivilTime
import Lifecycle
import Calendar
import Testing

struct CalendarZoneTests {
  private typealias Fixture = CalendarFixture

  /// A VTIMEZONE with a winter and a summer offset, and the European Union's dates of change.
  private func rules(_ name: String, winter: String, summer: String) -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "TZOFFSETFROM:\(winter)"]
      + ["TZOFFSETTO:\(summer)", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "BEGIN:STANDARD"]
      + ["DTSTART:19961027T030000", "TZOFFSETFROM:\(summer)", "TZOFFSETTO:\(winter)"]
      + ["RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE"]
  }

  @Test(arguments: [
    "Europe/Berlin", "/freeassociation.sourceforge.net/Europe/Berlin", "/citadel.org/20210210_1/Europe/Berlin",
    "/mozilla.org/20070129_1/Europe/Berlin", "\"Europe/Berlin\"",
  ])
  func `an IANA name means this system's rules, whatever the file says`(name: String) throws {
    let plain = name.replacing("\"", with: "")
    let fixture = try Fixture(
      rules(plain, winter: "+0500", summer: "+0600") + Fixture.event("a", "DTSTART;TZID=\(name):20260701T190000"))
    #expect(try fixture.starts() == ["2026-07-01T19:00:00+02:00"])
  }

  @Test func `any other name means the file's own rules, for ever`() throws {
    let name = "W. Europe Standard Time"
    let fixture = try Fixture(
      rules(name, winter: "+0100", summer: "+0200")
        + Fixture.event("a", "DTSTART;TZID=\"\(name)\":20200101T190000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=1"))
    let berlin = try systemZone("Europe/Berlin")
    for one in try fixture.occurrences("2020-01-01", "2060-01-01") {
      #expect(berlin.wall(at: one.start).secondOfDay == 19 * 3600)
    }
  }

  @Test func `rules may come after the event that uses them`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART;TZID=Ours:20260701T190000") + rules("Ours", winter: "+0100", summer: "+0200"))
    #expect(try fixture.starts() == ["2026-07-01T19:00:00+02:00"])
  }

  @Test func `rules that never end or cannot be read are a warning`() throws {
    let endless =
      ["BEGIN:VTIMEZONE", "TZID:Endless", "BEGIN:STANDARD", "DTSTART:19810329T020000", "TZOFFSETFROM:+0100"]
      + ["TZOFFSETTO:+0200", "RRULE:FREQ=SECONDLY", "END:STANDARD", "END:VTIMEZONE"]
    let broken =
      ["BEGIN:VTIMEZONE", "TZID:Broken", "BEGIN:STANDARD", "DTSTART:19810329T020000", "END:STANDARD"]
      + ["END:VTIMEZONE", "BEGIN:VTIMEZONE", "TZID:Empty", "END:VTIMEZONE"]
    let fixture = try Fixture(
      endless + broken + Fixture.event("a", "DTSTART;TZID=Endless:20260701T190000")
        + Fixture.event("b", "DTSTART;TZID=Broken:20260701T190000")
        + Fixture.event("c", "DTSTART;TZID=Empty:20260701T190000"))
    let warnings = fixture.calendar.warnings
    #expect(warnings.count == 3 && warnings.allSatisfy { $0.contains("calendar's zone") })
    #expect(try fixture.starts() == Array(repeating: "2026-07-01T19:00:00+02:00", count: 3))
  }

  @Test(arguments: [
    ("europe/berlin", "19:00:00+02:00"), ("Europe/BERLIN", "19:00:00+02:00"), ("US/Eastern", "01:00:00+02:00"),
    ("us/eastern", "01:00:00+02:00"), ("Asia/Calcutta", "15:30:00+02:00"), ("UTC+02:00", "19:00:00+02:00"),
    ("GMT-5", "02:00:00+02:00"), ("+0530", "15:30:00+02:00"), ("Etc/GMT+2", "23:00:00+02:00"),
  ])
  func `a zone in another case, by an old name or as an offset is understood`(name: String, time: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART;TZID=\"\(name)\":20260701T190000"))
    #expect(fixture.calendar.warnings == [])
    #expect(try fixture.starts().map { String($0.dropFirst(11)) } == [time])
  }

  @Test func `an event of a zone that nobody knows is shown in the calendar's, and says so`() throws {
    let fixture = try Fixture(
      ["X-WR-TIMEZONE:America/New_York"]
        + Fixture.event(
          "a", "DTSTART;TZID=Customized Time Zone:20260701T190000", "DTEND;TZID=Customized Time Zone:20260701T200000"))
    #expect(try fixture.starts() == ["2026-07-02T01:00:00+02:00"])
    let warning = try #require(fixture.calendar.warnings.first)
    #expect(fixture.calendar.warnings.count == 1 && warning.contains("\"Customized Time Zone\" is unknown"))
  }

  @Test func `a customized zone of Office 365 has its rules in the file`() throws {
    let name = "Customized Time Zone"
    let fixture = try Fixture(
      rules(name, winter: "+0500", summer: "+0600") + Fixture.event("a", "DTSTART;TZID=\(name):20260701T190000"))
    #expect(try fixture.starts() == ["2026-07-01T15:00:00+02:00"] && fixture.calendar.warnings == [])
  }

  @Test func `times without a zone beside a start with one are on its clock`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART;TZID=America/New_York:20260701T190000", "DTEND:20260701T200000", "RRULE:FREQ=DAILY;COUNT=3",
        "EXDATE:20260702T190000", "RDATE:20260710T190000")
        + Fixture.event("a", "RECURRENCE-ID:20260703T190000", "DTSTART;TZID=America/New_York:20260703T210000"))
    #expect(
      try fixture.starts() == [
        "2026-07-02T01:00:00+02:00", "2026-07-04T03:00:00+02:00", "2026-07-11T01:00:00+02:00",
      ])
    #expect(try fixture.occurrences().first.map { $0.end - $0.start } == 3600)
    // Beside a start in UTC, or one that floats, they float.
    let floating = try Fixture(
      Fixture.event("b", "DTSTART:20260701T170000Z", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260702T190000"))
    #expect(try floating.starts().count == 1)
  }

  @Test func `tasks, journals and busy times beside events do no harm`() throws {
    func component(_ kind: String) -> [String] {
      ["BEGIN:\(kind)", "UID:a", "DTSTAMP:20260101T000000Z", "DTSTART:20260701T100000Z", "DUE:20260702T100000Z"]
        + ["FREEBUSY:20260701T100000Z/PT1H", "SUMMARY:\(kind)", "RRULE:FREQ=DAILY", "BEGIN:VALARM", "TRIGGER:-PT15M"]
        + ["END:VALARM", "END:\(kind)"]
    }
    let fixture = try Fixture(
      component("VTODO") + Fixture.event("a", "DTSTART:20260701T100000Z") + component("VJOURNAL")
        + component("VFREEBUSY") + component("VAVAILABILITY"))
    #expect(try fixture.occurrences().map(\.title) == ["a"] && fixture.calendar.warnings == [])
  }

  @Test func `floating times are on the space's wall`() throws {
    let lines = Fixture.event("a", "DTSTART:20260701T190000")
    #expect(try Fixture(lines, zone: "America/New_York").starts() == ["2026-07-01T19:00:00-04:00"])
  }

  @Test(arguments: [
    "", "../../etc/passwd", "/etc/passwd", "Europe/../Europe/Berlin", "Europe//Berlin", "Europe", "Nowhere/Land",
    "tzdata.zi", "zone.tab", "Europe/Berlin\0", ".", "Europe/.", "a b",
  ])
  func `a name that is no zone is refused`(name: String) {
    #expect(throws: SystemZoneError.unknown(name)) { try systemZone(name) }
    #expect(
      SystemZoneError.unknown(name).description
        == "Unknown time zone: \"\(name)\"; accepted are IANA names such as Europe/Berlin.")
  }

  @Test func `a zone is read once`() throws {
    #expect(try systemZone("Europe/Berlin").name == "Europe/Berlin")
    #expect(try systemZone("UTC").offset(at: 0) == 0)
  }
}
