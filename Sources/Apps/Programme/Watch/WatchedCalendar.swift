import Calendar
import Hub
import Lifecycle
import Wire

/// A calendar in the settings with its state.
struct WatchedCalendar {
  let settings: CalendarSource
  /// The public identifier, which does not reveal the address.
  let id: String
  var kept: KeptCalendar
  var calendar: ParsedCalendar?
  /// Bytes of its copy.
  var byteCount: Int?
  private(set) var schedule = LookSchedule()
  /// The time of the last look, in seconds since 1970.
  private(set) var lookedAt: Int?
  /// The number of the last look that has ended: see `ProgrammeWatch.looks`; 0 before the first.
  var lastLook = 0
  /// The problem with all details for the owner; nil if there is none, or it was not read since the start.
  private(set) var problemInFull: Reason?

  init(_ settings: CalendarSource, _ kept: KeptCalendar) {
    self.settings = settings
    self.kept = kept
    id = CalendarSource.id(of: settings.address)
    byteCount = kept.body?.count
  }

  /// The owner's name for it, else its own.
  var name: String? { settings.name ?? calendar?.name }

  /// Takes over the state of the same calendar before its settings changed.
  mutating func takeOver(_ before: WatchedCalendar) {
    schedule = before.schedule
    lookedAt = before.lookedAt
    lastLook = before.lastLook
    problemInFull = before.problemInFull
  }

  /// Has the next look fetch and store everything: the store holds an older copy, to which neither "unchanged" nor the
  /// changes since this one apply.
  mutating func copyWasNotStored() {
    kept.digest = nil
    kept.etag = nil
    kept.lastModified = nil
  }

  /// Records the result of a look.
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

extension Reason.Kind {
  static let calendarEmptied = Self(
    "calendar-emptied", "it came without any event; the earlier ones stay until another look finds none either")
}

extension CalendarReader {
  /// A reader with this hub's permitted folders and networks.
  init(_ hub: Hub) {
    self.init(
      client: hub.client, time: hub.time, googleBase: hub.googleCalendarBase, folders: hub.calendarFolders,
      listed: hub.reachable)
  }
}
