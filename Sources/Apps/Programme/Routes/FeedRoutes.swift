import Calendar
import Hub
import Server
import Store
import Wire

/// Calendar feeds for other programs (`webcal:`).
struct FeedRoutes: Sendable {
  let hub: Hub
  let programme: ProgrammeWatch

  func add(to router: inout Router) {
    router.on(
      .get, "/space/calendar.ics", rate: .questions,
      .task { request throws(HTTPError) in try await whole(request, nil) })
    router.on(
      .get, "/space/calendars/{calendar}.ics", rate: .questions,
      .task { request throws(HTTPError) in try await whole(request, request.parameters["calendar"] ?? "") })
    router.on(.get, "/space/favourites/{secret}.ics", rate: .questions, .task(favourites))
  }

  /// The feed of the whole programme, or of one calendar.
  private func whole(_ request: Request, _ calendar: String?) async throws(HTTPError) -> Response {
    guard let place = hub.place.current else { throw hub.settings.notSetUp }
    let path = calendar.map { "/space/calendars/\($0).ics" } ?? "/space/calendar.ics"
    let made = try await programme.asked(by: request).feed(
      of: calendar, name: place.name, color: hub.appearance.color, source: hub.publicURL.map { $0 + path })
    let feed = try ready(made, calendar ?? "")
    return answer(feed, request, fileName: calendar ?? "calendar", fields: [.anyOrigin])
  }

  private func favourites(_ request: Request) async throws(HTTPError) -> Response {
    let secret = request.parameters["secret"] ?? ""
    let found = try await hub.read { database throws(StoreError) in try database.favourites(secret: secret) }
    guard let (person, favourites) = found else {
      throw HTTPError(
        .noSuchCalendar, "There is no such calendar, or not any more.",
        help: "Its owner makes a new address: POST /api/v1/space/favourites/subscription.")
    }
    let name = hub.place.current.map { "\($0.name): \(person)" } ?? person
    let made = try await programme.asked(by: request).feed(
      ofEvents: favourites.map(\.event), name: name, color: hub.appearance.color)
    let feed = try ready(made, "")
    // Not for shared caches, since it is for one person.
    var response = answer(feed, request, fileName: "favourites", fields: [Response.Field("X-Robots-Tag", "noindex")])
    response.cacheControl = "private, no-cache"
    return response
  }

  private func ready(_ made: Result<PackedAnswer, NoFeed>, _ calendar: String) throws(HTTPError) -> PackedAnswer {
    switch made {
    case .success(let feed): return feed
    case .failure(.noSuchCalendar):
      throw HTTPError(
        .noSuchCalendar, "There is no calendar \"\(calendar)\".",
        help: "GET /api/v1/space/events lists those there are, as \"sources\".")
    case .failure(.tooLarge):
      throw HTTPError(
        .feedTooLarge, "The calendar is larger than \(CalendarLimits.feedBytes >> 20) MB.",
        help: "Subscribe to a single calendar: /space/calendars/ID.ics.")
    }
  }

  private func answer(
    _ feed: PackedAnswer, _ request: Request, fileName: String, fields: [Response.Field]
  ) -> Response {
    let disposition = Response.Field("Content-Disposition", "inline; filename=\"\(fileName).ics\"")
    return feed.response(to: request, type: "text/calendar; charset=utf-8", fields: fields + [disposition])
  }
}
