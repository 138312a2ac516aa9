import Delivery
import Hub
import HubWorld
import SpeakingClock
import Store
import Testing
import Wire
import World

@testable import TalkingClock

/// Agents are woken ahead of each announcement, once, and never for what is over. In virtual time.
@Suite(.timeLimit(.minutes(5)))
struct WakeTests {
  /// 18:45:00Z, the first announcement after the start.
  static let quarter = ClockWorld.start + 300

  @Test func `a push goes 15 s ahead, with what is to be said`() async throws {
    let world = try await ClockWorld()
    let kitchen = try await world.agent()
    world.run()
    try await world.pass(284)
    #expect(world.woken == [])
    try await world.pass(1)
    #expect(world.woken == [Self.quarter])
    let wake = world.heard.wakes[0]
    // It is evening in Berlin.
    #expect(wake["parts"] == ["7", "45", "PM"])
    #expect(wake["voice"] == ["id": "english", "version": "built-in"])
    #expect(wake["volume"] == 80 && wake["on"] == true && wake["muted_until"] == 0 && wake["version"] == 1)
    #expect(wake["settings"] == PersonClock().json && wake["now"] == nil)
    #expect(world.devices(wake) == ["\(kitchen)"])
    try await world.pass(900)
    #expect(world.woken == [Self.quarter, Self.quarter + 900])
    let leads = try await world.test.store.read { database throws(StoreError) in
      try database.lastLead(ofDevice: kitchen)
    }
    #expect(leads == 15)
    await world.test.end()
  }

  @Test func `those that are off, muted or in their quiet hours are not woken`() async throws {
    let world = try await ClockWorld()
    try await world.agent("attic", isOn: false)
    try await world.agent()
    world.run()
    try await world.change { $0.mutedUntil = Double(Self.quarter + 900) }
    try await world.pass(1190)
    #expect(world.woken == [Self.quarter + 900])
    // Quiet from 20:10 in Berlin.
    try await world.change { $0.settings.quiet = QuietHours(from: 20 * 60 + 10, to: 7 * 60) }
    try await world.pass(1000)
    #expect(world.woken == [Self.quarter + 900])
    await world.test.end()
  }

