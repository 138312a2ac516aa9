import Calendar
import CivilTime
import Hub
import Lifecycle
import Server
import Wire

/// The routes of the programme and of single events.
struct EventRoutes: Sendable {
  let hub: Hub
  let programme: ProgrammeWatch

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/space/events", rate: .questions, .task(events))
    router.on(.get, "/api/v1/space/events/{id}.ics", rate: .questions, .task(ics))
    // After the file, whose path it would take for an identifier.
    router.on(.get, "/api/v1/space/events/{id}", rate: .questions, .task(event))
    WebShell.addPage("/programme/{id}", showing: "/programme", of: hub, to: &router) { request in
      await preview(request)
    }
  }

  private var now: Int { Int(hub.time.now) }
  private var today: CivilDate { hub.place.zone.wall(at: now).date }

  private func events(_ request: Request) async throws(HTTPError) -> Response {
    let (from, to) = try request.days(usual: ProgrammeLimits.usualDays, today: today)
    guard let answer = try await programme.asked(by: request).events(from: from, to: to) else {
      throw HTTPError(
        .invalidQuery, "From \(from.text) to \(to.text) there are more events than one answer takes.",
        help: "At most \(ProgrammeLimits.events) events, or \(ProgrammeLimits.answerBytes >> 20) MB of them; "
          + "ask for fewer days.")
    }
    return answer.body.response(to: request, type: "application/json", fields: [.anyOrigin])
      .asOf(commit: answer.commit)
  }

  private func event(_ request: Request) async throws(HTTPError) -> Response {
    let event = try await programme.asked(by: request).event(id: request.parameters["id"] ?? "")
    return Response(json: EventsAnswer.event(event, zone: hub.place.zone), fields: [.anyOrigin])
  }

  private func ics(_ request: Request) async throws(HTTPError) -> Response {
    let event = try await programme.asked(by: request).event(id: request.parameters["id"] ?? "")
    let text = icsText(of: event, now: now, at: house, page: "\(hub.address(request))/programme/\(event.id)")
    return Response(
      contentType: "text/calendar; charset=utf-8", body: .bytes(Array(text.utf8)),
      fields: [.anyOrigin, Response.Field("Content-Disposition", "attachment; filename=\"\(event.id).ics\"")])
  }

  private var house: EventHouse? {
    hub.place.current.map { place in
      EventHouse(
        name: place.name, address: place.address,
        place: place.coordinates.flatMap { .init(latitude: $0.latitude, longitude: $0.longitude) })
    }
  }

  /// The preview of an event's own address. Where too many ask for the programme just now, the page comes without one.
  private func preview(_ request: Request) async -> PagePreview? {
    guard let event = try? await programme.asked(by: request).event(id: request.parameters["id"] ?? "") else {
      return nil
    }
    let wall = hub.place.zone.wall(at: event.start)
    let time = event.allDay ? "" : " " + timeOfDay(wall.secondOfDay)
    let facts = [wall.date.text + time, event.location, hub.place.current?.address]
    return PagePreview(
      title: event.title, description: facts.compactMap { $0 }.joined(separator: ", "),
      site: hub.place.current?.name ?? "Eightbells")
  }
}
