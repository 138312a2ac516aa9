public import Hub
import Lifecycle
public import Server
public import Store

/// The hackerspace's room: the sign at the door, and the public data of the space.
public struct SpaceRoom: Room {
  static let id = "space"
  public static let plan = RoomPlan(
    id: id, name: "Space", summary: "The sign at the door.", migrations: SpaceTables.migrations,
    options: [SpaceDirectory.option], errors: ErrorCode.ofSpace, rights: [.turn, .report, .follow],
    topics: [SignBell.told, SignBell.near, DoorBell.followed], commands: SignCommand.all,
    history: ["sign.turned", "sign.undone"])

  let hub: Hub
  let board = Board()
  private let signWatch: SignWatch
  private let followedWatch: FollowedWatch
  private let doorWatch: DoorWatch
  private let directory: SpaceDirectory

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    let doorWatch = DoorWatch(hub)
    self.doorWatch = doorWatch
    signWatch = SignWatch(hub, board) { doorWatch.wake() }
    hub.offers.make(.eventListener, doorWatch)
    followedWatch = FollowedWatch(hub, board)
    directory = SpaceDirectory(hub)
    let (settings, current, contact, past, pictures) = try await hub.store.read { database throws(StoreError) in
      (
        try database.spaceSettings(), try database.sign(), try database.doorContact(),
        try database.pastEvents(limit: SpaceLimits.pastEvents), try database.pictures()
      )
    }
    let commit = hub.commits.number
    board.set(hub.place.current, commit: commit)
    if let settings { board.set(settings, commit: commit) }
    // A state that came from the contact is unknown now if the contact fell silent while the hub was off. It is stored
    // when the contact has had time to speak again.
    var state = SignState(sign: current.sign, contact: contact)
    if let contact, state.isOverdue(now: hub.time.now) { state.fallSilent(since: contact.report, now: hub.time.now) }
    board.set(KeptTurn(sign: state.sign, number: current.number, setAt: current.setAt), commit: commit) { _ in past }
    board.set(pictures, commit: commit)
    let (sensors, followed) = try await hub.store.read { database throws(StoreError) in
      (try database.sensors(), try FollowedWatch.Followed(database))
    }
    board.set(sensors, commit: commit)
    followedWatch.set(followed, commit: commit)
    hub.settings.add(
      SpaceSettingsPart(board: board), at: "/api/v1/space/settings", order: SpaceSettingsPart.order)
    let look = SpaceAppearance(hub: hub, board: board)
    hub.appearance.set(color: { [board] in board.settings.color }, icon: { await look.icon() })
    hub.place.observe { [board] place, change in
      let number = change.number
      change.then { board.set(place, commit: number) }
    }
  }

  public func addRoutes(to router: inout Router) {
    SpaceRoutes(hub: hub, board: board).add(to: &router)
    SignRoutes(hub: hub, board: board, watch: signWatch).add(to: &router)
    HoursRoutes(hub: hub, board: board).add(to: &router)
    SensorRoutes(hub: hub, board: board).add(to: &router)
    FollowedRoutes(hub: hub, watch: followedWatch, directory: directory).add(to: &router)
    EmbedRoutes(hub: hub, board: board).add(to: &router)
    PictureRoutes(hub: hub, board: board).add(to: &router)
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("space.sign") { [signWatch] in try await signWatch.run() }
    supervisor.once("space.pictures") { [hub, board] in await OldPictures(hub: hub, board: board).run() }
    supervisor.run("space.door", lease: "space.door") { [doorWatch] in try await doorWatch.run() }
    supervisor.run("space.followed", lease: "space.followed") { [followedWatch] in try await followedWatch.run() }
  }

  public func personRemoved(_ id: Int, in change: Change) throws { try followedWatch.personRemoved(id, in: change) }

  public func answered(_ answer: BellAnswer, in change: Change) throws { try doorWatch.answered(answer, in: change) }

  public func commandEnded() { doorWatch.wake() }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    let commit = touches.commit
    if touches.has(.place) { board.set(hub.place.current, commit: commit) }
    if touches.has(.spaceSettings) { board.set(try database.spaceSettings() ?? SpaceSettings(), commit: commit) }
    if touches.has(.sensors) { board.set(try database.sensors(), commit: commit) }
    if touches.has(.spacePictures) { board.set(try database.pictures(), commit: commit) }
    if touches.has(.followed) {
      try followedWatch.refresh(touches.rows(.followed), in: database, commit: commit)
    }
    if touches.has(.sign) { try signWatch.refresh(from: database, commit: commit) }
    if touches.has(.question) { doorWatch.wake() }
  }

  public var readings: [Reading] {
    [
      Reading("sign_open", help: "1 while the sign says open, 0 while it says closed; NaN while it is unknown.") {
        [board] in board.turn.sign.open.map { $0 ? 1 : 0 } ?? .nan
      },
      Reading("sensors_silent", help: "Sensors that have not reported for longer than they promised.") {
        [hub, board] in
        let now = hub.time.now
        return Double(board.sensors.count { $0.staleAt <= now })
      },
    ]
  }

  public static func fillDemo(_ hub: Hub) async throws { try await SpaceDemo.fill(hub) }

  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] {
    let token = try await hub.tokens.replace(name: "demo keykeeper", role: .keykeeper)
    return [
      "Open the page, then turn the sign from another terminal:",
      "  \(program) space open --hub \(url) --token \(token)",
    ]
  }
}
