import Crypto
import Delivery
import Hub
import Server
import Store
import WebPush
import Wire

/// The devices that are rung, and the test of the way to them.
struct DeviceRoutes: Sendable {
  let hub: Hub
  let sender: BellSender
  /// True if a device is connected to the gateway now.
  let isConnected: @Sendable (Int) -> Bool

  private static let path = "/api/v1/bells/devices"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(list))
    let admit = hub.needs(.enter)
    router.on(.post, Self.path, admit: admit, .task(register))
    router.on(.put, "\(Self.path)/{id}/secret", admit: admit, .task(registerAgain))
    router.on(.delete, "\(Self.path)/{id}", admit: admit, .task(remove))
    router.on(.post, "/api/v1/bells/test", admit: admit, .task(test))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let isAll = try request.flag("all") ?? false
    if isAll { try principal.demand(.manage) }
    guard isAll || principal.person != nil else {
      throw HTTPError(.noPerson, "A token has no devices.", help: "An owner's token asks for ?all=1.")
    }
    let person = isAll ? nil : principal.person
    let (devices, platforms) = try await hub.read { database throws(StoreError) in
      (try database.pushDevices(ofPerson: person), try database.browserPlatforms(ofPerson: person))
    }
    // Webhooks have a list of their own, and a person's mailbox an address.
    let items = devices.filter { $0.kind != .webhook && $0.kind != .mailbox }.map {
      $0.json(for: principal, isConnected: isConnected($0.id), on: platforms[$0.id])
    }
    return Response(json: .array(items)).notStored()
  }

  /// Registers an agent: it is the caller's own, or nobody's if an owner's token asks.
  private func register(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    if principal.person == nil { try principal.demand(.manage) }
    var body = try FieldCheck(request, known: ["name", "topics", "zone"], nullIsNothing: true)
    let name = body.line("name", isNeeded: true) ?? ""
    let topics = body.has("topics") ? body.list("topics", of: "topics", atMost: BellsLimits.topics) ?? [] : []
    if !topics.allSatisfy({ TokenTopics.isID($0.string ?? "") }) { body.fail("topics", "ids of topics are accepted.") }
    let zone = body.text("zone", longest: BellsLimits.zone)
    try body.finish(help: "Example: {\"name\": \"bell in the workshop\", \"topics\": [\"space\"]}")
    return try await hub.commit(once: request, as: principal) { [hub] change in
      let ids = topics.compactMap(\.string)
      for id in ids {
        guard let topic = try change.database.topic(id),
          principal.may(.manage) || TopicRoutes.mayTake(topic, principal, hub)
        else { throw HTTPError.noSuchTopic(id) }
      }
      let made = try BellDevices.make(name, of: principal.person, topics: ids, zone: zone, in: change)
      if let person = principal.person { try BellChannel.tell([person], nil, "devices", in: change) }
      return Response(status: 201, json: made).notStored()
    }
  }

  /// Gives an agent another secret and another token: whoever has the old secret is sent away, and senders that have
  /// the old token are told that it is gone.
  private func registerAgain(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    return try await hub.commit(as: principal) { [delivery = sender.delivery] change in
      let device = try BellDevices.agent(id, of: principal, in: change.database)
      let (secret, token) = (BellDevices.newSecret(), Digest.random(Sending.Target.tokenBytes))
      try change.database.changePushDevice(id, secretDigest: Digest.sha256(secret.utf8))
      try change.database.changeToken(token, ofDevice: id, now: change.now)
      try change.database.note(rung: id, madeOn: principal.device)
      try change.audit("bell.device-secret", about: device.name)
      delivery.removed([id], after: change.database)
      return Response(json: BellDevices.json(id, token, secret)).notStored()
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    try await hub.commit(as: principal) { [delivery = sender.delivery] change in
      guard let device = try change.database.pushDevice(id),
        principal.may(.manage) || (device.person != nil && device.person == principal.person)
      else { throw HTTPError.noSuchDevice("\(id)") }
      try BellDevices.remove(device, delivery, in: change)
    }
    return .nothing()
  }

  /// Sends a notification to one device alone, so that its trace shows the way with its times.
  private func test(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    var body = try FieldCheck(request, known: ["device", "content"], nullIsNothing: true, mayBeEmpty: true)
    let named = body["device"]?.string.flatMap(Int.init)
    if body.has("device"), named == nil, body["device"] != .null { body.fail("device", "an id is accepted, as text.") }
    let content = body.has("content") ? body.content("content", isNeeded: false) : nil
    try body.finish(help: "Example: {\"device\": \"7\"}; without one, the browser that asks is rung.")
    return try await hub.commit(once: request, as: principal) { change in
      let database = change.database
      let device =
        try named.map { try database.pushDevice($0) }
        ?? principal.device.flatMap { try database.pushDevice(browser: $0) }
      guard let device, principal.sendsToAll || (device.person != nil && device.person == principal.person) else {
        throw HTTPError(
          .noSuchBellDevice,
          named.map { "There is no device \($0) that can be rung." } ?? "This browser is not rung yet.",
          help: "GET /api/v1/bells/devices lists those there are; PUT /api/v1/bells/webpush has this browser rung.")
      }
      let submission = Submission(
        to: [.device(device.id)], content: content ?? Self.testContent, collapseID: "test",
        expiresAt: change.now + BellsLimits.testSeconds, sender: principal.caller)
      let submitted = try sender.submit(submission, in: change)
      return Response(status: 202, json: ["id": JSON(id: submitted.id)]).asOf(commit: change.number)
    }
  }

  /// The test passes quiet hours, since the person who presses the button wants to hear it.
  private static let testContent: JSON = [
    "title": "It rings", "body": "This device can be reached.", "interruption_level": "critical", "sound": "default",
    "category": "test",
    "localized": ["de": ["title": "Es läutet", "body": "Dieses Gerät ist zu erreichen."]],
  ]
}

