import Delivery
import EventLoop
import Lifecycle
import Observe
import Store
import Synchronization
import Testing
import Wire
import World

/// A channel that notes what it is told.
final class NotingChannel: PushChannel {
  let kind: ChannelKind
  let woken = Mutex<[[Int]]>([])
  init(_ kind: ChannelKind) { self.kind = kind }
  func wake(_ wakes: [Wake]) { woken.withLock { $0.append(wakes.flatMap(\.devices)) } }
  func removed(_ devices: [Int]) {}
}

struct TimesTests {
  func delivery(_ world: DeliveryWorld, _ channels: any PushChannel...) -> Delivery {
    let delivery = Delivery(
      store: world.store, loop: EventLoop(time: world.time), time: world.time,
      log: Log(time: world.time, sink: { _ in }))
    for channel in channels { delivery.add(channel) }
    return delivery
  }

  @Test func `a scheduled one is sent at its time, to the devices of that time, and can be changed and cancelled`()
    async throws
  {
    let world = try await DeliveryWorld()
    let gateway = NotingChannel(.gateway)
    let delivery = delivery(world, gateway)
    let at = world.time.now + 3_600
    let sent = try await world.submit(to: [.person(7)], at: at)
    let cancelled = try await world.submit(to: [.person(7)], at: at)
    #expect(sent.isScheduled && sent.wakes.isEmpty)
    let device = try await world.device(person: 7)
    try await world.write { database, now throws(StoreError) in
      #expect(try database.scheduled(limit: 9).map(\.id) == [sent.id, cancelled.id])
      #expect(try database.update(notification: sent.id, content: ["title": "Later"], now: now) != nil)
      #expect(try database.withdraw(notification: cancelled.id, now: now) != nil)
      #expect(try database.withdraw(notification: cancelled.id, now: now) == nil)
    }
    world.time.advance(by: 3_595)
    #expect(try await delivery.work() == 5)
    #expect(try await world.pending(device).isEmpty)
    world.time.advance(by: 5)
    #expect(try await delivery.work() == DeliveryLimits.recheckSeconds)
    #expect(try await world.pending(device).map(\.work) == [.show(content: #"{"title":"Later"}"#)])
    #expect(gateway.woken.withLock { $0 } == [[device]])
    try await world.store.read { database throws(StoreError) in
      #expect(try database.scheduledCount() == 0)
      #expect(try database.trace(cancelled.id)?.notification.state == .withdrawn)
    }
  }

  @Test func `more than one transaction's worth that is due is sent without a pause`() async throws {
    let world = try await DeliveryWorld()
    let devices = [try await world.device(), try await world.device()]
    let delivery = delivery(world, NotingChannel(.gateway))
    let at = world.time.now + 1
    try await world.write { database, now throws(StoreError) in
      for number in 0...DeliveryLimits.duePerCommit {
        let submission = Submission(
          to: [.device(devices[number % 2])], content: ["title": "a"], at: at, sender: "person 1")
        _ = try database.submit(submission, now: now)
      }
    }
    world.time.advance(by: 1)
    _ = try await delivery.work()
    let counts = [try await world.pending(devices[0]).count, try await world.pending(devices[1]).count]
    #expect(counts[0] + counts[1] == DeliveryLimits.duePerCommit + 1)
  }

  @Test func `attempts are made again after growing pauses, and end with the notification`() async throws {
    let world = try await DeliveryWorld()
    let channel = NotingChannel(.webPush)
    let delivery = delivery(world, channel)
    let device = try await world.device(kind: .browser, channels: [.webPush])
    let end = world.time.now + 100
    let id = try await world.submit(to: [.device(device)], expires: end).id
    func attempt(_ outcome: Outcome, jitter: Double = 0.5) async throws -> Double? {
      try await world.write { database, now throws(StoreError) in
        let due = try database.due(channel: .webPush, now: now, limit: 10)
        #expect(due.count == 1)
        return try database.finish(due[0], channel: .webPush, with: outcome, jitter: jitter, now: now)
      }
    }
    var pauses: [Double] = []
    while let next = try await attempt(.retry(.pushService, detail: "503")) {
      pauses.append(next - world.time.now)
      #expect(try await delivery.work() == min(next - world.time.now, 10))
      world.time.advance(by: next - world.time.now)
      _ = try await delivery.work()
    }
    #expect(pauses == [5, 10, 20, 40])
    #expect(channel.woken.withLock(\.count) >= 4)
    let events = try await world.events(id, device)
    #expect(events.last == "expired expired" && events.filter { $0 == "failed push_service 503" }.count == 5)
  }

