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
      try await world.write { database, _ throws(StoreError) in
        try database.setQuietHours(ofPerson: 7, QuietHours(from: 18 * 60 + 50, to: end, zone: "UTC"))
      }
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
    try await world.write { database, _ throws(StoreError) in
      try database.setQuietHours(ofPerson: 7, QuietHours(from: 18 * 60 + 30, to: 7 * 60, zone: "UTC"))
    }
    try await world.write { database, now throws(StoreError) in
      try database.hold(device: device, channel: .gateway, now: now)
    }
    #expect(try await world.pending(device).isEmpty)
    try await world.write { database, _ throws(StoreError) in try database.setQuietHours(ofPerson: 7, nil) }
    _ = try await delivery.work()
    #expect(gateway.woken.withLock { $0 } == [[device]])
    #expect(try await world.pending(device).map(\.id) == [id])
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
