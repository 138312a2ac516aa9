public import Hub
import Lifecycle
import Receiving
public import Server
public import Store
public import Wire

/// Portfolio: a photographer's work, always in the pocket.
public struct PortfolioRoom: Room {
  static let id = "portfolio"
  public static let plan = RoomPlan(
    id: id, name: "Portfolio", summary: "A photographer's galleries, kept in step with where they come from.",
    migrations: PortfolioTables.migrations, options: FlickrOptions.all + [PortfolioShare.option],
    errors: ErrorCode.ofPortfolios,
    rights: [.keepPortfolio, .keepCommonPortfolios],
    channels: [
      PrivateChannels(
        of: Portfolio.channels, meant: "whose portfolio it is: private-portfolio-ID", mayListen: Portfolio.mayListen)
    ],
    drillName: Bell.Words("Answers of clients", german: "Antworten von Kunden"), commands: PortfolioCommands.all)

  private let hub: Hub
  private let watch: PortfolioWatch
  private let rings: SentRings

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    watch = PortfolioWatch(hub)
    rings = SentRings(hub)
  }

  public func addRoutes(to router: inout Router) {
    PortfolioRoutes(hub, watch).add(to: &router)
    PortfolioGalleryRoutes(hub).add(to: &router)
    PortfolioFileRoutes(hub).add(to: &router)
    PortfolioUploadRoutes(hub, watch).add(to: &router)
    FlickrRoutes(hub, watch).add(to: &router)
    SentRoutes(hub).add(to: &router)
    OneFileRoutes(hub).add(to: &router)
    ClientRoutes(hub, rings).add(to: &router)
    PlayerPages.add(to: &router, of: hub)
    FavouriteRoutes(hub).add(to: &router)
    ShareRoutes(hub).add(to: &router)
    SharedRoutes(hub).add(to: &router)
  }

  public func run(under supervisor: Supervisor) {
    let watch = watch
    supervisor.run("portfolio.watch", lease: "portfolio.watch") { try await watch.run() }
    let uploads = UploadExpiry(hub, PortfolioUploadTables.rows)
    supervisor.run("portfolio.uploads") { try await uploads.run() }
    let rings = rings
    supervisor.run("portfolio.rings", lease: "portfolio.rings") { try await rings.run() }
  }

  public func commandEnded() { watch.wake() }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.portfolios) { watch.wake() }
    if touches.has(.clientRings) { rings.wake() }
  }

  public func woken(askedBy person: Int?, in database: Database) throws(StoreError) -> JSON? {
    let now = hub.time.now
    var persons: Set<Int> = []
    for portfolio in try database.portfolios() {
      guard try database.sent(of: portfolio.id).contains(where: { $0.isOpen(at: now) }) else { continue }
      persons.formUnion(try ClientChange.persons(portfolio, database))
    }
    return persons.isEmpty ? nil : .array(persons.sorted().map { ["person": JSON(id: $0)] })
  }

  public func personRemoved(_ id: Int, in change: Change) throws {
    try change.database.deletePortfolios(ofPerson: id, now: change.now)
    change.database.touch(.portfolios)
    change.then { [watch] in watch.wake() }
  }

  public func examine() async -> [Finding] { await PortfolioExamination(hub).findings() }

  public var readings: [Reading] {
    [
      Reading("pictures_fetched_total", .counter, help: "Pictures that were fetched and made since the start.") {
        [watch] in Double(watch.fetched)
      }
    ]
  }

  public static func fillDemo(_ hub: Hub) async throws { try await PortfolioDemo.fill(hub) }

  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] {
    try await PortfolioDemo.hints(hub, url: url)
  }
}

extension Touch {
  /// Sources are to be looked at.
  static let portfolios = Touch("portfolio.due")
  /// Clients have answered.
  static let clientRings = Touch("portfolio.rings")
}
