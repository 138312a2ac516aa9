import Flickr
import Hub
import Server
import Store
import Wire

/// A member's permission to read their Flickr: begun here, given at Flickr, ended here with what Flickr has told their
/// browser.
struct FlickrRoutes: Sendable {
  static let path = "\(PortfolioRoutes.path)/flickr/consents"
  private let hub: Hub
  private let watch: PortfolioWatch

  init(_ hub: Hub, _ watch: PortfolioWatch) { (self.hub, self.watch) = (hub, watch) }

  func add(to router: inout Router) {
    let needed = hub.needsPerson(.keepPortfolio)
    router.on(.get, "\(PortfolioRoutes.path)/{id}/contacts", admit: needed, rate: Self.rate, .task(contacts))
    router.on(.post, Self.path, admit: needed, .task(begin))
    router.on(.post, "\(Self.path)/{token}", admit: needed, .task(end))
  }

  /// Each asks Flickr, whose calls all portfolios share.
  private static let rate = RouteRate(
    "flickr contacts", strangers: Rate(burst: 1, perSecond: 0.1), known: Rate(burst: 6, perSecond: 0.2))

  /// A permission that a caller has given for a portfolio of theirs.
  /// - Parameter portfolio: its id; nil for none.
  static func permission(
    _ portfolio: String?, of principal: Principal, in hub: Hub
  ) async throws(HTTPError) -> FlickrToken? {
    guard let portfolio else { return nil }
    let found = try await hub.read { database throws(StoreError) in try database.portfolio(portfolio) }
    guard let found, found.belongs(to: principal), let token = FlickrAccess.token(found.credentials) else {
      throw HTTPError.noFlickrPermission
    }
    return token
  }

  /// The people whom the caller follows at Flickr.
  private func contacts(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, _) = try await hub.person(request, .keepPortfolio)
    let portfolio = request.parameters["id"] ?? ""
    guard let token = try await Self.permission(portfolio, of: principal, in: hub) else {
      throw HTTPError.noFlickrPermission
    }
    let people = try await watch.sources.flickr.contacts(token)
    let told = JSON.array(people.map { ["id": .string($0.id), "name": .string($0.name)] })
    return Response(json: ["contacts": told]).notStored()
  }

  private func begin(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request, .keepPortfolio)
    var check = try FieldCheck(request, known: ["portfolio"])
    let portfolio = check.line("portfolio")
    try check.finish(help: "Example: {\"portfolio\": \"ID\"} to authorize one anew; {} for a new one.")
    if let portfolio {
      let found = try await hub.read { database throws(StoreError) in try database.portfolio(portfolio) }
      guard let found, found.belongs(to: principal), found.source.kind == .flickr else {
        throw HTTPError.noSuchPortfolio
      }
    }
    // Flickr leads the same browser back, which is signed in at the address that it has.
    let callback = "\(hub.publicURL ?? request.origin)/\(PortfolioRoom.id)"
    let begun = try await watch.sources.flickr.begin(for: person, portfolio, callback: callback)
    let told: JSON = ["token": .string(begun.token), "address": .string(begun.address)]
    return Response(status: 201, json: told).notStored()
  }

  private func end(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request, .keepPortfolio)
    // Flickr gives each permission once.
    return try await hub.answer(once: request, as: principal) { () throws(HTTPError) in
      try await take(request, principal, person)
    }
  }

  private func take(_ request: Request, _ principal: Principal, _ person: Int) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["verifier", "user", "name"])
    let verifier = check.line("verifier", longest: PortfolioLimits.credential, isNeeded: true)
    let user = check.line("user", longest: PortfolioLimits.source)
    let name = check.line("name")
    try check.finish(help: "Example: {\"verifier\": \"5d1b96a26b494074\"}, which Flickr has sent your browser with.")
    let (token, old) = try await watch.sources.flickr.end(
      request.parameters["token"] ?? "", verifier: verifier ?? "", person: person)
    if let old { return try await renew(old, FlickrAccess.credentials(token), request, as: principal) }
    var wish = try await watch.sources.flickr.wish(user ?? "me", name: name, token)
    wish.person = person
    return try await PortfolioRoutes.answer(making: wish, request, as: principal, hub, watch)
  }

  private func renew(
    _ address: String, _ credentials: SourceCredentials, _ request: Request, as principal: Principal
  ) async throws(HTTPError) -> Response {
    try await hub.commit(once: request, as: principal) { [watch] change in
      try PortfolioChange.renew(address, credentials, in: change)
      change.database.touch(.portfolios)
      change.then { watch.wake() }
      let portfolio = try PortfolioChange.own(address, in: change)
      let told = try PortfolioAnswer(change.database, portfolio, isRunning: false)
      return Response(json: told.json).notStored().asOf(commit: change.number)
    }
  }
}
