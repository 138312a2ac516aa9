import Calendar
import CivilTime
package import Wire

/// An event that a person has marked, or has unmarked again.
package struct Favourite: Equatable, Sendable {
  /// The event's identifier: see `Occurrence.id`.
  package var event: String
  /// False for a removed favourite, which is kept so that other devices learn of the removal.
  package var kept: Bool
  /// The time of the person's action, in milliseconds since 1970.
  package var at: Int
  /// The event as the person saw it then.
  package var seen: EventGlance?

  package init(event: String, kept: Bool, at: Int, seen: EventGlance? = nil) {
    self.event = event
    self.kept = kept
    self.at = at
    self.seen = seen
  }

  /// True if this takes precedence over another record of the same event: the later one, and at the same time the one
  /// that keeps it. The rest of the order only makes all devices decide alike.
  package func wins(over other: Favourite) -> Bool {
    if at != other.at { return at > other.at }
    if kept != other.kept { return kept }
    return (seen?.json.text ?? "") > (other.seen?.json.text ?? "")
  }

  /// The time until which a removal must be remembered: a year after the event, or after the removal if the event's
  /// time is unknown. In seconds since 1970.
  func forgottenAt(ends: Int?) -> Int { (ends ?? seen?.ends ?? at / 1000) + ProgrammeLimits.tombstoneSeconds }
}

/// The properties of an event that a list shows, as in `GET /api/v1/space/events`.
package struct EventGlance: Equatable, Sendable {
  package var title: String
  /// RFC 3339.
  package var start: String
  package var end: String
  package var location: String?
  package var status: String
  /// Nil as versions up to 1.0.5 remembered an event.
  package var isAllDay: Bool?

  package init(
    title: String, start: String, end: String, location: String?, status: String, isAllDay: Bool? = nil
  ) {
    self.title = title
    self.start = start
    self.end = end
    self.location = location
    self.status = status
    self.isAllDay = isAllDay
  }

  init(_ occurrence: Occurrence, zone: Zone) {
    title = occurrence.title
    start = timestamp(occurrence.start, in: zone)
    end = timestamp(occurrence.end, in: zone)
    location = occurrence.location
    status = occurrence.status.rawValue
    isAllDay = occurrence.allDay
  }

  package var json: JSON {
    .object(
      [
        .init("title", .string(title)), .init("start", .string(start)), .init("end", .string(end)),
        .init("location", JSON(location)), .init("status", .string(status)),
      ] + (isAllDay.map { [.init("all_day", .bool($0))] } ?? []))
  }

  /// Seconds since 1970.
  var ends: Int? { parseTimestamp(end) }

  /// The names of the fields that differ in a later state of the same event.
  package func changes(to now: EventGlance) -> [String] {
    var names: [String] = []
    if title != now.title { names.append("title") }
    // The same instant may be written with another offset.
    if parseTimestamp(start) != parseTimestamp(now.start) { names.append("start") }
    if parseTimestamp(end) != parseTimestamp(now.end) { names.append("end") }
    if location != now.location { names.append("location") }
    if status != now.status { names.append("status") }
    if let isAllDay, isAllDay != now.isAllDay { names.append("all_day") }
    return names
  }
}

/// Merges two lists: of each event the record that takes precedence. The order of merging does not matter, nor
/// repetitions. Sorted by event.
package func merged(_ one: [Favourite], _ other: [Favourite]) -> [Favourite] {
  var winners: [String: Favourite] = [:]
  for favourite in one + other {
    if let known = winners[favourite.event], !favourite.wins(over: known) { continue }
    winners[favourite.event] = favourite
  }
  return winners.values.sorted { $0.event < $1.event }
}
