import Hub
import Lifecycle
import Realtime
import Server
import Store
import Webhooks
import Wire

/// The apps as their owners see and change them.
struct AppRoutes: Sendable {
  let hub: Hub
  let register: AppRegister

  static let path = "/api/v1/apps"
  static let onePath = "\(path)/{id}"

  func add(to router: inout Router) {
    let admit = hub.needs(.manageApps)
    router.on(.get, Self.path, admit: admit, .task(list))
    router.on(.post, Self.path, admit: admit, .task(make))
    router.on(.get, Self.onePath, admit: admit, .task(one))
    router.on(.patch, Self.onePath, admit: admit, .task(change))
    router.on(.delete, Self.onePath, admit: admit, .task(remove))
    router.on(.post, "\(Self.onePath)/rotate", admit: admit, .task(rotate))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.appOwner(request)
    let (number, now) = (hub.commits.number, hub.time.now)
    let apps = try await hub.read { database throws(StoreError) in try database.apps(now: now) }
    return Response(json: ["apps": .array(apps.map(row))]).notStored().asOf(commit: number)
  }

  private func one(_ request: Request) async throws(HTTPError) -> Response {
    let number = hub.commits.number
    let app = try await hub.app(request).app
    return Response(json: try await details(app)).notStored().asOf(commit: number)
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.appOwner(request)
    var check = try FieldCheck(request, known: ["name"])
    let name = check.line("name", isNeeded: true) ?? ""
    try check.finish(help: "Example: {\"name\": \"Word game\"}")
    return try await hub.commit(once: request, as: principal) { [register] change in
      let (app, made) = try AppChange.make(name, in: change)
      register.take(app, in: change)
      return Response(status: 201, json: app.json(showing: made)).notStored().asOf(commit: change.number)
    }
  }

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, app) = try await hub.app(request)
    let json = try request.json()
    _ = try changed(app, by: json)
    let saved = try await hub.commit(as: principal) { [register] change in
      let app = try changed(try AppChange.app(app.id, in: change), by: json)
      try AppChange.save(app, in: change)
      register.take(app, in: change)
      return (app, change.number)
    }
    return Response(json: try await details(saved.0)).notStored().asOf(commit: saved.1)
  }

  /// The app with what the request changes.
  private func changed(_ app: App, by json: JSON) throws(HTTPError) -> App {
    var app = app
    var check = FieldCheck(json, known: ["name"] + AppOptions.fields)
    if check.has("name") { app.name = check.line("name", isNeeded: true) ?? app.name }
    app.options.take(from: &check) { WebhookAddress.fault($0, listed: hub.reachable) }
    try check.finish(help: "Nothing was changed. Example: {\"subscription_count\": true}")
    return app
  }

  private func rotate(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, app) = try await hub.app(request)
    var check = try FieldCheck(request, known: ["now"], mayBeEmpty: true)
    let endsOld = check.has("now") ? check.flag("now") ?? false : false
    try check.finish(help: "Example: {\"now\": true}, which ends the old secret at once.")
    return try await hub.commit(once: request, as: principal) { [register] change in
      let (app, made) = try AppChange.rotate(app.id, endsOld: endsOld, in: change)
      register.take(app, in: change)
      return Response(json: app.json(showing: made)).notStored().asOf(commit: change.number)
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, app) = try await hub.app(request)
    try await hub.commit(as: principal) { [register] change in
      _ = try AppChange.remove(app.id, in: change)
      register.remove(app.id, in: change)
    }
    return .nothing()
  }

  /// An app in the list, with what happens in it now.
  private func row(_ app: App) -> JSON {
    app.json.with([
      "enabled": .bool(app.options.isEnabled), "over_quota": .bool(register.meter.isOver(app.id)),
      "connections": .int(hub.channels.connections(of: "\(app.id)")),
      "messages_today": .int(register.meter.today(of: app.id)),
    ])
  }

  private func details(_ app: App) async throws(HTTPError) -> JSON {
    let holdings = try await hub.look { database throws(StoreError) in try database.holdings(of: app.id) }
    return row(app).with(["kept": holdings.json(app.options), "options": app.options.json])
  }
}

extension Hub {
  /// Somebody who manages apps.
  func appOwner(_ request: Request) async throws(HTTPError) -> Principal {
    let principal = try await authorise(request, .manageApps)
    guard principal.managesApps else {
      throw HTTPError(
        .roleNotAllowed, "The token is limited to topics of notifications.", help: "Apps are for owners to manage.")
    }
    return principal
  }

  /// The app in the address, with the owner who asks for it.
  func app(_ request: Request) async throws(HTTPError) -> (principal: Principal, app: App) {
    let principal = try await appOwner(request)
    let (id, now) = (request.id ?? 0, time.now)
    let found = try await read { database throws(StoreError) in try database.app(id, now: now) }
    guard let found else { throw HTTPError.noSuchApp(request.parameters["id"] ?? "") }
    return (principal, found)
  }
}
