import HubWorld
import Store
import Wire
import World

/// Writes a calendar with these events.
func write(_ events: [String], _ folder: TemporaryFolder, to name: String = "a.ics") throws {
  let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"] + events + ["END:VCALENDAR", ""]
  try folder.write(Array(lines.joined(separator: "\r\n").utf8), to: name)
}

/// Has all calendars read, or one alone.
/// - Parameter isEmptied: true if the last event has left one: it is read twice, since it counts as empty from then on.
func lookAtCalendars(
  _ test: TestHub, owner: String, _ calendar: String? = nil, isEmptied: Bool = false
) async throws {
  let path = "/api/v1/space/calendars/refresh"
  let body: JSON = calendar.map { ["calendar": .string($0)] } ?? [:]
  _ = try await test.ask(.post, path, token: owner, body)
  guard isEmptied else { return }
  try await test.wait {
    try await test.store.read { database throws(StoreError) in
      try database.first(
        "SELECT 1 FROM programme_calendars WHERE problem LIKE '%calendar-emptied%'", read: { _ in true }) == true
    }
  }
  _ = try await test.ask(.post, path, token: owner, body)
}

/// An event of two hours as a calendar has it.
/// - Parameter start: such as "20261121T190000Z".
func event(_ uid: String, _ start: String, _ more: String = "") -> String {
  let lines = ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART:\(start)", "DURATION:PT2H"]
  return (lines + ["SUMMARY:\(uid)"] + (more.isEmpty ? [] : [more]) + ["END:VEVENT"]).joined(separator: "\r\n")
}