  @Test func `a pause that the service asks for is kept`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    for (after, jitter, expected) in [(600.0, 0.0, 600.0), (1, 0, 3.75), (600, 1, 750)] {
      let id = try await world.submit(to: [.device(device)]).id
      try await world.write { database, now throws(StoreError) in
        let due = try database.due(channel: .webPush, now: now, limit: 10)
        let next = try database.finish(
          due[0], channel: .webPush, with: .retry(after: after, .pushService, detail: "429"), jitter: jitter, now: now)
        #expect(next.map { $0 - now } == expected)
        _ = try database.withdraw(notification: id, now: now)
      }
    }
  }

  @Test func `an outcome of an older version leaves the newer one to be sent`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(device)]).id
    try await world.write { database, now throws(StoreError) in
      let due = try database.due(channel: .webPush, now: now, limit: 10)
      _ = try database.update(notification: id, content: ["title": "b"], now: now)
      try database.finish(due[0], channel: .webPush, with: .sent(), jitter: 0, now: now)
      let next = try database.due(channel: .webPush, now: now, limit: 10)
      #expect(next.map(\.message.version) == [2] && next[0].wasSent)
      try database.finish(next[0], channel: .webPush, with: .sent(.cut), jitter: 0, now: now)
      #expect(try database.due(channel: .webPush, now: now, limit: 10).isEmpty)
      // It was taken by the service, so it has to be replaced there.
      #expect(try database.withdraw(notification: id, now: now)?.wakes.count == 1)
      let last = try database.due(channel: .webPush, now: now, limit: 10)
      try database.finish(last[0], channel: .webPush, with: .sent(), jitter: 0, now: now)
    }
    #expect(
      try await world.events(id, device) == [
        "queued", "sent", "sent cut", "sent topic_replaced", "withdrawn taken_back",
      ])
  }

  @Test func `a subscription that is gone closes what was pending`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    let ids = [try await world.submit(to: [.device(device)]).id, try await world.submit(to: [.device(device)]).id]
    try await world.write { database, now throws(StoreError) in
      let due = try database.due(channel: .webPush, now: now, limit: 10)
      try database.finish(due[0], channel: .webPush, with: .gone(.subscriptionGone), jitter: 0, now: now)
      try database.setChannel(.webPush, ofDevice: device, isOn: false, reason: .subscriptionGone, now: now)
    }
    for id in ids { #expect(try await world.events(id, device) == ["queued", "gone subscription_gone"]) }
    #expect(try await world.submit(to: [.device(device)]).wakes.isEmpty)
  }

  @Test func `notifications are removed after their days, with all that belongs to them, but not the newest`()
    async throws
  {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    let delivery = delivery(world)
    let old = try await world.submit(to: [.device(device)]).id
    world.time.advance(by: 10)
    let kept = try await world.submit(to: [.device(device)]).id
    world.time.advance(by: DeliveryLimits.keptDays * 86_400 - 9)
    _ = try await delivery.work()
    try await world.store.read { database throws(StoreError) in
      #expect(try database.notifications(limit: 10).map(\.id) == [kept])
      #expect(try database.trace(old) == nil)
      #expect(try database.inbox(ofPerson: 7, limit: 10).map(\.notification.id) == [kept])
    }
    world.time.advance(by: 86_400)
    _ = try await delivery.work()
    // Ids are counted from the newest one.
    #expect(
      try await world.store.read { database throws(StoreError) in try database.notificationCount() } == 1)
  }

  @Test func `of too many the oldest settled ones go first, and pending ones stay`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    var ids: [Int] = []
    for _ in 0..<4 { ids.append(try await world.submit(to: [.device(device)]).id) }
    try await world.record(.shown, of: ids[1], device: device)
    try await world.record(.shown, of: ids[2], device: device)
    let removed = try await world.write { database, now throws(StoreError) in
      try database.tidyNotifications(surplus: 1, now: now)
    }
    #expect(removed == 1)
    let left = try await world.store.read { database throws(StoreError) in
      try database.notifications(limit: 10).map(\.id)
    }
    #expect(left == [ids[3], ids[2], ids[0]])
  }

  @Test func `strangers that were not seen for long are dropped`() async throws {
    let world = try await DeliveryWorld()
    let delivery = delivery(world)
    let (stranger, agent) = (
      try await world.device(kind: .stranger, channels: [.webPush]), try await world.device()
    )
    world.time.advance(by: DeliveryLimits.strangerDays * 86_400)
    _ = try await delivery.work()
    func devices() async throws -> Set<Int> {
      try await world.store.read { database throws(StoreError) in Set(try database.pushDevices().map(\.id)) }
    }
    #expect(try await devices() == [stranger, agent])
    world.time.advance(by: DeliveryLimits.tidySeconds)
    _ = try await delivery.work()
    #expect(try await devices() == [agent])
  }

  @Test func `a clock that is set past the time is noticed within the recheck`() async throws {
    let world = try await DeliveryWorld()
    let delivery = delivery(world)
    _ = try await world.submit(to: [.person(1)], at: world.time.now + 86_400)
    #expect(try await delivery.work() == DeliveryLimits.recheckSeconds)
    world.time.setClock(by: 90_000)
    _ = try await delivery.work()
    #expect(try await world.store.read { database throws(StoreError) in try database.scheduledCount() } == 0)
  }
}
