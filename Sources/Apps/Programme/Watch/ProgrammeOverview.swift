import Calendar
import CivilTime
import Hub
import Lifecycle
import Realtime
import Wire

/// The owner's view of the calendars, and actions on them.
extension ProgrammeWatch {
  /// The state of every calendar in the settings.
  func overview() -> JSON {
    let (now, uptime) = (hub.time.now, hub.time.uptime)
    return .array(sources.map { $0.overview(zone: zone, now: now, uptime: uptime, isLooking: isLooking(at: $0)) })
  }

  /// Looks at a calendar now, or at all of them, whatever the schedule.
  /// - Returns: the number of looks, and the state of all calendars before.
  func lookNow(_ id: String?) -> (count: Int, overview: JSON) {
    let urls = sources.filter { id == nil || $0.id == id }.map(\.kept.url)
    look(at: urls)
    return (urls.count, overview())
  }

  /// The contents of a file, before it is accepted.
  func check(_ body: [UInt8]) throws(CalendarError) -> (events: Int, problems: [Reason]) {
    let calendar = try parseCalendar(body, zone: zone)
    return (calendar.series.count, calendar.problems)
  }

  /// Takes a saved upload, or its removal (nil).
  func take(upload id: String, _ body: [UInt8]?, commit: Int) {
    let url = CalendarSource.uploadPrefix + id
    guard let index = sources.firstIndex(where: { $0.kept.url == url }) else { return }
    replace(at: index, with: body, commit: commit)
  }
}

extension WatchedCalendar {
  fileprivate func overview(zone: Zone, now: Double, uptime: Double, isLooking: Bool) -> JSON {
    let state = kept.problem != nil ? "failing" : kept.goodAt == nil ? "new" : "good"
    // The schedule uses uptime.
    let next = lookedAt == nil ? nil : Int(now + max(0, schedule.due - uptime))
    let problem = problemInFull ?? kept.problem
    let problems = calendar?.problems ?? []
    let members: [JSON.Member] = [
      .init("calendar", .string(id)), .init("kind", .string(settings.kind)), .init("name", JSON(name)),
      .init("color", JSON(settings.color)), settings.place,
      .init("state", .string(state)), .init("looking", .bool(isLooking)),
      .init("as_of", JSON(instant: kept.goodAt, in: zone)), .init("looked_at", JSON(instant: lookedAt, in: zone)),
      .init("next_look", JSON(instant: next, in: zone)), .init("failures", .int(schedule.failures)),
      .init("problem", JSON(problem?.text)), .init("reason", problem?.json ?? .null),
      .init("since", JSON(instant: kept.problemSince, in: zone)),
      .init("events", JSON(calendar?.series.count)), .init("bytes", JSON(byteCount)),
      .init("warnings", .array(problems.map { .string($0.text) })),
      .init("warning_reasons", .array(problems.map(\.json))),
    ]
    return .object(members)
  }
}