/// Changes of devices that routes and commands make.
enum BellDevices {
  /// 192 bits cannot be guessed.
  static func newSecret() -> String { Hub.deviceSecretPrefix + Digest.base64URL(Digest.random(24)) }

  /// Makes an agent's device.
  /// - Returns: its id, device_token and secret, which is told this once.
  static func make(
    _ name: String, of person: Int?, topics: [String], zone: String? = nil, app: String? = nil, in change: Change
  ) throws -> JSON {
    let (database, secret, token) = (change.database, newSecret(), Digest.random(Sending.Target.tokenBytes))
    let device = PushDevice(
      name: name, kind: .agent, person: person, zone: zone, channels: [.gateway], createdAt: change.now)
    guard try database.pushDevices().count(where: { $0.kind == .agent }) < BellsLimits.agents,
      let id = try database.addPushDevice(device, secretDigest: Digest.sha256(secret.utf8), token: token)
    else {
      throw HTTPError(
        .tooManySubscriptions,
        "There are too many devices: \(BellsLimits.agents) agents are possible, "
          + "\(DeliveryLimits.devicesPerPerson) of one person.", help: "Remove one first.")
    }
    for topic in topics where try !database.subscribe(.device(id), to: topic) { throw HTTPError.noSuchTopic(topic) }
    if let app { try database.setApp(app, ofDevice: id) }
    try database.note(rung: id, madeOn: change.principal.device)
    try change.audit("bell.device-made", about: name)
    return json(id, token, secret)
  }

  /// An agent's device as it is told to those who registered it.
  static func json(_ id: Int, _ token: [UInt8], _ secret: String) -> JSON {
    ["id": JSON(id: id), "device_token": .string(Digest.hex(token)), "secret": .string(secret)]
  }

  /// An agent of the caller's own; for owners any.
  /// - Throws: 404 for all others.
  static func agent(_ id: Int, of principal: Principal, in database: Database) throws -> PushDevice {
    guard let device = try database.pushDevice(id), device.kind == .agent,
      principal.may(.manage) || (device.person != nil && device.person == principal.person)
    else { throw HTTPError.noSuchDevice("\(id)") }
    return device
  }

  /// Removes the browsers whose session ended while this room was switched off, or with a version that did not tell it.
  static func removeSignedOut(in database: Database, now: Double) throws(StoreError) {
    for device in try database.pushDevices(of: .browser) {
      guard let browser = device.browser, try database.person(onDevice: browser) != device.person else { continue }
      try database.removePushDevice(device.id, now: now)
    }
  }

  static func remove(_ device: PushDevice, _ delivery: Delivery, in change: Change) throws {
    try change.database.removePushDevice(device.id, now: change.now)
    try change.audit("bell.device-removed", about: device.name)
    let id = device.id
    delivery.removed([id], after: change.database)
    if let person = device.person { try BellChannel.tell([person], nil, "devices", in: change) }
  }
}

extension PushDevice {
  /// - Parameter principal: the caller, who may sit at this device.
  fileprivate func json(for principal: Principal, isConnected: Bool, on platform: BrowserPlatform?) -> JSON {
    [
      "id": JSON(id: id), "name": .string(name), "kind": .string(kind.rawValue), "person": JSON(id: person),
      "channels": .array(channels.map(\.name).sorted().map(JSON.string)),
      "this": .bool(browser != nil && browser == principal.device), "zone": JSON(zone),
      "created_at": JSON(instant: createdAt), "seen_at": JSON(instant: seenAt), "connected": .bool(isConnected),
      "can": can(on: platform),
    ]
  }

  /// The device's abilities: "maybe" where its system or browser decides, "running" while the browser runs.
  private func can(on platform: BrowserPlatform?) -> JSON {
    if channels.contains(.gateway) {
      return [
        "locked": "yes", "offline": "yes", "silent": "yes", "sound": "yes", "vibration": "maybe", "car": "no",
      ]
    }
    // Apple's system shows it, in the way that its owner has set.
    if channels.contains(.apns) {
      return [
        "locked": "yes", "offline": "no", "silent": "maybe", "sound": "yes", "vibration": "maybe", "car": "maybe",
      ]
    }
    let (locked, sound, vibration, car): (JSON, JSON, JSON, JSON) =
      switch platform {
      case _ where channels.isEmpty: ("no", "no", "no", "no")
      case .iPhone: ("yes", "no", "no", "maybe")
      case .android: ("yes", "maybe", "maybe", "maybe")
      case .desktop: ("running", "maybe", "no", "no")
      case nil: ("maybe", "maybe", "maybe", "maybe")
      }
    return ["locked": locked, "offline": "no", "silent": "no", "sound": sound, "vibration": vibration, "car": car]
  }
}
