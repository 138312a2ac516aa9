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
    do throws(NoFeed) {
      let feed = try made.get()
      return answer(feed, request, fileName: calendar ?? "calendar", fields: [.anyOrigin])
    } catch {
      throw failure(error, calendar ?? "")
    }
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
    do throws(NoFeed) {
      let feed = try made.get()
      // Not for shared caches, since it is for one person.
      var response = answer(feed, request, fileName: "favourites", fields: [Response.Field("X-Robots-Tag", "noindex")])
      response.cacheControl = "private, no-cache"
      return response
    } catch {
      throw failure(error, "")
    }
  }

  private func failure(_ reason: NoFeed, _ calendar: String) -> HTTPError {
    switch reason {
    case .noSuchCalendar:
      HTTPError(
        .noSuchCalendar, "There is no calendar \"\(calendar)\".",
        help: "GET /api/v1/space/events lists those there are, as \"sources\".")
    case .tooLarge:
      HTTPError(
        .feedTooLarge, "The calendar is larger than \(CalendarLimits.feedBytes >> 20) MB.",
        help: "Subscribe to a single calendar: /space/calendars/ID.ics.")
    }
  }

  private func answer(_ feed: Feed, _ request: Request, fileName: String, fields: [Response.Field]) -> Response {
    var fields = fields
    fields.append(Response.Field("Vary", "Accept-Encoding"))
    fields.append(Response.Field("Content-Disposition", "inline; filename=\"\(fileName).ics\""))
    let type = "text/calendar; charset=utf-8"
    guard request.head.acceptsGzip else {
      return Response(contentType: type, body: .packed(feed.packed), etag: feed.etag, fields: fields)
    }
    fields.append(Response.Field("Content-Encoding", "gzip"))
    return Response(contentType: type, body: .bytes(feed.compressed), etag: feed.etag + "-gzip", fields: fields)
  }
}
