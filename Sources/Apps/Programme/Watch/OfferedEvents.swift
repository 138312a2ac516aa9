import CivilTime
import Hub
import Lifecycle
import Server
import Wire

/// The programme's times, as offered to other rooms.
struct OfferedEvents: PlannedEvents {
  let programme: ProgrammeWatch

  var feedPath: String? { programme.feedPath }

  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes? {
    let found = try await programme.asked(by: request).events(from: from, to: to)
    guard let answer = try? found.get() else { return nil }
    return PlannedTimes(tag: answer.etag) { Self.times(in: answer) }
  }

  private static func times(in answer: ProgrammeWatch.Answer) -> [Range<Int>] {
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
