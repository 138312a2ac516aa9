import Delivery
public import Hub
public import Server
public import Store

/// The talking clock: says the time with a voice one knows, on devices and on the open page.
public struct TalkingClockRoom: Room {
  static let id = "clock"
  public static let plan = RoomPlan(
    id: id, name: "Talking clock", summary: "Says the time with a voice you know.",
    migrations: [ClockTables.migration], errors: ErrorCode.ofClock,
    commands: [ScheduleCommand.command, RunCommand.command, SayCommand.command, DevicesCommand.command]
      + VoiceCommands.all,
    commandWords: ["clock", "voice"])

  private let hub: Hub
  private let watch: ClockWatch

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    watch = ClockWatch(hub)
  }

  public func addRoutes(to router: inout Router) {
    ClockRoutes(hub: hub, watch: watch).add(to: &router)
    VoiceRoutes(hub: hub, watch: watch).add(to: &router)
    ReportRoutes(hub: hub).add(to: &router)
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("clock.watch") { [watch] in try await watch.run() }
  }

  public func commandEnded() { watch.wake() }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.clock) || touches.has(.place) { watch.wake() }
  }

  public func personRemoved(_ id: Int, in change: Change) throws {
    for voice in try change.database.voices(ofPerson: id) { try change.database.remove(voice) }
    try change.database.removeClock(ofPerson: id)
    try keeperChanges(to: try change.database.personIDs(with: .manage).first { $0 != id }, in: change)
  }

  /// Whoever lost rights while the room was off may have been given them again.
  public func personLostRights(_ id: Int, in change: Change) throws {
    try keeperChanges(to: try House(change.database).keeper, in: change)
  }

  /// The agents of the house may follow another owner's clock from now on. They go on by themselves with what they were
  /// told last, and the next wake may be far: the other one's may be muted, or quiet.
  private func keeperChanges(to keeper: Int?, in change: Change) throws {
    let database = change.database
    if let keeper {
      let states = try database.clockStates(of: House.agents(in: database))
      try change.tellSettings(try database.clock(ofPerson: keeper), to: states)
    }
    watch.wake(in: change)
  }

  public func examine() async -> [Finding] { await ClockExamination(hub: hub).findings() }

  public static func fillDemo(_ hub: Hub) async throws { try await ClockDemo.fill(hub) }
}

extension Touch {
  /// Other devices speak, or at other times.
  static let clock = Touch("clock.plan")
}
