import CivilTime
import Hub
import Lifecycle
import Server
import Store
import Synchronization
import Wire

/// The opening hours: as announced, as planned in the programme, and as recorded.
final class HoursRoutes: Sendable {
  private let hub: Hub
  private let board: Board
  private struct Kept {
    var key = ""
    var response: Response?
  }
  private let kept = Mutex(Kept())
  /// The weeks of the programme that are looked at: those of the statistics, and four ahead.
  private static let allWeeks = SpaceLimits.pictureDays / 7 + 4

  init(hub: Hub, board: Board) {
    self.hub = hub
    self.board = board
  }

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/space/hours", rate: .questions, .task(hours))
  }

  private func hours(_ request: Request) async throws(HTTPError) -> Response {
    let zone = hub.place.zone
    let now = Int(hub.time.now)
    let today = zone.wall(at: now).date
    // The programme's last weeks and a few ahead, since some calendars drop past events.
    let first = today.adding(-SpaceLimits.pictureDays)
    let last = first.adding(Self.allWeeks * 7)
    // There may be too many events for one answer, or no room with events.
    let planned = try await hub.offers[.plannedEvents]?.times(from: first, to: last, for: request)
    let key = key(today, planned?.tag ?? "", now)
    if let response = kept.withLock({ $0.key == key ? $0.response : nil }) { return response }
    let start = zone.start(of: first)
    let changes = try await hub.read { database throws(StoreError) in
      try database.history(from: start, to: now, limit: SpaceLimits.historyEntries)
    }
    // A flickering contact shows no custom.
    let json = Self.json(
      changes.count < SpaceLimits.historyEntries ? changes : [], events: planned?.all() ?? [], from: first, to: today,
      start: start,
      now: now, zone: zone,
      declared: board.settings.openingHours)
    let response = Response(json: json, etag: Response.etag(of: json.bytes), fields: [.anyOrigin])
    kept.withLock { $0 = Kept(key: key, response: response) }
    return response
  }

  /// The statistics are computed again at most every quarter of an hour, unless the sign is turned.
  private func key(_ today: CivilDate, _ events: String, _ now: Int) -> String {
    "\(today.text) \(now / WeekPicture.slotSeconds) \(board.turn.number) \(events) \(hub.place.zone.name) "
      + (board.settings.openingHours ?? "")
  }

  private static func json(
    _ changes: [SpaceAPI.PastEvent], events: [Range<Int>], from: CivilDate, to: CivilDate, start: Int, now: Int,
    zone: Zone, declared: String?
  ) -> JSON {
    var real = WeekPicture()
    for stretch in WeekPicture.stretches(changes, from: start, to: now) { real.add(stretch, zone: zone) }
    let hours = declared.flatMap { OpeningHours($0) }
    let weeks = WeekPicture.weeks(of: events, before: start + allWeeks * WeekPicture.week, most: allWeeks)
    return [
      "from": .string(from.text), "to": .string(to.text), "shares": shares(real.hours),
      "usual": .array(real.customs.map(custom)),
      "declared": [
        "text": JSON(declared), "hours": hours.map { .array($0.spans.map(span)) } ?? .null,
      ],
      "programme": .array(WeekPicture.planned(events, zone: zone, weeks: weeks).map(custom)),
    ]
  }

  private static func shares(_ hours: [[Double?]]) -> JSON {
    .array(hours.map { day in .array(day.map { JSON($0.map { ($0 * 100).rounded() / 100 }) }) })
  }

  private static func custom(_ custom: WeekPicture.Custom) -> JSON {
    [
      "weekday": .int(custom.weekday), "from": .string(clock(custom.from)), "to": .string(clock(custom.to)),
      "share": .double((custom.share * 100).rounded() / 100),
    ]
  }

  private static func span(_ span: OpeningHours.Span) -> JSON {
    [
      "weekday": .int(span.weekday), "from": .string(clock(span.from)), "to": .string(clock(span.to)),
      "open_end": .bool(span.isOpenEnded), "weeks": span.weeks.isEmpty ? .null : .array(span.weeks.map { .int($0) }),
    ]
  }

  /// 18:00, and 24:00 for the end of the day; after that, the time on the next day.
  private static func clock(_ minute: Int) -> String {
    let minute = minute > OpeningHours.minutesPerDay ? minute - OpeningHours.minutesPerDay : minute
    let (hours, minutes) = (minute / 60, minute % 60)
    return (hours < 10 ? "0\(hours):" : "\(hours):") + (minutes < 10 ? "0\(minutes)" : "\(minutes)")
  }
}
