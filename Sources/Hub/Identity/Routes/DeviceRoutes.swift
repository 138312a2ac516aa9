import Lifecycle
import Server
import Store
import Wire

/// The routes of a person's devices.
struct DeviceRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/devices", .task(mine))
    router.on(.get, "/api/v1/people/{id}/devices", .task(theirs))
    router.on(.patch, "/api/v1/devices/{id}", admit: hub.needsPerson(), .task(rename))
    router.on(.delete, "/api/v1/devices/{id}", admit: hub.needs(.keep), .task(remove))
  }

  private func mine(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    return try await list(person, current: principal.device)
  }

  private func theirs(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    return try await list(request.id ?? 0, current: principal.device)
  }

  private func list(_ person: Int, current: Int?) async throws(HTTPError) -> Response {
    let now = hub.time.now
    let rooms = hub.roomList
    let devices = try await hub.read { database throws(StoreError) -> [(Device, MadeOnDevice, [String])]? in
      guard try database.person(person) != nil else { return nil }
      return try database.devices(of: person).map { device throws(StoreError) in
        (device, try database.made(on: device.id, now: now), try rooms.belongings(on: device.id, database))
      }
    }
    guard let devices else { throw .noSuchPerson(person) }
    return Response(
      json: .array(
        devices.map { device, made, shown in
          [
            "id": JSON(id: device.id), "name": .string(device.name), "created_at": JSON(instant: device.createdAt),
            // The stored time of this device may be some minutes old.
            "last_seen": JSON(instant: device.id == current ? now : device.lastSeen),
            "current": .bool(device.id == current), "made": made.json(shown),
          ]
        })
    ).notStored()
  }

  private func rename(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var body = try FieldCheck(request, known: ["name"])
    let name = body.line("name", isNeeded: true) ?? ""
    try body.finish(help: "Example: {\"name\": \"Ada's phone\"}")
    let id = request.id ?? 0
    try await hub.commit(as: principal) { change in
      guard let device = try change.database.device(id), device.person == person else {
        throw HTTPError.noSuchDevice(id)
      }
      try change.database.change(device: id, name: name)
      for room in hub.rooms { try room.deviceRenamed(id, to: name, in: change) }
      try change.audit("device.renamed", about: "\(device.name) → \(name)")
      change.tell(person: person)
    }
    return .nothing()
  }

  /// Signs a device out: one's own, or as an owner anybody's. It may be lost: passkeys, tokens and links made on it,
  /// with which a thief could come back, end with it, unless the request says that they stay.
  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keep)
    let made = request.query["made"] ?? "revoke"
    guard ["revoke", "keep"].contains(made) else {
      throw HTTPError(
        .invalidQuery, "made: \"\(made.prefix(40))\"; revoke or keep is accepted.",
        help: "What was made on the device is revoked with it, if nothing is said.")
    }
    let id = request.id ?? 0
    let rooms = hub.roomList
    try await hub.commit(as: principal) { change in
      let database = change.database
      guard let device = try database.device(id), principal.may(.manage) || device.person == principal.person else {
        throw HTTPError.noSuchDevice(id)
      }
      if made == "revoke" {
        try change.revokeMade(on: id)
        try rooms.endBelongings(on: id, in: change)
      }
      try change.removeDevice(id)
      try database.removeLinksForThemselves(of: device.person)
      let whose = device.person == principal.person ? nil : try database.person(device.person)?.name
      try change.audit("device.removed", about: whose.map { "\($0): \(device.name)" } ?? device.name)
      change.rightsChanged()
      change.tell(person: device.person)
    }
    return .nothing(id == principal.device ? [SessionCookie.clear(isSecure: request.isSecure)] : [])
  }
}

extension MadeOnDevice {
  fileprivate func json(_ shown: [String]) -> JSON {
    let names = { (all: [Named]) in JSON.array(all.map { JSON($0.name) }) }
    return [
      "passkeys": names(passkeys), "tokens": names(tokens), "devices": names(devices),
      "links": .array(links.map { ["name": JSON($0.name), "role": JSON($0.role?.rawValue)] }),
      "addresses": .array(shown.map { .string($0) }),
    ]
  }
}

extension HTTPError {
  fileprivate static func noSuchDevice(_ id: Int) -> HTTPError {
    HTTPError(.noSuchDevice, "You have no device \(id).", help: "GET /api/v1/devices lists yours.")
  }
}
