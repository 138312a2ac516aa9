import Hub
import Server
import Store
import Wire

/// The webhooks to which notifications are posted, for owners.
struct WebhookRoutes: Sendable {
  let hub: Hub
  let hooks: Hooks

  private static let path = "/api/v1/bells/webhooks"

  func add(to router: inout Router) {
    let admit = hub.needs(.hooks)
    router.on(.get, Self.path, admit: admit, .task(list))
    router.on(.post, Self.path, admit: admit, .task(make))
    router.on(.delete, "\(Self.path)/{id}", admit: admit, .task(remove))
    router.on(.post, "\(Self.path)/{id}/test", admit: admit, .task(test))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .hooks)
    let list = try await hub.read { database throws(StoreError) in try Hooks.list(database) }
    return Response(json: list).notStored()
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .hooks)
    let json = try request.json()
    let wish = try FieldErrors.refused(help: WebhookWish.help, WebhookWish(json, listed: hub.reachable))
    return try await hub.commit(once: request, as: principal) { [hooks] change in
      Response(status: 201, json: try hooks.make(wish, in: change)).notStored()
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .hooks)
    let id = request.id ?? 0
    _ = try await hub.commit(as: principal) { [hooks] change in try hooks.removeWebhook(id, in: change) }
    return .nothing()
  }

  private func test(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .hooks)
    let id = request.id ?? 0
    return try await hub.commit(once: request, as: principal) { [hooks] change in
      Response(status: 202, json: try hooks.test(id, in: change)).asOf(commit: change.number)
    }
  }
}
