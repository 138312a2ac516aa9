public import Hub
public import Server
public import Store
import Synchronization
import Wire

/// The programme: the owner's calendars, people's favourites, and the openers of events.
public struct ProgrammeRoom: Room {
  static let id = "programme"
  public static let plan = RoomPlan(
    id: id, name: "Programme", summary: "What is on, from the calendars of the owner.",
    migrations: ProgrammeTables.migrations, options: CalendarOptions.all, errors: ErrorCode.ofProgramme,
    rights: [.wantOpener, .openFor], belongings: [FavouriteTables.secretAddress], topics: [ProgrammeBell.told],
    numbered: ProgrammeBell.calendar,
    history: [
      "calendar.uploaded", "calendar.removed", "opener.wanted", "opener.unwanted", "opener.volunteered",
      "opener.withdrew",
    ],
    backupNote: "Calendars that are files are not in it.")

  let hub: Hub
  let programme: ProgrammeWatch
  private let alerts: ProgrammeAlerts

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    programme = ProgrammeWatch(hub)
    let alerts = ProgrammeAlerts(hub, programme)
    self.alerts = alerts
    programme.hasNews.withLock { $0.append { [weak alerts] in alerts?.wake() } }
    let commit = hub.commits.number
    let (calendars, kept) = try await hub.store.read { database throws(StoreError) in
      (try database.calendarSources(), try database.keptCalendars())
    }
    hub.settings.add(
      CalendarsPart(hub: hub, programme: programme), at: "/api/v1/space/settings", order: CalendarsPart.order)
    hub.settings.add(
      RingTimesPart(hub: hub, alerts: alerts), at: "/api/v1/space/settings", order: RingTimesPart.order)
    hub.place.observe { [programme] place, change in try programme.placeChanged(to: place, in: change) }
    hub.offers.make(.plannedEvents, OfferedEvents(programme: programme))
    // A large programme takes a while to be parsed, so the start does not wait for it. Requests are queued behind it.
    programme.watch(calendars, kept, commit: commit)
  }

  public func addRoutes(to router: inout Router) {
    EventRoutes(hub: hub, programme: programme).add(to: &router)
    CalendarRoutes(hub: hub, programme: programme).add(to: &router)
    FeedRoutes(hub: hub, programme: programme).add(to: &router)
    FavouriteRoutes(hub: hub, programme: programme, alerts: alerts).add(to: &router)
    OpenerRoutes(hub: hub, programme: programme).add(to: &router)
    EventAlbumRoutes(hub: hub, programme: programme, alerts: alerts).add(to: &router)
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("programme.calendars", lease: "programme") { [programme] in try await programme.run() }
    supervisor.run("programme.alerts", lease: "programme") { [alerts] in try await alerts.run() }
    supervisor.run("programme.follow") { [programme] in try await programme.follow() }
  }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.calendars) || touches.has(.place) || touches.has(.looks) {
      let asked = try touches.passed(.looks, in: database)
      programme.changedElsewhere(commit: touches.commit, lookingAt: Set(asked?.map(\.body.string) ?? [nil]))
    }
    if touches.has(.ringTimes) { alerts.wake() }
  }

  /// Pages that are open show who opens: a name that is another now, or that stands for nobody any more, goes from
  /// them.
  public func personRemoved(_ id: Int, in change: Change) throws {
    let events = try change.database.events(openedBy: id, after: Int(change.now))
    try change.database.removeOpener(id)
    try change.tellOpeners(of: events)
  }

  public func personLostRights(_ id: Int, in change: Change) throws { try personRenamed(id, in: change) }

  public func personRenamed(_ id: Int, in change: Change) throws {
    try change.tellOpeners(of: change.database.events(openedBy: id, after: Int(change.now)))
  }

  public static func fillDemo(_ hub: Hub) async throws { try await ProgrammeDemo.fill(hub) }
}

extension Touch {
  /// The list of calendars, or the copy of one.
  static let calendars = Touch("programme.calendars")
  /// Somebody wants a calendar to be read now, by its identifier; all of them without one.
  static let looks = Touch("programme.looks")
  /// What rings, and when.
  static let ringTimes = Touch("programme.times")
}