  @Test(arguments: [true, false])
  func `when the owner goes who came first, the house is told the next one's clock at once`(
    isRemoved: Bool
  ) async throws {
    let world = try await ClockWorld()
    let hall = try await world.agent(of: nil)
    try await world.agent("attic")
    try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Bo', 'owner', 0)")
      var clock = PersonClock()
      clock.settings.every = 60
      try database.save(clock, ofPerson: 2)
    }
    world.run()
    try await world.test.hub.commit(as: .room("test")) { change in
      try change.database.run("UPDATE people SET role = 'member' WHERE id = 1")
      try change.personLosesRights(1, isRemoved: isRemoved)
    }
    try await world.until { !world.heard.wakes.isEmpty }
    let wake = world.heard.wakes[0]
    #expect(wake["settings"]?["every"] == 60 && wake["at"] == nil && world.devices(wake) == ["\(hall)"])
    await world.test.end()
  }

  @Test func `the house follows whoever came first also if they lost the right and were given it again`() async throws {
    let world = try await ClockWorld()
    try await world.agent(of: nil)
    try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Bo', 'owner', 0)")
      var clock = PersonClock()
      clock.settings.every = 60
      try database.save(clock, ofPerson: 2)
    }
    world.run()
    // As a room is told that was off meanwhile.
    try await world.test.hub.commit(as: .room("test")) { change in
      try change.personLosesRights(1, isRemoved: false)
    }
    try await world.until { !world.heard.wakes.isEmpty }
    #expect(world.heard.wakes[0]["settings"] == PersonClock().json)
    await world.test.end()
  }

  @Test func `a hub that begins at 14 minutes 50 still wakes for the quarter, and does so once`() async throws {
    var world = try await ClockWorld(at: Double(Self.quarter) - 10)
    try await world.agent()
    world.run()
    await world.test.settle()
    #expect(world.woken == [Self.quarter])
    world = try await world.restarted(after: 3)
    await world.test.settle()
    #expect(world.woken == [])
    try await world.pass(893)
    #expect(world.woken == [Self.quarter + 900])
    await world.test.end()
  }

  @Test func `a push that would come too late is not sent, and nothing missed is made up for`() async throws {
    var world = try await ClockWorld(at: Double(Self.quarter) - 0.5)
    try await world.agent()
    world.run()
    await world.test.settle()
    #expect(world.woken == [])
    // A day without the hub.
    world = try await world.restarted(after: 86_400)
    await world.test.settle()
    #expect(world.woken == [])
    try await world.pass(900)
    #expect(world.woken == [Self.quarter + 86_400 + 900])
    await world.test.end()
  }

  @Test func `devices with the same to say get one push`() async throws {
    let world = try await ClockWorld()
    let one = try await world.agent("one")
    let two = try await world.agent("two", of: nil)
    let soft = try await world.agent("soft", volume: 20)
    world.run()
    try await world.pass(290)
    #expect(Set(world.heard.wakes.map { world.devices($0) }) == [["\(one)", "\(two)"], ["\(soft)"]])
    await world.test.end()
  }

  @Test func `each speaks by the zone of where it is, or by the one that was wished`() async throws {
    let world = try await ClockWorld()
    try await world.agent("berlin")
    try await world.agent("adelaide", zone: "Australia/Adelaide")
    try await world.agent("nowhere", zone: nil)
    try await world.change { $0.settings.every = 60 }
    world.run()
    // 19:30Z is 06:00 in Adelaide; 19:00Z is 20:00 in Berlin, and in the house, which is in UTC, 19:00.
    try await world.pass(3000)
    #expect(world.woken.map { $0 - ClockWorld.start } == [1200, 1200, 3000])
    #expect(
      Set(world.heard.wakes.map { $0["parts"] }) == [
        ["bigben", "8", "PM"], ["bigben", "7", "PM"], ["bigben", "6", "AM"],
      ])
    try await world.change { $0.zone = "Europe/Berlin" }
    try await world.pass(1800)
    #expect(world.woken.suffix(1).map { $0 - ClockWorld.start } == [4800])
    #expect(world.heard.wakes.suffix(1).allSatisfy { world.devices($0).count == 3 })
    await world.test.end()
  }

  @Test func `when the clocks are put back, the hour that comes again is announced again`() async throws {
    // 2026-10-25T00:59:00Z in Berlin: 02:59, for the first time.
    let world = try await ClockWorld(at: 1_792_889_940)
    try await world.agent()
    world.run()
    try await world.change { $0.settings.every = 60 }
    for _ in 0..<13 { try await world.pass(600) }
    #expect(world.heard.wakes.map { $0["parts"]?.array?[1] } == ["2", "3", "4"])
    #expect(world.woken.map { $0 - 1_792_890_000 } == [0, 3600, 7200])
    await world.test.end()
  }

  @Test func `a hub whose clock jumps sends no burst, and goes on from there`() async throws {
    let world = try await ClockWorld()
    try await world.agent()
    world.run()
    try await world.pass(290)
    #expect(world.woken == [Self.quarter])
    world.time.setClock(by: 366 * 86_400 + 60)
    try await world.pass(30)
    #expect(world.woken == [Self.quarter])
    try await world.pass(900)
    #expect(world.woken.count == 2 && world.woken[1] > Self.quarter + 365 * 86_400)
    // Back by 20 minutes: what was woken for is woken for again, which the device knows.
    world.time.setClock(by: -1200)
    try await world.pass(900)
    #expect(world.woken.count == 3 && world.woken[2] < world.woken[1])
    await world.test.end()
  }

  @Test func `later pushes go as early as 99 of a hundred deliveries ask for`() async throws {
    #expect(Lead.seconds([]) == 15 && Lead.seconds(Array(repeating: 0.2, count: 7)) == 15)
    #expect(Lead.seconds(Array(repeating: 0.2, count: 8)) == 5)
    #expect(Lead.seconds(Array(repeating: 0.2, count: 20) + [6.1]) == 9)
    #expect(Lead.seconds(Array(repeating: 0.2, count: 99) + [25]) == 5)
    #expect(Lead.seconds(Array(repeating: 60, count: 10)) == 30)
    let world = try await ClockWorld()
    let kitchen = try await world.agent()
    world.run()
    try await world.change { $0.settings.every = 1 }
    for number in 1...9 {
      await world.leap(number == 1 ? 45 : 60)
      try await world.until { try await traces(kitchen, in: world).count == number }
      try await acknowledge(kitchen, after: 1.5, in: world)
    }
    await world.leap(70)
    try await world.until { world.woken.count == 10 }
    let leads = try await world.test.store.read { database throws(StoreError) in
      try database.rows("SELECT lead FROM clock_history ORDER BY at", read: { $0.int(0) })
    }
    // The plan for the ninth was made when the eighth was sent, and not yet acknowledged.
    #expect(leads == [15, 15, 15, 15, 15, 15, 15, 15, 15, 5])
    await world.test.end()
  }

  /// The traces of the wakes that the device was sent. Nobody reports here, so that it is rung for its silence, too.
  private func traces(_ device: Int, in world: ClockWorld) async throws -> [String] {
    try await world.test.store.read { database throws(StoreError) in
      try database.rows(
        """
        SELECT l.events FROM push_deliveries l JOIN push_notifications n ON n.id = l.notification
        WHERE l.device = ? AND n.collapse = 'room clock/clock.announcement'
        """, .int(device), read: { $0.text(0) })
    }
  }

  /// Has the device say that it has had all that was sent, so many seconds after it was.
  private func acknowledge(_ device: Int, after seconds: Double, in world: ClockWorld) async throws {
    let now = world.time.now
    try await world.test.store.write { database throws(StoreError) in
      for pending in try database.pending(device: device, channel: .gateway, now: now, limit: 10) {
        let receipt = Receipt(
          notification: pending.message.id, version: 1, what: .shown, at: pending.message.sentAt + seconds)
        _ = try database.record(receipt, device: device, channel: .gateway, now: now + 30)
      }
    }
  }

  @Test func `each quarter of an hour wakes, whatever the budget of other silent ones`() async throws {
    let world = try await ClockWorld()
    let kitchen = try await world.agent()
    world.run()
    try await world.change { $0.settings.every = 5 }
    for number in 1...12 {
      await world.leap(number == 1 ? 285 : 300)
      try await world.until { try await traces(kitchen, in: world).count == number }
    }
    let told = try await traces(kitchen, in: world)
    #expect(world.woken.count == 12)
    #expect(told.allSatisfy { !$0.contains("silent_budget") })
    await world.test.end()
  }
}
