import CivilTime
import Hub
import Lifecycle
import Observe
import Server
import Store
import Wire

/// The routes of the sign: read by everyone, turned by keykeepers and by the contact on the door.
struct SignRoutes: Sendable {
  let hub: Hub
  let board: Board
  let watch: SignWatch

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/space/state", .immediate { _ throws(HTTPError) in state() })
    router.on(.post, "/api/v1/space/state", admit: hub.needs(.turn), .task(turn))
    router.on(.post, "/api/v1/space/state/undo", admit: hub.needs(.turn), .task(undo))
    router.on(.get, "/api/v1/space/switch", .task(contact))
    router.on(.put, "/api/v1/space/switch", admit: hub.needs(.report), .task(hear))
  }

  private func state() -> Response {
    let commit = board.commit
    return Response(json: watch.json(board.turn), fields: [.anyOrigin]).asOf(commit: commit)
  }

  private func turn(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .turn)
    let json = try request.json()
    let turn: SignTurn
    do throws(FieldError) {
      turn = try SignTurn(json, now: Int(hub.time.now), zone: hub.place.zone)
    } catch {
      throw error.refusal(help: "Example: {\"open\": true, \"until\": \"23:00\"}")
    }
    let response = try await hub.commit(once: request, as: principal) { change in
      let outcome = try watch.turn(turn, in: change)
      return Response(json: watch.json(outcome.kept, asOf: change.now)).asOf(commit: change.number)
    }
    hub.log.info("the sign was turned", ["open": "\(turn.open)", "by": principal.name])
    return response
  }

  private func undo(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .turn)
    let json = try request.json()
    guard let members = json.members, members.count == 1, let turn = json["turn"]?.int else {
      throw HTTPError(
        .invalidField, "turn: \(json["turn"]?.text ?? json.kind); the number of a turn is accepted.",
        help: "Example: {\"turn\": 12}, as POST /api/v1/space/state told it.")
    }
    let response = try await hub.commit(once: request, as: principal) { change in
      let outcome = try watch.undo(turn: turn, in: change)
      return Response(json: watch.json(outcome.kept, asOf: change.now)).asOf(commit: change.number)
    }
    hub.log.info("a turn of the sign was taken back", ["turn": "\(turn)", "by": principal.name])
    return response
  }

  // MARK: The contact on the door

  private func hear(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .report)
    let json = try request.json()
    let report = try FieldErrors.refused(
      help: "Example: {\"open\": true, \"heartbeat_s\": 30}", try ContactReport(json))
    let outcome = try await hub.commit(as: principal) { change in try watch.hear(report, in: change) }
    if outcome.isNews {
      hub.log.info("the contact on the door changed", ["open": "\(report.open)", "by": principal.name])
    }
    return Response(json: watch.json(outcome.kept))
  }

  /// The contact's last report, for setting it up.
  private func contact(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .report)
    let found = try await hub.read { database throws(StoreError) in try database.doorContact() }
    guard let contact = found else {
      throw HTTPError(
        .noContact, "No contact on the door has reported yet.",
        help: "It does so with PUT /api/v1/space/switch and {\"open\": true, \"heartbeat_s\": 30}.")
    }
    let now = hub.time.now
    let zone = hub.place.zone
    return Response(json: [
      "open": .bool(contact.open), "heartbeat_s": .double(contact.heartbeat),
      "heard_at": .string(timestamp(Int(contact.heardAt), in: zone)), "silent": .bool(contact.silentAt <= now),
      "silent_at": .string(timestamp(Int(contact.silentAt), in: zone)), "as_of": .string(timestamp(Int(now), in: zone)),
    ])
  }
}
