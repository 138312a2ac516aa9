import Calendar
import Hub
import Realtime
import Store
import Wire

/// The list of calendars in the hub's settings.
struct CalendarsPart: SettingsPart {
  let hub: Hub
  let programme: ProgrammeWatch
  let fields = ["calendars"]

  /// The fields of the place and of the programme, in the order that clients know.
  static let order = ["name", "address", "lat", "lon", "timezone", "calendars"]

  func kept(in database: Database) throws(StoreError) -> [JSON.Member]? { Self.members(try database.calendarSources()) }

  func read(_ check: inout FieldCheck) -> SettingsDraft? {
    let folders = hub.calendarFolders
    let sources = check.calendars("calendars", isAllowed: { CalendarReader.isInside($0, folders) })
    return SettingsDraft(Self.members(sources)) { [hub, programme] change in
      let before = Set(try change.database.calendarSources().map(\.address))
      if sources.contains(where: { !before.contains($0.address) }) { try hub.show(ProgrammeRoom.id, in: change) }
      try change.database.save(calendarSources: sources)
      let kept = try change.database.keepCalendars(sources.map(\.address))
      try programme.watch(sources, kept, in: change)
      change.publish(ProgrammeChannel.programme, on: ProgrammeChannel.channel, [:])
    }
  }

  /// Waits for the programme, so that the next request gets the new one.
  func settled() async { await programme.finished() }

  private static func members(_ sources: [CalendarSource]) -> [JSON.Member] {
    [.init("calendars", .array(sources.map(\.json)))]
  }
}
