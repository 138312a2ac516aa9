import Calendar
import CivilTime
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Wire

/// The room's HTTP API.
struct SpaceRoutes: Sendable {
  let hub: Hub
  let board: Board
  let programme: Programme

  func add(to router: inout Router) {
    let (board, time) = (board, hub.time)
    router.on(
      .get, "/spaceapi.json",
      .immediate { request throws(HTTPError) in
        try Self.ready(board.spaceAPI(origin: hub.address(request), now: time.now))
      })
    router.on(.get, "/api/v1/space", .immediate { _ throws(HTTPError) in try Self.ready(board.space) })
    router.on(.get, "/api/v1/space/history", .task { request throws(HTTPError) in try await history(request) })
    router.on(.get, "/api/v1/space/settings", .task { request throws(HTTPError) in try await settings(request) })
    router.on(
      .put, "/api/v1/space/settings",
      admit: { request throws(HTTPError) in _ = try await hub.authorise(request, .manage) },
      .task { request throws(HTTPError) in try await saveSettings(request) })
    router.on(.get, "/api/v1/space/events", .task { request throws(HTTPError) in try await events(request) })
    router.on(.get, "/api/v1/space/events/{id}.ics", .task { request throws(HTTPError) in try await ics(request) })
    WebShell.addPage("/programme/{id}", showing: "/programme", of: hub, to: &router) { request in await preview(request)
    }
  }

  private var now: Int { Int(hub.time.now) }
  private var today: CivilDate { board.zone.wall(at: now).date }

  private static func ready(_ response: Response?) throws(HTTPError) -> Response {
    guard let response else {
      throw HTTPError(
        .notSetUp, "The space has no settings yet.",
        help: "The owner sends them: PUT /api/v1/space/settings.")
    }
    return response
  }

  // MARK: History

