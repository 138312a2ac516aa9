public import Hub
public import Server
public import Store
public import Wire

/// The anchor watch: whether the boat still lies where she was anchored, and who is rung when she does not.
public struct AnchorRoom: Room {
  static let id = "anchor"
  public static let plan = RoomPlan(
    id: id, name: "Anchor watch", summary: "Watches a boat at anchor, and everything that watches her.",
    migrations: AnchorTables.migrations + [PhoneTable.migration], options: Broker.options + [TileFetcher.servers],
    errors: ErrorCode.ofAnchor,
    rights: [.keepAnchorWatch, .beWoken],
    channels: [
      PrivateChannels(AnchorChange.channel, meant: "members") { $0.may(.listen) }
    ],
    topics: [AnchorBell.topic], drill: .keepAnchorWatch,
    commands: WatchCommands.all + [ReplayCommand.command, LeasesCommand.command],
    history: [
      "anchor.dropped", "anchor.armed", "anchor.acknowledged", "anchor.weighed", "anchor.drilled", "anchor.imported",
    ])

  private let hub: Hub
  private let watch: SecondWatch
  private let phones: Phones
  private let broker: Broker?
  private let isDemo: Bool

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    let watch = try await SecondWatch(hub)
    self.watch = watch
    phones = try await Phones(
      hub, situation: { watch.situation },
      take: { phone, report, change in _ = try watch.take(Report(phone, report), in: change) })
    broker = Broker(hub, phones: phones, watch: watch)
    isDemo = try await hub.store.read { database throws(StoreError) in try database.isDemo() == true }
  }

  public func addRoutes(to router: inout Router) {
    AnchorRoutes(hub: hub, watch: watch).add(to: &router)
    PositionRoutes(hub: hub, watch: watch).add(to: &router)
    TrackRoutes(hub: hub).add(to: &router)
    PhoneRoutes(hub: hub, phones: phones, watch: watch).add(to: &router)
    ReportingRoutes(hub: hub, phones: phones).add(to: &router)
    TileRoutes(hub: hub, fetcher: TileFetcher(hub)).add(to: &router)
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("anchor.watch", lease: "anchor") { [watch] in try await watch.run() }
    supervisor.run("anchor.beside") { [watch] in try await watch.runBeside() }
    supervisor.run("anchor.phones") { [phones] in try await phones.run() }
    if let broker { supervisor.run("anchor.mqtt", lease: "anchor") { try await broker.run() } }
    if isDemo { supervisor.run("anchor.demo") { [hub, watch] in try await AnchorDemo.run(hub, watch) } }
  }

  public func commandEnded() { watch.commandEnded() }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.phones) { try phones.refresh(from: database) }
    try watch.refresh(touches, in: database)
  }

  public func answered(_ answer: BellAnswer, in change: Change) throws {
    try AnchorChange.answered(answer, watch, in: change)
  }

  /// Before the watch begins, whoever asks is taken for the one who will arm it.
  public func woken(askedBy person: Int?, in database: Database) throws(StoreError) -> JSON? {
    let anchorage = try database.anchorage()
    let armedBy = anchorage?.isArmed == true ? anchorage?.person : person ?? anchorage?.person
    let agents = try database.anchorSources().filter { $0.kind == .agent }.compactMap(\.device)
    // The boat's own agent answers by itself: it has heard, and can sound.
    let crew = try Crew(database, armedBy: armedBy).all.array ?? []
    return .array(crew + agents.map { ["device": JSON(id: $0)] })
  }

  public func drilled(_ drill: Int?, in change: Change) throws {
    if let drill { try AgentPush.send(drill: drill, in: change) }
    AnchorChange.tell(change)
  }

  public func personRemoved(_ id: Int, in change: Change) throws {
    // The name of a page that watched is theirs, and its last place was where they were.
    for page in try change.database.anchorSources() where page.kind == .page && page.person == id {
      try watch.forget(.page, named: page.name, in: change)
    }
    try change.database.forget(person: id)
    for phone in phones.all(of: id) {
      try phones.remove(phone, in: change)
      try watch.forget(phone.app.kind, named: phone.name, in: change)
    }
  }

  public func examine() async -> [Finding] {
    await AnchorExamination(hub: hub).findings() + BrokerExamination(hub: hub).findings()
  }

  public var readings: [Reading] { watch.readings }

  public static func fillDemo(_ hub: Hub) async throws { try await AnchorDemo.fill(hub) }
}
