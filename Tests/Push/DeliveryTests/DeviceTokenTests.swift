import Delivery
import Store
import Testing
import Wire
import World

struct DeviceTokenTests {
  private static let token = [UInt8](repeating: 7, count: 32)

  private func holder(of token: [UInt8], _ world: DeliveryWorld) async throws -> Database.TokenHolder? {
    try await world.store.read { database throws(StoreError) in try database.holder(ofToken: token) }
  }

  private func add(_ world: DeliveryWorld) async throws -> Int {
    let device = PushDevice(name: "phone", kind: .agent, channels: [.gateway], createdAt: world.time.now)
    return try #require(
      try await world.write { database, _ throws(StoreError) in
        try database.addPushDevice(device, token: Self.token)
      })
  }

  @Test func `a token names its device and the app that it belongs to, and after the removal since when it is gone`()
    async throws
  {
    let world = try await DeliveryWorld()
    let id = try await add(world)
    #expect(try await holder(of: Self.token, world) == .device(id, app: nil))
    #expect(try await holder(of: [1], world) == nil)
    try await world.write { database, _ throws(StoreError) in try database.setApp("org.example.app", ofDevice: id) }
    #expect(try await holder(of: Self.token, world) == .device(id, app: "org.example.app"))
    world.time.advance(by: 60)
    let removed = world.time.now
    for _ in 0..<2 {
      // A second removal does not change the time.
      try await world.write { database, now throws(StoreError) in try database.removePushDevice(id, now: now) }
      #expect(try await holder(of: Self.token, world) == .gone(since: removed))
      world.time.advance(by: 60)
    }
    // The row of the device goes one day; its token is known as gone on.
    world.time.advance(by: 31 * 86_400)
    _ = try await world.write { database, now throws(StoreError) in try database.tidyDevices(now: now).hasMore }
    #expect(try await holder(of: Self.token, world) == .gone(since: removed))
    let apps = try await world.store.read { database throws(StoreError) in try database.pushApps() }
    #expect(apps.isEmpty)
  }

  @Test func `a browser that was seen while the clock stood in 1970 is not forgotten once it is set`() async throws {
    let world = try await DeliveryWorld()
    let stranger = try await world.device("Browser", kind: .stranger, channels: [.webPush])
    let begin = world.time.now
    world.time.setClock(to: 60)
    try await world.write { database, now throws(StoreError) in _ = try database.notePushDevice(stranger, seenAt: now) }
    world.time.setClock(to: begin + 60)
    let gone = try await world.write { database, now throws(StoreError) in try database.tidyDevices(now: now).removed }
    #expect(gone.isEmpty)
  }

  @Test func `a device that was seen while the clock was years ahead is seen now`() async throws {
    let world = try await DeliveryWorld()
    let begin = world.time.now
    world.time.setClock(by: 3 * 365 * 86_400)
    let stranger = try await world.device("Browser", kind: .stranger, channels: [.webPush])
    world.time.setClock(to: begin)
    try await world.write { database, now throws(StoreError) in _ = try database.notePushDevice(stranger, seenAt: now) }
    let seen = try await world.store.read { database throws(StoreError) in try database.pushDevice(stranger)?.seenAt }
    #expect(seen == begin)
  }

  @Test func `what is planned for a device that is gone does not ring the next one`() async throws {
    let world = try await DeliveryWorld()
    let gone = try await world.device(person: 1)
    let later = world.time.now + 40 * 86_400
    _ = try await world.submit(to: [.device(gone)], at: later)
    try await world.write { database, now throws(StoreError) in try database.removePushDevice(gone, now: now) }
    world.time.advance(by: 31 * 86_400)
    try await world.write { database, now throws(StoreError) in _ = try database.tidyDevices(now: now) }
    let next = try await world.device(person: 2)
    world.time.advance(by: 10 * 86_400)
    let sent = try await world.write { database, now throws(StoreError) in try database.sendDue(now: now) }
    #expect(sent.map(\.devices) == [0])
    #expect(try await world.pending(next).isEmpty)
  }

  @Test func `what stays where it is shown is delivered no more after its end, and can still be answered`()
    async throws
  {
    let world = try await DeliveryWorld()
    let (shown, away) = (try await world.device(), try await world.device())
    let sent = try await world.write { database, now throws(StoreError) in
      try database.submit(
        Submission(
          to: [.device(shown), .device(away)],
          content: ["title": "Open", "actions": [["id": "come", "title": "Come"]]],
          expiresAt: now + 10, sender: "provider KEY1234567", stays: true), now: now)
    }
    try await world.record(.shown, of: sent.id, device: shown)
    world.time.advance(by: 11)
    let wakes = try await world.write { database, now throws(StoreError) in try database.expire(now: now) }
    #expect(wakes.isEmpty)
    #expect(try await world.events(sent.id, shown) == ["queued", "shown"])
    #expect(try await world.events(sent.id, away) == ["queued", "expired expired"])
    for device in [shown, away] { #expect(try await world.pending(device).isEmpty) }
    // It is over for nobody who sees it.
    let answered = try await world.record(.acted(action: "come", text: nil), of: sent.id, device: shown)
    #expect(answered.refusal == nil && answered.answer?.action == "come")
  }

  @Test func `what stays and was shown nowhere is over at its end`() async throws {
    let world = try await DeliveryWorld()
    let away = try await world.device()
    let sent = try await world.write { database, now throws(StoreError) in
      try database.submit(
        Submission(
          to: [.device(away)], content: ["title": "Open"], expiresAt: now + 10, sender: "provider KEY1234567",
          stays: true), now: now)
    }
    world.time.advance(by: 11)
    _ = try await world.write { database, now throws(StoreError) in try database.expire(now: now) }
    let trace = try #require(try await world.store.read { database throws(StoreError) in try database.trace(sent.id) })
    #expect(trace.notification.state == .expired)
    #expect(try await world.events(sent.id, away) == ["queued", "expired expired"])
  }
}
