import Hub
import Server
import Store
import Wire

/// What strangers see of a portfolio: a page of one picture, and galleries in frames of other pages. Both are pages
/// without scripts. What is private at its source is on none.
struct SharedRoutes: Sendable {
  static let page = "/portfolio/shared"
  static let embed = "/portfolio/embed"
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func add(to router: inout Router) {
    let rate = ShareLimits.rate
    router.on(.get, "\(Self.page)/{share}", rate: rate, .task(page))
    router.on(.get, "\(Self.embed)/{share}", rate: rate, .task(embed))
    for edge in PortfolioLimits.sizes {
      router.on(
        .get, "\(Self.page)/{share}/{picture}/\(edge)", rate: rate,
        .task { request throws(HTTPError) in try await send("\(edge)", request) })
    }
  }

  private func language(_ request: Request) -> SharedPage.Language {
    let asked = request.query["lang"] ?? request.head.fields["accept-language"]?.lowercased() ?? ""
    return asked.hasPrefix("de") ? .de : .en
  }

  private func page(_ request: Request) async throws(HTTPError) -> Response {
    let address = request.parameters["share"] ?? ""
    let found = try await hub.read { database throws(StoreError) -> (Portfolio, PortfolioPicture)? in
      guard let share = try database.share(address), let key = share.picture,
        let portfolio = try database.portfolio(key: share.portfolio),
        let named = try database.portfolioPicture(key: key),
        let picture = try database.picture(named.address, of: share)
      else { return nil }
      return (portfolio, picture)
    }
    let language = language(request)
    guard let (portfolio, picture) = found else { return try Self.nothing(request, language, frames: "'none'") }
    let page = SharedPage(
      portfolio: portfolio, share: address, language: language, origin: hub.address(request),
      legal: hub.place.current?.legalLinks(isGerman: language == .de) ?? "")
    return Self.response(page.of(picture), frames: "'none'")
  }

  private func embed(_ request: Request) async throws(HTTPError) -> Response {
    let address = request.parameters["share"] ?? ""
    let number = min(max(Int(request.query["num"] ?? "") ?? ShareLimits.pictures, 1), ShareLimits.pictures)
    let size = SharedPage.Size(rawValue: request.query["size"] ?? "") ?? .medium
    let turn = min(max(Int(request.query["page"] ?? "") ?? 1, 1), PortfolioLimits.page)
    typealias Found = (Portfolio, PortfolioGallery, Int, [PortfolioPicture])
    let found = try await hub.read { database throws(StoreError) -> Found? in
      guard let share = try database.share(address), let key = share.gallery,
        let portfolio = try database.portfolio(key: share.portfolio), let gallery = try database.gallery(key: key)
      else { return nil }
      let (count, pictures) = try database.publicPictures(in: key, from: (turn - 1) * number, limit: number)
      return (portfolio, gallery, count, pictures)
    }
    guard let (portfolio, gallery, count, pictures) = found else {
      return try Self.nothing(request, language(request), frames: "*")
    }
    let page = SharedPage(
      portfolio: portfolio, share: address, language: language(request), origin: hub.address(request))
    let turns = (count + number - 1) / number
    return Self.response(
      page.of(gallery, pictures, size, at: (turn, max(1, turns), number)), frames: "*",
      fields: [.init("Cross-Origin-Resource-Policy", "cross-origin")])
  }

  /// Browsers get a page about a share that is not there; programs get JSON.
  private static func nothing(
    _ request: Request, _ language: SharedPage.Language, frames: String
  ) throws(HTTPError) -> Response {
    guard request.head.fields["accept"]?.contains("text/html") == true else { throw HTTPError.noSuchShare }
    return response(SharedPage.nothing(in: language), status: 404, frames: frames)
  }

  private static func response(
    _ text: String, status: Int = 200, frames: String, fields: [Response.Field] = []
  ) -> Response {
    Response(
      status: status, contentType: "text/html; charset=utf-8", body: .bytes(Array(text.utf8)), cacheControl: "no-cache",
      fields: [
        .init(
          "Content-Security-Policy",
          "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors \(frames)"),
        .init("Vary", "Accept, Accept-Language"), .init("Referrer-Policy", "no-referrer"),
        .init("X-Robots-Tag", "noindex"),
      ] + fields)
  }

  private func send(_ name: String, _ request: Request) async throws(HTTPError) -> Response {
    let (address, picture) = (request.parameters["share"] ?? "", request.parameters["picture"] ?? "")
    let found = try await hub.read { database throws(StoreError) -> PortfolioPicture? in
      guard let share = try database.share(address) else { return nil }
      return try database.picture(picture, of: share)
    }
    guard let found, found.files.contains(where: { $0.name == name }),
      let content = try await hub.content(of: PortfolioPicture.blob(name, picture))
    else { throw HTTPError.noSuchShare }
    return Response(
      contentType: "image/jpeg", body: Response.Body(content), etag: "\(found.tag)-\(name)",
      cacheControl: "private, max-age=\(ShareLimits.fileSeconds)",
      fields: [Response.Field("Accept-Ranges", "bytes"), .init("X-Robots-Tag", "noindex")])
  }
}
