import Client
public import Hub
import Lifecycle
import Realtime
public import Server
public import Store

/// Apps: what people who build one need behind it, on a machine of their own.
public struct BackendRoom: Room {
  static let id = "apps"
  /// The channel of the owners' pages.
  static let channel = "private-apps"

  public static let plan = RoomPlan(
    id: id, name: "Apps", summary: "Channels for apps that people build, as Pusher has them.",
    migrations: [AppTables.migration], errors: ErrorCode.ofApps + ErrorCode.ofPusher, rights: [.manageApps],
    channels: [
      PrivateChannels(id, meant: "whoever manages apps") { principal, rest in
        (rest.isEmpty || rest.first == "-" && rest.dropFirst().allSatisfy(\.isWholeNumber)) && principal.managesApps
      }
    ],
    commands: AppCommands.all, commandWords: ["app"])

  private let hub: Hub
  let register: AppRegister
  private let console: Console
  private let watch: AppsWatch
  private let webhooks: WebhookSender

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    let console = Console(hub)
    let webhooks = WebhookSender(
      client: hub.client.restricted(to: .publicInternet(and: hub.reachable)), loop: hub.loop, log: hub.log,
      console: { console.note($1, of: $0) })
    let register = try await AppRegister(hub, webhooks)
    let watch = AppsWatch(hub, register, console)
    (self.register, self.console, self.watch, self.webhooks) = (register, console, watch, webhooks)
    hub.channels.open(
      AppDirectory(
        find: { await register.find(key: $0) }, webhook: { webhooks.take($1, of: $0) },
        console: { console.note($1, of: $0) },
        count: { app, messages in
          if let id = Int(app), register.meter.add(messages, to: id) { watch.wake() }
        }))
  }

  public func addRoutes(to router: inout Router) {
    AppRoutes(hub: hub, register: register).add(to: &router)
    ConsoleRoutes(hub: hub, register: register, console: console).add(to: &router)
    PusherAPI(
      channels: hub.channels, time: hub.time, appOfID: { [register] in await register.find(id: $0) },
      appOfKey: { [register] in await register.find(key: $0) }
    ).addRoutes(to: &router)
    WebShell.addPage("/apps/{id}", showing: "/apps", of: hub, to: &router) { _ in nil }
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("apps.watch") { [watch] in try await watch.run() }
    supervisor.run("apps.webhooks") { [webhooks] in try await webhooks.run() }
  }

  public func commandEnded() { watch.wake() }

  public var readings: [Reading] {
    [
      Reading("count", help: "The number of apps.") { [register] in Double(register.all.count) },
      Reading("connections", help: "Connections of all apps together.") { [hub, register] in
        register.all.reduce(0) { $0 + Double(hub.channels.connections(of: "\($1.id)")) }
      },
    ]
  }

  public static func fillDemo(_ hub: Hub) async throws { try await AppDemo.fill(hub) }
}
