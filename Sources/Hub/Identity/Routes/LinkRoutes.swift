import Lifecycle
import Server
import Store
import Wire

/// The routes of one-time links: for another device of one's own, for somebody new, and for somebody without a device.
struct LinkRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/links", .task(list))
    router.on(.post, "/api/v1/links", admit: hub.needs(.keep), .task(make))
    router.on(.delete, "/api/v1/links/{id}", admit: hub.needs(.keep), .task(remove))
  }

  /// The open links: an owner sees all, others their own.
  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keep)
    let (maker, now) = (principal.may(.manage) ? nil : principal.person ?? 0, hub.time.now)
    let links = try await hub.read { database throws(StoreError) in try database.openLinks(of: maker, now: now) }
    return Response(
      json: .array(
        links.map { link, maker in
          .object(
            [.init("id", JSON(id: link.id))] + (link.json.members ?? [])
              + [.init("created_at", JSON(instant: link.createdAt)), .init("made_by", JSON(maker))])
        })
    ).notStored()
  }

  /// The kind of link requested.
  private enum Wish {
    case mine
    case invitation(Role, name: String?, seconds: Double)
    case person(Int)
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keep)
    let wish = try Self.wish(request)
    let person: Int?
    if case .mine = wish {
      person = try principal.demandPerson()
    } else {
      person = nil
      try principal.demand(.manage)
    }
    let address = hub.address(request)
    return try await hub.commit(once: request, as: principal) { change in
      let open = try change.database.countOpenLinks(madeBy: principal, now: change.now)
      guard open < IdentityLimits.openLinks else {
        throw HTTPError.tooMany(
          "\(open) of your links are open.", help: "At most \(IdentityLimits.openLinks); remove some.")
      }
      let (made, link) = try Self.make(wish, for: person, in: change)
      let url = made.url(on: address)
      var members = [JSON.Member("id", JSON(id: made.id))] + (link.json.members ?? [])
      members += [
        .init("url", .string(url)), .init("code", .string(made.code)),
        .init("code_expires_at", JSON(instant: made.codeExpiresAt)), .init("qr", JSON(QRCode(url)?.svg)),
      ]
      return Response(json: .object(members)).notStored()
    }
  }

  private static func wish(_ request: Request) throws(HTTPError) -> Wish {
    var body = try FieldCheck(request, known: ["for", "role", "name", "person", "valid_s"])
    let kinds = ["for", "role", "person"].filter(body.has)
    if kinds.count != 1 {
      body.fail(
        kinds.first ?? "for",
        "\(kinds.isEmpty ? "missing" : "given beside \(kinds[1])"); one of for, role and person "
          + "is needed.")
    }
    if body.has("for"), body.line("for") != "me" { body.fail("for", "only \"me\" is accepted.") }
    for field in ["name", "valid_s"] where body.has(field) && !body.has("role") {
      body.fail(field, "only an invitation has one.")
    }
    let role = body.choice("role", among: Role.ofPeople)
    let name = body.line("name")
    let person = body.id("person")
    let longest = IdentityLimits.invitationDays * 86_400
    let seconds = body.int("valid_s", in: 60...longest).map(Double.init) ?? IdentityLimits.linkSeconds
    try body.finish(
      help: "Examples: {\"for\": \"me\"}, {\"role\": \"keykeeper\", \"name\": \"Ada\"}, {\"person\": \"7\"}")
    if let role { return .invitation(role, name: name, seconds: seconds) }
    return person.map { .person($0) } ?? .mine
  }

  private static func make(_ wish: Wish, for me: Int?, in change: Change) throws -> (Links.Made, Link) {
    let (database, principal, now) = (change.database, change.principal, change.now)
    let made: Links.Made
    let about: String?
    switch wish {
    case .mine:
      made = try database.makeLink(
        .device, person: me, role: principal.role, name: nil, madeBy: principal, now: now)
      about = principal.name
    case .invitation(let role, let name, let seconds):
      let people = try database.countPeople()
      guard people < IdentityLimits.people else {
        throw HTTPError.tooMany("There are \(people) people.", help: "At most \(IdentityLimits.people); remove some.")
      }
      made = try database.makeLink(
        .invitation, person: nil, role: role, name: name, madeBy: principal, now: now, seconds: seconds)
      about = name.map { "\($0): \(role.rawValue)" } ?? role.rawValue
    case .person(let id):
      guard let person = try database.person(id) else { throw HTTPError.noSuchPerson(id) }
      made = try database.makeLink(
        .device, person: id, role: person.role, name: nil, madeBy: principal, now: now)
      about = person.name
    }
    let what = if case .invitation = wish { "person.invited" } else { "link.made" }
    try change.audit(what, about: about)
    guard let link = try database.link(made.id) else { preconditionFailure("a link that was just made is there") }
    return (made, link)
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keep)
    let id = request.id ?? 0
    try await hub.commit(as: principal) { change in
      guard let link = try change.database.link(id), link.usedAt == nil,
        principal.may(.manage) || principal.person != nil && link.madeBy == principal.person
      else {
        throw HTTPError(.noSuchLink, "There is no open link \(id).", help: "GET /api/v1/links lists those there are.")
      }
      try change.database.removeLink(id)
      try change.audit("link.removed", about: link.name)
    }
    return .nothing()
  }
}

extension HTTPError {
  static func tooMany(_ error: String, help: String) -> HTTPError { HTTPError(.tooMany, error, help: help) }
  static func noSuchPerson(_ id: Int) -> HTTPError {
    HTTPError(.noSuchPerson, "There is no person \(id).", help: "GET /api/v1/people lists those there are.")
  }
}
