public import Hub
import Lifecycle

extension SpaceRoom {
  /// Each calendar of the settings, fetched once.
  public func examine() async -> [Finding] {
    guard let settings = board.settings else {
      return [
        .warning(
          "space", "it has no settings yet",
          mend: "Its owner sends them: README.md, \"First steps with your own space\", step 3.")
      ]
    }
    let urls = settings.calendars.map(\.url)
    if urls.isEmpty { return [.ok("calendars", "none are set")] }
    return await withTaskGroup(of: (Int, Finding).self) { group in
      for (index, url) in urls.enumerated() {
        group.addTask { (index, await self.examine(url, subject: "calendar \(index + 1)")) }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func examine(_ url: String, subject: String) async -> Finding {
    let reader = CalendarReader(client: hub.client, folders: [hub.dataFolder] + hub.readableFolders)
    let kept = KeptCalendar(url: url)
    let label = kept.label
    switch await reader.read(kept) {
    case .unchanged: return .ok(subject, label)
    case .failed(let reason, let details):
      return .problem(
        subject, "\(label): \(details.isEmpty ? reason : details)",
        mend: "Look whether the address still works elsewhere, then change it in the settings (README.md, step 5); "
          + "until then the last good copy stays. Its number is its place there.")
    case .new(let body, _, _):
      do throws(CalendarError) {
        let calendar = try parseCalendar(body, zone: board.zone)
        let text =
          "\(label): \(DiskCheck.size(body.count)), \(calendar.series.count) "
          + (calendar.series.count == 1 ? "event" : "events")
        if calendar.warnings.isEmpty { return .ok(subject, text) }
        return .warning(
          subject, "\(text), and \(calendar.warnings.count) that could not be used in full",
          mend: "The first: \(calendar.warnings[0])")
      } catch {
        return .problem(
          subject, "\(label): \(error.description)",
          mend: "Ask whoever looks after it for the address of the .ics file.")
      }
    }
  }
}
