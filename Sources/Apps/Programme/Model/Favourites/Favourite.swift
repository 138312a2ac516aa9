import Calendar
import CivilTime
package import Wire

/// An event that a person wants to keep in sight, or does not want to any more.
package struct Favourite: Equatable, Sendable {
  /// The event's identifier: see `Occurrence.id`.
  package var event: String
  /// False for one that was removed: a mark that stays, so that other devices hear of it.
  package var kept: Bool
  /// When the person did it, in milliseconds since 1970.
  package var at: Int
  /// What the person saw of the event then.
  package var seen: EventGlance?

  package init(event: String, kept: Bool, at: Int, seen: EventGlance? = nil) {
    self.event = event
    self.kept = kept
    self.at = at
    self.seen = seen
  }

  /// Whether this counts and the other does not, of two for one event: what was done later; at the same moment, what
  /// keeps it. The rest of the order only sees to it that all devices come to the same end.
  package func wins(over other: Favourite) -> Bool {
    if at != other.at { return at > other.at }
    if kept != other.kept { return kept }
    return (seen?.json.text ?? "") > (other.seen?.json.text ?? "")
  }

  /// When nobody needs to hear any more that it was removed: a year after the event, or after the removal where nobody
  /// knows when the event was. In seconds since 1970.
  func forgottenAt(ends: Int?) -> Int { (ends ?? seen?.ends ?? at / 1000) + ProgrammeLimits.tombstoneSeconds }
}

/// What a page shows of an event in a list, as `GET /api/v1/space/events` told it.
package struct EventGlance: Equatable, Sendable {
  package var title: String
  /// RFC 3339.
  package var start: String
  package var end: String
  package var location: String?
  package var status: String

  package init(title: String, start: String, end: String, location: String?, status: String) {
    self.title = title
    self.start = start
    self.end = end
    self.location = location
    self.status = status
  }

  init(_ occurrence: Occurrence, zone: Zone) {
    title = occurrence.title
    start = timestamp(occurrence.start, in: zone)
    end = timestamp(occurrence.end, in: zone)
    location = occurrence.location
    status = occurrence.status.rawValue
  }

  package var json: JSON {
    [
      "title": .string(title), "start": .string(start), "end": .string(end), "location": JSON(location),
      "status": .string(status),
    ]
  }

  /// Seconds since 1970.
  var ends: Int? { parseTimestamp(end) }

  /// The names of the fields in which another glance at the same event differs.
  package func changes(to now: EventGlance) -> [String] {
    var names: [String] = []
    if title != now.title { names.append("title") }
    // The same instant may be told with another offset.
    if parseTimestamp(start) != parseTimestamp(now.start) { names.append("start") }
    if parseTimestamp(end) != parseTimestamp(now.end) { names.append("end") }
    if location != now.location { names.append("location") }
    if status != now.status { names.append("status") }
    return names
  }
}

/// The favourites of two lists: for each event the one that wins. The order of lists does not matter, nor how often one
/// is merged. By event.
package func merged(_ one: [Favourite], _ other: [Favourite]) -> [Favourite] {
  var winners: [String: Favourite] = [:]
  for favourite in one + other {
    if let known = winners[favourite.event], !favourite.wins(over: known) { continue }
    winners[favourite.event] = favourite
  }
  return winners.values.sorted { $0.event < $1.event }
}
