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
    #expect(fixture.calendar.warnings.count == 3)
    #expect(fixture.calendar.warnings.allSatisfy { $0.hasSuffix("; it is read as a time of Europe/Berlin.") })
    #expect(try fixture.starts() == [String](repeating: "2026-07-01T19:00:00+02:00", count: 3))
  }

  @Test func `a rule of a zone that ends with a date has the change of that day`() throws {
    let zone =
      ["BEGIN:VTIMEZONE", "TZID:Ours", "BEGIN:STANDARD", "DTSTART:20251026T030000", "TZOFFSETFROM:+0200"]
      + ["TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20261025", "END:STANDARD"]
      + ["BEGIN:DAYLIGHT", "DTSTART:20260329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT"]
      + ["END:VTIMEZONE"]
    let fixture = try Fixture(zone + Fixture.event("a", "DTSTART;TZID=Ours:20261201T190000"))
    #expect(try fixture.starts() == ["2026-12-01T19:00:00+01:00"])
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
