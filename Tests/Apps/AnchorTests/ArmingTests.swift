import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Anchor

@Suite(.timeLimit(.minutes(5)))
struct ArmingTests {
  @Test func `arming names what is asked for and not told, and a device that is not on the boat`() async throws {
    let world = try await AnchorWorld()
    world.run()
    func kinds() async throws -> [String] {
      let warnings = try await world.ask(.post, "/arm", [:])["warnings"]?.array ?? []
      return warnings.compactMap { $0["kind"]?.string }
    }
    #expect(try await world.report(20)["takes"] == ["tells", "keeps"])
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    try await world.ask(.patch, "", ["depth_m": ["min": 2.5], "wind_shift_deg": 30])
    #expect(try await kinds() == ["no drill"], "an older agent does not say what it is told")
    try await world.report(20, [.init("tells", ["wind", "rudder"])])
    #expect(try await kinds() == ["no drill", "no depth"])
    try await world.report(20, [.init("tells", ["depth", "wind"])])
    #expect(try await kinds() == ["no drill"])
    try await world.report(420, source: "other boat", [.init("tells", [])])
    #expect(try await kinds() == ["no drill", "apart"])
    await world.test.end()
  }

  @Test func `who sees the boat elsewhere is told of until they agree, or the anchor is up`() async throws {
    let world = try await AnchorWorld.watching()
    func ada(_ metres: Double) async throws {
      await world.pass(30)
      try await world.report(20)
      try await world.report(metres, source: "Ada", kind: "page", token: world.tokens["owner"])
    }
    for metres in [21.0, 120, 120, 120, 20, 20, 20, 120, 120, 120] { try await ada(metres) }
    let elsewhere = "“Ada” sees the boat elsewhere"
    #expect(world.heard.titles == [elsewhere, "“Ada” sees the boat at the same place again", elsewhere])
    func withdrawn() async throws -> Int? {
      try await world.test.store.read { database throws(StoreError) in
        try database.first(
          "SELECT count(*) FROM push_notifications n WHERE state = 1 AND EXISTS (SELECT 1 FROM push_inbox WHERE "
            + "notification = n.id AND state = 3)", read: { $0.int(0) })
      }
    }
    #expect(try await withdrawn() == 0)
    try await world.ask(.post, "/weigh", ["sure": true])
    await world.pass(5)
    #expect(try await withdrawn() == 1)
    try await world.armed()
    for metres in [120.0, 120, 120] { try await ada(metres) }
    #expect(world.heard.titles == [elsewhere], "at another anchor it is news again")
    await world.test.end()
  }

  @Test func `silence at the anchor before, and receivers that disagreed before arming, are news`() async throws {
    let world = try await AnchorWorld.watching()
    func ada() async throws {
      try await world.report(20, source: "Ada", kind: "page", token: world.tokens["owner"])
    }
    try await ada()
    try await world.lie(at: 20, for: 240)
    #expect(world.heard.titles == ["“Ada” has fallen silent"])
    try await world.ask(.post, "/weigh", ["sure": true])
    try await ada()
    try await world.report(20, [.init("agrees", false)])
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2, "arm": true])
    world.heard.forget()
    await world.pass(5)
    try await ada()
    #expect(world.heard.titles == [])
    try await world.report(20, [.init("agrees", false)])
    #expect(world.heard.titles == ["The receivers of “gpsd” do not agree"])
    try await world.lie(at: 20, for: 240, [.init("agrees", false)])
    #expect(world.heard.titles.last == "“Ada” has fallen silent")
    await world.test.end()
  }

  @Test func `an agent that cannot write to its disk is told of once, and shown until it can`() async throws {
    let world = try await AnchorWorld.watching()
    func keeps() async throws -> JSON? { try await world.ask(.get)["sources"]?.array?.first?["keeps"] }
    #expect(try await keeps() == true)
    for _ in 0..<2 { try await world.lie(at: 20, for: 60, [.init("keeps", false)]) }
    #expect(world.heard.titles == ["“gpsd” cannot write to its memory card"])
    let warnings = try await world.ask(.post, "/arm", [:])["warnings"]?.array?.compactMap { $0["kind"] }
    #expect(try await keeps() == false && warnings?.contains("not kept") == true)
    try await world.lie(at: 20, for: 60, [.init("keeps", true)])
    #expect(try await keeps() == true)
    await world.test.end()
  }

  @Test func `whoever leaves the hub takes along the page that told where they were`() async throws {
    let world = try await AnchorWorld()
    try await world.test.store.write { database throws(StoreError) in
      for (name, person) in [("Ada, Firefox", 1), ("Ben, Firefox", 2)] {
        var page = Source(name: name, kind: .page, last: AnchorWorld.start)
        page.person = person
        _ = try database.add(page)
      }
    }
    let room = try #require(world.test.hub.rooms.compactMap { $0 as? AnchorRoom }.first)
    try await world.test.hub.commit(as: .commandLine) { change in try room.personRemoved(2, in: change) }
    let left = try await world.test.store.read { database throws(StoreError) in try database.anchorSources() }
    #expect(left.map(\.name) == ["Ada, Firefox"])
    await world.test.end()
  }

  @Test func `two phones of one person whose browsers have one name are two sources`() async throws {
    let world = try await AnchorWorld()
    world.run()
    let watch = try await SecondWatch(world.test.hub)
    let name = "Ada, Chrome on Android"
    for _ in 0..<3 {
      #expect(watch.name(ofPage: name, on: 7) == name)
      #expect(watch.name(ofPage: name, on: 9) == "\(name) 2")
      world.time.advance(by: 60)
    }
    // One is closed: the other one keeps its own name.
    for _ in 0..<5 {
      #expect(watch.name(ofPage: name, on: 9) == "\(name) 2")
      world.time.advance(by: 60)
    }
    #expect(watch.name(ofPage: name, on: 7) == name)
    await world.test.end()
  }
}
