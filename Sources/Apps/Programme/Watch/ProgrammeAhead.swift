import Calendar
import CivilTime

/// Coming events, for the programme's rings.
extension ProgrammeWatch {
  struct SeenCalendar: Sendable {
    var id: String
    var name: String?
    /// False as long as it was never read.
    var isRead: Bool
  }

  /// The calendars in the owner's list, and the events of [from, to) that they have.
  func lookAhead(from: Int, to: Int) -> (calendars: [SeenCalendar], events: [KnownEvent]) {
    let calendars = sources.map { SeenCalendar(id: $0.id, name: $0.name, isRead: $0.calendar != nil) }
    let found = expandFairly(
      sources.map { ($0.id, $0.calendar) }, from: from, to: to, occurrences: ProgrammeLimits.alertEvents,
      bytes: ProgrammeLimits.answerBytes, bytesOfEach: ProgrammeLimits.eventBytes)
    return (calendars, (found ?? []).flatMap { $0.occurrences.map { KnownEvent($0) } })
  }

  /// Events within a week of those that are gone, of the same series or title: they may be these, under identifiers
  /// that are new (see `EventPairing`).
  func alike(_ gone: [KnownEvent]) -> [KnownEvent] {
    guard let first = gone.map(\.start).min(), let last = gone.map(\.start).max() else { return [] }
    let week = 7 * secondsPerDay
    return lookAhead(from: first - week, to: last + week).events.filter { event in
      gone.contains {
        $0.calendar == event.calendar && ($0.series == event.series || $0.title == event.title)
          && abs($0.start - event.start) <= week
      }
    }
  }
}
