public import Hub
public import Server
public import Store

/// The kettle in the kitchen: whoever puts it on tells the others that there will be tea.
public struct KettleRoom: Room {
  static let id = "kettle"
  public static let plan = RoomPlan(
    id: id, name: "Kettle", summary: "Whether there is hot water.", migrations: KettleTables.migrations,
    options: [KettleWatch.minutes], errors: [.kettleIsHot], rights: [.putKettleOn],
    channels: [
      PrivateChannels(KettleChange.names, meant: "whoever may put the kettle on") { $0.may(.putKettleOn) }
    ],
    commands: KettleCommands.all, backupNote: "The water of the kettle is not in it.")

  private let hub: Hub
  private let watch: KettleWatch
  private let board: KettleBoard

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    let kettle = try await hub.store.read { database throws(StoreError) in try database.kettle() }
    board = KettleBoard(kettle)
    watch = KettleWatch(hub, board)
  }

  public func addRoutes(to router: inout Router) {
    KettleRoutes(hub: hub, board: board, watch: watch).add(to: &router)
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("kettle.watch") { [watch] in try await watch.run() }
  }

  public func personRemoved(_ id: Int, in change: Change) throws {
    try KettleChange.forget(person: id, board, in: change)
  }

  public func examine() async -> [Finding] {
    if let kettle = board.kettle { return [.ok("kettle", kettle.words)] }
    return [.warning("kettle", "nobody has put it on yet", remedy: "Do: `eightbells kettle put-on --data DIR`")]
  }

  public var readings: [Reading] {
    [Reading("hot", help: "1 while there is hot water, else 0.") { [board] in board.kettle?.isHot == true ? 1 : 0 }]
  }

  public static func fillDemo(_ hub: Hub) async throws {
    let kettle = try await hub.store.read { database throws(StoreError) in try database.kettle() }
    guard kettle?.isHot != true else { return }
    try await hub.commit(as: .room(id)) { change in
      try change.database.save(Kettle(isHot: true, since: change.now, by: "Ada"), person: nil)
    }
  }

  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] {
    ["There is hot water: \(url)/kettle"]
  }
}
