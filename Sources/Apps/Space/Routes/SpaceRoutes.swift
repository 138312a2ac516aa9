import CivilTime
import Hub
import Lifecycle
import Realtime
import Server
import Store
import Wire

/// The room's HTTP API.
struct SpaceRoutes: Sendable {
  let hub: Hub
  let board: Board

  func add(to router: inout Router) {
    // All rooms are open by now, so this is not looked up for each request.
    let planned = hub.offers[.plannedEvents]
    router.on(
      .get, "/spaceapi.json",
      .immediate { request throws(HTTPError) in
        try ready(board.spaceAPI(to: request, of: hub, feed: planned?.feedPath))
      })
    // The owner's form was a page of this room; links to it, also to a part of it, still lead there.
    router.on(.get, "/space/settings", .immediate { _ in .moved(to: "/settings/space") })
    router.on(.get, "/api/v1/space", .immediate { _ throws(HTTPError) in try ready(board.space) })
    router.on(.get, "/api/v1/space/history", rate: .questions, .task(history))
  }

  private var today: CivilDate { hub.place.zone.wall(at: Int(hub.time.now)).date }

  private func ready(_ response: Response?) throws(HTTPError) -> Response {
    guard let response else { throw hub.settings.notSetUp }
    return response
  }

  // MARK: History

  /// The history of the sign: every change between open and closed.
  private func history(_ request: Request) async throws(HTTPError) -> Response {
    let (from, to) = try request.days(usual: -SpaceLimits.usualDays, today: today)
    let zone = hub.place.zone
    let start = zone.start(of: from)
    let end = zone.start(of: to)
    let events = try await hub.read { database throws(StoreError) in
      try database.history(from: start, to: end, limit: SpaceLimits.historyEntries + 1)
    }
    guard events.count <= SpaceLimits.historyEntries else {
      throw HTTPError(
        .invalidQuery, "The history has more than \(SpaceLimits.historyEntries) changes in these days.",
        help: "Ask for fewer days.")
    }
    // Strangers do not learn people's habits over months.
    let isKnown = await hub.visitor(request)?.may(.listen) ?? false
    let changes = events.map { event -> JSON in
      let by = isKnown ? event.by : nil
      return ["open": JSON(event.open), "at": .string(timestamp(event.at, in: zone)), "by": JSON(by)]
    }
    let varies = Response.Field("Vary", "Cookie, Authorization")
    return Response(json: ["changes": .array(changes)], fields: isKnown ? [varies] : [.anyOrigin, varies])
  }
}
