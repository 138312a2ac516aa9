package import CivilTime
package import Hub

/// A season of an imaginary club, with every kind of calendar event.
package struct DemoCalendar {
  /// The first day of the season, some weeks before today.
  private let start: CivilDate
  private let today: CivilDate
  private var tonight: CivilDate
  private let say: DemoClub
  private var lines: [String] = []

  static let fileName = "demo-programme.ics"
  static let coursesFileName = "demo-courses.ics"

  /// - Parameter isLate: today's evening is over, so tomorrow's is tonight.
  /// - Returns: an iCalendar file (RFC 5545) around today.
  package static func text(today: CivilDate, isLate: Bool = false, _ say: DemoClub) -> String {
    var calendar = DemoCalendar(today: today, say)
    if isLate { calendar.tonight = today.adding(1) }
    calendar.write(say("Programme", german: "Programm")) {
      $0.writeRegulars(); $0.writeSpecials()
    }
    return calendar.lines.joined(separator: "\r\n") + "\r\n"
  }

  /// A second calendar, with courses.
  package static func courses(today: CivilDate, _ say: DemoClub) -> String {
    var calendar = DemoCalendar(today: today, say)
    calendar.write(say("Courses", german: "Kurse")) { $0.writeCourses() }
    return calendar.lines.joined(separator: "\r\n") + "\r\n"
  }

  private init(today: CivilDate, _ say: DemoClub) {
    (self.today, tonight, self.say) = (today, today, say)
    start = today.adding(-70)
  }

  private mutating func write(_ name: String, _ events: (inout DemoCalendar) -> Void) {
    lines += ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Eightbells//Demo//EN", "X-WR-CALNAME:\(name)"]
    lines += Self.berlin
    events(&self)
    lines.append("END:VCALENDAR")
  }

  private mutating func writeRegulars() {
    event(
      "open-evening", openEvening, first(2), "180000", "230000", rule: "FREQ=WEEKLY;BYDAY=TU,TH", place: allRooms,
      html: say(
        "<p>The doors are open to everyone. Come and look, bring a project or just a question.</p>"
          + "<ul><li>Drinks are at cost price</li><li>Somebody shows newcomers around at 19:00</li></ul>",
        german: "<p>Die Türen stehen allen offen. Schau vorbei, bring ein Projekt mit oder nur eine Frage.</p>"
          + "<ul><li>Getränke zum Selbstkostenpreis</li><li>Um 19:00 führt jemand die Neuen herum</li></ul>"))
    event(
      "repair", say("Repair café", german: "Repair-Café"), first(7), "140000", "180000",
      rule: "FREQ=MONTHLY;BYDAY=1SU", place: workshop,
      html: say(
        "<p>Bring what is broken: we mend it <em>together</em>. Please write to "
          + "<a href=\"mailto:repair@nordlicht.example\">repair@nordlicht.example</a> if it is larger than a "
          + "suitcase.</p>",
        german: "<p>Bring mit, was kaputt ist: Wir reparieren es <em>zusammen</em>. Schreib bitte an "
          + "<a href=\"mailto:repair@nordlicht.example\">repair@nordlicht.example</a>, wenn es größer ist als ein "
          + "Koffer.</p>"))
    event(
      "swift", say("Swift evening", german: "Swift-Abend"), first(1), "190000", "220000",
      rule: "FREQ=MONTHLY;BYDAY=2MO", place: say("Library", german: "Bibliothek"),
      text: say(
        "Short talks about Swift, on phones, servers and boards.\\nSlides of earlier evenings: ",
        german: "Kurze Vorträge über Swift, auf Telefonen, Servern und Platinen.\\nFolien früherer Abende: ")
        + "https://nordlicht.example/swift")
    event(
      "radio", say("Amateur radio", german: "Amateurfunk"), first(3), "190000", "213000",
      rule: "FREQ=WEEKLY;INTERVAL=2", place: say("Attic", german: "Dachboden"),
      text: say(
        "Listening\\, sending and building aerials. The club's call sign is on the door.",
        german: "Hören\\, senden und Antennen bauen. Das Rufzeichen des Vereins steht an der Tür."))
    event(
      "members", say("Members' meeting", german: "Mitgliedertreffen"), first(5), "193000", "213000",
      rule: "FREQ=MONTHLY;BYDAY=-1FR", place: kitchen,
      text: say(
        "Who does what next month. Guests are welcome to listen.",
        german: "Wer macht was im nächsten Monat. Gäste dürfen gern zuhören."))
  }

  private mutating func writeCourses() {
    event(
      "sewing", say("Sewing and soft circuits", german: "Nähen und weiche Schaltkreise"), first(6), "150000", "190000",
      rule: "FREQ=MONTHLY;BYDAY=3SA", place: workshop,
      text: say(
        "Machines\\, thread and conductive yarn are there.",
        german: "Maschinen\\, Faden und leitfähiges Garn sind da."))
    // A course of eight evenings, one of which is cancelled.
    let course = first(3).adding(56)
    event(
      "electronics", say("Electronics for beginners", german: "Elektronik für Einsteiger"), course, "183000", "203000",
      rule: "FREQ=WEEKLY;COUNT=8",
      extra: ["EXDATE;TZID=Europe/Berlin:\(stamp(course.adding(28)))T183000"],
      place: workshop,
      html: say(
        "<p>From the battery to a blinking badge in seven evenings. Bring nothing; soldering irons are here.</p>"
          + "<p>Registration: ",
        german: "<p>In sieben Abenden von der Batterie zum blinkenden Anstecker. Lötkolben sind da.</p>"
          + "<p>Anmeldung: ")
        + "<a href=\"https://nordlicht.example/electronics\">nordlicht.example/electronics</a></p>")
    let visit = today.adding(12)
    event(
      "harbour", say("A visit to the harbour's radar", german: "Besuch beim Hafenradar"), visit, "150000", "173000",
      extra: ["GEO:53.0963;8.7746"], place: "Am Winterhafen 8\\, 28217 Bremen",
      text: say(
        "Who keeps the ships apart\\, and with what. We meet at the gate; bring an identity card.",
        german: "Wer hält die Schiffe auseinander\\, und womit. Treffpunkt ist das Tor; bring einen Ausweis mit."))
  }

  private mutating func writeSpecials() {
    // The next open evening but one begins later, and the one after it is cancelled.
    let evenings = (0..<28).map { today.adding($0) }.filter { [2, 4].contains($0.weekday) }
    event(
      "open-evening", say("Open evening: board games", german: "Offener Abend: Brettspiele"), evenings[1], "193000",
      "235500", extra: ["RECURRENCE-ID;TZID=Europe/Berlin:\(stamp(evenings[1]))T180000"], place: kitchen,
      text: say(
        "Tonight it begins later and goes on until the last game is won.",
        german: "Heute beginnt es später und geht, bis das letzte Spiel gewonnen ist."))
    event(
      "open-evening", openEvening, evenings[3], "180000", "230000",
      extra: ["RECURRENCE-ID;TZID=Europe/Berlin:\(stamp(evenings[3]))T180000", "STATUS:CANCELLED"], place: allRooms,
      text: say("The floor is being painted.", german: "Der Boden wird gestrichen."))
    event(
      "tonight", say("Lightning talks", german: "Blitzvorträge"), tonight, "200000", "223000",
      place: say("Library", german: "Bibliothek"),
      text: say(
        "Ten minutes each\\, on anything you have made. Put yourself down at https://nordlicht.example/talks.",
        german: "Je zehn Minuten über etwas\\, das du gemacht hast. Trag dich ein: https://nordlicht.example/talks."))
    let feast = DemoClub.feast(before: today)
    event(
      DemoClub.feastUID.replacing("@nordlicht.example", with: ""), say.feastName(on: feast), feast, "160000", "233000",
      place: "Am Winterhafen 8\\, 28217 Bremen",
      text: say(
        "Soup\\, music and a lantern for everybody. Tjark takes you out on the \(DemoClub.boat)\\, six at a time.",
        german: "Suppe\\, Musik und für alle eine Laterne. Tjark fährt mit der \(DemoClub.boat) hinaus\\, "
          + "je sechs Leute."))
    let saturday = today.adding((6 - today.weekday + 7) % 7 + 14)
    let friday = saturday.adding(-1)
    allDay(
      "hackathon", say("Hackathon", german: "Hackathon"), friday, days: 3, place: allRooms,
      html: say(
        "<p>Sixty hours, one theme, much tea. Sleeping places in the attic.</p>"
          + "<ol><li>Friday 18:00 ideas</li><li>Sunday 16:00 demos</li></ol>",
        german: "<p>Sechzig Stunden, ein Thema, viel Tee. Schlafplätze auf dem Dachboden.</p>"
          + "<ol><li>Freitag 18:00 Ideen</li><li>Sonntag 16:00 Vorführungen</li></ol>"))
    let cleanUp = saturday.adding(21)
    allDay(
      "clean-up", say("Clean-up day", german: "Aufräumtag"), cleanUp, days: 1,
      place: say("Everywhere", german: "Überall"),
      text: say("Many hands. There is cake.", german: "Viele Hände. Es gibt Kuchen."))
    let party = saturday.adding(35)
    event(
      "anniversary", say("Fifteen years of Nordlicht", german: "Fünfzehn Jahre Nordlicht"), party, "180000", "020000",
      endsNextDay: true, extra: ["STATUS:TENTATIVE", "URL:https://nordlicht.example/15"],
      place: say("All rooms and the yard", german: "Alle Räume und der Hof"),
      text: say(
        "Tours\\, stories and music. Bring somebody who has never been here.",
        german: "Führungen\\, Geschichten und Musik. Bring jemanden mit\\, der noch nie hier war."))
  }

  static func openEvening(_ say: DemoClub) -> String { say("Open evening", german: "Offener Abend") }
  private var openEvening: String { Self.openEvening(say) }
  private var allRooms: String { say("All rooms", german: "Alle Räume") }
  private var workshop: String { say("Workshop", german: "Werkstatt") }
  private var kitchen: String { say("Kitchen", german: "Küche") }

  // MARK: Lines

  private mutating func event(
    _ uid: String, _ title: String, _ day: CivilDate, _ from: String, _ to: String, endsNextDay: Bool = false,
    rule: String? = nil, extra: [String] = [], place: String, text: String = "", html: String? = nil
  ) {
    let lastDay = endsNextDay ? day.adding(1) : day
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
    let end = day.adding(days)
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
    start.adding((weekday - start.weekday + 7) % 7)
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
