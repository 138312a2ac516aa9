import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import TalkingClock

/// A device that should speak and does not is told of, once.
@Suite(.timeLimit(.minutes(5)))
struct SilenceTests {
  static let quarter = ClockWorld.start + 300

  private func pass(_ minutes: Int, in world: ClockWorld) async throws {
    for _ in 0..<minutes {
      await world.leap(60)
    }
  }

  @Test func `two announcements without a report and five minutes ring its person once, and again when it is back`()
    async throws
  {
    let world = try await ClockWorld()
    try await world.agent()
    world.run()
    try await pass(24, in: world)
    #expect(world.heard.bells == [])
    // 18:45 and 19:00 are over; it is 19:06.
    try await pass(2, in: world)
    #expect(world.heard.bells.map(\.title.german) == ["Die Uhr „kitchen“ schweigt"])
    #expect(world.heard.bells[0].to == [["person": "1"]] && world.heard.bells[0].path == "/clock")
    try await pass(120, in: world)
    #expect(world.heard.bells.count == 1)
    #expect(try await world.report(at: Self.quarter + 9 * 900) == ["taken": 1])
    await world.test.settle()
    #expect(world.heard.bells.map(\.title.english).last == "The clock “kitchen” is back")
    #expect(world.heard.bells[0].collapseID == world.heard.bells[1].collapseID)
    // The same report again is none.
    #expect(try await world.report(at: Self.quarter + 9 * 900) == ["taken": 0])
    await world.test.settle()
    #expect(world.heard.bells.count == 2)
    await world.test.end()
  }

  @Test func `whoever reports is not silent, also if it keeps still for an alarm, but without a loudspeaker it is`()
    async throws
  {
    let world = try await ClockWorld()
    try await world.agent()
    world.run()
    for number in 0..<6 {
      try await pass(15, in: world)
      _ = try await world.report("kitchen", ["spoke", "alarm", "muted"][number % 3], at: Self.quarter + number * 900)
    }
    #expect(world.heard.bells == [])
    for number in 6..<9 {
      try await pass(15, in: world)
      _ = try await world.report("kitchen", "no_audio", at: Self.quarter + number * 900, late: .null)
    }
    #expect(world.heard.bells.count == 1)
    #expect(world.heard.bells[0].body?.english == "Nothing has been heard of it since 20:00.")
    await world.test.end()
  }

  @Test func `nothing is awaited while it is muted or off, nor of the time when the hub was off`() async throws {
    var world = try await ClockWorld()
    let kitchen = try await world.agent()
    try await world.agent("attic", isOn: false)
    try await world.change { $0.mutedUntil = Double(ClockWorld.start + 7200) }
    world.run()
    try await pass(120, in: world)
    #expect(world.heard.bells == [])
    world = try await world.restarted(after: 86_400)
    try await pass(18, in: world)
    #expect(world.heard.bells == [])
    try await pass(20, in: world)
    #expect(world.heard.bells.map(\.collapseID) == ["clock.silence.\(kitchen)"])
    world = try await world.restarted()
    try await pass(60, in: world)
    #expect(world.heard.bells == [])
    await world.test.end()
  }

  @Test func `a hub whose clock was put forward accuses nobody`() async throws {
    let world = try await ClockWorld()
    try await world.agent()
    world.run()
    try await pass(2, in: world)
    world.time.setClock(by: 86_400)
    try await pass(10, in: world)
    #expect(world.heard.bells == [])
    await world.test.end()
  }

  @Test func `the owners hear of a device that belongs to nobody`() async throws {
    let world = try await ClockWorld()
    try await world.agent(of: nil)
    world.run()
    try await pass(30, in: world)
    #expect(world.heard.bells.map(\.to) == [[["person": "1"]]])
    await world.test.end()
  }

  @Test func `reports need a device's own secret, and tell what is wrong with them`() async throws {
    let world = try await ClockWorld()
    try await world.agent()
    func refusal(_ token: String?, _ json: JSON) async throws -> HTTPError? {
      await #expect(throws: HTTPError.self) {
        try await world.test.ask(.post, "/api/v1/clock/reports", token: token, json)
      }
    }
    let good: JSON = ["announcements": []]
    #expect(try await refusal(nil, good)?.code == .noToken)
    #expect(try await refusal("ebd_stranger", good)?.code == .unknownToken)
    #expect(try await refusal("ebd_kitchen", ["announcements": [["at": 1, "what": "sang"]]])?.code == .invalidField)
    let many = JSON.array(Array(repeating: ["at": 1, "what": "spoke"], count: 201))
    #expect(try await refusal("ebd_kitchen", ["announcements": many])?.code == .invalidField)
    // A day ahead, and older than the history: left out.
    #expect(try await world.report(at: ClockWorld.start + 86_400) == ["taken": 0])
    #expect(try await world.report(at: ClockWorld.start - 31 * 86_400) == ["taken": 0])
    await world.test.end()
  }

  @Test func `of a day with more announcements than an answer has, its end is told`() async throws {
    let world = try await ClockWorld()
    let (kitchen, attic) = (try await world.agent(), try await world.agent("attic"))
    let told = try await world.test.store.write { database throws(StoreError) -> [String] in
      for minute in 0..<4 {
        for device in [kitchen, attic] {
          let announced = Announced(at: minute * 60, what: .spoke, lateness: 1, cause: .own, lead: nil)
          _ = try database.note(announced, ofDevice: device)
        }
      }
      let last = try database.announced(byDevices: [kitchen, attic], from: 0, before: 86_400, limit: 3)
      return last.map { "\($0.device) \($0.announced.at)" }
    }
    #expect(told == ["\(attic) 120", "\(kitchen) 180", "\(attic) 180"])
    await world.test.end()
  }
}
