import Delivery
import Hub
import Server
import Store
import Wire

/// The devices that are rung, and the test of the way to them.
struct DeviceRoutes: Sendable {
  let hub: Hub
  let sender: BellSender
  /// True if a device is connected to the gateway now.
  let isConnected: @Sendable (Int) -> Bool

  private static let path = "/api/v1/bells/devices"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task { request throws(HTTPError) in try await list(request) })
    let admit = hub.needs(.enter)
    router.on(
      .delete, "\(Self.path)/{id}", admit: admit, .task { request throws(HTTPError) in try await remove(request) })
    router.on(.post, "/api/v1/bells/test", admit: admit, .task { request throws(HTTPError) in try await test(request) })
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let isAll = request.query["all"] == "1"
    if isAll { try principal.demand(.manage) }
    guard isAll || principal.person != nil else {
      throw HTTPError(.noPerson, "A token has no devices.", help: "An owner's token asks for ?all=1.")
    }
    let devices = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) in
        try database.pushDevices(ofPerson: isAll ? nil : principal.person)
      }
    }
    let items = devices.map { $0.json(for: principal, isConnected: isConnected($0.id)) }
    return Response(json: .array(items)).notStored()
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
    let json = request.body.isEmpty ? .object([]) : try request.json()
    var body = FieldCheck(json, known: ["device", "content"], nullIsNothing: true)
    let named = body["device"]?.string.flatMap(Int.init)
    if body.has("device"), named == nil, body["device"] != .null { body.fail("device", "an id is accepted, as text.") }
    let content = body.has("content") ? body.content("content", isNeeded: false) : nil
    try body.finish(help: "Example: {\"device\": \"7\"}; without one, the browser that asks is rung.")
    return try await hub.commit(once: request, as: principal) { change in
      let database = change.database
      let device =
        try named.map { try database.pushDevice($0) }
        ?? principal.device.flatMap { try database.pushDevice(browser: $0) }
      guard let device, principal.may(.send) || (device.person != nil && device.person == principal.person) else {
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

  /// It passes quiet hours, since whoever presses the button wants to hear it.
  private static let testContent: JSON = [
    "title": "It rings", "body": "This device can be reached.", "interruption_level": "critical", "category": "test",
    "localized": ["de": ["title": "Es läutet", "body": "Dieses Gerät ist zu erreichen."]],
  ]
}

/// Changes of devices that routes and commands make.
enum BellDevices {
  static func remove(_ device: PushDevice, _ delivery: Delivery, in change: Change) throws {
    try change.database.removePushDevice(device.id, now: change.now)
    try change.audit("bell.device-removed", about: device.name)
    let id = device.id
    change.then { delivery.removed([id]) }
    if let person = device.person { BellChannel.tell([person], nil, "devices", in: change) }
  }
}

extension PushDevice {
  /// - Parameter principal: the caller, who may sit at this device.
  fileprivate func json(for principal: Principal, isConnected: Bool) -> JSON {
    [
      "id": JSON(id: id), "name": .string(name), "kind": .string(kind.rawValue), "person": JSON(id: person),
      "channels": .array(channels.map(\.name).sorted().map(JSON.string)),
      "this": .bool(browser != nil && browser == principal.device), "zone": JSON(zone),
      "created_at": JSON(instant: createdAt), "seen_at": JSON(instant: seenAt), "connected": .bool(isConnected),
      "can": can,
    ]
  }

  /// What it can do, by its channels: "maybe" where that is the system's or the browser's to decide.
  private var can: JSON {
    channels.contains(.gateway)
      ? [
        "locked": "yes", "offline": "yes", "silent": "yes", "sound": "yes", "vibration": "maybe", "car": "no",
      ]
      : [
        "locked": "maybe", "offline": "no", "silent": "no", "sound": "maybe", "vibration": "maybe", "car": "maybe",
      ]
  }
}
