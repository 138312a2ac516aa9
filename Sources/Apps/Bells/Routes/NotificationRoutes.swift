import Delivery
import Hub
import Lifecycle
import Server
import Store
import Wire

/// The routes to send notifications, and to ask what became of them.
struct NotificationRoutes: Sendable {
  let hub: Hub
  let sender: BellSender

  static let path = "/api/v1/notifications"

  func add(to router: inout Router) {
    let admit = hub.needs(.enter)
    router.on(.post, Self.path, admit: admit, .task(send))
    router.on(.get, Self.path, .task(list))
    router.on(.get, "\(Self.path)/{id}", .task(trace))
    router.on(.patch, "\(Self.path)/{id}", admit: admit, .task(update))
    router.on(.delete, "\(Self.path)/{id}", admit: admit, .task(withdraw))
  }

  private func send(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let json = try request.json()
    let sending = try FieldErrors.refused(help: Sending.help, Sending(json, now: hub.time.now, zone: hub.place.zone))
    // The key may stand in the header or in the body: what is asked for is the same.
    let isKeyed = sending.idempotencyKey != nil || request.head.fields["idempotency-key"] != nil
    let content = isKeyed ? JSON.object((json.members ?? []).filter { $0.name != "idempotency_key" }).bytes : nil
    return try await hub.commit(
      once: request, key: sending.idempotencyKey, content: content, as: principal
    ) { change in
      let submitted = try sender.send(sending, in: change)
      if principal.kind == .person {
        try change.audit("bell.sent", about: sending.to.map(\.text).joined(separator: ", "))
      }
      return Response(status: 202, json: ["id": JSON(id: submitted.id)]).asOf(commit: change.number)
    }
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let before = try request.before()
    let caller = principal.sendsToAll ? nil : principal.caller
    let isScheduled = try request.flag("scheduled") ?? false
    let items: [JSON]? = try await hub.read { [hub] database throws(StoreError) in
      isScheduled
        ? try NotificationList.scheduled(database, hub, of: caller, after: before)
        : try NotificationList.sent(database, hub, of: caller, before: before)
    }
    guard let items else {
      throw HTTPError(
        .invalidQuery, "before: \(before ?? 0) waits no more.", help: "It was sent or cancelled: begin the list again.")
    }
    return Response(json: ["items": .array(items)]).notStored()
  }

  private func trace(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    let found = try await hub.read { [hub] database throws(StoreError) in
      try NotificationList.trace(id, for: principal, database, hub)
    }
    guard let found else { throw HTTPError.noSuchNotification(id) }
    return Response(json: found).notStored()
  }

  private func update(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    let wish = try NotificationList.Wish(request, now: hub.time.now, zone: hub.place.zone)
    return try await hub.commit(as: principal) { change in
      try Self.demand(principal, id, in: change)
      try NotificationList.update(id, wish, sender, in: change)
      if principal.kind == .person { try change.audit("bell.changed", about: "\(id)") }
      return Response(json: ["id": JSON(id: id)]).asOf(commit: change.number)
    }
  }

  private func withdraw(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    try await hub.commit(as: principal) { change in
      try Self.demand(principal, id, in: change)
      try NotificationList.withdraw(id, sender, in: change)
      if principal.kind == .person { try change.audit("bell.withdrawn", about: "\(id)") }
    }
    return .nothing()
  }

  /// - Throws: 404 for a notification that the caller can neither change nor see.
  private static func demand(_ principal: Principal, _ id: Int, in change: Change) throws {
    let sender = try change.database.notification(id)?.sender ?? change.database.scheduled(id)?.sender
    guard let sender, principal.sendsToAll || sender == principal.caller else {
      throw HTTPError.noSuchNotification(id)
    }
  }
}
