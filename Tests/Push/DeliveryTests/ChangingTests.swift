import Delivery
import Store
import Testing
import Wire
import World

struct ChangingTests {
  func update(_ world: DeliveryWorld, _ id: Int, _ title: String) async throws -> Changed? {
    try await world.write { database, now throws(StoreError) in
      try database.update(notification: id, content: ["title": .string(title)], now: now)
    }
  }

  func withdraw(_ world: DeliveryWorld, _ id: Int) async throws -> Changed? {
    try await world.write { database, now throws(StoreError) in try database.withdraw(notification: id, now: now) }
  }

  @Test func `an update reaches devices that have it and those that do not`() async throws {
    let world = try await DeliveryWorld()
    let (seen, away) = (try await world.device(), try await world.device())
    let id = try await world.submit(to: [.device(seen), .device(away)]).id
    try await world.record(.shown, of: id, device: seen)
    let changed = try #require(try await update(world, id, "Closed"))
    #expect(Set(changed.wakes.flatMap(\.devices)) == [seen, away])
    for device in [seen, away] {
      let pending = try await world.pending(device)
      #expect(pending.map(\.version) == [2] && pending.map(\.work) == [.show(content: #"{"title":"Closed"}"#)])
    }
    // The receipt of the first version, which was under way, does not settle the second.
    try await world.record(.shown, of: id, version: 1, device: away)
    #expect(try await world.pending(away).map(\.version) == [2])
    try await world.record(.shown, of: id, version: 2, device: away)
    #expect(try await world.pending(away).isEmpty)
  }

