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
    router.on(.patch, "\(path)/me", admit: access.admitsAnybody, rate: AlbumLimits.ofOneself, .task(rename))
    router.on(.delete, "\(path)/me", admit: access.admitsAnybody, rate: AlbumLimits.ofOneself, .task(leave))
    router.on(.post, "\(path)/me/cookie", admit: access.admitsAnybody, rate: AlbumLimits.ofOneself, .task(cookie))
    router.on(.get, "\(path)/people", .task(people))
    router.on(.patch, "\(path)/people/{guest}", admit: access.admitsHosts, .task(decide))
  }

  /// For a page that was given a token and has not joined by itself: pictures in it are asked for with the cookie.
  private func cookie(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.anybody(request)
    return .nothing(access.cookie(of: caller, request).map { [$0] } ?? [])
  }

  private func rename(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.anybody(request)
    var check = try FieldCheck(request, known: ["name"])
    let name = check["name"] == .null ? nil : check.line("name", isNeeded: true)
    try check.finish(help: "Example: {\"name\": \"Ada\"}, or null for no name.")
    try await hub.commit(as: caller.principal) { [services] change in
      try AlbumChange.rename(caller, to: name, in: change)
      services.callersChange(losing: false, in: change)
    }
    return Response(json: ["id": .string(caller.guest.address), "name": JSON(name)]).notStored()
  }

  private func leave(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.anybody(request)
    let withdrawing = try request.flag("withdraw") ?? false
    try await hub.commit(as: caller.principal) { [services] change in
      try AlbumChange.leave(caller, withdrawing: withdrawing, in: change)
      services.callersChange(in: change)
    }
    return .nothing()
  }

  /// For hosts; guests see the names beside pictures.
  private func people(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.host(request)
    let (album, number) = (caller.album, hub.commits.number)
    let (guests, kinds) = try await services.hub.read { database throws(StoreError) in
      (try database.guests(of: album.id), try database.kindCounts(of: album.id))
    }
    let rows = guests.map { guest -> JSON in
      let sent = kinds[guest.id]
      return [
        "id": .string(guest.address), "name": JSON(guest.name), "role": .string(guest.role.rawValue),
        "me": .bool(guest.id == caller.guest.id), "state": .string(guest.state.rawValue),
        "joined_at": JSON(instant: guest.joinedAt), "member": .bool(guest.person != nil),
        "pictures": .int((sent?.videos ?? 0) + (sent?.others ?? 0)),
      ]
    }
    return Response(json: ["people": .array(rows)]).notStored().asOf(commit: number)
  }

  private func decide(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.host(request)
    var check = try FieldCheck(request, known: ["name", "state", "role", "pictures"])
    let name = check["name"] == nil ? nil : check.line("name", isNeeded: true)
    let state = check.choice("state", among: [Guest.State.in, .refused, .removed])
    let role = check.choice("role", among: [Guest.Role.guest, .host])
    let removingPictures = check.choice("pictures", among: [Guest.State.removed]) != nil
    if name == nil, state == nil, role == nil, !removingPictures, check.errors.isEmpty {
      check.fail("state", "missing; name, state, role or pictures are needed.")
    }
    try check.finish(help: "Example: {\"state\": \"in\"}, {\"role\": \"host\"} or {\"pictures\": \"removed\"}.")
    let address = request.parameters["guest"] ?? ""
    let guest = try await hub.commit(as: caller.principal) { [services] change in
      services.callersChange(in: change)
      return try AlbumChange.decide(
        caller, on: address, name: name, state: state, role: role, removingPictures: removingPictures, in: change)
    }
    return Response(
      json: [
        "id": .string(guest.address), "name": JSON(guest.name), "state": .string(guest.state.rawValue),
        "role": .string(guest.role.rawValue),
      ]
    ).notStored()
  }
}
