import Client
import EventLoop
public import Hub
import Objects
import Realtime
public import Server
public import Store
public import Wire

/// Apps: what people who build one need behind it, on a machine of their own.
public struct BackendRoom: Room {
  static let id = "apps"
  /// The channel of the owners' pages.
  static let channel = Channel.private(id)

  public static let plan = RoomPlan(
    id: id, name: "Apps", summary: "Channels for apps that people build, as Pusher has them.",
    migrations: [
      AppTables.migration, ObjectTables.migration, UserTables.migration, HookTable.migration,
      HoldingsTable.migration, WaitingTables.migration, LiveTable.migration, WaitingTables.numbered,
      RelationTable.migration, ObjectTables.indexes, ObjectTables.numbers, ObjectTables.removedFields,
    ],
    errors: ErrorCode.ofApps + ErrorCode.ofPusher, rights: [.manageApps],
    channels: [
      PrivateChannels(channel, meant: "whoever manages apps") { $0.managesApps },
      PrivateChannels(of: channel, meant: "whoever manages that app: private-apps-ID") { principal, id, _ in
        id.allSatisfy(\.isWholeNumber) && principal.managesApps
      },
    ],
    drillName: Bell.Words("News of apps", german: "Neues aus Apps"),
    commands: AppCommands.all + TransferCommands.all, commandWords: ["app"])

