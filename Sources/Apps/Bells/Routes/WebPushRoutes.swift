import Crypto
import Delivery
import Hub
import Server
import Store
import WebPush
import Wire

/// Browsers that are rung while no page is open: their subscriptions, and the receipts of their service workers.
struct WebPushRoutes: Sendable {
  let hub: Hub
  let taking: AnswerTaking
  let keys: WebPushKeys

  private static let path = "/api/v1/bells/webpush"

  func add(to router: inout Router) {
    let key: JSON = ["key": .string(keys.server.publicText)]
    router.on(.get, Self.path, .immediate { _ throws(HTTPError) in Response(json: key) })
    router.on(.put, Self.path, .task(subscribe))
    router.on(.delete, Self.path, .task(unsubscribe))
    router.on(.post, "/api/v1/bells/receipts", .task(receive))
  }

  // MARK: Subscriptions

  /// A page's request to have its browser rung.
  private struct Wish: Sendable {
    var subscription: PushSubscription
    var zone: String?
    /// The topics that ring this browser alone; nil to leave them as they are.
    var topics: [String]?
    /// The secret that a stranger was given when they subscribed before; nil for others.
    var secret: String?
    var platform: BrowserPlatform?
  }

  private func subscribe(_ request: Request) async throws(HTTPError) -> Response {
    let principal = await hub.visitor(request)
    var body = try FieldCheck(request, known: ["subscription", "zone", "topics", "secret"], nullIsNothing: true)
    let wish = self.wish(&body)
    try body.finish(help: "Send the subscription as PushManager.subscribe gives it, with toJSON().")
    guard var wish else { throw HTTPError(.invalidField, "subscription: missing.", help: "It is needed.") }
    wish.platform = BrowserPlatform(userAgent: request.head.fields["user-agent"])
    return try await subscribe(wish, principal, from: request)
  }

  private func subscribe(
    _ wish: Wish, _ principal: Principal?, from request: Request
  ) async throws(HTTPError) -> Response {
    if let principal, let browser = principal.device, let person = principal.person {
      return try await hub.commit(as: principal) { change in
        let device = try Self.device(of: browser, person, in: change)
        try save(wish, device, principal, in: change)
        try BellChannel.tell([person], nil, "devices", in: change)
        return Response(json: ["device": JSON(id: device)]).notStored()
      }
    }
    let address = Attempts.network(of: request.peer)
    return try await hub.commit(as: .room(BellsRoom.id)) { change in
      let (device, secret) = try Self.stranger(wish, from: address, in: change)
      try save(wish, device, nil, in: change)
      return Response(json: ["device": JSON(id: device), "secret": .string(secret)]).notStored()
    }
  }

  private func wish(_ body: inout FieldCheck) -> Wish? {
    let topics = body.has("topics") ? body.list("topics", of: "topics", atMost: BellsLimits.topics) : nil
    if let topics, !topics.allSatisfy({ TokenTopics.isID($0.string ?? "") }) {
      body.fail("topics", "ids of topics are accepted.")
    }
    let zone = body.text("zone", longest: BellsLimits.zone)
    let secret = body.text("secret", longest: BellsLimits.secret)
    guard let json = body.value("subscription", isNeeded: true, accepted: "a push subscription") else { return nil }
    do throws(WebPushError) {
      return Wish(
        subscription: try PushSubscription(json, listed: PushNetworks.of(hub)), zone: zone,
        topics: topics?.compactMap(\.string), secret: secret)
    } catch {
      body.fail("subscription", error.message)
      return nil
    }
  }

  /// The device of a browser that is signed in; added if it is not there yet.
  private static func device(of browser: Int, _ person: Int, in change: Change) throws -> Int {
    if let device = try change.database.pushDevice(browser: browser) { return device.id }
    let name = try change.database.deviceName(browser) ?? "Browser"
    let device = PushDevice(
      name: name, kind: .browser, person: person, browser: browser, channels: [], createdAt: change.now)
    guard let id = try change.database.addPushDevice(device) else { throw HTTPError.tooManyDevices }
    try change.audit("bell.device-made", about: name)
    return id
  }

  private static func stranger(
    _ wish: Wish, from address: String, in change: Change
  ) throws -> (device: Int, secret: String) {
    let database = change.database
    if let secret = wish.secret, let device = try Self.stranger(secret, in: database) { return (device.id, secret) }
    let secret = "ebs_" + Digest.base64URL(Digest.random(24))
    // A browser that has forgotten its secret is still the same device: nobody else knows the address.
    if let id = try database.device(ofEndpoint: wish.subscription.endpoint),
      try database.pushDevice(id)?.kind == .stranger
    {
      try database.changePushDevice(id, secretDigest: Digest.sha256(secret.utf8))
      return (id, secret)
    }
    let device = PushDevice(
      name: "Browser", kind: .stranger, channels: [], address: address, createdAt: change.now)
    guard let id = try database.addPushDevice(device, secretDigest: Digest.sha256(secret.utf8)) else {
      throw HTTPError.tooManyDevices
    }
    return (id, secret)
  }

