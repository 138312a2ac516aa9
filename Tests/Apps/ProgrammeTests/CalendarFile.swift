import World

/// Writes a calendar with these events.
func write(_ events: [String], _ folder: TemporaryFolder, to name: String = "a.ics") throws {
  let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"] + events + ["END:VCALENDAR", ""]
  try folder.write(Array(lines.joined(separator: "\r\n").utf8), to: name)
}

/// An event of two hours as a calendar has it.
/// - Parameter start: such as "20261121T190000Z".
func event(_ uid: String, _ start: String, _ more: String = "") -> String {
  let lines = ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART:\(start)", "DURATION:PT2H"]
  return (lines + ["SUMMARY:\(uid)"] + (more.isEmpty ? [] : [more]) + ["END:VEVENT"]).joined(separator: "\r\n")
}
