import Hub
import Server
import Store
import Webhooks
import Wire

/// The hooks at which other programs post JSON, and what they post.
struct HookRoutes: Sendable {
  let hub: Hub
  let hooks: Hooks
  /// Counts what each hook gets: a program that goes wild rings nobody all night.
  private let rates: TokenBuckets<Int>

  private static let path = "/api/v1/bells/hooks"
  private static let rate = RouteRate("hooks", strangers: BellsLimits.hooksFromOne, known: BellsLimits.hooksFromOne)

  init(hub: Hub, hooks: Hooks) {
    self.hub = hub
    self.hooks = hooks
    rates = TokenBuckets(most: WebhookLimits.hooks * 2, for: BellsLimits.hookRateSeconds, time: hub.time)
  }

  func add(to router: inout Router) {
    let admit = hub.needs(.hooks)
    router.on(.get, Self.path, admit: admit, .task(list))
    router.on(.post, Self.path, admit: admit, .task(make))
    router.on(.delete, "\(Self.path)/{id}", admit: admit, .task(remove))
    router.on(
      .post, "\(IncomingHook.path){secret}", bodyLimit: BellsLimits.hookBytes,
      admit: { request throws(HTTPError) in _ = try await hook(request) }, rate: Self.rate, .task(take))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .hooks)
    let list = try await hub.read { database throws(StoreError) in try database.hooks() }
    return Response(json: .array(list.map(\.json))).notStored()
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .hooks)
    let json = try request.json()
    let wish = try FieldErrors.refused(help: HookWish.help, HookWish(json))
    let address = hub.address(request)
    return try await hub.commit(once: request, as: principal) { [hooks] change in
      Response(status: 201, json: try hooks.make(wish, at: address, in: change)).notStored()
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .hooks)
    let id = request.id ?? 0
    _ = try await hub.commit(as: principal) { change in try Hooks.removeHook(id, in: change) }
    return .nothing()
  }

  /// The hook whose secret is in the address.
  private func hook(_ request: Request) async throws(HTTPError) -> IncomingHook {
    let secret = request.parameters["secret"] ?? ""
    let hook = try await hub.read { database throws(StoreError) in try database.hook(secret: secret) }
    guard let hook else {
      throw HTTPError(
        .noSuchHook, "There is no such hook.", help: "Its address was told when it was made; it may have been removed.")
    }
    return hook
  }

  /// Takes JSON that another program posts. The program has no account; the secret in the address lets it in.
  private func take(_ request: Request) async throws(HTTPError) -> Response {
    let hook = try await hook(request)
    if let seconds = rates.take(hook.id, BellsLimits.hookRate) {
      throw .tooOften("This hook is used too often.", wait: seconds, ", then send it again; nothing was done.")
    }
    var posted = request
    // The way in which GitHub sends if nobody chooses another one: a form with the JSON in one field.
    if request.head.fields["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
      let payload = request.form["payload"]
    {
      posted.body = Array(payload.utf8)
    }
    let json = try posted.json(isForeign: true)
    // A guest of this room: in the change the hub asks the room whether the hook is still there.
    let principal = Principal.guest(hook.id, of: BellsRoom.id, name: hook.name)
    return try await hub.commit(once: request, key: Self.key(request), as: principal) { [hooks] change in
      Response(status: 202, json: try hooks.take(json, by: hook, in: change)).asOf(commit: change.number)
    }
  }

  /// The id that the sender gave, the same for each attempt, in the fields of Standard Webhooks and of GitHub. One that
  /// cannot be a key is left alone: the notification is worth more.
  private static func key(_ request: Request) -> String? {
    let fields = request.head.fields
    guard fields["idempotency-key"] == nil, let id = fields["webhook-id"] ?? fields["x-github-delivery"],
      (1...BellsLimits.idempotencyKey).contains(id.utf8.count), id.utf8.allSatisfy({ (33...126).contains($0) })
    else { return nil }
    return id
  }
}
