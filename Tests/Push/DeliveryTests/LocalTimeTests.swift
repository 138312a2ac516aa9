import CivilTime
import Delivery
import EventLoop
import Observe
import Store
import Testing
import Wire
import World

/// The tests begin at 18:40 in UTC on 20 November 2026: 19:40 in Berlin, 03:40 of the next day in Tokyo.
struct LocalTimeTests {
  let friday = CivilDate(year: 2026, month: 11, day: 20).dayNumber

  func local(_ hour: Int, _ minute: Int, day: Int? = nil, rule: String? = nil, _ world: DeliveryWorld) -> LocalTime {
    LocalTime(
      minute: hour * 60 + minute, day: day, rule: rule, firstDay: day ?? 0, since: world.time.now,
      zone: "Europe/Berlin")
  }

  func submit(
    _ world: DeliveryWorld, to: [Recipient], _ local: LocalTime, content: JSON = ["title": "Up"],
    expires: Double? = nil, repeats: Repetition? = nil
  ) async throws -> Int {
    let submission = Submission(
      to: to, content: content, expiresAt: expires, local: local, repetition: repeats, sender: "person 1")
    return try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now) }.id
  }

  /// Lets time pass, with a look every five minutes.
  func pass(_ hours: Double, _ world: DeliveryWorld, _ nextDay: @escaping LocalTime.NextDay = { _, _, day in day + 1 })
    async throws
  {
    let delivery = delivery(world, nextDay)
    for _ in 0..<Int(hours * 12) {
      world.time.advance(by: 300)
      _ = try await delivery.work()
    }
  }

  func delivery(_ world: DeliveryWorld, _ nextDay: @escaping LocalTime.NextDay) -> Delivery {
    Delivery(
      store: world.store, loop: EventLoop(time: world.time), time: world.time,
      log: Log(time: world.time, sink: { _ in }), nextDay: nextDay)
  }

  func shown(_ world: DeliveryWorld, _ device: Int) async throws -> [Int] { try await world.pending(device).map(\.id) }

  @Test func `each device rings when its own clock shows the time, and all of them have one notification`()
    async throws
  {
    let world = try await DeliveryWorld()
    let tokyo = try await world.device(person: 1, zone: "Asia/Tokyo")
    let berlin = try await world.device(person: 1, zone: "Europe/Berlin")
    let unknown = try await world.device(person: 2)
    let honolulu = try await world.device(person: 2, zone: "Pacific/Honolulu")
    let id = try await submit(world, to: [.person(1), .person(2), .person(3)], local(7, 30, world))
    try await pass(3.75, world)  // 22:25 in UTC
    #expect(try await shown(world, tokyo) == [])
    try await pass(0.25, world)
    #expect(try await shown(world, tokyo) == [id])
    #expect(try await shown(world, berlin) == [])
    try await pass(7.75, world)
    #expect(try await shown(world, berlin) == [])
    try await pass(0.25, world)  // 06:30 in UTC
    #expect(try await shown(world, berlin) == [id])
    // The zone of one that has not told it is the hub's; so is that of a person without a device.
    #expect(try await shown(world, unknown) == [id])
    let inbox = try await world.store.read { database throws(StoreError) in try database.inbox(ofPerson: 3, limit: 9) }
    #expect(inbox.map(\.notification.id) == [id])
    #expect(try await shown(world, honolulu) == [])
    try await pass(11, world)
    #expect(try await shown(world, honolulu) == [id])
    try await pass(12, world)
    #expect(try await world.store.read { database throws(StoreError) in try database.scheduledCount() } == 0)
    for device in [tokyo, berlin, unknown, honolulu] { #expect(try await world.events(id, device) == ["queued"]) }
  }

  @Test func `a silent one is in nobody's list`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 1)
    let id = try await submit(world, to: [.person(1)], local(20, 0, world), content: ["silent": true])
    try await pass(1, world)
    #expect(try await shown(world, device) == [id])
    let inbox = try await world.store.read { database throws(StoreError) in try database.inbox(ofPerson: 1, limit: 9) }
    #expect(inbox.isEmpty)
  }

  @Test(arguments: [
    ("2027-03-28", "Europe/Berlin", 2, 30, "2027-03-28T01:30:00Z"),  // skipped: it is 3:30
    ("2026-10-25", "Europe/Berlin", 2, 30, "2026-10-25T00:30:00Z"),  // twice: the first
    ("2026-11-21", "Asia/Kathmandu", 7, 30, "2026-11-21T01:45:00Z"),
    ("2026-11-21", "Pacific/Kiritimati", 7, 30, "2026-11-20T17:30:00Z"),
    ("2026-11-21", "Etc/GMT+12", 7, 30, "2026-11-21T19:30:00Z"),
    ("2026-10-04", "Australia/Lord_Howe", 2, 15, "2026-10-03T15:45:00Z"),  // half an hour is skipped
    ("2026-11-21", "Atlantis/Rhodes", 7, 30, "2026-11-21T06:30:00Z"),
  ])
  func `skipped and doubled times, and a look at the very instant`(
    date: String, zone: String, hour: Int, minute: Int, expected: String
  ) throws {
    let day = try #require(CivilDate(date)).dayNumber
    let time = LocalTime(minute: hour * 60 + minute, day: day, since: 0, zone: "Europe/Berlin")
    let instant = time.instant(deviceZone: zone)
    #expect(timestamp(EpochSeconds(instant), in: .utc) == expected)
    #expect(time.nextLook(after: instant - 1) == instant)
    #expect(time.earliest <= instant && instant <= time.latest)
  }

  @Test func `without a date it is the next time that the clock shows, also on days of other lengths`() {
    // 02:30 in Berlin of the night in which the clock goes forward, and of that in which it goes back.
    for (since, expected) in [
      ("2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z"), ("2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"),
      ("2026-10-25T00:29:59Z", "2026-10-25T00:30:00Z"), ("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
    ] {
      let time = LocalTime(minute: 150, since: Double(parseTimestamp(since)!), zone: "UTC")
      let instant = time.instant(deviceZone: "Europe/Berlin")
      #expect(timestamp(EpochSeconds(instant), in: .utc) == expected)
      #expect(instant <= time.latest)
    }
  }

  @Test func `looks end with the last clock on Earth`() throws {
    let time = LocalTime(minute: 450, day: friday, since: 0, zone: "UTC")
    let wall = Double(friday * 86_400 + 450 * 60)
    #expect(time.nextLook(after: 0) == wall - 14 * 3_600)
    #expect(time.nextLook(after: wall - 14 * 3_600) == wall - 14 * 3_600 + 900)
    #expect(time.nextLook(after: time.latest - 1) == time.latest && time.nextLook(after: time.latest) == nil)
    let odd = LocalTime(minute: 451, day: friday, since: 0, zone: "UTC")
    #expect(odd.nextLook(after: wall) == wall + 60)
  }

  @Test func `it is listed, changed and cancelled, also when it has rung in some zones`() async throws {
    let world = try await DeliveryWorld()
    let tokyo = try await world.device(zone: "Asia/Tokyo")
    let berlin = try await world.device(zone: "Europe/Berlin")
    let id = try await submit(world, to: [.device(tokyo), .device(berlin)], local(7, 30, day: friday + 1, world))
    let listed = try await world.store.read { database throws(StoreError) in try database.scheduled(limit: 9) ?? [] }
    #expect(listed.map(\.id) == [id] && listed[0].submission.local?.day == friday + 1)
    try await pass(4, world)
    try await world.record(.shown, of: id, device: tokyo)
    func update(_ title: String) async throws -> Changed? {
      try await world.write { database, now throws(StoreError) in
        try database.update(notification: id, content: ["title": .string(title)], now: now)
      }
    }
    #expect(try await update("Later")?.wakes.flatMap(\.devices) == [tokyo])
    try await pass(8, world)
    #expect(try await world.pending(berlin).map(\.work) == [.show(content: #"{"title":"Later"}"#)])
    let withdrawn = try await world.write { database, now throws(StoreError) in
      try database.withdraw(notification: id, now: now)
    }
    #expect(Set(withdrawn?.wakes.flatMap(\.devices) ?? []) == [tokyo, berlin])
    #expect(try await world.store.read { database throws(StoreError) in try database.scheduledCount() } == 0)
    #expect(try await update("Again") == nil)
  }

  @Test func `one that is cancelled before its time rings nowhere`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "Asia/Tokyo")
    let id = try await submit(world, to: [.device(device)], local(7, 30, world))
    try await world.write { database, now throws(StoreError) in
      #expect(try database.withdraw(notification: id, now: now)?.wakes.isEmpty == true)
    }
    try await pass(30, world)
    #expect(try await shown(world, device) == [])
    let trace = try await world.store.read { database throws(StoreError) in try database.trace(id) }
    #expect(trace?.notification.state == .withdrawn && trace?.devices.isEmpty == true)
  }

  @Test func `an answer where it has rung ends it in the other zones`() async throws {
    let world = try await DeliveryWorld()
    let tokyo = try await world.device(zone: "Asia/Tokyo")
    let berlin = try await world.device(zone: "Europe/Berlin")
    let content: JSON = ["title": "Up", "actions": [["id": "up", "title": "I am up"]]]
    let id = try await submit(world, to: [.device(tokyo), .device(berlin)], local(7, 30, world), content: content)
    try await pass(4, world)
    try await world.record(.acted(action: "up", text: nil), of: id, device: tokyo)
    try await pass(9, world)
    #expect(try await shown(world, berlin) == [])
    #expect(try await world.events(id, berlin) == ["queued", "suppressed answered_elsewhere"])
  }

  @Test func `whoever was not there at the time is not rung late, and the trace says so`() async throws {
    let world = try await DeliveryWorld()
    let berlin = try await world.device(person: 1, zone: "Europe/Berlin")
    let id = try await submit(world, to: [.person(1)], local(7, 30, world))
    try await pass(13, world)
    let late = try await world.device(person: 1, zone: "Europe/Berlin")
    // One that travels to the west is rung once.
    try await world.write { database, now throws(StoreError) in
      _ = try database.notePushDevice(berlin, seenAt: now, zone: "America/New_York")
    }
    try await pass(14, world)
    #expect(try await world.events(id, late) == ["queued", "suppressed time_over"])
    #expect(try await world.events(id, berlin) == ["queued"])
  }

  @Test func `a date that is over in a zone rings there no more, and the trace says so`() async throws {
    let world = try await DeliveryWorld()
    let (tokyo, berlin) = (try await world.device(zone: "Asia/Tokyo"), try await world.device(zone: "Europe/Berlin"))
    // 03:00 on Saturday is over in Tokyo.
    let id = try await submit(world, to: [.device(tokyo), .device(berlin)], local(3, 0, day: friday + 1, world))
    try await pass(24, world)
    #expect(try await shown(world, tokyo) == [])
    #expect(try await shown(world, berlin) == [id])
    #expect(try await world.events(id, tokyo) == ["queued", "suppressed time_over"])
  }

  @Test func `a rule makes a notification each day, which waits until the next one`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "Europe/Berlin")
    // Friday, Saturday and Sunday; at 19:30 on Friday it was too late.
    let last = friday + 2
    let rule: LocalTime.NextDay = { rule, first, day in
      #expect(rule == "FREQ=DAILY" && first == last - 2)
      return day < last ? day + 1 : nil
    }
    let id = try await submit(world, to: [.device(device)], local(19, 30, day: friday, rule: "FREQ=DAILY", world))
    try await pass(23.75, world, rule)
    #expect(try await shown(world, device) == [])
    try await pass(0.25, world, rule)
    let saturday = try await shown(world, device)
    #expect(saturday.count == 1 && saturday[0] != id)
    let listed = try await world.store.read { database throws(StoreError) in try database.scheduled(limit: 9) ?? [] }
    #expect(listed.map(\.id) == [id], "the days under way are not listed")
    try await pass(24, world, rule)
    #expect(try await shown(world, device).count == 2)
    let ending = try await world.store.read { database throws(StoreError) in try database.scheduled(limit: 9) ?? [] }
    #expect(ending.map(\.id) == [id], "until its last day is over everywhere")
    try await pass(48, world, rule)
    try await world.store.read { database throws(StoreError) in
      #expect(try database.scheduledCount() == 0)
      #expect(try database.notification(id)?.state == .expired)
      #expect(try database.trace(saturday[0])?.devices[0].events.last?.what == .expired)
    }
  }

  @Test func `a rule is listed with the day that comes next here, also one that has begun elsewhere`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "Europe/Berlin")
    let id = try await submit(world, to: [.device(device)], local(19, 30, day: friday, rule: "FREQ=DAILY", world))
    // On Saturday: 06:40 in UTC, when it is 19:30 in the furthest east, and 19:40 in Berlin.
    for day in [friday + 1, friday + 2] {
      try await pass(12, world)
      let now = world.time.now
      let next = try await world.store.read { database throws(StoreError) in
        try database.scheduled(id).map { one throws(StoreError) in try database.withNextDay(one, id: id, now: now) }
      }
      #expect(next?.local?.day == day)
    }
  }

  @Test func `a rule whose first day is over everywhere begins with the next one`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "Europe/Berlin")
    let id = try await submit(
      world, to: [.device(device)], local(7, 30, day: friday - 1, rule: "FREQ=DAILY", world))
    #expect(try await shown(world, device) == [], "yesterday's is not rung now")
    try await pass(24, world)
    let days = try await shown(world, device)
    #expect(days.count == 1 && days != [id])
  }

  @Test func `cancelling a rule ends the day that is under way, too`() async throws {
    let world = try await DeliveryWorld()
    let tokyo = try await world.device(zone: "Asia/Tokyo")
    let berlin = try await world.device(zone: "Europe/Berlin")
    let id = try await submit(
      world, to: [.device(tokyo), .device(berlin)], local(7, 30, day: friday, rule: "FREQ=DAILY", world))
    try await pass(4, world)
    let day = try #require(try await shown(world, tokyo).first)
    try await world.change(id, to: "Other")
    #expect(try await world.pending(tokyo).map(\.work) == [.show(content: #"{"title":"Other"}"#)])
    try await world.withdraw(id)
    try await pass(48, world)
    #expect(try await shown(world, berlin) == [])
    #expect(try await world.pending(tokyo).map(\.id) == [day])
    #expect(try await world.pending(tokyo).map(\.work) == [.withdraw(.takenBack)])
  }

  @Test func `another time for a rule is that of the day that is under way, too`() async throws {
    let world = try await DeliveryWorld()
    let tokyo = try await world.device(zone: "Asia/Tokyo")
    let berlin = try await world.device(zone: "Europe/Berlin")
    let id = try await submit(
      world, to: [.device(tokyo), .device(berlin)], local(7, 30, day: friday, rule: "FREQ=DAILY", world))
    try await pass(4, world)
    let rung = try await shown(world, tokyo)
    #expect(rung.count == 1)
    let later = local(9, 30, day: friday + 1, rule: "FREQ=DAILY", world)
    try await world.write { database, now throws(StoreError) in
      _ = try database.reschedule(id, at: nil, local: later, now: now)
    }
    try await pass(8.25, world)  // 06:55 in UTC
    #expect(try await shown(world, berlin) == [])
    try await pass(2, world)
    #expect(try await shown(world, berlin).count == 1)
    #expect(try await shown(world, tokyo).contains(rung[0]), "what has rung stays")
  }

  @Test func `after an outage a day rings late, and of several days the newest alone`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "Europe/Berlin")
    _ = try await submit(world, to: [.device(device)], local(7, 30, day: friday, rule: "FREQ=DAILY", world))
    try await pass(1, world)
    world.time.advance(by: 12 * 3_600)
    try await pass(0.25, world)
    #expect(try await shown(world, device).count == 1)
    world.time.advance(by: 5 * 86_400)
    try await pass(0.25, world)
    #expect(try await shown(world, device).count == 1)
    #expect(try await world.store.read { database throws(StoreError) in try database.notificationCount() } == 2)
  }

  @Test(arguments: [false, true])
  func `a rule rings at its times again after the clock was months ahead`(isRestarted: Bool) async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(zone: "Europe/Berlin")
    let id = try await submit(world, to: [.device(device)], local(20, 0, day: friday, rule: "FREQ=DAILY", world))
    var delivery = delivery(world) { _, _, day in day + 1 }
    world.time.setClock(by: 120 * 86_400)
    _ = try await delivery.work()
    world.time.setClock(by: -120 * 86_400)
    if isRestarted { delivery = self.delivery(world) { _, _, day in day + 1 } }
    for (minutes, count) in [(0.0, 0), (19, 0), (1, 1), (1_439, 1), (1, 2)] {
      world.time.advance(by: minutes * 60)
      _ = try await delivery.work()
      #expect(try await shown(world, device).count == count)
    }
    let rule = try await world.store.read { database throws(StoreError) in try database.scheduled(id) }
    #expect(rule?.local?.day == friday + 2)
  }
}