  @Test func `what is taken back is removed from devices, also from one that may have it without our knowing`()
    async throws
  {
    let world = try await DeliveryWorld()
    let (seen, away) = (try await world.device(), try await world.device())
    let push = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(seen), .device(away), .device(push)]).id
    try await world.record(.shown, of: id, device: seen)
    let changed = try #require(try await withdraw(world, id))
    // Nothing was handed to the push service yet, so there is nothing to remove.
    #expect(Set(changed.wakes.flatMap(\.devices)) == [seen, away])
    #expect(try await world.events(id, push) == ["queued", "withdrawn taken_back"])
    #expect(try await world.events(id, away) == ["queued", "withdrawn taken_back"], "it may never come back")
    for device in [seen, away] {
      #expect(try await world.pending(device).map(\.work) == [.withdraw(.takenBack)])
      try await world.record(.withdrawn, of: id, version: 2, device: device)
      #expect(try await world.pending(device).isEmpty)
    }
    #expect(try await world.events(id, seen) == ["queued", "shown", "withdrawn taken_back"])
    #expect(try await world.events(id, away) == ["queued", "withdrawn taken_back"])
    #expect(try await withdraw(world, id) == nil)
    #expect(try await update(world, id, "Again") == nil)
  }

  @Test func `what was shown while it was taken back ends as withdrawn all the same`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let id = try await world.submit(to: [.device(device)]).id
    _ = try await withdraw(world, id)
    try await world.record(.shown, of: id, version: 1, device: device)
    for _ in 0..<2 { try await world.record(.withdrawn, of: id, version: 2, device: device) }
    #expect(
      try await world.events(id, device) == ["queued", "withdrawn taken_back", "shown", "withdrawn taken_back"])
  }

  @Test func `the first action wins and removes the question everywhere else`() async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    let id = try await world.submit(to: [.person(1), .person(2)], actions: ["open", "no"]).id
    try await world.record(.shown, of: id, device: ada)
    let won = try await world.record(.acted(action: "open", text: "soon"), of: id, device: ada)
    #expect(won.answer?.action == "open" && won.answer?.person == 1 && won.answer?.text == "soon")
    #expect(won.taken == Recorded.Taken(action: "open", counts: true))
    #expect(won.changed.wakes.flatMap(\.devices) == [bob] && Set(won.changed.persons) == [1, 2])
    #expect(try await world.pending(bob).map(\.work) == [.withdraw(.answeredElsewhere)])
    #expect(try await world.pending(ada).isEmpty)
    // Bob was faster than the withdrawal, but not than Ada.
    let late = try await world.record(.acted(action: "no", text: nil), of: id, device: bob)
    #expect(late.answer == nil && late.taken == Recorded.Taken(action: "open", counts: false))
    // Ada's device repeats its answer until it is taken.
    let again = try await world.record(.acted(action: "open", text: "soon"), of: id, device: ada)
    #expect(again.answer == nil && again.taken == Recorded.Taken(action: "open", counts: true))
    try await world.record(.withdrawn, of: id, version: 2, device: bob)
    #expect(
      try await world.events(id, bob) == [
        "queued", "withdrawn answered_elsewhere", "acted answered_elsewhere no", "withdrawn answered_elsewhere",
      ])
    #expect(try await world.events(id, ada) == ["queued", "shown", "acted open"])
    let notification = try await world.store.read { database throws(StoreError) in try database.notification(id) }
    #expect(notification?.answer?.action == "open" && notification?.state == .acted)
  }

  @Test(arguments: [Answer.tap, Answer.dismiss])
  func `a tap or a dismissal counts for the person's own devices only`(action: String) async throws {
    let world = try await DeliveryWorld()
    let (phone, laptop) = (try await world.device(person: 1), try await world.device(person: 1))
    let bob = try await world.device(person: 2)
    let id = try await world.submit(to: [.person(1), .person(2)], actions: ["open", "no"]).id
    for device in [phone, laptop, bob] { try await world.record(.shown, of: id, device: device) }
    let taken = try await world.record(.acted(action: action, text: nil), of: id, device: phone)
    #expect(taken.answer == nil && taken.taken?.counts == true && taken.changed.wakes.flatMap(\.devices) == [laptop])
    try await world.store.read { database throws(StoreError) in
      #expect(try database.inboxState(ofPerson: 1, notification: id) == .seen)
      #expect(try database.inboxState(ofPerson: 2, notification: id) == .new)
      #expect(try database.unreadCount(ofPerson: 1) == 0)
    }
    // Bob can still answer, and his answer is the one that counts.
    #expect(try await world.record(.acted(action: "open", text: nil), of: id, device: bob).answer?.person == 2)
  }

  func finish(
    _ world: DeliveryWorld, _ pending: PendingDelivery, _ outcome: Outcome = .sent()
  ) async throws -> Double? {
    try await world.write { database, now throws(StoreError) in
      try database.finish(pending, channel: .webPush, with: outcome, jitter: 0, now: now)
    }
  }

  func pending(_ world: DeliveryWorld, _ device: Int) async throws -> PendingDelivery {
    let now = world.time.now
    let all = try await world.store.read { database throws(StoreError) in
      try database.pending(device: device, channel: .webPush, now: now, limit: 9)
    }
    return try #require(all.first)
  }

  @Test func `what is answered while it is on its way to a push service is removed behind it`() async throws {
    let world = try await DeliveryWorld()
    let push = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(push)]).id
    let sending = try await pending(world, push)
    _ = try await withdraw(world, id)
    #expect(try await world.pending(push, .webPush).isEmpty)
    // The service has taken it after all.
    #expect(try await finish(world, sending) == world.time.now)
    #expect(try await world.pending(push, .webPush).map(\.work) == [.withdraw(.takenBack)])
    _ = try await finish(world, try await pending(world, push))
    #expect(
      try await world.events(id, push) == [
        "queued", "withdrawn taken_back", "sent", "sent", "withdrawn taken_back",
      ])
    #expect(try await world.pending(push, .webPush).isEmpty)
  }

  @Test(arguments: [DeliveryReason.takenBack, .answeredElsewhere, .expired])
  func `what a service may have passed on without an answer is removed behind it`(end: DeliveryReason) async throws {
    let world = try await DeliveryWorld()
    let push = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(push)], actions: ["open"], expires: world.time.now + 60).id
    let sending = try await pending(world, push)
    // One is taken back while it is on its way, the others are over before the next attempt.
    if end == .takenBack { _ = try await withdraw(world, id) }
    _ = try await finish(world, sending, .retry(.unanswered, detail: "no answer within 30 s"))
    if end == .answeredElsewhere {
      try await world.write { database, now throws(StoreError) in
        _ = try database.answer(id, by: .person(1), action: "open", now: now)
      }
    } else if end == .expired {
      world.time.advance(by: 60)
      try await world.write { database, now throws(StoreError) in _ = try database.expire(now: now) }
    }
    #expect(try await world.pending(push, .webPush).map(\.work) == [.withdraw(end)])
  }

  @Test func `a browser that asked before showing it needs no order to remove it`() async throws {
    let world = try await DeliveryWorld()
    let push = try await world.device(kind: .browser, channels: [.webPush])
    let id = try await world.submit(to: [.device(push)]).id
    let sending = try await pending(world, push)
    #expect(try await !world.record(.delivered, of: id, device: push, channel: .webPush).isOver)
    _ = try await withdraw(world, id)
    #expect(try await world.record(.delivered, of: id, device: push, channel: .webPush).isOver)
    try await world.record(.withdrawn, of: id, device: push, channel: .webPush)
    #expect(try await finish(world, sending) == nil)
    #expect(try await world.pending(push, .webPush).isEmpty)
  }

  @Test func `a device is told what it need not show any more`() async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    func isOver(_ id: Int, _ device: Int) async throws -> Bool {
      try await world.record(.shown, of: id, device: device).isOver
    }
    let question = try await world.submit(to: [.device(ada), .device(bob)], actions: ["me"], collapse: "door").id
    #expect(try await !isOver(question, ada))
    try await world.record(.acted(action: "me", text: nil), of: question, device: ada)
    #expect(try await isOver(question, bob))
    let old = try await world.submit(to: [.device(bob)], collapse: "sign").id
    let new = try await world.submit(to: [.device(bob)], collapse: "sign").id
    #expect(try await isOver(old, bob))
    #expect(try await !isOver(new, bob))
    let short = try await world.submit(to: [.device(bob)], expires: world.time.now + 60).id
    #expect(try await !isOver(short, bob))
    world.time.advance(by: 61)
    try await world.write { database, now throws(StoreError) in _ = try database.expire(now: now) }
    #expect(try await isOver(short, bob))
  }

  @Test func `a person answers on the page as well as a device`() async throws {
    let world = try await DeliveryWorld()
    let phone = try await world.device(person: 1)
    let id = try await world.submit(to: [.person(1)], actions: ["open"]).id
    let answered = try await world.write { database, now throws(StoreError) in
      try database.answer(id, by: .person(1), action: "open", now: now)
    }
    #expect(answered.answer?.device == nil && answered.changed.wakes.flatMap(\.devices) == [phone])
    let again = try await world.write { database, now throws(StoreError) in
      try database.answer(id, by: .person(1), action: "open", now: now)
    }
    #expect(again.answer == nil && again.taken?.counts == true)
  }

  @Test func `an answer to what is over does not count`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let withdrawn = try await world.submit(to: [.device(device)], actions: ["open"]).id
    _ = try await withdraw(world, withdrawn)
    let expired = try await world.submit(to: [.device(device)], actions: ["open"], expires: world.time.now + 1).id
    world.time.advance(by: 1)
    try await world.write { database, now throws(StoreError) in _ = try database.expire(now: now) }
    for (id, reason) in [(withdrawn, "taken_back"), (expired, "expired")] {
      let late = try await world.record(.acted(action: "open", text: nil), of: id, device: device)
      #expect(late.answer == nil && late.taken?.counts == false)
      #expect(try await world.events(id, device).contains("acted \(reason) open"))
    }
    // One that is not kept any more is taken too, or the device would repeat it for ever.
    #expect(try await world.record(.acted(action: "open", text: nil), of: 1, device: device).taken?.counts == false)
  }

  @Test func `what a newer one replaced is over for whom it was replaced`() async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device())
    let old = try await world.submit(
      to: [.person(1), .person(2), .device(bob)], actions: ["open"], collapse: "door"
    ).id
    let new = try await world.submit(to: [.person(1), .device(bob)], actions: ["open"], collapse: "door").id
    _ = try await world.submit(to: [.person(2)], actions: ["open"], collapse: "window")
    try await world.store.read { database throws(StoreError) in
      #expect(try database.inboxState(ofPerson: 1, notification: old) == .collapsed)
      #expect(try database.inboxState(ofPerson: 1, notification: new) == .new)
      #expect(try database.inboxState(ofPerson: 2, notification: old) == .new)
      #expect(try database.unreadCount(ofPerson: 1) == 1)
    }
    for device in [ada, bob] {
      let late = try await world.record(.acted(action: "open", text: nil), of: old, device: device)
      #expect(late.refusal == .collapsed && late.taken?.counts == false && late.answer == nil)
    }
    // Person 2 was not told otherwise.
    let answered = try await world.write { database, now throws(StoreError) in
      try database.answer(old, by: .person(2), action: "open", now: now)
    }
    #expect(answered.answer?.person == 2)
  }

  @Test func `an answer after its end does not count, also before that was swept`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let id = try await world.submit(to: [.device(device)], actions: ["open"], expires: world.time.now + 10).id
    world.time.advance(by: 10)
    #expect(try await world.record(.acted(action: "open", text: nil), of: id, device: device).refusal == .expired)
  }

  @Test func `only what is offered is an action, and all else is a tap`() async throws {
    let world = try await DeliveryWorld()
    let push = try await world.device(person: 1, kind: .browser, channels: [.webPush])
    let agent = try await world.device(person: 2)
    let bob = try await world.device(person: 3)
    let id = try await world.submit(to: [.person(1), .person(2), .person(3)], actions: ["open"]).id
    let made = try await world.record(.acted(action: "x", text: nil), of: id, device: push, channel: .webPush)
    #expect(made.answer == nil && made.taken == Recorded.Taken(action: Answer.tap, counts: true))
    #expect(try await world.events(id, push) == ["queued", "acted default"])
    #expect(try await world.record(.acted(action: "y", text: nil), of: id, device: agent).answer == nil)
    let page = try await world.write { database, now throws(StoreError) in
      try database.answer(id, by: .person(3), action: "z", now: now)
    }
    #expect(page.answer == nil && page.taken?.action == Answer.tap)
    // Bob has not been asked yet, and his is the answer.
    let other = try await world.submit(to: [.person(3)], actions: ["open"]).id
    #expect(try await world.record(.acted(action: "open", text: nil), of: other, device: bob).answer?.action == "open")
  }

  @Test func `the actions of a category are known to agents alone`() async throws {
    let world = try await DeliveryWorld()
    let push = try await world.device(kind: .browser, channels: [.webPush])
    let agent = try await world.device()
    let submission = Submission(
      to: [.device(push), .device(agent)], content: ["title": "Who?", "category": "door"], sender: "person 1")
    let id = try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now).id }
    let made = try await world.record(.acted(action: "open", text: nil), of: id, device: push, channel: .webPush)
    #expect(made.answer == nil)
    #expect(try await world.record(.acted(action: "open", text: nil), of: id, device: agent).answer?.action == "open")
  }

  @Test func `a stranger takes nothing from others, whatever they press`() async throws {
    let world = try await DeliveryWorld()
    let stranger = try await world.device(kind: .stranger, channels: [.webPush])
    let ada = try await world.device(person: 1)
    let asked = try await world.submit(to: [.device(stranger), .person(1)], actions: ["open"]).id
    let repetition = Repetition(every: 60, limit: 3)
    let told = try await world.write { database, now throws(StoreError) in
      try database.submit(
        Submission(
          to: [.device(stranger), .person(1)], content: ["title": "Leak"], repetition: repetition, sender: "person 1"),
        now: now)
    }.id
    for (id, action) in [(asked, "open"), (told, Answer.tap)] {
      let made = try await world.record(.acted(action: action, text: nil), of: id, device: stranger, channel: .webPush)
      #expect(made.answer == nil && made.changed.wakes.isEmpty && made.changed.persons.isEmpty)
    }
    #expect(try await world.pending(ada).map(\.id) == [asked, told])
    world.time.advance(by: 60)
    let rung = try await world.write { database, now throws(StoreError) in try database.ringAgain(now: now) }
    #expect(rung.flatMap(\.devices).contains(ada), "it still rings for Ada")
  }

  @Test func `times that a device tells are kept within what is possible`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let start = world.time.now
    let id = try await world.submit(to: [.device(device)]).id
    world.time.advance(by: 100)
    try await world.record(.delivered, of: id, device: device, at: start + 40)
    try await world.record(.shown, of: id, device: device, at: start + 1_000)
    let trace = try await world.store.read { database throws(StoreError) in try database.trace(id) }
    #expect(trace?.devices[0].events.map { $0.at - start } == [0, 40, 100])
  }

  @Test(arguments: [(-1e300, 0.0), (1e300, 100), (40, 40)])
  func `the time of an answer, too, is kept within what is possible`(told: Double, expected: Double) async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let start = world.time.now
    let id = try await world.submit(to: [.device(device)], actions: ["open"]).id
    world.time.advance(by: 100)
    let at = abs(told) > 1_000 ? told : start + told
    let answer = try await world.record(.acted(action: "open", text: nil), of: id, device: device, at: at).answer
    #expect(answer.map { $0.at - start } == expected)
  }

  @Test func `a trace keeps its beginning and its newest events`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let id = try await world.submit(to: [.device(device)]).id
    try await world.record(.delivered, of: id, device: device)
    for version in 2...40 {
      _ = try await update(world, id, "\(version)")
      try await world.record(.shown, of: id, version: version, device: device)
    }
    let events = try #require(try await world.store.read { database throws(StoreError) in try database.trace(id) })
      .devices[0].events
    #expect(events.count == 32 && events[0].what == .queued && events[1].what == .delivered)
    #expect(events.suffix(28).map(\.version) == Array(13...40))
  }

  @Test func `in a person's list what was scheduled takes the place of what was sent before its time`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    let planned = try await world.submit(to: [.person(7)], collapse: "sign", at: world.time.now + 60).id
    let sent = try await world.submit(to: [.person(7)], collapse: "sign").id
    #expect(planned < sent)
    world.time.advance(by: 60)
    try await world.write { database, now throws(StoreError) in _ = try database.sendDue(now: now) }
    let states = try await world.store.read { database throws(StoreError) in
      try [planned, sent].map { id throws(StoreError) in try database.inboxState(ofPerson: 7, notification: id) }
    }
    #expect(states == [.new, .collapsed])
    // An agent that shows the older one takes it away with the newer one, whose id is smaller.
    _ = try await withdraw(world, planned)
    let order = try #require(try await world.pending(device).first)
    #expect(order.id == planned && order.work == .withdraw(.takenBack) && order.sequence ?? 0 > sent)
  }

  @Test func `what an older hub has sent for a room gives way to the room's next`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7)
    // The hub's own notices of its disk or of webhooks name no room.
    func send(_ collapse: String, by sender: String, room: String? = nil) async throws -> Int {
      let submission = Submission(
        to: [.person(7)], content: ["title": "She drags"], collapseID: collapse, sender: sender, room: room)
      return try await world.write { database, now throws(StoreError) in
        try database.submit(submission, now: now).id
      }
    }
    let others = try await send("anchor.depth.1", by: "person 1")
    let older = try await send("anchor.watch.1", by: "room anchor", room: "anchor")
    let notice = try await send("disk ", by: "room bells")
    for id in [others, older, notice] { try await world.record(.shown, of: id, device: device) }
    _ = try await send("room anchor/anchor.depth.1", by: "room anchor", room: "anchor")
    let newer = try await send("room anchor/anchor.watch.1", by: "room anchor", room: "anchor")
    let pending = try await world.pending(device)
    #expect(pending.first?.id == older && pending.first?.work == .withdraw(.collapsed))
    #expect(pending.first?.collapseID == "anchor.watch.1" && pending.last?.id == newer && pending.count == 3)
    _ = try await send("room bells/disk ", by: "room bells")
    let last = try await world.pending(device)
    #expect(last.contains { $0.id == notice && $0.work == .withdraw(.collapsed) })
    let states = try await world.store.read { database throws(StoreError) in
      try [others, older, notice, newer].map { id throws(StoreError) in
        try database.inboxState(ofPerson: 7, notification: id)
      }
    }
    #expect(states == [.new, .collapsed, .collapsed, .new])
  }

  @Test func `what waits for a device goes along when another channel reaches it`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device()
    let older = try await world.submit(to: [.device(device)], collapse: "sign").id
    func move(_ old: ChannelKind, _ new: ChannelKind) async throws {
      try await world.write { database, now throws(StoreError) in
        try database.moveChannel(ofDevice: device, from: old, to: new, now: now)
      }
    }
    try await move(.gateway, .apns)
    #expect(try await world.pending(device).isEmpty)
    #expect(try await world.pending(device, .apns).map(\.id) == [older])
    let newer = try await world.submit(to: [.device(device)], collapse: "sign").id
    #expect(try await world.events(older, device) == ["queued", "suppressed collapsed"])
    try await move(.apns, .gateway)
    #expect(try await world.pending(device).map(\.id) == [newer])
    // A notification that the device has shown from there gives way to a newer one with the same collapse id.
    try await world.record(.shown, of: newer, device: device)
    try await move(.gateway, .apns)
    let last = try await world.submit(to: [.device(device)], collapse: "sign").id
    try await move(.apns, .gateway)
    #expect(try await world.pending(device).map(\.id) == [last])
    #expect(try await world.events(newer, device).suffix(2) == ["shown", "suppressed collapsed"])
  }
}
