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

  @Test func `a removed device has no say any more, and nothing waits for it`() async throws {
    let world = try await DeliveryWorld()
    let (removed, other) = (try await world.device(), try await world.device())
    let id = try await world.submit(to: [.device(removed), .device(other)]).id
    for device in [removed, other] { try await world.record(.shown, of: id, device: device) }
    try await world.write { database, now throws(StoreError) in try database.removePushDevice(removed, now: now) }
    let late = try await world.record(.acted(action: "open", text: nil), of: id, device: removed)
    #expect(late.answer == nil && late.taken == Recorded.Taken(action: "open", counts: false))
    #expect(try await world.events(id, removed) == ["queued", "shown"])
    let changed = try await world.write { database, now throws(StoreError) in
      try database.withdraw(notification: id, now: now)
    }
    #expect(changed?.wakes.flatMap(\.devices) == [other])
    #expect(try await world.pending(removed).isEmpty)
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
      // Who comes and goes counts while the rows are kept.
      for stranger in try database.pushDevices() where stranger.kind == .stranger {
        try database.removePushDevice(stranger.id, now: now)
      }
      #expect(try !add(.stranger, nil, "198.51.100.1"))
      var left = 0
      let later = now + DeliveryLimits.keptDays * 86_400 + 1
      repeat { left += 1 } while try database.tidyDevices(now: later).hasMore
      #expect(left > 1 && left <= 26, "so many are removed in one transaction at most")
      #expect(try add(.stranger, nil, "198.51.100.1"))
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

  @Test func `a queue has as much room as its device has made, whoever fills it`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    func fill(_ count: Int) async throws {
      for _ in 0..<count { _ = try await world.submit(to: [.device(device)]) }
    }
    try await fill(DeliveryLimits.pending - 2)
    // A program beside the hub takes the room that there was.
    let beside = try await Store(
      path: "\(world.folder.path)/store.sqlite", migrations: PushTables.migrations, time: world.time, access: .guest)
    let now = world.time.now
    for _ in 0..<2 {
      try await beside.write { database throws(StoreError) in
        _ = try database.submit(
          Submission(to: [.device(device)], content: ["title": "Open"], sender: "command"), now: now)
      }
    }
    let oldest = try await world.pending(device).map(\.id)
    #expect(Set(oldest).count == DeliveryLimits.pending, "no id is given twice")
    try await fill(1)
    #expect(try await world.events(oldest[0], device) == ["queued", "suppressed queue_full"])
    for id in oldest[1...3] { try await world.record(.shown, of: id, device: device) }
    try await fill(3)
    #expect(try await world.events(oldest[4], device) == ["queued"], "there was room for three")
    // A change makes one pending that was not.
    try await world.record(.shown, of: oldest[4], device: device)
    try await world.change(oldest[4], to: "Closed")
    try await fill(1)
    #expect(try await world.events(oldest[5], device) == ["queued", "suppressed queue_full"])
    #expect(try await world.pending(device).count == DeliveryLimits.pending)
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

  @Test func `orders to remove what is over do not keep new ones out`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let end = world.time.now + 60
    for _ in 0..<DeliveryLimits.pending {
      let id = try await world.submit(to: [.device(device)], expires: end).id
      try await world.record(.shown, of: id, device: device)
    }
    world.time.advance(by: 60)
    for _ in 0..<2 {
      try await world.write { database, now throws(StoreError) in _ = try database.expire(now: now) }
    }
    #expect(try await world.pending(device).count == DeliveryLimits.pending)
    let new = try await world.submit(to: [.device(device)], priority: .normal).id
    let pending = try await world.pending(device)
    #expect(pending.count == DeliveryLimits.pending && pending.last?.id == new)
  }

  @Test func `what was taken back before it was sent does not keep new ones out`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    for _ in 0..<DeliveryLimits.pending {
      let id = try await world.submit(to: [.device(device)]).id
      try await world.write { database, now throws(StoreError) in _ = try database.withdraw(notification: id, now: now)
      }
    }
    let new = try await world.submit(to: [.device(device)], priority: .normal).id
    #expect(try await world.pending(device).last?.id == new)
  }

  @Test func `what was scheduled is newer than what was sent before its time, though its id is older`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(channels: [.webPush])
    func place() async throws -> Int {
      let now = world.time.now
      let one = try await world.store.read { database throws(StoreError) in
        try database.pending(device: device, channel: .webPush, now: now, limit: 1).first
      }
      return try #require(one.map { $0.sequence ?? $0.message.id })
    }
    func sendDue() async throws {
      try await world.write { database, now throws(StoreError) in _ = try database.sendDue(now: now) }
    }
    for seconds in [60.0, 120] {
      _ = try await world.submit(to: [.device(device)], collapse: "sign", at: world.time.now + seconds)
    }
    var places = [try await world.submit(to: [.device(device)], collapse: "sign").id]
    #expect(try await place() == places[0])
    world.time.advance(by: 60)
    try await sendDue()
    places.append(try await place())
    // The hub is started again, and its clock has been set back.
    world.time.setClock(by: -50)
    try await world.write { database, _ throws(StoreError) in database.remembered = [:] }
    _ = try await world.submit(to: [.device(device)], collapse: "sign")
    places.append(try await place())
    world.time.advance(by: 110)
    try await sendDue()
    places.append(try await place())
    #expect(places == places.sorted() && Set(places).count == 4)
  }

  @Test func `what an older version has scheduled and sent keeps its place`() async throws {
    let (folder, time) = (TemporaryFolder(), VirtualTime())
    let path = "\(folder.path)/store.sqlite"
    let older = PushTables.migrations.filter { !($0.room == "push" && $0.number == 4) }
    let now = time.now
    let at = Int(now * 1_000_000)
    try await Store(path: path, migrations: older, time: time).write { database throws(StoreError) in
      // Scheduled an hour ago, and sent at once.
      for (id, collapse) in [(at - 3_600_000_000, "sign"), (at, "door")] {
        try database.run(
          """
          INSERT INTO push_notifications (id, at, content, collapse, priority, version, state, sender)
            VALUES (?, ?, '{}', ?, 1, 1, 0, 'person 1')
          """, .int(id), .double(now), .text(collapse))
        try database.run(
          """
          INSERT INTO push_deliveries (notification, device, channel, priority, wanted, acknowledged, state, collapse,
            attempts, events) VALUES (?, 1, ?, 1, 1, 0, 0, ?, 0, '')
          """, .int(id), .int(ChannelKind.webPush.rawValue), .text(collapse))
      }
    }
    let store = try await Store(path: path, migrations: PushTables.migrations, time: time)
    let sequences = try await store.read { database throws(StoreError) in
      try database.pending(device: 1, channel: .webPush, now: now, limit: 2).map(\.sequence)
    }
    #expect(sequences == [at, nil])
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
    // A notification that was replaced follows no update and no withdrawal.
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
    try await world.write { database, now throws(StoreError) in
      #expect(try database.expire(now: now).isEmpty)
    }
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

  @Test func `what has expired is removed where it is shown`() async throws {
    let world = try await DeliveryWorld()
    let (seen, away) = (try await world.device(), try await world.device())
    let id = try await world.submit(to: [.device(seen), .device(away)], expires: world.time.now + 60).id
    try await world.record(.shown, of: id, device: seen)
    world.time.advance(by: 60)
    let wakes = try await world.write { database, now throws(StoreError) in try database.expire(now: now) }
    #expect(wakes.flatMap(\.devices) == [seen])
    #expect(try await world.pending(seen).map(\.work) == [.withdraw(.expired)])
    #expect(try await world.pending(away).isEmpty)
    try await world.record(.withdrawn, of: id, version: 2, device: seen)
    #expect(try await world.events(id, seen) == ["queued", "shown", "withdrawn expired"])
    #expect(try await world.events(id, away) == ["queued", "expired expired"])
  }

  /// The tests begin at 18:40 in UTC.
  func quiet(_ world: DeliveryWorld, from minutes: Int) async throws {
    try await world.keepQuiet(7, from: 18 * 60 + 40 + minutes, to: 7 * 60)
  }

  /// The messages that a channel gets when it looks.
  func look(_ world: DeliveryWorld, _ device: Int, _ channel: ChannelKind = .gateway) async throws -> [Outgoing] {
    try await world.write { database, now throws(StoreError) in
      if try database.isQuiet(device: device, now: now) {
        try database.hold(device: device, channel: channel, now: now)
      }
      return try database.pending(device: device, channel: channel, now: now, limit: 100).map(\.message)
    }
  }

  @Test(arguments: [ChannelKind.gateway, .webPush])
  func `what was sent before quiet hours does not ring in them, but after them`(channel: ChannelKind) async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7, channels: [channel])
    try await quiet(world, from: 10)
    let shown = try await world.submit(to: [.person(7)]).id
    try await world.record(.shown, of: shown, device: device, channel: channel)
    let waiting = try await world.submit(to: [.person(7)]).id
    let critical = try await world.submit(to: [.person(7)], level: "critical").id
    world.time.advance(by: 600)
    try await world.write { database, now throws(StoreError) in
      _ = try database.update(notification: shown, content: ["title": "Closed"], now: now)
      let changed = try database.update(notification: waiting, content: ["title": "Later"], now: now)
      #expect(changed?.wakes.isEmpty == true, "a change does not ring either")
    }
    #expect(try await look(world, device, channel).map(\.id) == [shown, critical])
    #expect(try await look(world, device, channel).map(\.id) == [shown, critical])
    #expect(try await world.events(waiting, device) == ["queued", "suppressed quiet_hours 07:00"])
    // 18:50 to 07:00.
    world.time.advance(by: 12 * 3_600 + 599)
    #expect(try await look(world, device, channel).map(\.id) == [shown, critical])
    world.time.advance(by: 1)
    #expect(try await look(world, device, channel).map(\.id) == [shown, waiting, critical])
  }

  @Test func `what is not sent in quiet hours takes the older one away that it makes untrue`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    let push = try await world.device(person: 7, kind: .browser, channels: [.webPush])
    try await quiet(world, from: 10)
    let older = try await world.submit(to: [.person(7)], collapse: "sign").id
    try await world.record(.shown, of: older, device: device)
    world.time.advance(by: 600)
    let newer = try await world.submit(to: [.person(7)], "Closed", collapse: "sign")
    #expect(newer.wakes.flatMap(\.devices) == [device])
    #expect(try await look(world, device).map(\.work) == [.withdraw(.collapsed)])
    #expect(try await world.events(newer.id, device) == ["queued", "suppressed quiet_hours 07:00"])
    #expect(try await world.events(older, push) == ["queued", "withdrawn collapsed"], "it was never sent")
    // The list has both.
    let inbox = try await world.store.read { database throws(StoreError) in try database.inbox(ofPerson: 7, limit: 9) }
    #expect(inbox.map(\.notification.id) == [newer.id, older])
  }

  @Test func `taking back what never came takes away the older one whose place it was to take`() async throws {
    let world = try await DeliveryWorld()
    let push = try await world.device(kind: .browser, channels: [.webPush])
    func sent() async throws -> PendingDelivery? {
      try await world.write { database, now throws(StoreError) in
        let due = try database.pending(device: push, channel: .webPush, now: now, limit: 9)
        for one in due { try database.finish(one, channel: .webPush, with: .sent(), jitter: 0, now: now) }
        return due.last
      }
    }
    _ = try await world.submit(to: [.device(push)], collapse: "sign")
    #expect(try await sent()?.replaces == false)
    // Also if a third one came in between, which was not sent either.
    for title in ["2", "3"] { _ = try await world.submit(to: [.device(push)], title, collapse: "sign") }
    let last = try await world.submit(to: [.device(push)], collapse: "sign").id
    let changed = try await world.write { database, now throws(StoreError) in
      try database.withdraw(notification: last, now: now)
    }
    #expect(changed?.wakes.flatMap(\.devices) == [push])
    let withdrawal = try await sent()
    #expect(withdrawal?.message.work == .withdraw(.takenBack) && withdrawal?.replaces == true)
    #expect(withdrawal?.message.collapseID == "sign")
  }

  @Test func `critical ones pass the quiet hours, others are suppressed until their end`() async throws {
    let world = try await DeliveryWorld()
    // 19:40 in Berlin and 03:40 on the next day in Tokyo.
    let (berlin, tokyo) = (
      try await world.device(person: 7, zone: "Europe/Berlin"), try await world.device(person: 7, zone: "Asia/Tokyo")
    )
    try await world.keepQuiet(7, from: 23 * 60, to: 7 * 60)
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
