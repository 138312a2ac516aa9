import Delivery
import EventLoop
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
      #expect(try database.scheduled(limit: 9)?.map(\.id) == [sent.id, cancelled.id])
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

  @Test func `so many may wait for their time, and the last of them makes it full`() async throws {
    let world = try await DeliveryWorld()
    let delivery = delivery(world)
    let at = world.time.now + 86_400
    func schedule(_ ids: ClosedRange<Int>) async throws {
      try await world.write { database, _ throws(StoreError) in
        try database.run(
          """
          WITH RECURSIVE numbers (id) AS (SELECT ? UNION ALL SELECT id + 1 FROM numbers WHERE id < ?)
          INSERT INTO push_scheduled (id, at, submission, sender) SELECT id, ?, '{}', 'a' FROM numbers
          """, .int(ids.lowerBound), .int(ids.upperBound), .double(at))
      }
      _ = try await delivery.work()
    }
    try await schedule(1...DeliveryLimits.scheduled - 1)
    #expect(!delivery.isScheduleFull)
    try await schedule(DeliveryLimits.scheduled...DeliveryLimits.scheduled)
    #expect(delivery.isScheduleFull)
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
        let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
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

  @Test(arguments: [(DeliveryReason.unreachable, 300.0), (.mailUnreachable, 300), (.pushService, 3_600)])
  func `after hours in which the hub's line was away it rings soon`(reason: DeliveryReason, longest: Double)
    async throws
  {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    _ = try await world.submit(to: [.device(device)])
    for attempt in 0..<12 {
      let pause = try await world.write { database, now throws(StoreError) in
        let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
        let next = try database.finish(due[0], channel: .webPush, with: .retry(reason), jitter: 0.5, now: now)
        return next.map { $0 - now }
      }
      #expect(pause == min(5 * Double(1 << attempt), longest))
      world.time.advance(by: pause ?? 0)
    }
  }

  @Test func `a pause that the service asks for is kept`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    for (after, jitter, expected) in [(600.0, 0.0, 600.0), (1, 0, 3.75), (600, 1, 750)] {
      let id = try await world.submit(to: [.device(device)]).id
      try await world.write { database, now throws(StoreError) in
        let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
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
      let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
      _ = try database.update(notification: id, content: ["title": "b"], now: now)
      try database.finish(due[0], channel: .webPush, with: .sent(), jitter: 0, now: now)
      let next = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
      #expect(next.map(\.message.version) == [2] && next[0].wasSent)
      try database.finish(next[0], channel: .webPush, with: .sent(.cut), jitter: 0, now: now)
      #expect(try database.pending(device: device, channel: .webPush, now: now, limit: 10).isEmpty)
      // It was taken by the service, so it has to be replaced there.
      #expect(try database.withdraw(notification: id, now: now)?.wakes.count == 1)
      let last = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
      try database.finish(last[0], channel: .webPush, with: .sent(), jitter: 0, now: now)
    }
    #expect(
      try await world.events(id, device) == [
        "queued", "sent", "sent cut", "sent", "withdrawn taken_back",
      ])
  }

  @Test func `an update that cannot be sent leaves what is shown within reach`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(device)]).id
    try await world.write { database, now throws(StoreError) in
      func finish(_ outcome: Outcome) throws(StoreError) {
        let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
        #expect(due.count == 1)
        if let one = due.first { try database.finish(one, channel: .webPush, with: outcome, jitter: 0, now: now) }
      }
      try finish(.sent())
      _ = try database.update(notification: id, content: ["title": "b"], now: now)
      try finish(.failed(.tooLarge))
      #expect(try database.pending(device: device, channel: .webPush, now: now, limit: 10).isEmpty)
      #expect(try database.withdraw(notification: id, now: now)?.wakes.flatMap(\.devices) == [device])
      try finish(.sent())
    }
    #expect(
      try await world.events(id, device) == [
        "queued", "sent", "failed too_large", "sent", "withdrawn taken_back",
      ])
  }

  @Test func `the order to remove an old one is tried again, for about a day`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(device)], expires: world.time.now + 10).id
    func attempt(_ outcome: Outcome) async throws -> Double? {
      try await world.write { database, now throws(StoreError) in
        let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
        #expect(due.count == 1)
        return try database.finish(due[0], channel: .webPush, with: outcome, jitter: 0.5, now: now)
      }
    }
    _ = try await attempt(.sent())
    world.time.advance(by: 10)
    try await world.write { database, now throws(StoreError) in
      #expect(try database.expire(now: now).flatMap(\.devices) == [device])
    }
    let start = world.time.now
    while let next = try await attempt(.retry(.pushService, detail: "503")) {
      world.time.advance(by: next - world.time.now)
    }
    #expect((80_000...100_000).contains(world.time.now - start))
    #expect(try await world.events(id, device).last == "expired expired")
  }

  @Test func `what was put off while the clock was ahead is due when it is right again`() async throws {
    let world = try await DeliveryWorld()
    let channel = NotingChannel(.webPush)
    let delivery = delivery(world, channel)
    let device = try await world.device(kind: .browser, channels: [.webPush])
    world.time.setClock(by: 365 * 86_400)
    let submission = Submission(
      to: [.device(device)], content: ["title": "Leak"], repetition: Repetition(every: 60, limit: 9),
      sender: "person 1")
    let id = try await world.write { database, now throws(StoreError) in
      let id = try database.submit(submission, now: now).id
      let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
      try database.finish(due[0], channel: .webPush, with: .retry(.pushService), jitter: 0, now: now)
      return id
    }
    world.time.setClock(by: -365 * 86_400)
    try await world.write { database, now throws(StoreError) in
      #expect(try database.nextAttempt(channel: .webPush, now: now) == now)
      let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
      #expect(due.map(\.message.id) == [id])
    }
    _ = try await delivery.work()
    let events = try await world.events(id, device)
    #expect(events.last == "queued rings_again 1/9 repeat")
    #expect(channel.woken.withLock { !$0.isEmpty })
    // The longest wait there is, is kept.
    try await world.write { database, now throws(StoreError) in
      try database.run("UPDATE push_deliveries SET next_at = ?", .double(now + DeliveryLimits.longestWait))
      #expect(try database.pending(device: device, channel: .webPush, now: now, limit: 10).isEmpty)
    }
  }

  @Test func `who has a role is asked when it is time`() async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    let owners = Owners()
    let delivery = Delivery(
      store: world.store, loop: EventLoop(time: world.time), time: world.time,
      log: Log(time: world.time, sink: { _ in }),
      members: { _, role in role == "owner" ? owners.all.withLock { $0 } : [] })
    let submission = Submission(
      to: [.role("owner"), .role("nobody")], content: ["title": "Leak"], at: world.time.now + 60,
      repetition: Repetition(every: 60, limit: 1, then: [.role("owner")]), sender: "person 1")
    let id = try await world.write { database, now throws(StoreError) in
      try database.submit(submission, now: now).id
    }
    owners.all.withLock { $0 = [1] }
    world.time.advance(by: 60)
    _ = try await delivery.work()
    #expect(try await world.pending(ada).map(\.id) == [id])
    #expect(try await world.pending(bob).isEmpty)
    owners.all.withLock { $0 = [1, 2] }
    for _ in 0..<2 {
      world.time.advance(by: 60)
      _ = try await delivery.work()
    }
    #expect(try await world.events(id, bob) == ["queued nobody_acted"])
  }

  private final class Owners: Sendable {
    let all = Mutex<[Int]>([])
  }

  @Test func `a subscription that is gone closes what was pending`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(kind: .browser, channels: [.webPush])
    let ids = [try await world.submit(to: [.device(device)]).id, try await world.submit(to: [.device(device)]).id]
    try await world.write { database, now throws(StoreError) in
      let due = try database.pending(device: device, channel: .webPush, now: now, limit: 10)
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

  @Test func `what is not over is kept for a device that returns after months`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let delivery = delivery(world)
    let end = world.time.now + 90 * 86_400
    let waits = try await world.submit(to: [.device(device)], expires: end).id
    let answered = try await world.submit(to: [.device(device)], actions: ["come"], expires: end).id
    let taken = try await world.submit(to: [.device(device)], expires: end).id
    try await world.record(.acted(action: "come", text: nil), of: answered, device: device)
    try await world.withdraw(taken)
    world.time.advance(by: 60 * 86_400)
    let newest = try await world.submit(to: []).id
    _ = try await delivery.work()
    func kept() async throws -> [Int] {
      try await world.store.read { database throws(StoreError) in try database.notifications(limit: 10).map(\.id) }
    }
    #expect(try await kept() == [newest, waits])
    #expect(try await world.pending(device).map(\.id) == [waits])
    // Once it is shown it goes when there are too many, after those that are over.
    try await world.record(.shown, of: waits, device: device)
    let over = try await world.submit(to: [], expires: world.time.now + 1).id
    world.time.advance(by: 2)
    let last = try await world.submit(to: []).id
    for left in [[last, over, waits], [last, waits], [last]] {
      let count = try await world.write { database, now throws(StoreError) in
        try database.tidyNotifications(surplus: 1, now: now)
      }
      #expect(count == 1)
      #expect(try await kept() == left)
    }
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

  @Test func `the lists of a sender go on behind an id, without those of others`() async throws {
    let world = try await DeliveryWorld()
    let at = world.time.now + 100
    func submit(_ sender: String, at: Double?) async throws -> Int {
      let submission = Submission(to: [.person(7)], content: ["title": "a"], at: at, sender: sender)
      return try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now).id }
    }
    var (mine, later): ([Int], [Int]) = ([], [])
    for number in 0..<7 {
      mine.append(try await submit("person 1", at: nil))
      // Some have the same time, and the others come in another order than they were made.
      later.append(try await submit("person 1", at: at - Double(number / 2)))
      _ = try await submit("token 1", at: at)
    }
    let order = [6, 4, 5, 2, 3, 0, 1].map { later[$0] }
    let sent = mine
    try await world.store.read { database throws(StoreError) in
      var (pages, last): ([Int], Int?) = ([], nil)
      while let page = try database.scheduled(of: "person 1", after: last, limit: 3)?.map(\.id), !page.isEmpty {
        (pages, last) = (pages + page, page.last)
      }
      #expect(pages == order)
      #expect(try database.scheduled(limit: 99)?.count == 14)
      #expect(try database.scheduled(of: "person 1", after: sent[0], limit: 9) == nil, "it does not wait")
      let first = try database.notifications(of: "person 1", limit: 4).map(\.id)
      let rest = try database.notifications(of: "person 1", before: first.last, limit: 4).map(\.id)
      #expect(first + rest == sent.reversed())
    }
  }

  @Test func `one that waits is given another time, and lasts as long after it`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "UTC")
    let delivery = delivery(world, NotingChannel(.gateway))
    let start = world.time.now
    let sent = try await world.submit(to: [.device(device)], expires: start + 700, at: start + 600).id
    try await world.write { database, now throws(StoreError) in
      #expect(try database.reschedule(sent, at: now + 60, local: nil, now: now))
      #expect(try database.scheduled(sent)?.expiresAt == now + 160)
    }
    world.time.advance(by: 60)
    _ = try await delivery.work()
    #expect(try await world.pending(device).map(\.id) == [sent])
    // It is 18:41.
    let local = try await world.submit(to: [.device(device)], at: start + 6_000).id
    try await world.write { database, now throws(StoreError) in
      #expect(try !database.reschedule(sent, at: now + 60, local: nil, now: now), "it was sent")
      let time = LocalTime(minute: 19 * 60, since: now, zone: "UTC")
      #expect(try database.reschedule(local, at: nil, local: time, now: now))
    }
    for _ in 0..<20 {
      world.time.advance(by: 60)
      _ = try await delivery.work()
    }
    #expect(try await world.pending(device).map(\.id) == [local], "the first has expired")
  }

  @Test func `each topic counts what was sent to it, up to a bound`() async throws {
    let world = try await DeliveryWorld()
    try await world.write { database, now throws(StoreError) in
      for number in 0..<DeliveryLimits.counted + 1 {
        let topics = number == 0 ? ["all", "one", "two"] : ["all"]
        _ = try database.submit(
          Submission(to: [], content: ["title": "a"], sender: "room kettle", topic: "all", topics: topics), now: now)
      }
      let counts = try ["all", "one", "two", "none"].map { topic throws(StoreError) in
        try database.sentCount(toTopic: topic, since: now)
      }
      #expect(counts == [DeliveryLimits.counted, 1, 1, 0])
      #expect(try database.sentCount(toTopic: "one", since: now + 1) == 0)
      // It goes with the notification.
      _ = try database.tidyNotifications(surplus: 0, now: now + 31 * 86_400)
      _ = try database.tidyNotifications(surplus: 0, now: now + 31 * 86_400)
      #expect(try database.sentCount(toTopic: "one", since: now) == 0)
    }
  }
}
