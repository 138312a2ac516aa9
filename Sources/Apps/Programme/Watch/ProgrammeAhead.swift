import Calendar
import CivilTime
import Lifecycle

/// Coming events, for the programme's rings.
extension ProgrammeWatch {
  struct SeenCalendar: Sendable {
    var id: String
    var name: String?
    /// False as long as it was never read.
    var isRead: Bool
  }

  /// The calendars in the owner's list, and the events of [from, to) that they have.
  func lookAhead(from: Int, to: Int) async -> (calendars: [SeenCalendar], events: [KnownEvent]) {
    // By whole hours: what people mark, and what begins, changes nothing of what the calendars say.
    let hour = 3600
    let hours = from / hour * hour..<(to / hour + 1) * hour
    // Whoever waits for an answer comes first, as at a start, when a large programme has just been read.
    if ahead?.hours != hours { await Task.yield() }
    let calendars = sources.map { SeenCalendar(id: $0.id, name: $0.name, isRead: $0.calendar != nil) }
    if ahead?.hours != hours {
      ahead = (hours, coming(in: hours))
      // Working out a large programme leaves many times the size of what comes of it as free memory.
      releaseFreeMemory()
    }
    let events = ahead?.events.filter { $0.start < to && ($0.end > from || $0.start >= from) }
    return (calendars, events ?? [])
  }

  private func coming(in times: Range<Int>) -> [KnownEvent] {
    let found = expandFairly(
      sources.map { ($0.id, $0.calendar) }, from: times.lowerBound, to: times.upperBound,
      occurrences: ProgrammeLimits.alertEvents, bytes: ProgrammeLimits.answerBytes,
      bytesOfEach: ProgrammeLimits.eventBytes)
    return (found ?? []).flatMap { $0.occurrences.map { KnownEvent($0) } }
  }

  /// Events within a week of those that are gone, of the same series or title: they may be these, under identifiers
  /// that are new (see `EventPairing`).
  func alike(_ gone: [KnownEvent]) -> [KnownEvent] {
    guard let first = gone.map(\.start).min(), let last = gone.map(\.start).max() else { return [] }
    let week = 7 * secondsPerDay
    return coming(in: first - week..<last + week).filter { event in
      gone.contains {
        $0.calendar == event.calendar && ($0.series == event.series || $0.title == event.title)
          && abs($0.start - event.start) <= week
      }
    }
  }
}
