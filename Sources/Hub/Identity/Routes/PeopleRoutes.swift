import Server
public import Store
public import Wire

/// The routes of people.
struct PeopleRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/people", .task(list))
    router.on(.patch, "/api/v1/people/{id}", admit: hub.needs(.keep), .task(change))
    router.on(.delete, "/api/v1/people/{id}", admit: hub.needs(.keep), .task(remove))
    // The same for everybody: programs that show a preview of the address are not signed in.
    WebShell.addPage("/people/{id}", showing: "/people", of: hub, to: &router, with: [.byLanguage]) { [hub] request in
      let site = hub.place.current?.name ?? "Eightbells"
      return request.isGerman
        ? PagePreview(title: "Leute", description: "Wer dazugehört, sieht die Leitung.", site: site)
        : PagePreview(title: "People", description: "Who belongs here is for owners to see.", site: site)
    }
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .manage)
    let people = try await hub.stored { () throws(StoreError) in try await People.list(in: hub.store) }
    return Response(json: .array(people)).notStored()
  }

  /// An owner changes anybody's name and role; others their own name.
  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keep)
    var body = try FieldCheck(request, known: ["name", "role"])
    let name = body.line("name")
    let role = body.choice("role", among: Role.ofPeople)
    if name == nil, role == nil, body.errors.isEmpty { body.fail("name", "missing; name or role is needed.") }
    try body.finish(help: "Example: {\"name\": \"Ada\", \"role\": \"keykeeper\"}")
    let id = request.id ?? 0
    let isOwnName = role == nil && principal.person == id && id != 0
    guard principal.may(.manage) || isOwnName else {
      throw HTTPError(
        .roleNotAllowed, "You are a \(principal.role.rawValue).",
        help: "An owner changes names and roles; everybody else their own name.")
    }
    let person = try await hub.commit(as: principal) { change in
      let database = change.database
      guard var person = try database.person(id) else { throw HTTPError.noSuchPerson(id) }
      if let role { person = try change.give(role, to: person) }
      if let name, name != person.name {
        try database.change(person: id, name: name)
        try change.audit("person.renamed", about: "\(person.name) → \(name)")
        for room in hub.rooms { try room.personRenamed(id, in: change) }
        person.name = name
      }
      change.tell(person: id)
      return person
    }
    return Response(json: .object(person.members)).notStored()
  }

  /// Removes a person with their devices, links, and their data in rooms: an owner anybody, everybody themselves.
  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keep)
    let id = request.id ?? 0
    if principal.person != id { try principal.demand(.manage) }
    try await hub.commit(as: principal) { change in
      guard let person = try change.database.person(id) else { throw HTTPError.noSuchPerson(id) }
      guard try !change.database.isLastOwner(person) else { throw HTTPError.lastOwner(person) }
      try change.revokeMade(by: id)
      try change.personLosesRights(id, isRemoved: true)
      try change.database.removePerson(id)
      // Nobody else is named where somebody leaves.
      try change.audit("person.removed", about: principal.person == id ? nil : person.name)
    }
    return .nothing()
  }
}

/// Who belongs to the hub.
public enum People {
  /// Everybody by name, with the number of their devices and their last visit, as the hub tells its owners.
  public static func list(in store: Store) async throws(StoreError) -> [JSON] {
    try await store.read { database throws(StoreError) in try database.allPeople() }.map { person, devices, lastSeen in
      .object(person.members + [.init("devices", .int(devices)), .init("last_seen", JSON(instant: lastSeen))])
    }
  }
}

extension Person {
  var members: [JSON.Member] {
    [.init("id", JSON(id: id)), .init("name", .string(name)), .init("role", .string(role.rawValue))]
  }
}
