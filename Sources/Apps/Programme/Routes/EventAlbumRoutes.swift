import Calendar
import Hub
import Lifecycle
import Server
import Store
import Wire

/// The album of an event, which another room keeps: who sees the event finds the way to everybody's pictures of it.
struct EventAlbumRoutes: Sendable {
  let hub: Hub
  let programme: ProgrammeWatch
  let alerts: ProgrammeAlerts

  private static let path = "/api/v1/space/events/{id}/album"

  func add(to router: inout Router) {
    router.on(.get, Self.path, rate: .questions, .task(tell))
    router.on(.put, Self.path, admit: hub.needsPerson(), .task(make))
    router.on(.delete, Self.path, admit: hub.needsPerson(), .task(release))
  }

  private func tell(_ request: Request) async throws(HTTPError) -> Response {
    let id = request.parameters["id"] ?? ""
    guard isOccurrenceID(id) else { throw HTTPError.noSuchEvent(id) }
    return try await answer(id, request, await hub.visitor(request))
  }

  private func answer(_ id: String, _ request: Request, _ visitor: Principal?) async throws(HTTPError) -> Response {
    let (now, number, address) = (hub.time.now, hub.commits.number, hub.address(request))
    guard let albums = hub.offers[.eventAlbums] else {
      return Response(json: ["album": .null, "may_make": false]).notStored().asOf(commit: number)
    }
    let person = visitor?.person
    let found = try await hub.read { database throws(StoreError) in
      try albums.album(of: id, series: Self.series(of: id), for: person, now: now, in: database)
    }
    // The link of an album for which hosts say yes is not for everybody who comes by.
    let album = found.flatMap { $0.isOpen || person != nil ? $0 : nil }
    return Response(
      json: [
        "album": album?.json(on: address) ?? .null,
        "may_make": .bool(found == nil && visitor.map(albums.mayMake) ?? false),
      ]
    ).notStored().asOf(commit: number)
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, _) = try await hub.person(request)
    let albums = try offered()
    try albums.demandMaker(principal)
    var check = try FieldCheck(request, known: ["mode", "every_time"])
    let mode = check.choice("mode", among: [Mode.family, .open])
    let everyTime = check.has("every_time") ? check.flag("every_time") ?? false : false
    try check.finish(help: "Example: {\"mode\": \"open\", \"every_time\": false}")
    let event = try await programme.asked(by: request, principal).event(id: request.parameters["id"] ?? "")
    guard event.status != .cancelled, max(event.end, event.start + 1) > Int(hub.time.now) else {
      throw HTTPError(
        .eventIsOver, "\"\(event.title)\" is over or does not take place.",
        help: "An album is opened before an event ends. Make one on the page of albums instead.")
    }
    let planned = KnownEvent(event).planned
    try await hub.commit(as: principal) { [alerts] change in
      try albums.make(for: planned, isOpen: mode == .open, everyTime: everyTime, in: change)
      change.publish(ProgrammeChannel.album, on: ProgrammeChannel.channel, ["event": .string(planned.id)])
      // The next times of a recurring event may be near.
      alerts.wake(in: change)
    }
    return try await answer(event.id, request, principal)
  }

  private enum Mode: String {
    case family
    case open
  }

  private func release(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, _) = try await hub.person(request)
    let albums = try offered()
    let id = request.parameters["id"] ?? ""
    guard isOccurrenceID(id) else { throw HTTPError.noSuchEvent(id) }
    // The event itself may be gone.
    let planned = PlannedEvent(id: id, title: "", start: 0, end: 0, series: Self.series(of: id))
    try await hub.commit(as: principal) { change in
      try albums.release(planned, in: change)
      change.publish(ProgrammeChannel.album, on: ProgrammeChannel.channel, ["event": .string(id)])
    }
    return try await answer(id, request, principal)
  }

  private func offered() throws(HTTPError) -> any EventAlbums {
    guard let albums = hub.offers[.eventAlbums] else {
      throw HTTPError(
        .noEventAlbums, "This hub keeps no albums.", help: "Its owner can switch the room \"albums\" on (rooms).")
    }
    return albums
  }

  private static func series(of id: String) -> String? {
    KnownEvent(id: id, calendar: "", title: "", start: 0, end: 0).planned.series
  }
}

extension EventAlbum {
  fileprivate func json(on hub: String) -> JSON {
    [
      "name": .string(name), "mode": .string(isOpen ? "open" : "family"),
      "state": .string(isClosed ? "closed" : "open"), "join_url": .string(hub + path),
      "wall_url": .string(hub + wallPath), "card_url": .string(hub + cardPath),
      "host_url": JSON(hostPath.map { hub + $0 }),
      "closes_at": JSON(instant: closesAt), "every_time": .bool(isForEveryTime),
    ]
  }
}
