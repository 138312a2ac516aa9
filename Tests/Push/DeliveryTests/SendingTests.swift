import Delivery
import Store
import Testing
import Wire
import World

struct SendingTests {
  @Test func `what is sent to a device is pending until the device has shown it, and the trace says so`()
    async throws
  {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let sent = try await world.submit(to: [.device(device)])
    #expect(sent.devices == 1 && sent.wakes.count == 1)
    #expect(sent.wakes[0].devices == [device] && sent.wakes[0].message.id == sent.id)
    #expect(try await world.pending(device).map(\.id) == [sent.id])
    world.time.advance(by: 1)
    try await world.record(.delivered, of: sent.id, device: device)
    #expect(try await world.pending(device).count == 1)
    try await world.record(.shown, of: sent.id, device: device)
    #expect(try await world.pending(device).isEmpty)
    #expect(try await world.events(sent.id, device) == ["queued", "delivered", "shown"])
  }

  @Test func `a receipt that comes again is written once, unless it tells of a repeated showing`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let sent = try await world.submit(to: [.device(device)])
    for _ in 0..<3 { try await world.record(.shown, of: sent.id, device: device) }
    try await world.record(.shown, of: sent.id, device: device, isRepeat: true)
    #expect(try await world.events(sent.id, device) == ["queued", "shown", "shown repeat"])
  }

  @Test func `a receipt of another device, or for what was never sent, changes nothing`() async throws {
    let world = try await DeliveryWorld()
    let (one, other) = (try await world.device(), try await world.device())
    let sent = try await world.submit(to: [.device(one)])
    try await world.record(.shown, of: sent.id, device: other)
    try await world.record(.shown, of: sent.id + 1, device: one)
    // A device cannot acknowledge versions that do not exist.
    try await world.record(.shown, of: sent.id, version: 99, device: one)
    #expect(try await world.events(sent.id, one) == ["queued", "shown"])
    let changed = try await world.write { database, now throws(StoreError) in
      try database.update(notification: sent.id, content: ["title": "Closed"], now: now)
    }
    #expect(changed?.wakes.first?.message.version == 2)
    #expect(try await world.pending(one).map(\.version) == [2])
  }

  @Test func `ids grow and are not used again when the clock is set back`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let first = try await world.submit(to: [.device(device)]).id
    #expect(first == Int(world.time.now * 1_000_000))
    world.time.setClock(by: -86_400)
    let second = try await world.submit(to: [.device(device)]).id
    #expect(second == first + 1)
    let third = try await world.submit(to: [.device(device)], at: world.time.now + 60).id
    #expect(third == second + 1)
    #expect(try await world.submit(to: [.device(device)]).id == third + 1)
  }

  @Test func `each device gets it once, however many recipients lead to it`() async throws {
    let world = try await DeliveryWorld()
    let (phone, laptop) = (try await world.device(person: 7), try await world.device(person: 7))
    try await world.write { database, _ throws(StoreError) in
      try database.saveTopic(Topic(id: "space", name: "Space", subscribers: .everybody, senders: .members))
      try database.subscribe(.person(7), to: "space")
      try database.subscribe(.device(laptop), to: "space")
    }
    let sent = try await world.submit(to: [.topic("space"), .person(7), .device(phone), .device(9_999)])
    #expect(Set(sent.wakes.flatMap(\.devices)) == [phone, laptop] && sent.devices == 2 && sent.persons == [7])
    let items = try await world.store.read { database throws(StoreError) in
      try database.inbox(ofPerson: 7, limit: 10)
    }
    #expect(items.map(\.state) == [.new])
  }

  @Test func `a subscription ends with its topic, its device and its person`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    try await world.write { database, now throws(StoreError) in
      for id in ["a", "b"] {
        try database.saveTopic(Topic(id: id, name: id, subscribers: .everybody, senders: .members))
        try database.subscribe(.device(device), to: id)
        try database.subscribe(.person(7), to: id)
      }
      #expect(try !database.subscribe(.person(7), to: "c"))
      try database.removeTopic("a")
      #expect(try database.subscriptions(of: .person(7)) == ["b"])
      #expect(try database.subscriptions(of: .device(device)) == ["b"])
      #expect(try database.removePushPerson(7, now: now) == [device])
      #expect(try database.subscriptions(of: .person(7)).isEmpty)
      #expect(try database.subscriptions(of: .device(device)).isEmpty)
    }
    #expect(try await world.submit(to: [.topic("b")]).devices == 0)
  }

  @Test func `a removed device is rung no more, and the trace still names it`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device("Ada's phone")
    let sent = try await world.submit(to: [.device(device)])
    try await world.write { database, now throws(StoreError) in try database.removePushDevice(device, now: now) }
    #expect(try await world.events(sent.id, device) == ["queued", "gone device_removed"])
    #expect(try await world.submit(to: [.device(device)]).devices == 0)
    let trace = try await world.store.read { database throws(StoreError) in try database.trace(sent.id) }
    #expect(trace?.devices.first?.name == "Ada's phone")
    #expect(try await world.pending(device).isEmpty)
  }

  @Test func `a person's and strangers' devices have their limits`() async throws {
    let world = try await DeliveryWorld()
    try await world.write { database, now throws(StoreError) in
      func add(_ kind: PushDevice.Kind, _ person: Int?, _ address: String?) throws(StoreError) -> Bool {
        try database.addPushDevice(
          PushDevice(
            name: "d", kind: kind, person: person, channels: [.webPush], address: address, createdAt: now)) != nil
      }
      for _ in 0..<DeliveryLimits.devicesPerPerson { #expect(try add(.agent, 7, nil)) }
      #expect(try !add(.agent, 7, nil))
      #expect(try add(.agent, 8, nil))
      for _ in 0..<DeliveryLimits.strangersPerAddress { #expect(try add(.stranger, nil, "192.0.2.1")) }
      #expect(try !add(.stranger, nil, "192.0.2.1"))
      var count = DeliveryLimits.strangersPerAddress
      while count < DeliveryLimits.strangers {
        #expect(try add(.stranger, nil, "192.0.2.\(2 + count / DeliveryLimits.strangersPerAddress)"))
        count += 1
      }
      #expect(try !add(.stranger, nil, "198.51.100.1"))
    }
  }

  @Test func `beyond the limit the oldest of the lowest priority is dropped, and the trace says so`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let high = try await world.submit(to: [.device(device)]).id
    let normal = try await world.submit(to: [.device(device)], priority: .normal).id
    for _ in 2..<DeliveryLimits.pending { _ = try await world.submit(to: [.device(device)], priority: .normal) }
    #expect(try await world.pending(device).count == DeliveryLimits.pending)
    #expect(try await world.events(normal, device) == ["queued"])
    let last = try await world.submit(to: [.device(device)], priority: .normal).id
    let pending = try await world.pending(device)
    #expect(pending.count == DeliveryLimits.pending && pending.first?.id == high && pending.last?.id == last)
    #expect(try await world.events(normal, device) == ["queued", "suppressed queue_full"])
  }

  @Test func `what is more important is not dropped for what is less`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    for _ in 0..<DeliveryLimits.pending { _ = try await world.submit(to: [.device(device)], priority: .high) }
    let sent = try await world.submit(to: [.device(device)], priority: .normal)
    #expect(sent.wakes.isEmpty)
    #expect(try await world.events(sent.id, device) == ["queued", "suppressed queue_full"])
    // A withdrawal is not dropped either: the device would go on showing what is not true.
    let first = try #require(try await world.pending(device).first)
    try await world.record(.shown, of: first.id, device: device)
    try await world.write { database, now throws(StoreError) in
      try database.withdraw(notification: first.id, now: now)
    }
    let urgent = try await world.submit(to: [.device(device)])
    let pending = try await world.pending(device)
    #expect(pending.count == DeliveryLimits.pending && pending.contains { $0.id == urgent.id })
    #expect(pending.contains { $0.id == first.id && $0.work == .withdraw(.takenBack) })
  }

  @Test func `a new one with the same collapse id takes the place of the older`() async throws {
    let world = try await DeliveryWorld()
    let (seen, unseen) = (try await world.device(), try await world.device())
    let to: [Recipient] = [.device(seen), .device(unseen)]
    let first = try await world.submit(to: to, collapse: "sign").id
    try await world.record(.shown, of: first, device: seen)
    let other = try await world.submit(to: to, collapse: "door").id
    let second = try await world.submit(to: to, collapse: "sign")
    #expect(second.wakes[0].message.collapseID == "sign")
    #expect(try await world.pending(unseen).map(\.id) == [other, second.id])
    #expect(try await world.events(first, unseen) == ["queued", "suppressed collapsed"])
    #expect(try await world.events(first, seen) == ["queued", "shown", "suppressed collapsed"])
    // What was replaced follows no update and no withdrawal.
    let changed = try await world.write { database, now throws(StoreError) in
      try database.update(notification: first, content: ["title": "Closed"], now: now)
    }
    #expect(changed?.wakes.isEmpty == true)
  }

  @Test func `what has expired is not sent, and the trace says when it ended`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let end = world.time.now + 60
    let sent = try await world.submit(to: [.device(device)], expires: end)
    world.time.advance(by: 59)
    try await world.write { database, now throws(StoreError) in #expect(try !database.expire(now: now)) }
    #expect(try await world.pending(device).count == 1)
    world.time.advance(by: 1)
    // Also before the hub has looked.
    #expect(try await world.pending(device).isEmpty)
    try await world.write { database, now throws(StoreError) in _ = try database.expire(now: now) }
    #expect(try await world.events(sent.id, device) == ["queued", "expired expired"])
    let late = try await world.submit(to: [.device(device)], expires: end)
    #expect(late.wakes.isEmpty)
    #expect(try await world.events(late.id, device) == ["queued", "expired expired"])
  }

  @Test func `critical ones pass the quiet hours, others are suppressed until their end`() async throws {
    let world = try await DeliveryWorld()
    // 19:40 in Berlin and 03:40 on the next day in Tokyo.
    let (berlin, tokyo) = (
      try await world.device(person: 7, zone: "Europe/Berlin"), try await world.device(person: 7, zone: "Asia/Tokyo")
    )
    try await world.write { database, _ throws(StoreError) in
      try database.setQuietHours(ofPerson: 7, QuietHours(from: 23 * 60, to: 7 * 60, zone: "UTC"))
    }
    let sent = try await world.submit(to: [.person(7)])
    #expect(sent.wakes.flatMap(\.devices) == [berlin] && sent.devices == 2)
    #expect(try await world.events(sent.id, tokyo) == ["queued", "suppressed quiet_hours 07:00"])
    let critical = try await world.submit(to: [.person(7)], level: "critical")
    #expect(Set(critical.wakes.flatMap(\.devices)) == [berlin, tokyo])
    // An update does not ring where it was quiet.
    let changed = try await world.write { database, now throws(StoreError) in
      try database.update(notification: sent.id, content: ["title": "Closed"], now: now)
    }
    #expect(changed?.wakes.flatMap(\.devices) == [berlin])
    try await world.write { database, _ throws(StoreError) in
      try database.setQuietHours(ofPerson: 7, nil)
      #expect(try database.quietHours(ofPerson: 7) == nil)
    }
    #expect(try await world.submit(to: [.person(7)]).wakes.flatMap(\.devices).count == 2)
  }

  @Test(arguments: ["22:59:59": false, "23:00:00": true, "06:59:59": true, "07:00:00": false, "00:00:00": true])
  func `quiet hours over midnight begin and end with their minute`(clock: String, isQuiet: Bool) {
    let parts = clock.split(separator: ":").map { Int($0)! }
    let second = parts[0] * 3_600 + parts[1] * 60 + parts[2]
    let end = isQuiet ? "07:00" : nil
    let quiet = QuietHours(from: 23 * 60, to: 7 * 60, zone: "UTC")
    let midnight = 1_795_132_800.0
    #expect(quiet.end(at: midnight + Double(second), deviceZone: nil) == end)
    // An unknown zone is none.
    #expect(quiet.end(at: midnight + Double(second), deviceZone: "Atlantis/Rhodes") == end)
    #expect(QuietHours(from: 60, to: 60, zone: "UTC").end(at: midnight + Double(second), deviceZone: nil) == nil)
  }
}
