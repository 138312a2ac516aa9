import APNs
import APNsSender
import Crypto
import Delivery
import Hub
import Server
import Store
import Wire

/// The registration of native apps, which Apple's push service reaches.
struct AppleRoutes: Sendable {
  let hub: Hub
  let delivery: Delivery

  private static let path = "/api/v1/devices/{id}/apns"

  func add(to router: inout Router) {
    let admit = hub.needs(.enter)
    router.on(.put, Self.path, admit: admit, .task(register))
    router.on(.delete, Self.path, admit: admit, .task(end))
  }

  private func register(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    var body = try FieldCheck(request, known: ["token", "topic", "environment"], nullIsNothing: true)
    let most = APNsSenderLimits.tokenBytes.upperBound
    let token = body.text("token", longest: most * 2, isNeeded: true).flatMap { Digest.bytes(hex: $0) } ?? []
    if body.has("token"), !APNsSenderLimits.tokenBytes.contains(token.count) {
      body.fail("token", "the device token in hexadecimal digits is accepted, 1 to \(most) bytes.")
    }
    let topic = body.text("topic", longest: APNsLimits.bundleBytes, isNeeded: true) ?? ""
    if !topic.isEmpty, !PushTopic.isName(topic) {
      body.fail("topic", "the app's bundle id is accepted: letters, digits, dots, hyphens and underscores.")
    }
    let name = body.text("environment", longest: 20)
    let environment = AppleEnvironment(rawValue: name ?? AppleEnvironment.production.rawValue)
    if environment == nil { body.fail("environment", "\"sandbox\" and \"production\" are accepted.") }
    try body.finish(
      help: "Example: {\"token\": \"8489…\", \"topic\": \"org.example.app\", \"environment\": \"sandbox\"}")
    return try await hub.commit(as: principal) { change in
      let device = try BellDevices.agent(id, of: principal, in: change.database)
      let registration = AppleRegistration(
        device: id, token: token, topic: topic, environment: environment ?? .production, registeredAt: change.now)
      if try change.database.saveAppleRegistration(registration, now: change.now) {
        try change.audit("bell.device-apple", about: device.name)
        // The notifications that waited at the gateway go to Apple now.
        change.database.afterCommit { [delivery] in delivery.timesChanged() }
        if let person = device.person { try BellChannel.tell([person], nil, "devices", in: change) }
      }
      return .nothing()
    }
  }

  private func end(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let id = request.id ?? 0
    return try await hub.commit(as: principal) { change in
      let device = try BellDevices.agent(id, of: principal, in: change.database)
      if try change.database.endAppleRegistration(ofDevice: id, now: change.now) {
        try change.audit("bell.device-apple-ended", about: device.name)
        if let person = device.person { try BellChannel.tell([person], nil, "devices", in: change) }
      }
      return .nothing()
    }
  }
}
