import Hub
import Server
import Store
import Wire

/// The files of pictures, for whose portfolio they are in.
struct PortfolioFileRoutes: Sendable {
  private static let path = "\(PortfolioRoutes.path)/{id}/files/{picture}"
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func add(to router: inout Router) {
    for name in PortfolioPicture.fileNames + [PortfolioPicture.originalName] {
      router.on(
        .get, "\(Self.path)/\(name)", .task { request throws(HTTPError) in try await send(name, request) })
    }
  }

  private func send(_ name: String, _ request: Request) async throws(HTTPError) -> Response {
    let picture = request.parameters["picture"] ?? ""
    let found = try await hub.readOwn(request, or: .noSuchPortfolioFile) { database, portfolio throws(StoreError) in
      try database.portfolioPicture(picture, of: portfolio.id)
    }
    return try await found.response(name, request, hub)
  }
}
