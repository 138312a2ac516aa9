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
    for device in [seen, away] {
      #expect(try await world.pending(device).map(\.work) == [.withdraw(.takenBack)])
      try await world.record(.withdrawn, of: id, version: 2, device: device)
      #expect(try await world.pending(device).isEmpty)
    }
    #expect(try await world.events(id, seen) == ["queued", "shown", "withdrawn taken_back"])
    #expect(try await withdraw(world, id) == nil)
    #expect(try await update(world, id, "Again") == nil)
  }

  @Test func `the first action wins and removes the question everywhere else`() async throws {
    let world = try await DeliveryWorld()
    let (ada, bob) = (try await world.device(person: 1), try await world.device(person: 2))
    let id = try await world.submit(to: [.person(1), .person(2)]).id
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
      try await world.events(id, bob) == ["queued", "acted answered_elsewhere no", "withdrawn answered_elsewhere"])
    #expect(try await world.events(id, ada) == ["queued", "shown", "acted open"])
    let notification = try await world.store.read { database throws(StoreError) in try database.notification(id) }
    #expect(notification?.answer?.action == "open" && notification?.state == .acted)
  }

  @Test(arguments: [Answer.tap, Answer.dismiss])
  func `a tap or a dismissal counts for the person's own devices only`(action: String) async throws {
    let world = try await DeliveryWorld()
    let (phone, laptop) = (try await world.device(person: 1), try await world.device(person: 1))
    let bob = try await world.device(person: 2)
    let id = try await world.submit(to: [.person(1), .person(2)]).id
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

  @Test func `a person answers on the page as well as a device`() async throws {
    let world = try await DeliveryWorld()
    let phone = try await world.device(person: 1)
    let id = try await world.submit(to: [.person(1)]).id
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
    let withdrawn = try await world.submit(to: [.device(device)]).id
    _ = try await withdraw(world, withdrawn)
    let expired = try await world.submit(to: [.device(device)], expires: world.time.now + 1).id
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
}