  /// When the space was open: every change between open and closed.
  private func history(_ request: Request) async throws(HTTPError) -> Response {
    let (from, to) = try request.days(usual: -SpaceLimits.usualDays, today: today)
    let zone = board.zone
    let start = zone.instant(of: WallTime(date: from, secondOfDay: 0))
    let end = zone.instant(of: WallTime(date: to, secondOfDay: 0))
    let events = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) in
        try database.history(from: start, to: end, limit: SpaceLimits.historyEntries + 1)
      }
    }
    guard events.count <= SpaceLimits.historyEntries else {
      throw HTTPError(
        .invalidQuery, "The history has more than \(SpaceLimits.historyEntries) changes in these days.",
        help: "Ask for fewer days.")
    }
    // When somebody comes and goes over months is nothing for strangers.
    let isKnown = await hub.visitor(request) != nil
    let changes = events.map { event -> JSON in
      let by = isKnown ? event.by : nil
      return ["open": JSON(event.open), "at": .string(timestamp(event.at, in: zone)), "by": JSON(by)]
    }
    let varies = Response.Field("Vary", "Cookie, Authorization")
    return Response(json: ["changes": .array(changes)], fields: isKnown ? [varies] : [.anyOrigin, varies])
  }

  // MARK: Settings

  private func settings(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .manage)
    guard let settings = board.settings else { return try Self.ready(nil) }
    return Response(json: settings.json, etag: Self.tag(of: settings))
  }

  /// Two who save at once do not undo each other's changes unseen: the second names the version that it began with.
  private static func tag(of settings: SpaceSettings?) -> String? {
    settings.map { Response.etag(of: $0.json.bytes) }
  }

  /// - Throws: 412 for whoever began with another version than the one that is kept.
  private static func refuse(_ request: Request, whereChangedSince database: Database, now: Double) throws {
    guard request.isConditional else { return }
    let kept = try database.spaceSettings().flatMap { try? SpaceSettings(checking: $0, isZone: { _ in true }) }
    try request.demand(unchanged: tag(of: kept), "the settings", now: now)
  }

  private func saveSettings(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let json = try request.json()
    let settings: SpaceSettings
    let zone: Zone
    do throws(FieldErrors) {
      settings = try SpaceSettings(
        checking: json, isZone: { (try? systemZone($0)) != nil },
        isAllowed: { CalendarReader.isInside($0, hub.calendarFolders) })
    } catch {
      throw error.refusal(help: "The fields are described at /api/openapi.yaml.")
    }
    do throws(SystemZoneError) {
      zone = try systemZone(settings.timezone)
    } catch {
      throw HTTPError(.invalidField, "timezone: \(error.description)", help: "Give an IANA name.")
    }
    try await hub.commit(as: principal) { change in
      try Self.refuse(request, whereChangedSince: change.database, now: change.now)
      let before = Set(board.settings?.calendars.map(\.address) ?? [])
      if settings.calendars.contains(where: { !before.contains($0.address) }) {
        try hub.show("programme", in: change)
      }
      try change.database.save(settings: settings.json)
      try change.audit("settings.changed")
      let kept = try change.database.keepCalendars(settings.calendars.map(\.address))
      let (board, programme, number) = (board, programme, change.number)
      change.then {
        board.set(settings, zone: zone, commit: number)
        programme.enqueue { $0.configure(settings, zone: zone, kept: kept, commit: number) }
      }
      change.publish(SpaceChannel.settings, on: SpaceChannel.name, [:])
      change.publish(SpaceChannel.programme, on: SpaceChannel.name, [:])
    }
    // Behind the work that was just given to it: whoever asks next gets the new programme.
    await programme.finished()
    return Response(json: settings.json, etag: Self.tag(of: settings))
  }

  // MARK: The programme

  private func events(_ request: Request) async throws(HTTPError) -> Response {
    let (from, to) = try request.days(usual: SpaceLimits.usualDays, today: today)
    let found = try await programme.asked(by: request).events(from: from, to: to)
    let answer: Programme.Answer
    do throws(Programme.TooMuch) {
      answer = try found.get()
    } catch {
      throw HTTPError(
        .invalidQuery, "From \(from.text) to \(to.text) there are more events than one answer takes.",
        help:
          "At most \(SpaceLimits.events) events, or \(SpaceLimits.answerBytes >> 20) MB of them; ask for fewer days.")
    }
    var fields = [Response.Field.anyOrigin, Response.Field("Vary", "Accept-Encoding")]
    guard request.head.acceptsGzip else {
      return Response(
        contentType: "application/json", body: .packed(answer.packed), etag: answer.etag, fields: fields
      ).asOf(commit: answer.commit)
    }
    fields.append(Response.Field("Content-Encoding", "gzip"))
    return Response(
      contentType: "application/json", body: .bytes(answer.compressed), etag: answer.etag + "-gzip", fields: fields
    ).asOf(commit: answer.commit)
  }

  private func ics(_ request: Request) async throws(HTTPError) -> Response {
    let id = request.parameters["id"] ?? ""
    guard let event = try await programme.asked(by: request).event(id: id) else {
      throw HTTPError(
        .noSuchEvent, "There is no event \"\(id)\".", help: "GET /api/v1/space/events lists those there are.")
    }
    let text = icsText(of: event, now: now)
    return Response(
      contentType: "text/calendar; charset=utf-8", body: .bytes(Array(text.utf8)),
      fields: [.anyOrigin, Response.Field("Content-Disposition", "attachment; filename=\"\(event.id).ics\"")])
  }

  /// What an event's own address says of it.
  private func preview(_ request: Request) async -> PagePreview? {
    guard let event = await programme.event(id: request.parameters["id"] ?? "") else { return nil }
    let wall = board.zone.wall(at: event.start)
    let (hour, minute) = (wall.secondOfDay / 3600, wall.secondOfDay / 60 % 60)
    let time = event.allDay ? "" : " \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    let facts = [wall.date.text + time, event.location, board.settings?.address]
    return PagePreview(
      title: event.title, description: facts.compactMap { $0 }.joined(separator: ", "),
      site: board.settings?.name ?? "Eightbells")
  }
}
