import Calendar
import CivilTime
import Glibc
import Hub
import Lifecycle
import Store

/// Fills an empty data folder with a season of events.
enum ProgrammeDemo {
  /// Renews the calendars of a demonstration for today; adds them to the list where no owner has made one.
  static func fill(_ hub: Hub) async throws {
    let (place, say) = try await hub.store.read { database throws(StoreError) in
      (try database.place(), try DemoClub(database))
    }
    let now = (place?.zone ?? .utc).wall(at: Int(hub.time.now))
    let (today, isLate) = (now.date, now.secondOfDay > 22 * 3_600)
    try write(DemoCalendar.text(today: today, isLate: isLate, say), as: DemoCalendar.fileName, in: hub.dataFolder)
    try write(DemoCalendar.courses(today: today, say), as: DemoCalendar.coursesFileName, in: hub.dataFolder)
    try await hub.store.write { database throws(StoreError) in
      guard try database.keptCalendarSources() == nil else { return }
      let calendars = calendars(say)
      try database.save(calendarSources: calendars)
      _ = try database.keepCalendars(calendars.map(\.address))
      // The last Tuesday before today, for which somebody was wanted who opens.
      let day = today.dayNumber - (today.weekday + 4) % 7 - 1
      let zone = place?.zone ?? .utc
      let start = zone.instant(of: WallTime(seconds: day * secondsPerDay + 18 * 3_600))
      let about = "\(DemoCalendar.openEvening(say)), \(timestamp(start, in: zone))"
      for (what, somebody, hours) in openers {
        try say.tell(what, about: about, by: somebody, at: Double(start - hours * 3_600), in: database)
      }
    }
  }

  /// Who wanted somebody to open, and who did, with the hours before it.
  private static let openers: [(String, DemoClub.Somebody, Int)] = [
    ("opener.wanted", .lena, 49), ("opener.volunteered", .tjark, 47), ("opener.withdrew", .tjark, 9),
    ("opener.volunteered", .jonas, 8),
  ]

  private static func write(_ text: String, as name: String, in folder: String) throws(StoreError) {
    let path = "\(folder)/\(name)"
    let file = fopen(path, "w")
    defer { if let file { fclose(file) } }
    guard let file, fputs(text, file) >= 0, fflush(file) == 0 else {
      throw StoreError(.open, "Cannot write: \(String(cString: strerror(errno)))", context: path)
    }
  }

  private static func calendars(_ say: DemoClub) -> [CalendarSource] {
    [
      .init(
        .ics(url: "file:\(DemoCalendar.fileName)"), name: say("Evenings", german: "Abende"), color: "#c2702a"),
      .init(
        .ics(url: "file:\(DemoCalendar.coursesFileName)"), name: say("Courses", german: "Kurse"), color: "#2f7fb8"),
    ]
  }
}
