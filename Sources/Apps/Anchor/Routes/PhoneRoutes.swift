import Hub
import Server
import Store
import Wire

/// The phones of the person who asks, as they are added and removed.
struct PhoneRoutes: Sendable {
  let hub: Hub
  let phones: Phones
  let watch: SecondWatch

  private static let path = "/api/v1/anchor/phones"

  func add(to router: inout Router) {
    let admit = hub.needsPerson()
    router.on(.get, Self.path, admit: admit, .task(list))
    router.on(.post, Self.path, admit: admit, .task(make))
    router.on(.delete, "\(Self.path)/{id}", admit: admit, .task(remove))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let list = phones.all(of: principal.may(.manage) ? nil : person)
    let rows = try await hub.read { database throws(StoreError) in
      try list.map { phone throws(StoreError) in
        phone.json(person: try database.personName(phone.person), wanted: phones.wanted(phone))
      }
    }
    return Response(json: ["phones": .array(rows)]).notStored()
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var check = try FieldCheck(request, known: ["name", "app", "aboard"], nullIsNothing: true)
    let name = check.line("name", longest: PhoneLimits.name, isNeeded: true)
    let app = check.choice("app", among: Phone.App.allCases, isNeeded: true)
    let isAboard = check["aboard"] == nil ? true : check.flag("aboard")
    try check.finish(help: "Example: {\"name\": \"Ada's phone\", \"app\": \"owntracks\", \"aboard\": true}")
    guard let name, let app, let isAboard else { return .nothing() }
    let address = hub.address(request)
    return try await hub.commit(once: request, as: principal) { [phones] change in
      let (phone, secret) = try phones.add(
        Phone(name: name, app: app, person: person, isAboard: isAboard, createdAt: change.now), in: change)
      try change.audit("anchor.phone.added", about: phone.name)
      let setup = PhoneSetup(phone: phone, secret: secret, hub: address)
      let answer: JSON = [
        "id": JSON(id: phone.id), "secret": .string(secret), "link": .string(setup.link), "qr": JSON(setup.code),
        "config": app == .owntracks ? setup.configuration : .null,
      ]
      return Response(status: 201, json: answer).notStored()
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    guard let phone = phones[request.id ?? 0], phone.person == person || principal.may(.manage) else {
      throw HTTPError(
        .noSuchPhone, "There is no such phone of yours.", help: "GET \(Self.path) lists those there are.")
    }
    try await hub.commit(as: principal) { [phones, watch] change in
      try phones.remove(phone, in: change)
      try watch.forget(phone.app.kind, named: phone.name, in: change)
      try change.audit("anchor.phone.removed", about: phone.name)
    }
    return .nothing()
  }
}
