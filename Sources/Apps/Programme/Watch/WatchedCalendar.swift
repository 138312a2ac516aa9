import Calendar
import Hub
import Lifecycle
import Wire

/// A calendar of the settings with all that is known of it.
struct WatchedCalendar {
  let settings: CalendarSource
  /// Names it to everyone without giving its address away.
  let id: String
  var kept: KeptCalendar
  var calendar: ParsedCalendar?
  /// Bytes of its copy.
  var byteCount: Int?
  private(set) var schedule = LookSchedule()
  /// When it was last looked at, in seconds since 1970.
  private(set) var lookedAt: Int?
  /// What is wrong, with all that the owner may know; nil if it is well, or was not looked at since the start.
  private(set) var problemInFull: Reason?

  init(_ settings: CalendarSource, _ kept: KeptCalendar) {
    self.settings = settings
    self.kept = kept
    id = CalendarSource.id(of: settings.address)
    byteCount = kept.body?.count
  }

  /// As its owner calls it, else as it calls itself.
  var name: String? { settings.name ?? calendar?.name }

  /// What was known of the same calendar before its settings changed.
  mutating func takeOver(_ before: WatchedCalendar) {
    schedule = before.schedule
    lookedAt = before.lookedAt
    problemInFull = before.problemInFull
  }

  /// Notes how a look has ended.
  mutating func note(_ failure: LookFailure?, at time: any TimeSource, chance: Double) {
    let now = Int(time.now)
    lookedAt = now
    if let failure {
      if kept.problem == nil { kept.problemSince = now }
      schedule.fail(at: time.uptime, retryAfter: failure.retryAfter, chance: chance)
    } else {
      kept.goodAt = now
      kept.problemSince = nil
      schedule.succeed(at: time.uptime, chance: chance)
    }
    kept.problem = failure?.problem
    problemInFull = failure?.full
  }
}

extension CalendarReader {
  /// Reads what this hub may read.
  init(_ hub: Hub) {
    self.init(
      client: hub.client, time: hub.time, googleBase: hub.googleCalendarBase, folders: hub.calendarFolders)
  }
}
