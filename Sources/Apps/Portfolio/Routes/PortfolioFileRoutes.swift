import Hub
import Receiving
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

/// The files of a picture, as they are sent to whoever may have them.
extension PortfolioPicture {
  /// - Parameters:
  ///   - name: one of `fileNames`, or `originalName`.
  ///   - isForScript: as for `Hub.original`.
  /// - Throws: 404 if the picture has no such file.
  func response(
    _ name: String, _ request: Request, _ hub: Hub, isForScript: Bool = false
  ) async throws(HTTPError) -> Response {
    let blob = Self.blob(name, address)
    if name == Self.originalName {
      guard let original,
        let answer = try await hub.original(
          request, blob, type: original.type,
          named: original.name.isEmpty ? address + FileKind.ending(ofType: original.type) : original.name,
          etag: "\(address)-original", isForScript: isForScript)
      else { throw HTTPError.noSuchPortfolioFile }
      return answer
    }
    guard files.contains(where: { $0.name == name }), let content = try await hub.content(of: blob) else {
      throw HTTPError.noSuchPortfolioFile
    }
    // Another version has another address.
    let isCurrent = request.query["v"] == tag
    return Response(
      contentType: name == "video" ? "video/mp4" : "image/jpeg", body: Response.Body(content),
      etag: "\(tag)-\(name)",
      cacheControl: isCurrent ? "private, max-age=31536000, immutable" : "private, no-cache",
      fields: [Response.Field("Accept-Ranges", "bytes")])
  }
}
