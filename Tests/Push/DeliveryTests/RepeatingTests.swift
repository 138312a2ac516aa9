import Delivery
import EventLoop
import Observe
import Store
import Synchronization
import Testing
import Wire
import World

struct RepeatingTests {
  func submit(
    _ world: DeliveryWorld, to: [Recipient], then: [Recipient] = [], limit: Int = 2, level: String = "active",
    actions: Bool = true, collapse: String? = nil, expires: Double? = nil
  ) async throws -> Int {
    var content: [JSON.Member] = [.init("title", "Leak"), .init("interruption_level", .string(level))]
    if actions { content.append(.init("actions", [["id": "coming", "title": "Coming"]])) }
    let submission = Submission(
      to: to, content: .object(content), collapseID: collapse, expiresAt: expires,
      repetition: Repetition(every: 120, limit: limit, then: then), sender: "person 1")
    return try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now) }.id
  }

  func delivery(_ world: DeliveryWorld, _ channel: any PushChannel = NotingChannel(.gateway)) -> Delivery {
    let delivery = Delivery(
      store: world.store, loop: EventLoop(time: world.time), time: world.time,
      log: Log(time: world.time, sink: { _ in }))
    delivery.add(channel)
    return delivery
  }

  /// - Returns: the devices that were woken meanwhile.
  func pass(_ seconds: Double, _ world: DeliveryWorld) async throws -> [Int] {
    let channel = NotingChannel(.gateway)
    let delivery = delivery(world, channel)
    for _ in 0..<Int(seconds / 10) {
      world.time.advance(by: 10)
      _ = try await delivery.work()
    }
    return channel.woken.withLock { $0.flatMap { $0 } }
  }

  @Test func `it rings again after each pause, then those who come next, and is over`() async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    let id = try await submit(world, to: [.person(1)], then: [.person(2)])
    try await world.record(.shown, of: id, device: ada)
    #expect(try await pass(110, world) == [])
    #expect(try await pass(10, world) == [ada])
    let again = try await world.pending(ada)
    #expect(again.map(\.version) == [2] && again.map(\.ringsAgain) == [true])
    try await world.record(.shown, of: id, version: 2, device: ada)
    #expect(try await pass(120, world) == [ada])
    #expect(try await pass(110, world) == [])
    #expect(try await pass(10, world) == [bob])
    #expect(try await pass(600, world) == [])
    #expect(
      try await world.events(id, ada) == [
        "queued", "shown", "queued rings_again 1/2 repeat", "shown", "queued rings_again 2/2 repeat",
      ])
    #expect(try await world.events(id, bob) == ["queued nobody_acted"])
    #expect(try await world.pending(bob).map(\.ringsAgain) == [false], "it is the first ring there")
    let inbox = try await world.store.read { database throws(StoreError) in try database.inbox(ofPerson: 2, limit: 9) }
    #expect(inbox.map(\.notification.id) == [id])
    // Three rings are one notification: the first action ends it for all.
    let won = try await world.record(.acted(action: "coming", text: nil), of: id, version: 3, device: bob)
    #expect(won.changed.wakes.flatMap(\.devices) == [ada])
  }

  @Test(arguments: ["action", "tap", "tap with actions", "withdrawal", "expiry", "removal"])
  func `it ends with the first action, a withdrawal and its end`(how: String) async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    let id = try await submit(
      world, to: [.person(1)], then: [.person(2)], actions: how != "tap",
      expires: how == "expiry" ? world.time.now + 100 : nil)
    switch how {
    case "action": try await world.record(.acted(action: "coming", text: nil), of: id, device: ada)
    case "tap", "tap with actions": try await world.record(.acted(action: Answer.tap, text: nil), of: id, device: ada)
    case "withdrawal":
      try await world.withdraw(id)
    case "removal":
      try await world.write { database, now throws(StoreError) in try database.removePushDevice(ada, now: now) }
    default: break
    }
    let woken = try await pass(1_000, world)
    // A tap does not answer a question, so others are rung. On a removed device nobody is left to be rung.
    #expect(woken == (["tap with actions", "removal"].contains(how) ? [bob] : []))
  }

  @Test func `an offline device shows it once, and a change between two rings does not silence it`() async throws {
    let world = try await DeliveryWorld()
    let (away, here) = (try await world.device(), try await world.device())
    let id = try await submit(world, to: [.device(away), .device(here)])
    try await world.record(.shown, of: id, device: here)
    _ = try await pass(120, world)
    try await world.change(id, to: "Dry")
    #expect(try await world.pending(away).map(\.version) == [3])
    #expect(try await world.pending(here).map(\.ringsAgain) == [true])
    try await world.record(.shown, of: id, version: 3, device: here)
    try await world.change(id, to: "Wet")
    #expect(try await world.pending(here).map(\.ringsAgain) == [false], "a change rings nobody")
  }

  @Test func `quiet hours that begin meanwhile are kept, but not by critical ones`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    let quiet = try await submit(world, to: [.person(7)], limit: 1)
    let loud = try await submit(world, to: [.person(7)], limit: 1, level: "critical")
    // It is 18:40.
    try await world.keepQuiet(7, from: 18 * 60 + 41, to: 7 * 60)
    #expect(try await pass(120, world) == [device])
    #expect(try await world.events(quiet, device) == ["queued", "suppressed quiet_hours 07:00"])
    #expect(try await world.events(loud, device) == ["queued", "queued rings_again 1/1 repeat"])
  }

  @Test func `who had quiet hours at the first ring is rung by those after them`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    try await world.keepQuiet(7, from: 18 * 60, to: 18 * 60 + 43)
    let id = try await submit(world, to: [.person(7)])
    #expect(try await pass(230, world) == [])
    #expect(try await world.pending(device).isEmpty)
    #expect(try await pass(10, world) == [device])
    #expect(try await world.pending(device).map(\.ringsAgain) == [false], "it is the first ring there")
    #expect(
      try await world.events(id, device) == [
        "queued", "suppressed quiet_hours 18:43", "suppressed quiet_hours 18:43", "queued rings_again 2/2 repeat",
      ])
  }

  @Test(arguments: [Answer.tap, Answer.dismiss])
  func `who has seen it in the list during quiet hours is not rung after them`(action: String) async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    try await world.keepQuiet(7, from: 18 * 60, to: 18 * 60 + 41)
    let id = try await submit(world, to: [.person(7)])
    try await world.write { database, now throws(StoreError) in
      _ = try database.answer(id, by: .person(7), action: action, now: now)
    }
    #expect(try await pass(600, world) == [])
    #expect(
      try await world.events(id, device) == [
        "queued", "suppressed quiet_hours 18:41", "withdrawn answered_elsewhere",
      ])
  }

  @Test func `what rings once and quiet hours held back says so also when it was seen in the list`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    try await world.keepQuiet(7, from: 18 * 60, to: 18 * 60 + 41)
    let id = try await world.submit(to: [.person(7)]).id
    try await world.write { database, now throws(StoreError) in
      _ = try database.answer(id, by: .person(7), action: Answer.tap, now: now)
    }
    #expect(try await world.events(id, device) == ["queued", "suppressed quiet_hours 18:41"])
  }

  @Test func `what was held back does not ring any more once a newer one has taken its place`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    try await world.keepQuiet(7, from: 18 * 60, to: 18 * 60 + 41)
    let older = try await submit(world, to: [.person(7)], collapse: "door")
    world.time.advance(by: 70)
    let newer = try await world.submit(to: [.person(7)], collapse: "door").id
    try await world.record(.shown, of: newer, device: device)
    #expect(try await pass(60, world) == [])
    #expect(try await world.pending(device).isEmpty)
    #expect(
      try await world.events(older, device) == [
        "queued", "suppressed quiet_hours 18:41", "suppressed collapsed",
      ])
  }

  @Test(arguments: ["for all", "for one", "rings on"])
  func `what a newer one has replaced is not handed over to others`(how: String) async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    let cleo = try await world.device(person: 3)
    let all: [Recipient] = [.person(1), .person(3)]
    let id = try await submit(world, to: all, then: [.person(2)], limit: 1, collapse: "leak")
    try await world.record(.shown, of: id, device: ada)
    if how == "rings on" {
      // It is still leaking: a sender that says so again and again must not keep the next ones from being rung.
      world.time.advance(by: 100)
      _ = try await submit(world, to: all, limit: 9, collapse: "leak")
      #expect(try await pass(140, world).contains(bob))
    } else {
      _ = try await world.submit(to: how == "for all" ? all : [.person(1)], "Dry", collapse: "leak")
      #expect(try await pass(600, world) == (how == "for all" ? [] : [cleo, bob]))
    }
  }

  @Test func `a change after a ring that was held back does not ring`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    let id = try await submit(world, to: [.person(7)])
    try await world.record(.shown, of: id, device: device)
    try await world.keepQuiet(7, from: 18 * 60 + 41, to: 7 * 60)
    #expect(try await pass(120, world) == [])
    try await world.change(id, to: "Dry")
    #expect(try await world.pending(device).map(\.ringsAgain) == [false])
  }

  @Test func `each device rings as often as was asked for, also when others join at their local time`() async throws {
    let world = try await DeliveryWorld()
    // 19:00 in UTC, and 19:00 in London and in Azores an hour later.
    let (here, later) = (try await world.device(zone: "UTC"), try await world.device(zone: "Atlantic/Azores"))
    let local = LocalTime(minute: 19 * 60, since: world.time.now, zone: "UTC")
    let submission = Submission(
      to: [.device(here), .device(later)], content: ["title": "Up"], local: local,
      repetition: Repetition(every: 2_400, limit: 2), sender: "person 1")
    let id = try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now).id }
    _ = try await pass(30_000, world)
    for device in [here, later] {
      let rings = try await world.events(id, device).filter { $0.contains("rings_again") }
      #expect(rings == ["queued rings_again 1/2 repeat", "queued rings_again 2/2 repeat"])
    }
  }

  @Test func `after an outage one ring makes up for all that were missed`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let id = try await submit(world, to: [.device(device)], limit: 9)
    world.time.advance(by: 1_000)
    #expect(try await pass(10, world) == [device])
    #expect(try await pass(110, world) == [])
    #expect(try await pass(10, world) == [device])
    #expect(try await world.pending(device).map(\.version) == [3])
    #expect(try await world.pending(device).map(\.id) == [id])
  }

  @Test func `at a local time it rings again there`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "UTC")
    let local = LocalTime(minute: 19 * 60, since: world.time.now, zone: "UTC")
    let submission = Submission(
      to: [.device(device)], content: ["title": "Up"], local: local, repetition: Repetition(every: 60, limit: 1),
      sender: "person 1")
    try await world.write { database, now throws(StoreError) in _ = try database.submit(submission, now: now) }
    #expect(try await pass(1_190, world) == [])
    #expect(try await pass(10, world) == [device])
    #expect(try await pass(60, world) == [device])
    #expect(try await pass(600, world) == [])
  }

  @Test func `every reason has words in both languages, with what belongs to it`() {
    for reason in DeliveryReason.allCases {
      let words = reason.words(nil)
      #expect(!words.english.isEmpty && !words.german.isEmpty && words.english != words.german)
    }
    #expect(DeliveryReason.quietHours.words("07:00").german == "Ruhezeit bis 07:00")
    #expect(DeliveryReason.pushService.text("503") == "the push service refused it: 503")
  }
}
