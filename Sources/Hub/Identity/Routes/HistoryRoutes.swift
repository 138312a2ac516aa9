import Server
import Store
import Wire

/// What was done: for owners all of it, for everybody who belongs here what the rooms tell of.
struct HistoryRoutes: Sendable {
  let hub: Hub

  /// What the hub itself tells everybody who belongs here.
  static let own = ["person.joined", "rooms.chosen"]

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/audit", .task(audit))
    router.on(.get, "/api/v1/history", .task(history))
  }

  private func audit(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .manage)
    return Response(json: ["entries": try await entries(request, of: nil)]).notStored()
  }

  private func history(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .listen)
    let off = hub.roomsOff
    let told = hub.roomList.plans.filter { !off.contains($0.id) && !$0.history.isEmpty }
    let rooms = told.map(\.id)
    var actions = Self.own + told.flatMap(\.history)
    if let wanted = request.query["room"] {
      guard let room = told.first(where: { $0.id == wanted }) else {
        throw HTTPError(
          .invalidQuery, "room: \"\(wanted.prefix(60))\" tells nothing.",
          help: "These have a history: \(rooms.joined(separator: ", ")).")
      }
      actions = room.history
    }
    return Response(
      json: ["entries": try await entries(request, of: actions), "rooms": .array(rooms.map(JSON.string))]
    ).notStored()
  }

  /// A page of entries, the newest first.
  /// - Parameter actions: nil for all.
  private func entries(_ request: Request, of actions: [String]?) async throws(HTTPError) -> JSON {
    let before = try request.before()
    let entries = try await hub.read { database throws(StoreError) in
      try database.auditEntries(of: actions, before: before, limit: IdentityLimits.auditEntries)
    }
    let list = entries.map { entry -> JSON in
      [
        "id": JSON(id: entry.id), "at": JSON(instant: entry.at), "by": .string(entry.by.rawValue),
        "who": .string(entry.who), "what": .string(entry.what), "about": JSON(entry.about),
      ]
    }
    return .array(list)
  }
}
