import Calendar
public import Hub
import Store
import Wire

extension ProgrammeRoom {
  /// Checks each calendar in the settings by fetching it once.
  public func examine() async -> [Finding] {
    let calendars = programme.calendars
    if calendars.isEmpty { return [.ok("calendars", "none are set")] }
    return await withTaskGroup(of: (Int, Finding).self) { group in
      for (index, calendar) in calendars.enumerated() {
        group.addTask { (index, await self.examine(calendar, subject: "calendar \(index + 1)")) }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func examine(_ calendar: CalendarSource, subject: String) async -> Finding {
    let kept = await kept(calendar)
    let label = kept.label
    switch await CalendarReader(hub).read(calendar, kept) {
    case .unchanged: return .ok(subject, label)
    case .failed(let failure):
      return .problem(
        subject, "\(label): \(failure.full.text)",
        remedy: "Look whether the address still works elsewhere, then change it on the page, under Settings, "
          + "Programme; until then the last good copy stays. Its number is its place there.")
    case .new(let body, _, _):
      let isFile = calendar.address.lowercased().hasPrefix("file:")
      let path = isFile ? CalendarReader.path(of: calendar.address, dataFolder: hub.dataFolder) ?? "" : ""
      do throws(CalendarError) {
        let calendar = try parseCalendar(body, of: calendar, zone: hub.place.zone)
        let text =
          "\(label): \(DiskCheck.size(body.count)), \(calendar.series.count) "
          + (calendar.series.count == 1 ? "event" : "events")
        if calendar.warnings.isEmpty { return .ok(subject, text + hub.wordsOfHome(path)) }
        return .warning(
          subject, "\(text), and \(calendar.warnings.count) that could not be used in full",
          remedy: "The first: \(calendar.warnings[0])")
      } catch {
        return .problem(
          subject, "\(label): \(error.description)",
          remedy: "Ask whoever looks after it for the address of the .ics file.")
      }
    }
  }

  /// An empty state, so that everything is fetched; the stored one of an uploaded file, which exists nowhere else.
  private func kept(_ calendar: CalendarSource) async -> KeptCalendar {
    let nothing = KeptCalendar(url: calendar.address)
    guard case .upload = calendar.origin else { return nothing }
    let all = try? await hub.store.read { database throws(StoreError) in try database.keptCalendars() }
    return all?.first { $0.url == calendar.address } ?? nothing
  }
}
