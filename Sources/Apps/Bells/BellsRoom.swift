import APNs
import APNsSender
import Calendar
import Client
import Delivery
import Gateway
public import Hub
import Lifecycle
import Mail
public import Server
import Settings
public import Store
import Terminal
import WebPush
import Webhooks
import Wire

/// The notifications of the hub. Every room rings here, and so do programs and people who may. A device gets what is
/// for it, or its trace says why not.
public struct BellsRoom: Room {
  static let id = "bells"
  public static let plan = RoomPlan(
    id: id, name: "Bells", summary: "Notifications that arrive, or say why not.",
    migrations: PushTables.migrations + WebPushTables.migrations + APNsTables.migrations + WebhookTables.migrations
      + MailTables.migrations + AppleTables.migrations + [
        AttachmentTable.migration, AttachmentTable.fetched, ViewTable.migration, RevokedKeyTable.migration,
        DrillTable.migration, TroubleTable.migration, MadeTables.migration,
      ],
    options: [
      languageOption, APNsEntry.listenOption, APNsEntry.namesOption, AttachmentHosts.option, PushNetworks.option,
    ] + Mailing.options,
    errors: ErrorCode.ofBells, rights: [.send, .hooks, .views],
    channels: [
      PrivateChannels(BellChannel.owners, meant: "owners, about answers to notifications") { $0.sendsToAll }
    ],
    belongings: MadeTables.belongings, showsFrames: true,
    commands: DeviceCommands.all + PushCommands.all + TopicCommands.all + ProviderCommands.all + HookCommands.all
      + ViewCommands.all + KeyCommands.all + AppleCommands.all,
    commandWords: ["device", "push", "topic", "provider", "webhook", "hook", "view", "key", "apple"],
    // The names of topics are for those who may subscribe to them.
    history: ["bell.drilled"],
    backupNote: "The authority that the hub has made for apns_listen is not in it.")

  static let languageOption = Setting(
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
  private let taking: AnswerTaking
  private let gateway: Gateway
  private let browsers: WebPushChannel
  private let webhooks: WebhookChannel
  private let apple: AppleChannel
  private let mailing: Mailing?
  private let keys: WebPushKeys
  private let watch: BellsWatch
  private let entry: APNsEntry
  private let ntfy: NtfyFeed

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    delivery = Delivery(
      store: hub.store, loop: hub.loop, time: SharedTime(hub), log: hub.log,
      nextDay: { rule, first, after in try? DayRule(rule, first: first).next(after: after) },
      members: BellSender.members,
      commitDue: { work in
        try await hub.commit(as: .room(Self.id)) { change in
          let sent = try work(change.database)
          let hasFiles = try change.database.hasAttachments()
          for one in sent {
            if hasFiles { try change.database.keepAttachments(ofSent: one.id, now: change.now) }
            try BellChannel.tell(ofDue: one, in: change)
          }
          return sent
        }
      })
    sender = BellSender(hub: hub, delivery: delivery)
    let taking = AnswerTaking(sender: sender)
    self.taking = taking
    gateway = Gateway(delivery) { answer, device in try await taking.take(answer, of: device, by: .gateway) }
    delivery.add(gateway)
    // They are made at the first start.
    keys = try await hub.store.write { database throws(StoreError) in try database.webPushKeys() }
    // Mozilla's takes no message without any address, and Apple's looks whether it can be one.
    let contact = PushNetworks.contact(of: hub) ?? "https://eightbells.invalid"
    browsers = WebPushChannel(
      store: hub.store,
      sender: PushSender(
        client: hub.client.restricted(to: .publicInternet(and: PushNetworks.of(hub))),
        tokens: ServerTokens(keys.server, contact: contact, time: hub.time), time: hub.time),
      receipts: keys.receipts, loop: hub.loop, log: hub.log,
      subscriptionGone: { [sender] device in try await SilenceNotice(sender: sender).tell(of: device) })
    delivery.add(browsers)
    mailing = try await Mailing.make(hub)
    let watch = BellsWatch(sender, gateway, mailing?.channel)
    self.watch = watch
    webhooks = WebhookChannel(
      store: hub.store,
      sender: WebhookSender(client: hub.client, time: hub.time, isGerman: sender.language == .german),
      loop: hub.loop, log: hub.log, noticeIsDue: { watch.wake() })
    delivery.add(webhooks)
    apple = AppleChannel(
      store: hub.store, service: AppleService(loop: hub.loop, log: hub.log), loop: hub.loop, log: hub.log,
      deviceGone: { [delivery] device in delivery.removed([device]) })
    delivery.add(apple)
    if let mailing {
      delivery.add(mailing.channel)
      hub.offers.make(.mailer, OfferedMailer(hub: hub, sender: mailing.sender))
    }
    entry = APNsEntry(hub: hub, sender: sender)
    ntfy = NtfyFeed(hub)
    delivery.add(ntfy)
    let placed = try await hub.store.read { database throws(StoreError) in try database.placedNotifications() }
    sender.places.set(placed)
    sender.places.hear(hub)
    hub.offers.make(.locationTriggers, Places.Ringing(sender: sender))
    hub.offers.make(.bellTopics, RoomTopics(hub: hub))
    let lacking = try await hub.store.read { database throws(StoreError) in try database.lackingTopics(of: hub) }
    if !lacking.isEmpty {
      try await hub.store.write { database throws(StoreError) in
        for topic in lacking { try database.keep(topic, hub) }
      }
    }
  }

