import Hub
import Server
import Store
import Wire

/// The galleries of a portfolio, and their pictures.
struct PortfolioGalleryRoutes: Sendable {
  private static let path = "\(PortfolioRoutes.path)/{id}/galleries/{gallery}"
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(list))
    router.on(.patch, Self.path, admit: hub.needsPerson(.keepPortfolio), .task(change))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (name, after) = (request.parameters["gallery"] ?? "", request.query["after"] ?? "")
    let number = hub.commits.number
    let found = try await hub.readOwn(request, or: .noSuchGallery) {
      database, portfolio throws(StoreError) -> PackedJSON? in
      let last = try database.portfolioPicture(after, of: portfolio.id)?.id ?? 0
      let (told, pictures): (JSON, [PortfolioPicture])
      if name == GalleryAnswer.favourites {
        guard let favourites = try GalleryAnswer(favouritesOf: portfolio, database) else { return nil }
        told = favourites.json
        pictures = try database.favourites(of: portfolio.id, after: last, limit: PortfolioLimits.page + 1)
      } else {
        guard let gallery = try database.gallery(name, of: portfolio.id) else { return nil }
        told = try GalleryAnswer(database, gallery, of: portfolio).json
        pictures = try database.portfolioPictures(in: gallery.id, after: last, limit: PortfolioLimits.page + 1)
      }
      let page = pictures.prefix(PortfolioLimits.page)
      var members: [JSON.Member] = [
        .init("gallery", told),
        .init("pictures", .array(page.map { $0.json(in: portfolio.address) })),
      ]
      if pictures.count > page.count, let last = page.last { members.append(.init("next", .string(last.address))) }
      return PackedJSON(.object(members), for: request)
    }
    return found.response.asOf(commit: number)
  }

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let name = request.parameters["gallery"] ?? ""
    var check = try FieldCheck(request, known: ["title", "cover", "hidden"])
    var cover: String??
    if check.has("cover") { cover = .some(check["cover"] == .null ? nil : check.line("cover")) }
    let title = check.line("title")
    let isHidden = check.has("hidden") ? check.flag("hidden") : nil
    try check.finish(
      help: "Example: {\"cover\": \"ID of a picture\", \"hidden\": false}; a null cover: the source's. A title "
        + "is for galleries that are made here.")
    try await hub.changeOwn(request) { [cover] id, change in
      if let title { try OwnGalleryChange.rename(name, of: id, to: title, in: change) }
      try PortfolioChange.change(name, of: id, cover: cover, isHidden: isHidden, in: change)
    }
    return try await list(request)
  }
}
