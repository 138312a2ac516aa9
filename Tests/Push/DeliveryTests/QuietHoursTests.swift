import CivilTime
import Delivery
import Store
import Synchronization
import Testing
import World

struct QuietHoursTests {
  @Test func `a device that came in quiet hours and stays is rung when they end`() async throws {
    let world = try await DeliveryWorld()
    let gateway = NotingChannel(.gateway)
    let delivery = TimesTests().delivery(world, gateway)
    let device = try await world.device(person: 7)
    let id = try await world.submit(to: [.person(7)]).id
    // It is 18:40 in UTC, and quiet from 18:50 to 07:00.
    func quiet(until end: Int) async throws {
      try await world.keepQuiet(7, from: 18 * 60 + 50, to: end)
    }
    try await quiet(until: 7 * 60)
    world.time.advance(by: 600)
    try await world.write { database, now throws(StoreError) in
      try database.hold(device: device, channel: .gateway, now: now)
    }
    #expect(try await world.pending(device).isEmpty)
    _ = try await delivery.work()
    #expect(gateway.woken.withLock { $0 } == [])
    // The end is put off by an hour while it waits.
    try await quiet(until: 8 * 60)
    world.time.advance(by: 12 * 3_600 + 600)
    _ = try await delivery.work()
    #expect(gateway.woken.withLock { $0 } == [])
    world.time.advance(by: 3_600)
    _ = try await delivery.work()
    #expect(gateway.woken.withLock { $0 } == [[device]])
    #expect(try await world.pending(device).map(\.id) == [id])
    #expect(try await delivery.work() == DeliveryLimits.recheckSeconds, "once is enough")
    #expect(gateway.woken.withLock { $0.count } == 1)
  }

  @Test func `whoever ends their quiet hours gets what they held back`() async throws {
    let world = try await DeliveryWorld()
    let gateway = NotingChannel(.gateway)
    let delivery = TimesTests().delivery(world, gateway)
    let device = try await world.device(person: 7)
    let id = try await world.submit(to: [.person(7)]).id
    try await world.keepQuiet(7, from: 18 * 60 + 30, to: 7 * 60)
    try await world.write { database, now throws(StoreError) in
      try database.hold(device: device, channel: .gateway, now: now)
    }
    #expect(try await world.pending(device).isEmpty)
    try await world.write { database, _ throws(StoreError) in try database.setQuietHours(ofPerson: 7, nil) }
    _ = try await delivery.work()
    #expect(gateway.woken.withLock { $0 } == [[device]])
    #expect(try await world.pending(device).map(\.id) == [id])
  }

  @Test func `whoever lands where the night is over gets what was held back`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7, zone: "UTC")
    let id = try await world.submit(to: [.person(7)]).id
    // It is 18:40 in UTC, and 03:40 in Tokyo.
    try await world.keepQuiet(7, from: 18 * 60, to: 3 * 60)
    try await world.write { database, now throws(StoreError) in
      try database.hold(device: device, channel: .gateway, now: now)
    }
    func pending(in zone: String) async throws -> [Int] {
      try await world.write { database, now throws(StoreError) in
        try database.notePushDevice(device, seenAt: now, zone: zone)
        try database.hold(device: device, channel: .gateway, now: now)
      }
      return try await world.pending(device).map(\.id)
    }
    #expect(try await pending(in: "UTC") == [])
    #expect(try await pending(in: "Asia/Tokyo") == [id])
  }

  @Test func `whoever ends their quiet hours gets also what could not be sent before them`() async throws {
    let world = try await DeliveryWorld()
    let device = try await world.device(person: 7, channels: [.webPush])
    let id = try await world.submit(to: [.person(7)]).id
    let now = world.time.now
    let due = try await world.store.read { database throws(StoreError) in
      try database.pending(device: device, channel: .webPush, now: now, limit: 1)
    }
    let first = try #require(due.first)
    try await world.write { database, now throws(StoreError) in
      try database.finish(first, channel: .webPush, with: .retry(.pushService, detail: "503"), jitter: 0, now: now)
    }
    world.time.advance(by: 60)
    try await world.write { database, now throws(StoreError) in
      try database.setQuietHours(ofPerson: 7, QuietHours(from: 18 * 60, to: 7 * 60, zone: "UTC"))
      try database.hold(device: device, channel: .webPush, now: now)
    }
    #expect(try await world.pending(device, .webPush).isEmpty)
    try await world.write { database, _ throws(StoreError) in try database.setQuietHours(ofPerson: 7, nil) }
    #expect(try await world.pending(device, .webPush).map(\.id) == [id])
  }

  /// Nights in which the clocks of Berlin are put forward and back: until 07:00, and until 02:30, which comes twice.
  @Test(arguments: [
    ("2027-03-28T00:30:00+01:00", 7 * 60, 5.5), ("2027-10-31T00:30:00+02:00", 7 * 60, 7.5),
    ("2027-10-31T02:15:00+02:00", 150, 0.25), ("2027-10-31T02:15:00+01:00", 150, 0.25),
  ])
  func `quiet hours end at their time also in a night of another length`(now: String, to: Int, hours: Double) throws {
    let quiet = QuietHours(from: 23 * 60, to: to, zone: "Europe/Berlin")
    #expect(quiet.secondsLeft(at: Double(try #require(parseTimestamp(now))), deviceZone: nil) == hours * 3_600)
  }
}