  public func addRoutes(to router: inout Router) {
    NotificationRoutes(hub: hub, sender: sender).add(to: &router)
    AttachmentRoutes(hub: hub).add(to: &router)
    ViewRoutes(hub: hub).add(to: &router)
    PreviewRoutes(hub: hub).add(to: &router)
    MediaRoutes(hub: hub, keys: keys).add(to: &router)
    InboxRoutes(hub: hub, taking: taking).add(to: &router)
    TopicRoutes(hub: hub).add(to: &router)
    DeviceRoutes(hub: hub, sender: sender, isConnected: { [gateway] in gateway.isConnected($0) }).add(to: &router)
    WebPushRoutes(hub: hub, taking: taking, keys: keys).add(to: &router)
    AppleRoutes(hub: hub, delivery: delivery).add(to: &router)
    DrillRoutes(hub: hub, drills: drills).add(to: &router)
    let hooks = Hooks(sender: sender)
    WebhookRoutes(hub: hub, hooks: hooks).add(to: &router)
    HookRoutes(hub: hub, hooks: hooks).add(to: &router)
    RevokedKeyRoutes(hub: hub).add(to: &router)
    MailRoutes(hub: hub, taking: taking, mailing: mailing).add(to: &router)
    router.on(.get, "/gateway", gateway.handler)
    NtfyRoutes(hub: hub, sender: sender, feed: ntfy).add(to: &router)
    // The page about the way of one notification, which asks for it by itself: previews get nothing of it.
    WebShell.addPage("/bells/{id}", showing: "/bells", of: hub, to: &router) { _ in nil }
  }

  public func listen() async throws(ListenError) -> [String] { try await entry.listen() }

  public func certificateRenewed() { entry.renewCertificate() }

  public func hubEnds() {
    gateway.close()
    entry.close()
    ntfy.close()
  }

  public func run(under supervisor: Supervisor) {
    supervisor.run("bells.delivery") { [delivery] in try await delivery.run() }
    supervisor.run("bells.webpush", lease: "bells.webpush") { [browsers] in try await browsers.run() }
    supervisor.run("bells.webhooks", lease: "bells.webhooks") { [webhooks] in try await webhooks.run() }
    supervisor.run("bells.apple", lease: "bells.apple") { [apple] in try await apple.run() }
    if let mailing { supervisor.run("bells.mail", lease: "bells.mail") { try await mailing.channel.run() } }
    supervisor.run("bells.watch") { [hub, watch, hasMail = mailing != nil] in
      // Not by commands beside the hub, which do not know its mail server.
      let now = hub.time.now
      try await hub.store.write { database throws(StoreError) in
        try database.useMailboxes(hasMail, now: now)
        try BellDevices.removeSignedOut(in: database, now: now)
      }
      try await watch.run()
    }
    if entry.isOpen { supervisor.run("bells.apns") { [entry] in try await entry.run() } }
  }

  public var receivers: [any OutboxReceiver] { [RingReceiver(sender: sender)] }

  private var drills: Drills { Drills(sender: sender) }

  public func answered(_ answer: BellAnswer, in change: Change) throws { try drills.answered(answer, in: change) }

  /// A guest of this room is a hook by which another program posts.
  public func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool {
    try database.hook(id) != nil
  }

