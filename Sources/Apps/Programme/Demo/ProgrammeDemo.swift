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
    let today = (place?.zone ?? .utc).wall(at: Int(hub.time.now)).date
    try write(DemoCalendar.text(today: today, say), as: DemoCalendar.fileName, in: hub.dataFolder)
    try write(DemoCalendar.courses(today: today, say), as: DemoCalendar.coursesFileName, in: hub.dataFolder)
    try await hub.store.write { database throws(StoreError) in
      guard try database.keptCalendarSources() == nil else { return }
      let calendars = calendars(say)
      try database.save(calendarSources: calendars)
      _ = try database.keepCalendars(calendars.map(\.address))
    }
  }

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
