import Hub
import Lifecycle
import Realtime
import Server
import Store
import Wire

/// The routes of sensors, with the age of each value.
struct SensorRoutes: Sendable {
  let hub: Hub
  let board: Board

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/space/sensors", .immediate { _ throws(HTTPError) in sensors() })
    let path = "/api/v1/space/sensors/{kind}/{name}"
    router.on(.put, path, admit: hub.needs(.report), .task(report))
    router.on(.delete, path, admit: hub.needs(.report), .task(remove))
  }

  private func sensors() -> Response {
    let now = hub.time.now
    let commit = board.commit
    let zone = hub.place.zone
    let list = board.sensors.map { $0.json(zone: zone, now: now) }
    return Response(json: ["sensors": .array(list)], fields: [.anyOrigin]).asOf(commit: commit)
  }

  private func report(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .report)
    let (kind, name) = try place(request)
    let json = try request.json()
    let report = try FieldErrors.refused(
      help: "The fields of each kind are described at /api/openapi.yaml.", try SensorReport(json, kind: kind))
    let sensor = try await hub.commit(as: principal) { change in
      let (database, now) = (change.database, change.now)
      let all = try database.sensors()
      let before = all.first { $0.kind == kind.name && $0.name == name }
      guard before != nil || all.count < SpaceLimits.sensors else { throw Self.tooMany }
      let isSame = before?.fields == report.fields
      let sensor = Sensor(
        kind: kind.name, name: name, fields: report.fields, changedAt: isSame ? before?.changedAt ?? now : now,
        reportedAt: now, heartbeat: report.heartbeat)
      try database.save(sensor: sensor, token: principal.token)
      if before == nil { try hub.show(SpaceRoom.id, in: change) }
      try show(in: change, sensor.json(zone: hub.place.zone, now: now))
      return sensor
    }
    return Response(json: sensor.json(zone: hub.place.zone, now: hub.time.now))
  }

  private static let tooMany = HTTPError(
    .tooManySensors, "There are \(SpaceLimits.sensors) sensors already.",
    help: "DELETE /api/v1/space/sensors/KIND/NAME removes one.")

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .report)
    let (kind, name) = try place(request)
    try await hub.commit(as: principal) { change in
      try change.database.removeSensor(kind: kind.name, name: name)
      try show(in: change, ["kind": .string(kind.name), "name": .string(name), "gone": true])
    }
    return .nothing()
  }

  private func show(in change: Change, _ news: JSON) throws(StoreError) {
    let (board, sensors, number) = (board, try change.database.sensors(), change.number)
    change.database.touch(.sensors)
    change.then { board.set(sensors, commit: number) }
    change.publish(SpaceChannel.sensor, on: SpaceChannel.channel, news)
  }

  private func place(_ request: Request) throws(HTTPError) -> (SensorKind, String) {
    let text = request.parameters["kind"] ?? ""
    let name = request.parameters["name"] ?? ""
    guard let kind = SensorKind.named(text) else {
      throw HTTPError(
        .noSuchSensorKind, "There is no kind of sensor \"\(text)\".",
        help: "Accepted: \(SensorKind.all.map(\.name).joined(separator: ", ")).")
    }
    guard FieldCheck.fits(name, SpaceLimits.name),
      name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
    else {
      throw HTTPError(
        .invalidField, "name: \(name.count) characters; 1 to \(SpaceLimits.name) that can be shown are accepted.",
        help: "Example: PUT /api/v1/space/sensors/temperature/kitchen")
    }
    return (kind, name)
  }
}