  private let hub: Hub
  let register: AppRegister
  private let console: Console
  private let watch: AppsWatch
  private let webhooks: WebhookSender
  let objects: AppObjects
  private let mails: AccountMails
  private let leftovers: Leftovers
  private let live: LiveQueries
  let after: AfterTriggers

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    let console = Console(hub)
    let webhooks = WebhookSender(
      client: hub.client.restricted(to: .publicInternet(and: hub.reachable)), loop: hub.loop, log: hub.log,
      console: { console.note($1, of: $0) })
    let register = try await AppRegister(hub, webhooks)
    let watch = AppsWatch(hub, register, console)
    let objects = AppObjects(hub)
    let count: @Sendable (Int, Int) -> Void = { messages, app in
      if register.meter.add(messages, to: app) { watch.wake() }
    }
    let live = LiveQueries(hub, LiveSource(objects, register, count: count))
    let after = AfterTriggers(objects) { console.note($1, of: $0) }
    try await hub.store.read { database throws(StoreError) in try objects.hooks.read(database) }
    try await hub.store.read { database throws(StoreError) in try live.interest.read(database) }
    objects.listen { written in
      live.take(written.changes, commit: written.commit)
      let ended = written.endedSessions
      if !ended.isEmpty { hub.channels.end(sessions: ended, of: "\(written.app.id)") }
    }
    objects.join { written, change throws(StoreError) in
      try after.write(written, in: change)
      try live.pass(written, in: change)
      let ended = written.endedSessions
      if !ended.isEmpty { try change.pass(.sessions, about: written.app.id, .array(ended.map { .string($0) })) }
    }
    let leftovers = Leftovers(objects, register)
    register.follow { id, state in
      if state == .removed {
        objects.hooks.forget(id)
        objects.forget(id)
        after.forget(id)
        leftovers.wake()
      }
      if state == .served, let app = register.app(id) {
        live.checkKeys(app)
      } else {
        live.close(id, "The app is turned off, over its quota, or was removed.")
      }
    }
    (self.objects, self.live, self.after, self.leftovers) = (objects, live, after, leftovers)
    mails = AccountMails(hub) { console.note($1, of: $0) }
    (self.register, self.console, self.watch, self.webhooks) = (register, console, watch, webhooks)
    hub.channels.open(
      AppDirectory(
        find: { await register.find(key: $0) }, webhook: { webhooks.take($1, of: $0) },
        console: { console.note($1, of: $0) },
        count: { app, messages in if let id = Int(app) { count(messages, id) } },
        others: { app in Int(app).map { live.clients(of: $0) } ?? 0 },
        isSession: { id, app in await objects.isSession(id, of: Int(app) ?? 0) }))
    register.serveAll()
  }

  public func addRoutes(to router: inout Router) {
    AppRoutes(hub: hub, register: register).add(to: &router)
    ConsoleRoutes(hub: hub, register: register, console: console).add(to: &router)
    PusherAPI(
      channels: hub.channels, time: hub.time, appOfID: { [register] in await register.find(id: $0) },
      appOfKey: { [register] in await register.find(key: $0) }
    ).addRoutes(to: &router)
    live.addRoutes(to: &router)
    HealthRoutes.add(to: &router)
    let parse = ParseRoutes.all(objects, register, mails)
    parse.add(to: &router)
    OwnerObjects(hub: hub, routes: parse).add(to: &router)
    FileRoutes(objects, register).add(to: &router)
    AccountRoutes(objects: objects, register: register).add(to: &router)
    WebShell.addPage("/apps/{id}", showing: "/apps", of: hub, to: &router) { _ in nil }
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("apps.watch") { [watch] in try await watch.run() }
    supervisor.run("apps.indexes") { [objects] in try await IndexWatch(objects: objects).run() }
    supervisor.run("apps.mails", lease: "apps.mails") { [mails] in try await mails.run() }
    supervisor.run("apps.leftovers", lease: "apps.leftovers") { [leftovers] in try await leftovers.run() }
    supervisor.run("apps.live") { [live] in try await live.run() }
    supervisor.run("apps.triggers", lease: "apps.triggers") { [after] in try await after.run() }
    supervisor.run("apps.webhooks") { [webhooks] in try await webhooks.run() }
    supervisor.run("apps.channels", lease: "apps.channels") { [hub] in
      hub.channels.keepWebhooks(true)
      defer { hub.channels.keepWebhooks(false) }
      try await Poller(hub.loop).run { nil }
    }
  }

  public func woken(askedBy person: Int?, in database: Database) throws(StoreError) -> JSON? {
    var topics: Set<String> = []
    for app in register.all {
      for stored in try database.storedClasses(of: app.id, objects.cache) {
        topics.formUnion(stored.schema.rings.compactMap { $0["topic"]?.string })
      }
    }
    return topics.isEmpty ? nil : .array(topics.sorted().map { ["topic": .string($0)] })
  }

  public func commandEnded() {
    watch.wake()
    leftovers.wake()
    objects.forgetAll()
    _ = hub.supervisor.once("apps.hooks") { [hub, objects] in
      try? await hub.commit(as: .room(Self.id)) { change in try objects.hooks.read(in: change) }
    }
  }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.apps) { try register.refresh(touches.rows(.apps), from: database) }
    if touches.has(.hooks) { try objects.hooks.read(database) }
    if touches.has(.objects) {
      if let apps = touches.rows(.objects) {
        for app in apps { objects.forget(app) }
      } else {
        objects.forgetAll()
      }
    }
    if touches.has(.letters) { mails.wake() }
    if touches.has(.calls) { after.look() }
    try live.refresh(touches, in: database)
    guard let ended = try touches.passed(.sessions, in: database) else {
      for app in register.all { hub.channels.end(sessions: nil, of: "\(app.id)") }
      return
    }
    for one in ended {
      hub.channels.end(sessions: Set(one.body.array?.compactMap(\.string) ?? []), of: "\(one.about)")
    }
  }

  public var readings: [Reading] {
    [
      Reading("made", help: "The number of apps.") { [register] in Double(register.all.count) },
      Reading("connections", help: "Connections of all apps together.") { [hub, register] in
        register.all.reduce(0) { $0 + Double(hub.channels.connections(of: "\($1.id)")) }
      },
      Reading("live_connections", help: "Connections of live queries.") { [live] in Double(live.connections) },
    ]
  }

  public func examine() async -> [Finding] { await AppsExamination(hub: hub, register: register).findings() }

  public static func fillDemo(_ hub: Hub) async throws { try await AppDemo.fill(hub) }
}
