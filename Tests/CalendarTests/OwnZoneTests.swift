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

  @Test(arguments: [
    ("europe/berlin", "17:00"), ("EUROPE/BERLIN", "17:00"), (" Europe/Berlin ", "17:00"),
    ("/mozilla.org/20070129_1/europe/berlin", "17:00"), ("america/argentina/buenos_aires", "22:00"),
    ("US/Eastern", "23:00"), ("us/pacific", "02:00"), ("Asia/Calcutta", "13:30"), ("Europe/Kiev", "16:00"),
    ("w. europe standard time", "17:00"), ("utc", "19:00"), ("UTC+02:00", "17:00"), ("UTC-0330", "22:30"),
    ("GMT+2", "17:00"), ("tzone://Microsoft/Utc", "19:00"), ("est5edt", "23:00"), ("CET", "17:00"), ("MST", "02:00"),
    ("+05:30", "13:30"), ("Etc/GMT+2", "21:00"), ("etc/gmt+2", "21:00"), ("UTC+14", "05:00"),
  ])
  func `a name that is not quite one is understood`(name: String, utc: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART;TZID=\"\(name)\":20260701T190000"))
    #expect(fixture.calendar.warnings == [])
    #expect(try fixture.occurrences().map { timestamp($0.start, in: .utc).dropFirst(11).prefix(5) } == [utc[...]])
  }

  @Test func `names that were replaced are known without their files, each with a zone of today`() {
    for (name, zone) in oldZones { #expect((try? systemZone(zone)) != nil, "\(name): \(zone)") }
    #expect(oldZones.count > 100)
    for name in "EST5EDT CST6CDT MST7MDT PST8PDT CET MET EET WET EST MST HST".split(separator: " ") {
      #expect(oldZones[String(name)] != nil, "\(name)")
    }
    // Where this system has their files, they say the same of today.
    for (name, zone) in oldZones {
      guard let own = try? systemZone(name), let other = try? systemZone(zone) else { continue }
      for time in [1_767_225_600, 1_782_864_000] { #expect(own.offset(at: time) == other.offset(at: time), "\(name)") }
    }
  }

  @Test(arguments: [
    ("(UTC-05:00) Eastern Time (US & Canada)", "2026-07-02T02:00:00+02:00", "UTC-05:00"),
    ("(GMT+0530) Mumbai", "2026-07-01T15:30:00+02:00", "GMT+0530"),
    ("(UTC) Coordinated Universal Time", "2026-07-01T21:00:00+02:00", "UTC"),
    // The offset is that of the winter, and so is Berlin's.
    ("(UTC+01:00) Amsterdam, Berlin, Bern", "2026-07-01T19:00:00+02:00", "Europe/Berlin"),
    ("(UTC+99:00) Nowhere", "2026-07-01T19:00:00+02:00", "Europe/Berlin"),
    ("(UTC-05:00", "2026-07-01T19:00:00+02:00", "Europe/Berlin"),
  ])
  func `of a zone that is shown to people its offset is known, with a note`(
    name: String, start: String, zone: String
  ) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART;TZID=\"\(name)\":20260701T190000"))
    #expect(try fixture.starts() == [start])
    #expect(fixture.calendar.warnings.count == 1)
    #expect(fixture.calendar.warnings.first?.hasSuffix("; it is read as a time of \(zone).") == true)
  }

  @Test(arguments: [
    "Customized Time Zone", "UTC+15", "UTC-13:00", "UTC+1:5", "UTC+02:60", "UTC+", "+2:", "+002", "UTC+2:000", "Mars",
  ])
  func `an event in an unknown zone is read in the calendar's, with a note`(name: String) throws {
    for (own, start) in [("Asia/Tokyo", "2026-07-01T12:00:00+02:00"), ("", "2026-07-01T19:00:00+02:00")] {
      let fixture = try Fixture(
        ["X-WR-TIMEZONE:\(own)"]
          + Fixture.event(
            "a", "DTSTART;TZID=\"\(name)\":20260701T190000", "DTEND;TZID=\"\(name)\":20260701T200000",
            "EXDATE;TZID=\"\(name)\":20260702T190000", "RRULE:FREQ=DAILY;COUNT=2"))
      #expect(try fixture.starts() == [start])
      #expect(try fixture.occurrences().map { $0.end - $0.start } == [3600])
      let zone = own.isEmpty ? "Europe/Berlin" : own
      #expect(fixture.calendar.warnings.count == 1)
      let warning = try #require(fixture.calendar.warnings.first)
      #expect(warning.contains("time zone \"\(name)\" is unknown"), "\(warning)")
      #expect(warning.hasSuffix("; it is read as a time of \(zone)."), "\(warning)")
    }
  }

  @Test func `what Office 365 describes counts, whatever it is called and in any case`() throws {
    for name in ["Customized Time Zone", "customized time zone"] {
      let fixture = try Fixture(
        ["BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD", "DTSTART:16010101T000000"]
          + ["TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE"]
          + Fixture.event("a", "DTSTART;TZID=\(name):20260701T190000"))
      #expect(fixture.calendar.warnings == [])
      #expect(try fixture.starts() == ["2026-07-01T16:00:00+02:00"])
    }
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
