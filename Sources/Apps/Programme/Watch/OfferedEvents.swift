import CivilTime
import Hub
import Realtime
import Server
import Store
import Wire

/// The programme's times, as offered to other rooms.
struct OfferedEvents: PlannedEvents {
  let programme: ProgrammeWatch

  var feedPath: String? { programme.feedPath }

  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes? {
    guard let answer = try await programme.asked(by: request).events(from: from, to: to) else { return nil }
    return PlannedTimes(tag: answer.body.etag) { Self.times(in: answer.body) }
  }

  func takesPlace(_ event: PlannedEvent, in database: Database) throws(StoreError) -> Bool {
    try database.beginning(from: event.start, to: event.start + 1)
      .contains { $0.id == event.id || $0.title == event.title }
  }

  func openers(of event: String, in database: Database) throws(StoreError) -> [Int] {
    try database.openers(of: event)
  }

  func nextOpening(after now: Int, in database: Database) throws(StoreError) -> Int? {
    try database.nextOpening(after: now)
  }

  func putDown(opener person: Int, of event: PlannedEvent, in change: Change) throws -> Bool {
    let database = change.database
    guard try Right.openFor.roles.contains(where: { try database.personIDs(of: $0).contains(person) }) else {
      return false
    }
    let now = Int(change.now)
    guard try database.save(opens: true, event: event.id, person: person, ends: event.end, now: now) else {
      return true
    }
    let about = Opening.about(event.title, event.start, in: programme.hub.place.zone)
    try change.audit("opener.volunteered", about: about, by: try database.actor(person: person))
    try change.tellOpeners(of: [event.id])
    return true
  }

  func albumChanged(of event: String, in change: Change) {
    change.publish(ProgrammeChannel.album, on: ProgrammeChannel.channel, ["event": .string(event)])
  }

  private static func times(in answer: PackedAnswer) -> [Range<Int>] {
    let events = (try? JSON(parsing: answer.plain, values: .max))?["events"]?.array ?? []
    return events.compactMap { event in
      guard event["all_day"]?.bool == false, event["status"]?.string != "cancelled",
        let from = event["start"]?.string.flatMap(parseTimestamp),
        let to = event["end"]?.string.flatMap(parseTimestamp), from < to
      else { return nil }
      return from..<to
    }
  }
}
