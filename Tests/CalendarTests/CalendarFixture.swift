import CivilTime
import Lifecycle
import Calendar
import Testing

/// Small calendars for tests: lines of events, and their occurrences.
struct CalendarFixture {
  let zone: Zone
  let calendar: ParsedCalendar

  /// A calendar with the lines given between BEGIN:VCALENDAR and END:VCALENDAR.
  init(_ lines: [String], ends: String = "\r\n", zone: String = "Europe/Berlin") throws {
    let all = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"] + lines + ["END:VCALENDAR", ""]
    try self.init(bytes: Array(all.joined(separator: ends).utf8), zone: zone)
  }

  init(bytes: [UInt8], zone: String = "Europe/Berlin") throws {
    self.zone = try systemZone(zone)
    calendar = try parseCalendar(bytes, zone: self.zone)
  }

  /// An event's lines; the title is its UID.
  static func event(_ uid: String, _ lines: String...) -> [String] {
    ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z"] + lines + ["SUMMARY:\(uid)", "END:VEVENT"]
  }

  func occurrences(_ from: String = "2026-01-01", _ to: String = "2027-01-01") throws -> [Occurrence] {
    let range = try [from, to].map { WallTime(date: try #require(CivilDate($0)), secondOfDay: 0) }
    let result = expand(
      calendar, calendarID: "test", from: zone.instant(of: range[0]), to: zone.instant(of: range[1]))
    #expect(result.warnings == [])
    return result.occurrences
  }

  /// The starts in the space's zone, "2026-11-20T19:00:00+01:00", or the dates of all-day events.
  func starts(_ from: String = "2026-01-01", _ to: String = "2027-01-01") throws -> [String] {
    try occurrences(from, to).map { $0.startDate?.text ?? timestamp($0.start, in: zone) }
  }
}
