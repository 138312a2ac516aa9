import Hub
import Lifecycle
import Realtime
import Server
import Store
import Wire

/// The parts of an app's page besides its settings: its use, its channels, and what passes in them.
struct ConsoleRoutes: Sendable {
  let hub: Hub
  let register: AppRegister
  let console: Console

  func add(to router: inout Router) {
    let (path, admit) = (AppRoutes.onePath, hub.needs(.manageApps))
    router.on(.get, "\(path)/usage", admit: admit, .task(usage))
    router.on(.get, "\(path)/channels", admit: admit, .task(channels))
    router.on(.post, "\(path)/console", admit: admit, .task(look))
    router.on(.post, "\(path)/events", admit: admit, .task(send))
  }

  private func usage(_ request: Request) async throws(HTTPError) -> Response {
    let app = try await hub.app(request).app
    let now = Int(hub.time.now / 3600)
    let rows = try await hub.read { database throws(StoreError) in
      try database.hours(ofApp: app.id, from: now - AppsLimits.usageDays * 24)
    }
    let usage = AppUsage(written: rows, unwritten: register.meter.unwritten(of: app.id), now: now)
    return Response(json: usage.json).notStored()
  }

  private func channels(_ request: Request) async throws(HTTPError) -> Response {
    let app = try await hub.app(request).app
    let all = hub.channels.occupied(in: "\(app.id)", prefix: "")
    var list: [JSON] = []
    for channel in all.sorted(by: { ($1.subscriptions, $0.name) < ($0.subscriptions, $1.name) }).prefix(
      AppsLimits.channels)
    {
      var members: [JSON.Member] = [
        .init("name", .string(channel.name)), .init("subscriptions", .int(channel.subscriptions)),
      ]
      if let users = channel.users, list.count < AppsLimits.presenceShown {
        let ids = hub.channels.users(of: channel.name, in: "\(app.id)")
        members.append(.init("users", .int(users)))
        members.append(.init("members", .array(ids.prefix(AppsLimits.members).map(JSON.string))))
      }
      list.append(.object(members))
    }
    return Response(json: ["channels": .array(list), "count": .int(all.count)]).notStored()
  }

  private func look(_ request: Request) async throws(HTTPError) -> Response {
    let app = try await hub.app(request).app
    try console.watch("\(app.id)")
    return .nothing()
  }

  private func send(_ request: Request) async throws(HTTPError) -> Response {
    let app = try await hub.app(request).app
    let json = try request.json()
    let event = try PusherEvent { field in
      switch field {
      case "name": json["name"]
      case "channel": json["channel"]
      // Clients get a text, which Pusher's libraries read as JSON.
      case "data": json["data"].map { .string($0.text) }
      default: nil
      }
    }
    guard !event.channels.contains(where: { $0.hasPrefix("private-encrypted-") }) else {
      throw HTTPError(
        .unusableEvent, "channel: \"\(event.channels[0])\" is encrypted.",
        help: "Nothing was sent. Only the app's own server has the key for it.")
    }
    guard app.options.isEnabled, !register.meter.isOver(app.id) else {
      throw HTTPError(
        .appIsOff, app.options.isEnabled ? "\(app.name) has sent its messages of today." : "\(app.name) is off.",
        help: "Nothing was sent. PATCH /api/v1/apps/\(app.id) changes its options.")
    }
    hub.channels.trigger(event.name, data: event.data, on: event.channels, of: "\(app.id)")
    return Response(status: 202, json: [:]).notStored()
  }
}
