import Calendar
import CivilTime
import Hub
import Observe
import Server
import Store
import Wire

/// The owner's routes for calendars: their state, a look at once, and uploaded files.
struct CalendarRoutes: Sendable {
  let hub: Hub
  let programme: ProgrammeWatch

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/space/calendars", .task(overview))
    router.on(.post, "/api/v1/space/calendars/refresh", admit: hub.needs(.manage), .task(refresh))
    router.on(
      .put, "/api/v1/space/calendars/{id}", bodyLimit: CalendarLimits.bytes, admit: hub.needs(.manage),
      .streaming(save))
    router.on(.delete, "/api/v1/space/calendars/{id}", admit: hub.needs(.manage), .task(remove))
  }

  private func overview(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .manage)
    let files = try await hub.read { database throws(StoreError) in try database.uploadedFiles() }
    return Response(json: [
      "calendars": await programme.overview(), "uploads": .array(files.map { json($0) }),
    ])
  }

  private func json(_ file: UploadedFile) -> JSON {
    let isUsed = programme.calendars.contains { $0.origin == .upload(id: file.id) }
    return [
      "id": .string(file.id), "size": .int(file.size),
      "uploaded_at": .string(timestamp(file.uploadedAt, in: hub.place.zone)), "used": .bool(isUsed),
    ]
  }

  private func refresh(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    var body = try FieldCheck(request, known: ["calendar"], nullIsNothing: true, mayBeEmpty: true)
    let calendar = body.line("calendar")
    try body.finish(help: "A calendar's identifier is accepted; without it, all are looked at.")
    let (count, overview) = await programme.lookNow(calendar)
    if let calendar, count == 0 { throw Self.noSuchCalendar(calendar) }
    if hub.nameAmongHubs != nil {
      try await hub.commit(as: principal) { change in try change.pass(.looks, JSON(calendar)) }
    }
    hub.log.info("calendars are looked at because somebody asks", ["count": "\(count)", "by": principal.name])
    return Response(status: 202, json: ["calendars": overview])
  }

  // MARK: Files

  private func save(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let id = try uploadID(request)
    var bytes: [UInt8] = []
    while let piece = try await body.next() { bytes += piece }
    let found: (events: Int, problems: [Reason])
    do throws(CalendarError) {
      found = try await programme.check(bytes)
    } catch {
      throw HTTPError(
        .unsupportedCalendar, error.description, help: "What was kept before stays.", reason: error.reason)
    }
    let content = bytes
    let file = try await hub.commit(as: principal) { change in
      let others = try change.database.uploadedFiles().filter { $0.id != id }
      guard others.count < ProgrammeLimits.uploads else { throw Self.tooMany }
      let file = UploadedFile(id: id, size: content.count, uploadedAt: Int(change.now))
      try change.database.save(upload: file, body: content)
      try change.audit("calendar.uploaded", about: id)
      try hub.show(ProgrammeRoom.id, in: change)
      take(id, content, in: change)
      return file
    }
    hub.log.info("a calendar's file was saved", ["id": id, "by": principal.name])
    let warnings = found.problems.map { JSON.string($0.text) }
    return Response(json: json(file).with(["events": .int(found.events), "warnings": .array(warnings)]))
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let id = try uploadID(request)
    try await hub.commit(as: principal) { change in
      guard try change.database.uploadedFiles().contains(where: { $0.id == id }) else { throw Self.noSuchCalendar(id) }
      try change.database.remove(upload: id)
      try change.audit("calendar.removed", about: id)
      take(id, nil, in: change)
    }
    hub.log.info("a calendar's file was removed", ["id": id, "by": principal.name])
    return .nothing()
  }

  private func take(_ id: String, _ content: [UInt8]?, in change: Change) {
    let (programme, number) = (programme, change.number)
    change.database.touch(.calendars)
    change.then { programme.enqueue { $0.take(upload: id, content, commit: number) } }
    change.publish(ProgrammeChannel.programme, on: ProgrammeChannel.channel, [:])
  }

  /// The identifier names a row, not a file on the disk.
  private func uploadID(_ request: Request) throws(HTTPError) -> String {
    let id = request.parameters["id"] ?? ""
    guard ProgrammeLimits.isUploadID(id) else { throw Self.noSuchCalendar(id) }
    return id
  }

  private static let tooMany = HTTPError(
    .tooManyCalendarFiles, "There are \(ProgrammeLimits.uploads) files of calendars here already.",
    help: "DELETE /api/v1/space/calendars/ID removes one that is not used any more.")

  private static func noSuchCalendar(_ id: String) -> HTTPError {
    HTTPError(
      .noSuchCalendar, "There is no calendar \"\(id)\".",
      help: "Files of calendars have names of \(ProgrammeLimits.uploadIDs); GET /api/v1/space/calendars lists all.")
  }
}
