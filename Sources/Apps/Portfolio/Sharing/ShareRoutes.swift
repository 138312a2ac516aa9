import Hub
import Server
import Store
import Wire

/// What an owner shares by address: pictures, and galleries for other pages.
struct ShareRoutes: Sendable {
  private static let path = "\(PortfolioRoutes.path)/{id}/shares"
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func add(to router: inout Router) {
    let needed = hub.needsPerson(.keepPortfolio)
    router.on(.get, Self.path, .task(list))
    router.on(.post, Self.path, admit: needed, .task(share))
    router.on(.delete, "\(Self.path)/{share}", admit: needed, .task(unshare))
  }

  private static func json(_ share: Share, _ database: Database, on hub: String) throws(StoreError) -> JSON {
    var members: [JSON.Member] = [
      .init("id", .string(share.address)), .init("link", .string(hub + share.path)),
    ]
    if let key = share.picture, let picture = try database.portfolioPicture(key: key) {
      members.append(.init("picture", .string(picture.address)))
    }
    if let key = share.gallery, let gallery = try database.gallery(key: key) {
      members.append(.init("gallery", .string(gallery.address)))
    }
    return .object(members)
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let origin = hub.address(request)
    let found = try await hub.readOwn(request, or: .noSuchPortfolio) { database, portfolio throws(StoreError) in
      try database.shares(of: portfolio.id).map { share throws(StoreError) in
        try Self.json(share, database, on: origin)
      }
    }
    return Response(json: ["shares": .array(found)]).notStored()
  }

  private func share(_ request: Request) async throws(HTTPError) -> Response {
    let origin = hub.address(request)
    var check = try FieldCheck(request, known: ["picture", "gallery"])
    let (picture, gallery) = (check.line("picture"), check.line("gallery"))
    if check.has("picture") == check.has("gallery") {
      check.fail("picture", "the id of a picture or of a gallery is needed, not both.")
    }
    try check.finish(help: "Example: {\"picture\": \"ID\"} or {\"gallery\": \"ID\"}")
    return try await hub.changeOwn(once: request) { id, change in
      let share = try PortfolioChange.share(picture: picture, gallery: gallery, of: id, in: change)
      return Response(status: 201, json: try Self.json(share, change.database, on: origin)).notStored()
    }
  }

  private func unshare(_ request: Request) async throws(HTTPError) -> Response {
    let share = request.parameters["share"] ?? ""
    try await hub.changeOwn(request) { id, change in try PortfolioChange.unshare(share, of: id, in: change) }
    return .nothing()
  }
}
