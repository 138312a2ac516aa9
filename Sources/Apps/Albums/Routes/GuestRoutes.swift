import Hub
import Server
import Store
import Wire

/// Oneself in an album, and for hosts everybody.
struct GuestRoutes: Sendable {
  private let services: AlbumServices
  private var hub: Hub { services.hub }
  private var access: AlbumAccess { services.access }

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    let path = "\(AlbumRoutes.path)/{id}"
    router.on(
      .patch, "\(path)/me", admit: access.admitsAnybody,
      .task { request throws(HTTPError) in try await rename(request) })
    router.on(
      .delete, "\(path)/me", admit: access.admitsAnybody,
      .task { request throws(HTTPError) in try await leave(request) })
    router.on(.get, "\(path)/people", .task { request throws(HTTPError) in try await people(request) })
    router.on(
      .patch, "\(path)/people/{guest}", admit: access.admitsHosts,
      .task { request throws(HTTPError) in try await decide(request) })
  }

  private func rename(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.anybody(request)
    var check = try FieldCheck(request, known: ["name"])
    let name = check["name"] == .null ? nil : check.line("name", isNeeded: true)
    try check.finish(help: "Example: {\"name\": \"Ada\"}, or null for no name.")
    try await hub.commit(as: caller.principal) { [services] change in
      try AlbumChange.rename(caller, to: name, in: change)
      services.callersChange(in: change)
    }
    return Response(json: ["id": .string(caller.guest.address), "name": JSON(name)]).notStored()
  }

  private func leave(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.anybody(request)
    try await hub.commit(as: caller.principal) { [services] change in
      try AlbumChange.leave(caller, in: change)
      services.callersChange(in: change)
    }
    return .nothing()
  }

  /// Hosts see everybody; guests those with pictures and the hosts, by whom they find pictures.
  private func people(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.caller(request)
    let (isHost, album, number) = (caller.isHost, caller.album, hub.commits.number)
    guard isHost || !album.options.uploadOnly else { throw HTTPError.hostsOnly }
    let guests = try await services.read { database throws(StoreError) in try database.guests(of: album.id) }
    let rows = guests.filter { isHost || $0.state == .in || $0.pictures > 0 }.map { guest -> JSON in
      var members: [JSON.Member] = [
        .init("id", .string(guest.address)), .init("name", JSON(guest.name)),
        .init("role", .string(guest.role.rawValue)), .init("me", .bool(guest.id == caller.guest.id)),
      ]
      if isHost {
        members += [
          .init("state", .string(guest.state.rawValue)), .init("joined_at", JSON(instant: guest.joinedAt)),
          .init("member", .bool(guest.person != nil)), .init("pictures", .int(guest.pictures)),
        ]
      }
      return .object(members)
    }
    return Response(json: ["people": .array(rows)]).notStored().asOf(commit: number)
  }

  private func decide(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.host(request)
    var check = try FieldCheck(request, known: ["state", "role"])
    let state = check.choice("state", among: [Guest.State.in, .refused, .removed])
    let role = check.choice("role", among: [Guest.Role.guest, .host])
    try check.finish(help: "Example: {\"state\": \"in\"}, or {\"role\": \"host\"}.")
    let address = request.parameters["guest"] ?? ""
    let guest = try await hub.commit(as: caller.principal) { [services] change in
      services.callersChange(in: change)
      return try AlbumChange.decide(caller, on: address, state: state, role: role, in: change)
    }
    return Response(
      json: [
        "id": .string(guest.address), "name": JSON(guest.name), "state": .string(guest.state.rawValue),
        "role": .string(guest.role.rawValue),
      ]
    ).notStored()
  }
}
