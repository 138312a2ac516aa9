import Delivery
import EventLoop
import Gateway
public import Hub
import Lifecycle
import Observe
public import Server
import Settings
public import Store
import WebPush
import Wire

/// The notifications of the hub: every room rings here, and so do programs and people who may; each device gets them
/// or there is an answer to why not.
public struct BellsRoom: Room {
  static let id = "bells"
  public static let plan = RoomPlan(
    id: id, name: "Bells", summary: "Notifications that arrive, or say why not.",
    migrations: PushTables.migrations + WebPushTables.migrations,
    options: [languageOption], errors: ErrorCode.ofBells, rights: [.send],
    channels: [
      PrivateChannels(id, meant: "owners, about answers to notifications") { principal, rest in
        rest.isEmpty && principal.may(.send)
      }
    ],
    commands: DeviceCommands.all + PushCommands.all + TopicCommands.all, commandWords: ["device", "push", "topic"])

  private static let languageOption = Setting(
    "bells_language", "LANGUAGE", fallback: BellLanguage.english.rawValue,
    help: "the language of what rings on devices that do not choose by themselves: en or de"
  ) { value throws(SettingsError) in
    guard BellLanguage(rawValue: value) != nil else {
      throw SettingsError("bells_language: \"\(value)\"; en and de are accepted.")
    }
  }

  let hub: Hub
  let delivery: Delivery
  let sender: BellSender
  let answers: Answers
  private let gateway: Gateway
  private let browsers: WebPushChannel
  private let keys: WebPushKeys
  private let watch: BellsWatch

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    delivery = Delivery(store: hub.store, loop: hub.loop, time: hub.time, log: hub.log)
    sender = BellSender(hub: hub, delivery: delivery)
    let answers = Answers(hub: hub)
    self.answers = answers
    let follow = AnswerTaking(hub: hub, sender: sender, answers: answers)
    gateway = Gateway(delivery) { answer, device in try await follow.take(answer, of: device, by: .gateway) }
    delivery.add(gateway)
    keys = try await Self.keys(hub)
    // Whoever runs a push service finds the hub by this; a mail address of the owner's is not known here.
    let contact = hub.publicURL.flatMap { $0.hasPrefix("https:") ? $0 : nil } ?? "https://eightbells.invalid"
    browsers = WebPushChannel(
      store: hub.store,
      sender: PushSender(
        client: hub.client, tokens: ServerTokens(keys.server, contact: contact, time: hub.time), time: hub.time),
      receipts: keys.receipts, loop: hub.loop, log: hub.log)
    delivery.add(browsers)
    watch = BellsWatch(hub, delivery, gateway)
    let lacking = try await hub.store.read { database throws(StoreError) in try database.lackingTopics(of: hub) }
    if !lacking.isEmpty {
      try await hub.store.write { database throws(StoreError) in
        for topic in lacking { try database.saveTopic(topic) }
      }
    }
  }

  /// The keys, made at the first start.
  private static func keys(_ hub: Hub) async throws(StoreError) -> WebPushKeys {
    try await hub.store.write { database throws(StoreError) in try database.webPushKeys() }
  }

  public func addRoutes(to router: inout Router) {
    NotificationRoutes(hub: hub, sender: sender).add(to: &router)
    InboxRoutes(hub: hub, sender: sender, answers: answers).add(to: &router)
    TopicRoutes(hub: hub).add(to: &router)
    DeviceRoutes(hub: hub, sender: sender, isConnected: { [gateway] in gateway.isConnected($0) }).add(to: &router)
    WebPushRoutes(hub: hub, taking: AnswerTaking(hub: hub, sender: sender, answers: answers), keys: keys).add(
      to: &router)
    router.on(.get, "/gateway", gateway.handler)
    // The way of one notification, which the page asks for: previews get nothing of it.
    WebShell.addPage("/bells/{id}", showing: "/bells", of: hub, to: &router) { _ in nil }
  }

  public func hubEnds() { gateway.close() }

  public func run(under supervisor: Supervisor) {
    supervisor.run("bells.delivery") { [delivery] in try await delivery.run() }
    supervisor.run("bells.webpush") { [browsers] in try await browsers.run() }
    supervisor.run("bells.watch") { [watch] in try await watch.run() }
  }

  public var receivers: [any OutboxReceiver] {
    let language = BellLanguage(rawValue: hub.options[Self.languageOption.name]) ?? .english
    return [RingReceiver(sender: sender, language: language)]
  }

  public func commandEnded() { watch.wake() }

  public func personRemoved(_ id: Int, in change: Change) throws {
    let devices = try change.database.removePushPerson(id, now: change.now)
    change.then { [delivery] in delivery.removed(devices) }
  }

  public func deviceRemoved(_ id: Int, in change: Change) throws {
    guard let device = try change.database.pushDevice(browser: id) else { return }
    try BellDevices.remove(device, delivery, in: change)
  }

  public func examine() async -> [Finding] { await BellsExamination(hub: hub).findings() }

  public var readings: [Reading] { watch.readings }

  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] {
    [
      "Make a device, ring it, and ask what became of that:",
      "  \(program) device create --data \(hub.dataFolder) --name bell --topic space",
      "  \(program) push send --data \(hub.dataFolder) --to topic:space --title Hello",
      "  \(program) push list --data \(hub.dataFolder)",
    ]
  }
}

extension Database {
  /// The topics of rooms that are not kept yet, or kept with other words. Who may send to one is the owner's to say.
  fileprivate func lackingTopics(of hub: Hub) throws(StoreError) -> [Topic] {
    var lacking: [Topic] = []
    for plan in hub.roomList.plans {
      for topic in plan.topics {
        let kept = try self.topic(topic.id)
        let wanted = Topic(
          id: topic.id, name: topic.name.english, room: plan.id, subscribers: topic.isForAll ? .everybody : .members,
          senders: kept?.senders ?? .right(Right.send.id))
        if kept != wanted { lacking.append(wanted) }
      }
    }
    return lacking
  }
}
