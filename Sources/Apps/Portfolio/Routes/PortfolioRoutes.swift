import Galleries
import Hub
import Server
import Store
import Wire

/// Portfolios as such: the list, making, naming, removing, and asking for a sync.
struct PortfolioRoutes: Sendable {
  static let path = "/api/v1/portfolios"
  private let hub: Hub
  private let watch: PortfolioWatch

  init(_ hub: Hub, _ watch: PortfolioWatch) { (self.hub, self.watch) = (hub, watch) }

  func add(to router: inout Router) {
    let needed = hub.needsPerson(.keepPortfolio)
    let path = "\(Self.path)/{id}"
    router.on(.get, Self.path, .task(list))
    router.on(.post, Self.path, admit: needed, .task(make))
    router.on(.get, path, .task(details))
    router.on(.patch, path, admit: needed, .task(change))
    router.on(.delete, path, admit: needed, .task(delete))
    router.on(.post, "\(path)/sync", admit: needed, .task(sync))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request, .keepPortfolio)
    let (number, share) = (hub.commits.number, PortfolioShare(hub))
    let rows = try await hub.read { [watch] database throws(StoreError) -> ([JSON], JSON) in
      let told = try database.portfolios().filter { $0.belongs(to: principal) }
        .map { portfolio throws(StoreError) -> JSON in
          try Self.answer(database, portfolio, watch).json
        }
      return (told, share.json(used: try database.portfolioBytes(of: person)))
    }
    return Response(json: ["portfolios": .array(rows.0), "share": rows.1]).notStored().asOf(commit: number)
  }

  private static func answer(
    _ database: Database, _ portfolio: Portfolio, _ watch: PortfolioWatch
  ) throws(StoreError) -> PortfolioAnswer {
    let id = portfolio.id
    return try PortfolioAnswer(
      database, portfolio, isRunning: watch.isRunning(id), isInLine: watch.isInLine(id))
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request, .keepPortfolio)
    var check = try FieldCheck(request, known: ["source", "name", "user", "password", "permission"])
    let source = check.line("source", longest: PortfolioLimits.source, isNeeded: true)
    let name = check.line("name")
    var credentials = SourceCredentials()
    for field in ["user", "password"] {
      credentials[field] = check.line(field, longest: PortfolioLimits.credential)
    }
    let permission = check.line("permission")
    try check.finish(help: "Example: {\"source\": \"webdav:https://cloud.example/s/TOKEN\", \"name\": \"Work\"}")
    let named = SourceName(source ?? "")
    // Before anybody is told what there is on the hub's disk.
    guard named?.kind != .folder || principal.may(.manage) else {
      throw HTTPError(
        .foldersForOwners, "Only owners of the hub make portfolios of its folders.",
        help: "Ask one of them: eightbells portfolio add --source folder:PATH --for NAME makes one for you.")
    }
    if named?.kind == .flickr { try watch.sources.flickr.count(person) }
    var wish =
      named?.kind == .flickr
      ? try await watch.sources.flickr.wish(
        named?.of ?? "", name: name, try await FlickrRoutes.permission(permission, of: principal, in: hub))
      : try watch.sources.wish(source ?? "", name: name, credentials)
    wish.person = person
    return try await Self.answer(making: wish, request, as: principal, hub, watch)
  }

  /// Makes what was wished for, and has the watch look at its source.
  static func answer(
    making wish: PortfolioChange.Wish, _ request: Request, as principal: Principal, _ hub: Hub, _ watch: PortfolioWatch
  ) async throws(HTTPError) -> Response {
    try await hub.commit(once: request, as: principal) { change in
      try hub.show(PortfolioRoom.id, in: change)
      let portfolio = try PortfolioChange.make(wish, in: change)
      change.then { watch.wake() }
      let told = try PortfolioAnswer(change.database, portfolio, isRunning: false)
      return Response(status: 201, json: told.json).notStored().asOf(commit: change.number)
    }
  }

  private func details(_ request: Request) async throws(HTTPError) -> Response {
    let (number, watch) = (hub.commits.number, watch)
    let found = try await hub.readOwn(request, or: .noSuchPortfolio) { database, portfolio throws(StoreError) -> JSON in
      let told = try Self.answer(database, portfolio, watch)
      let favourites = try GalleryAnswer(favouritesOf: portfolio, database)?.json
      let galleries = try database.galleries(of: portfolio.id).map { gallery throws(StoreError) in
        try GalleryAnswer(database, gallery, of: portfolio).json
      }
      return .object(told.members + [.init("galleries", .array([favourites].compactMap { $0 } + galleries))])
    }
    return Response(json: found).notStored().asOf(commit: number)
  }

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["name", "order", "galleries"])
    let name = check.line("name")
    let listed = check.list("order", of: "ids", atMost: PortfolioLimits.portfoliosOfPerson)
    let order = listed?.compactMap(\.string)
    if order?.count != listed?.count { check.fail("order", "a list of ids is accepted, each a text.") }
    var galleries: [String]??
    if check.has("galleries") {
      let limit = GalleryLimits.galleries
      let listed = check["galleries"] == .null ? nil : check.list("galleries", of: "ids", atMost: limit)
      if listed?.allSatisfy({ $0.string != nil }) == false { check.fail("galleries", "a list of ids is accepted.") }
      galleries = .some(listed?.compactMap(\.string))
    }
    try check.finish(
      help: "Example: {\"name\": \"Work\"}; order is the list of all your portfolios' ids, galleries that of this "
        + "one's; null galleries: as the source has them.")
    try await hub.changeOwn(request) { [galleries] id, change in
      try PortfolioChange.rename(id, to: name, order: order, in: change)
      if let galleries { try OwnGalleryChange.order(galleries, of: id, in: change) }
    }
    return try await details(request)
  }

  private func delete(_ request: Request) async throws(HTTPError) -> Response {
    try await hub.changeOwn(request) { [watch] id, change in
      try PortfolioChange.delete(try PortfolioChange.own(id, in: change), in: change)
      change.then { watch.wake() }
    }
    return .nothing()
  }

  /// Asks for a sync. A body may say that many pictures may go.
  private func sync(_ request: Request) async throws(HTTPError) -> Response {
    var mayLose = false
    if !request.body.isEmpty {
      var check = try FieldCheck(request, known: ["may_lose"])
      if check.has("may_lose") { mayLose = check.flag("may_lose") ?? false }
      try check.finish(help: "Example: {\"may_lose\": true}, once you know why so many pictures are gone.")
    }
    try await hub.changeOwn(request) { [watch, mayLose] id, change in
      try PortfolioChange.askForSync(id, mayLose: mayLose, in: change)
      change.database.touch(.portfolios)
      change.then { watch.wake() }
    }
    var response = try await details(request)
    response.status = 202
    return response
  }
}
