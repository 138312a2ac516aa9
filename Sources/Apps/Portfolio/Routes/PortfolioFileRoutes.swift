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
    for name in PortfolioPicture.fileNames {
      router.on(
        .get, "\(Self.path)/\(name)", .task { request throws(HTTPError) in try await send(name, request) })
    }
  }

  private func send(_ name: String, _ request: Request) async throws(HTTPError) -> Response {
    let (principal, _) = try await hub.person(request, .keepPortfolio)
    let (address, picture) = (request.parameters["id"] ?? "", request.parameters["picture"] ?? "")
    let found = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) -> PortfolioPicture? in
        guard let portfolio = try database.portfolio(address), portfolio.belongs(to: principal) else { return nil }
        return try database.portfolioPicture(picture, of: portfolio.id)
      }
    }
    guard let found, found.files.contains(where: { $0.name == name }),
      let content = try await hub.stored({ () throws(StoreError) in
        try await hub.store.blobs.content(of: PortfolioPicture.blob(name, picture))
      })
    else { throw HTTPError.noSuchPortfolioFile }
    // Another version has another address.
    let isCurrent = request.query["v"] == found.tag
    return Response(
      contentType: name == "video" ? "video/mp4" : "image/jpeg", body: Response.Body(content),
      etag: "\(found.tag)-\(name)",
      cacheControl: isCurrent ? "private, max-age=31536000, immutable" : "private, no-cache",
      fields: [Response.Field("Accept-Ranges", "bytes")])
  }
}
