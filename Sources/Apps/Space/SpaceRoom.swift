import CivilTime
import EventLoop
public import Hub
import Lifecycle
public import Server
public import Store

/// The hackerspace's room: the sign at the door, and the programme.
public struct SpaceRoom: Room {
  public static let migrations = SpaceTables.migrations + ProgrammeTables.migrations

  let hub: Hub
  let board = Board()
  private let programme: Programme

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    programme = Programme(hub)
    let (json, current, past, kept, pictures) = try await hub.store.read { database throws(StoreError) in
      (
        try database.spaceSettings(), try database.sign(),
        try database.pastEvents(limit: SpaceLimits.pastEvents), try database.keptCalendars(),
        try database.pictures()
      )
    }
    board.set(current.sign, turn: current.turn, past: past)
    board.set(pictures, write: 0)
    guard let json else { return }
    // They were checked when they were saved; only the system's zones may have changed since.
    guard let settings = try? SpaceSettings(checking: json, isZone: { _ in true }) else {
      throw StoreError(.open, "The space's settings cannot be read", context: "space_settings")
    }
    let zone: Zone
    do throws(SystemZoneError) {
      zone = try systemZone(settings.timezone)
    } catch {
      throw StoreError(.open, error.description, context: "timezone of the space; is tzdata installed?")
    }
    board.set(settings, zone: zone, write: 0)
    // A large programme takes a while to be read, and nobody has to wait for it who does not ask for it. Whoever does
    // ask comes behind: the programme's actor takes one after the other.
    let programme = programme
    Task.immediate { await programme.configure(settings, zone: zone, kept: kept, write: 0) }
  }

  public func addRoutes(to router: inout Router) {
    SpaceRoutes(hub: hub, board: board, programme: programme).add(to: &router)
    CalendarRoutes(hub: hub, board: board, programme: programme).add(to: &router)
    FavouriteRoutes(hub: hub, board: board, programme: programme).add(to: &router)
    OpenerRoutes(hub: hub, board: board, programme: programme).add(to: &router)
    PictureRoutes(hub: hub, board: board).add(to: &router)
  }

  public func start() {
    Task { await programme.refreshDue() }
    hub.loop.schedule(after: SpaceLimits.tickSeconds) { start() }
  }
}