  private static func stranger(_ secret: String, in database: Database) throws -> PushDevice? {
    let device = try database.pushDevice(secretDigest: Digest.sha256(secret.utf8))
    return device?.kind == .stranger ? device : nil
  }

  private func save(_ wish: Wish, _ device: Int, _ principal: Principal?, in change: Change) throws {
    let database = change.database
    try database.saveSubscription(
      wish.subscription, ofDevice: device, platform: wish.platform, now: change.now)
    try database.notePushDevice(device, seenAt: change.now, zone: wish.zone)
    guard let topics = wish.topics else { return }
    for id in try database.subscriptions(of: .device(device)).subtracting(topics) {
      try database.unsubscribe(.device(device), from: id)
    }
    for id in topics {
      guard let topic = try database.topic(id), TopicRoutes.mayTake(topic, principal, hub) else {
        throw HTTPError.noSuchTopic(id)
      }
      try database.subscribe(.device(device), to: id)
    }
  }

  private func unsubscribe(_ request: Request) async throws(HTTPError) -> Response {
    let principal = await hub.visitor(request)
    // The whole answer of subscribing is taken, too.
    var body = try FieldCheck(request, known: ["secret", "device"], nullIsNothing: true, mayBeEmpty: true)
    let secret = body.text("secret", longest: BellsLimits.secret)
    try body.finish(help: "Example: {\"secret\": \"ebs_…\"}; whoever is signed in needs none.")
    let browser = principal?.device
    try await hub.commit(as: principal ?? .room(BellsRoom.id)) { change in
      // Whoever has signed in since then may be a stranger's device, too.
      let devices: [PushDevice?] = [
        try browser.flatMap { try change.database.pushDevice(browser: $0) },
        try secret.flatMap { try Self.stranger($0, in: change.database) },
      ]
      for device in devices.compactMap({ $0 }) {
        try change.database.endSubscription(ofDevice: device.id, reason: .channelRemoved, now: change.now)
        if let person = device.person { try BellChannel.tell([person], nil, "devices", in: change) }
      }
    }
    return .nothing()
  }

  // MARK: Receipts

  /// Takes a receipt of a service worker. It has no cookie, and proves by the receipt which device it is.
  private func receive(_ request: Request) async throws(HTTPError) -> Response {
    var body = try FieldCheck(
      request, known: ["id", "version", "receipt", "what", "action", "text", "at", "note"], nullIsNothing: true)
    let proof = body.text("receipt", longest: BellsLimits.secret, isNeeded: true) ?? ""
    let id = body.text("id", longest: 20, isNeeded: true).flatMap(Int.init) ?? 0
    let version = body.int("version", in: 1...Int(Int32.max)) ?? 1
    let what = body.choice("what", among: What.allCases, isNeeded: true) ?? .shown
    let action = body.answerAction("action")
    let text = body.answerText("text")
    let note = body.text("note", longest: BellsLimits.secret).flatMap { DeviceNote($0) }
    try body.finish(help: "Example: {\"id\": \"12\", \"version\": 1, \"receipt\": \"…\", \"what\": \"shown\"}")
    guard let device = keys.receipts.device(of: proof, notification: id) else {
      throw HTTPError.noSuchNotification(id)
    }
    let receipt = Receipt(notification: id, version: version, what: what.told(action, text), note: note)
    let recorded = try await taking.take(receipt, of: device, by: .webPush)
    try recorded.demandOpen(id)
    return Response(
      json: ["id": JSON(id: id), "action": JSON(recorded.taken?.action), "over": .bool(recorded.isOver)]
    ).notStored()
  }

  private enum What: String, CaseIterable {
    case delivered, shown, acted, dismissed, failed, withdrawn

    func told(_ action: String?, _ text: String?) -> Receipt.What {
      switch self {
      case .delivered: .delivered
      case .shown: .shown
      case .acted: .acted(action: action ?? Answer.tap, text: text)
      case .dismissed: .acted(action: Answer.dismiss, text: nil)
      case .failed: .failed
      case .withdrawn: .withdrawn
      }
    }
  }
}

extension HTTPError {
  static let tooManyDevices = HTTPError(
    .tooManySubscriptions, "There are too many devices that are rung.",
    help: "\(DeliveryLimits.devicesPerPerson) of one person are possible; of people who have not signed in "
      + "\(DeliveryLimits.strangersPerAddress) from one address, and \(DeliveryLimits.strangers) together.")
}
