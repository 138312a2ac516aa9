import CivilTime
import Hub

/// A planned event and its album: what the event says as long as the album's hosts have not said otherwise.
struct EventLink: Equatable, Sendable {
  /// Seconds after its event for which an album takes pictures: phones send what is left on the next day.
  static let lateSeconds = 86_400.0

  var event: String
  /// Nil where the album was deleted or taken off: another is not made by itself.
  var album: Int?
  /// The album's name after the event.
  var name: String
  /// Seconds since 1970.
  var starts: Int
  var ends: Int
  /// When the event was found not to take place, which has closed the album.
  var offAt: Double?

  /// When an album closes by itself.
  static func end(of event: Int) -> Double { Double(event) + lateSeconds }

  static func of(_ event: PlannedEvent, album: Int?, zone: Zone) -> EventLink {
    EventLink(
      event: event.id, album: album, name: name(of: event, zone: zone), starts: event.start, ends: event.end)
  }

  /// The event's title; of a recurring event with the day, since each time has an album.
  static func name(of event: PlannedEvent, zone: Zone) -> String {
    let day = zone.wall(at: event.start).date.text
    let words = event.title.unicodeScalars.filter { !$0.properties.isWhitespace || $0 == " " }
    guard let title = FieldCheck.line(String(String(words).prefix(80))) else { return day }
    return event.series == nil ? title : "\(title) \(day)"
  }

  /// The event takes place as it is told here, perhaps at another time, or after all.
  mutating func follow(_ event: PlannedEvent, _ album: inout Album, zone: Zone, now: Double) {
    let next = EventLink.of(event, album: self.album, zone: zone)
    if album.name == name { album.name = next.name }
    let (before, after) = (Self.end(of: ends), Self.end(of: next.ends))
    if before != after, album.options.closesAt == before {
      album.options.closesAt = after
      // It was over, and was put off.
      if album.closedAt == before, after > now { album.closedAt = nil }
    }
    if let offAt, album.closedAt == offAt { album.closedAt = nil }
    self = next
  }

  /// The event does not take place. What has begun is not cancelled any more: it may only have left its calendar.
  mutating func fallOut(_ album: inout Album, now: Double) {
    guard offAt == nil, Double(starts) > now else { return }
    offAt = now
    album.closedAt = album.closedAt ?? now
  }
}
