package import CivilTime

/// A season of an imaginary club, with every kind of calendar event.
package struct DemoCalendar {
  /// The first day of the season, some weeks before today.
  private let start: CivilDate
  private let today: CivilDate
  private var lines: [String] = []

  static let fileName = "demo-programme.ics"
  static let coursesFileName = "demo-courses.ics"

  /// - Returns: an iCalendar file (RFC 5545) around today.
  package static func text(today: CivilDate) -> String {
    var calendar = DemoCalendar(today: today)
    calendar.write("Programme") {
      $0.writeRegulars(); $0.writeSpecials()
    }
    return calendar.lines.joined(separator: "\r\n") + "\r\n"
  }

  /// A second calendar, with courses.
  package static func courses(today: CivilDate) -> String {
    var calendar = DemoCalendar(today: today)
    calendar.write("Courses") { $0.writeCourses() }
    return calendar.lines.joined(separator: "\r\n") + "\r\n"
  }

  private init(today: CivilDate) {
    self.today = today
    start = CivilDate(dayNumber: today.dayNumber - 70)
  }

  private mutating func write(_ name: String, _ events: (inout DemoCalendar) -> Void) {
    lines += ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Eightbells//Demo//EN", "X-WR-CALNAME:\(name)"]
    lines += Self.berlin
    events(&self)
    lines.append("END:VCALENDAR")
  }

  private mutating func writeRegulars() {
    let tuesday = first(2)
    event(
      "open-evening", "Open evening", tuesday, "180000", "230000", rule: "FREQ=WEEKLY;BYDAY=TU,TH",
      place: "All rooms",
      html: "<p>The doors are open to everyone. Come and look, bring a project or just a question.</p>"
        + "<ul><li>Drinks are at cost price</li><li>Somebody shows newcomers around at 19:00</li></ul>")
    event(
      "repair", "Repair café", first(7), "140000", "180000", rule: "FREQ=MONTHLY;BYDAY=1SU", place: "Workshop",
      html: "<p>Bring what is broken: we mend it <em>together</em>. Please write to "
        + "<a href=\"mailto:repair@nordlicht.example\">repair@nordlicht.example</a> if it is larger than a "
        + "suitcase.</p>"
    )
    event(
      "swift", "Swift evening", first(1), "190000", "220000", rule: "FREQ=MONTHLY;BYDAY=2MO", place: "Library",
      text: "Short talks about Swift, on phones, servers and boards.\\nSlides of earlier evenings: "
        + "https://nordlicht.example/swift")
    event(
      "radio", "Amateur radio", first(3), "190000", "213000", rule: "FREQ=WEEKLY;INTERVAL=2", place: "Attic",
      text: "Listening\\, sending and building aerials. The club's call sign is on the door.")
    event(
      "members", "Members' meeting", first(5), "193000", "213000", rule: "FREQ=MONTHLY;BYDAY=-1FR", place: "Kitchen",
      text: "Who does what next month. Guests are welcome to listen.")
  }

  private mutating func writeCourses() {
    event(
      "sewing", "Sewing and soft circuits", first(6), "150000", "190000", rule: "FREQ=MONTHLY;BYDAY=3SA",
      place: "Workshop", text: "Machines\\, thread and conductive yarn are there.")
    // A course of eight evenings, one of which is cancelled.
    let course = CivilDate(dayNumber: first(3).dayNumber + 56)
    event(
      "electronics", "Electronics for beginners", course, "183000", "203000", rule: "FREQ=WEEKLY;COUNT=8",
      extra: ["EXDATE;TZID=Europe/Berlin:\(stamp(CivilDate(dayNumber: course.dayNumber + 28)))T183000"],
      place: "Workshop",
      html: "<p>From the battery to a blinking badge in seven evenings. Bring nothing; soldering irons are here.</p>"
        + "<p>Registration: <a href=\"https://nordlicht.example/electronics\">nordlicht.example/electronics</a></p>")
    let visit = CivilDate(dayNumber: today.dayNumber + 12)
    event(
      "harbour", "A visit to the harbour's radar", visit, "150000", "173000",
      extra: ["GEO:53.0963;8.7746"], place: "Am Winterhafen 8\\, 28217 Bremen",
      text: "Who keeps the ships apart\\, and with what. We meet at the gate; bring an identity card.")
  }

  private mutating func writeSpecials() {
    // The next open evening but one begins later, and the one after it is cancelled.
    let evenings = (0..<28).map { CivilDate(dayNumber: today.dayNumber + $0) }.filter { [2, 4].contains($0.weekday) }
    event(
      "open-evening", "Open evening: board games", evenings[1], "193000", "235500",
      extra: ["RECURRENCE-ID;TZID=Europe/Berlin:\(stamp(evenings[1]))T180000"], place: "Kitchen",
      text: "Tonight it begins later and goes on until the last game is won.")
    event(
      "open-evening", "Open evening", evenings[3], "180000", "230000",
      extra: ["RECURRENCE-ID;TZID=Europe/Berlin:\(stamp(evenings[3]))T180000", "STATUS:CANCELLED"],
      place: "All rooms", text: "The floor is being painted.")
    event(
      "tonight", "Lightning talks", today, "200000", "223000", place: "Library",
      text: "Ten minutes each\\, on anything you have made. Put yourself down at https://nordlicht.example/talks.")
    let saturday = CivilDate(dayNumber: today.dayNumber + (6 - today.weekday + 7) % 7 + 14)
    let friday = CivilDate(dayNumber: saturday.dayNumber - 1)
    allDay(
      "hackathon", "Winter hackathon", friday, days: 3, place: "All rooms",
      html: "<p>Sixty hours, one theme, much tea. Sleeping places in the attic.</p>"
        + "<ol><li>Friday 18:00 ideas</li><li>Sunday 16:00 demos</li></ol>")
    let cleanUp = CivilDate(dayNumber: saturday.dayNumber + 21)
    allDay(
      "clean-up", "Clean-up day", cleanUp, days: 1, place: "Everywhere", text: "Many hands. There is cake.")
    let party = CivilDate(dayNumber: saturday.dayNumber + 35)
    event(
      "anniversary", "Anniversary: fifteen years of Nordlicht", party, "180000", "020000", endsNextDay: true,
      extra: ["STATUS:TENTATIVE", "URL:https://nordlicht.example/15"], place: "All rooms and the yard",
      text: "Tours\\, stories and music. Bring somebody who has never been here.")
  }

  // MARK: Lines

  private mutating func event(
    _ uid: String, _ title: String, _ day: CivilDate, _ from: String, _ to: String, endsNextDay: Bool = false,
    rule: String? = nil, extra: [String] = [], place: String, text: String = "", html: String? = nil
  ) {
    let lastDay = endsNextDay ? CivilDate(dayNumber: day.dayNumber + 1) : day
    write(
      uid, title,
      [
        "DTSTART;TZID=Europe/Berlin:\(stamp(day))T\(from)", "DTEND;TZID=Europe/Berlin:\(stamp(lastDay))T\(to)",
      ] + (rule.map { ["RRULE:\($0)"] } ?? []) + extra, place, text, html)
  }

  private mutating func allDay(
    _ uid: String, _ title: String, _ day: CivilDate, days: Int, place: String, text: String = "",
    html: String? = nil
  ) {
    let end = CivilDate(dayNumber: day.dayNumber + days)
    write(uid, title, ["DTSTART;VALUE=DATE:\(stamp(day))", "DTEND;VALUE=DATE:\(stamp(end))"], place, text, html)
  }

  private mutating func write(
    _ uid: String, _ title: String, _ times: [String], _ place: String, _ text: String, _ html: String?
  ) {
    lines += ["BEGIN:VEVENT", "UID:\(uid)@nordlicht.example", "DTSTAMP:\(stamp(start))T120000Z", "SUMMARY:\(title)"]
    lines += times
    lines.append("LOCATION:\(place)")
    // Google writes HTML into DESCRIPTION without marking it.
    let description = html.map { $0.replacing(",", with: "\\,").replacing(";", with: "\\;") } ?? text
    lines += Self.folded("DESCRIPTION:\(description)")
    lines.append("END:VEVENT")
  }

  /// The first such weekday of the season: 1 Monday … 7 Sunday.
  private func first(_ weekday: Int) -> CivilDate {
    CivilDate(dayNumber: start.dayNumber + (weekday - start.weekday + 7) % 7)
  }

  private func stamp(_ date: CivilDate) -> String { date.text.replacing("-", with: "") }

  /// RFC 5545 section 3.1. The demo's text is ASCII except for a few letters, so 60 characters are below 75 octets.
  private static func folded(_ line: String) -> [String] {
    var rest = Substring(line)
    var lines: [String] = []
    while !rest.isEmpty {
      lines.append((lines.isEmpty ? "" : " ") + rest.prefix(60))
      rest = rest.dropFirst(60)
    }
    return lines
  }

  private static let berlin = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:DAYLIGHT", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
    "TZNAME:CEST", "DTSTART:19700329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT",
    "BEGIN:STANDARD", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "TZNAME:CET", "DTSTART:19701025T030000",
    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
  ]
}