  public func commandEnded() {
    watch.wake()
    entry.wake()
  }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    try sender.places.refresh(touches, in: database)
    if touches.has(.providers) { entry.wake() }
    try delivery.refresh(has: touches.has, rows: touches.rows, in: database)
  }

  public func personJoined(_ id: Int, as role: Role, in change: Change) throws {
    try BellDemo.welcome(id, role, in: change)
  }

  public func personRemoved(_ id: Int, in change: Change) throws {
    let caller = Principal(person: id, name: "", role: .member).caller
    let planned = try change.database.scheduled(of: caller, limit: .max) ?? []
    try sender.withdraw(planned.map(\.id), in: change)
    _ = try change.database.removeMailbox(ofPerson: id, now: change.now)
    try MadeTables.endHooks(ofPerson: id, in: change)
    let devices = try change.database.removePushPerson(id, now: change.now)
    delivery.removed(devices, after: change.database)
  }

  public func personLostRights(_ id: Int, in change: Change) throws {
    try change.database.pruneSubscriptions(ofPerson: id, hub)
    if let role = try change.database.personRole(id), !Right.hooks.roles.contains(role) {
      try MadeTables.endHooks(ofPerson: id, in: change)
    }
    try BellChannel.tell([id], nil, "topics", in: change)
  }

  public func deviceRemoved(_ id: Int, in change: Change) throws {
    // Agents that were made on it have ended with it.
    delivery.removed(try change.database.pushDevices(removedAt: change.now), after: change.database)
    guard let device = try change.database.pushDevice(browser: id) else { return }
    try BellDevices.remove(device, delivery, in: change)
  }

  public func deviceRenamed(_ id: Int, to name: String, in change: Change) throws {
    guard let device = try change.database.pushDevice(browser: id) else { return }
    try change.database.renamePushDevice(device.id, to: name)
    if let person = device.person { try BellChannel.tell([person], nil, "devices", in: change) }
  }

  public func examine() async -> [Finding] { await BellsExamination(hub: hub, mailing: mailing).findings() }

  public var readings: [Reading] {
    func counted(
      _ name: String, _ channel: (some WorkedChannel)?, _ help: String,
      _ count: @escaping @Sendable (AttemptCounts) -> Int
    ) -> Reading {
      Reading(name, .counter, help: help) { Double(channel.map { count($0.counts) } ?? 0) }
    }
    let mail = mailing?.channel
    let ofChannels = [
      counted("webpush_sent_total", browsers, "Messages that push services have taken.") { $0.sent },
      counted(
        "webpush_failed_total", browsers, "Messages that push services refused or did not answer, tries included."
      ) { $0.failed },
      counted("webpush_gone_total", browsers, "Subscriptions that push services had ended.") { $0.gone },
      counted("webhooks_sent_total", webhooks, "Notifications that webhooks' servers have taken.") { $0.sent },
      counted(
        "webhooks_failed_total", webhooks,
        "Notifications that webhooks' servers refused or did not answer, tries included."
      ) { $0.failed + $0.gone },
      counted("apple_sent_total", apple, "Notifications that Apple's push service has taken.") { $0.sent },
      counted(
        "apple_failed_total", apple,
        "Notifications that Apple's push service refused or did not answer, tries included."
      ) { $0.failed },
      counted("apple_gone_total", apple, "Devices whose app is gone, by Apple's push service.") { $0.gone },
      counted("mail_sent_total", mail, "Mails about notifications that the mail server has taken.") { $0.sent },
      counted(
        "mail_failed_total", mail,
        "Mails about notifications that the mail server refused or did not take, tries included."
      ) { $0.failed },
    ]
    return watch.readings + entry.readings + ofChannels
  }

  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] {
    let folder = hub.dataFolder.shellWord
    return [
      "Make a device, ring it, and ask what became of that:",
      "  \(program) device create --data \(folder) --name bell --topic space",
      "  \(program) push send --data \(folder) --to topic:space --title Hello",
      "  \(program) push list --data \(folder)",
    ]
  }
}

extension Database {
  /// The topics of rooms that are not stored yet, or stored with other words.
  fileprivate func lackingTopics(of hub: Hub) throws(StoreError) -> [Topic] {
    var lacking: [Topic] = []
    for plan in hub.roomList.plans {
      for topic in plan.topics {
        let (wanted, isLacking) = try wanted(topic, of: plan.id)
        if isLacking { lacking.append(wanted) }
      }
    }
    return lacking
  }
}
