import AnchorWatch
import Delivery
import Hub
import HubWorld
import Lifecycle
import Server
import Store
import Testing
import Wire
import World

@testable import Anchor

/// The hub's watch, in virtual time.
@Suite(.timeLimit(.minutes(5)))
struct SecondWatchTests {
  @Test func `a boat that holds rings nobody, all night long`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 22, for: 3_600)
    #expect(world.heard.titles == [])
    #expect(try await world.state == "holding")
    let answer = try await world.ask(.get)
    #expect(answer["distance_m"]?.number.map { abs($0 - 22) < 0.2 } == true)
    #expect(answer["room_m"]?.number.map { abs($0 - 18) < 0.3 } == true)
    await world.test.end()
  }

  @Test func `outside the zone it rings, again and again, the next person too, until somebody is on it`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.ask(.get, "")
    for number in 0..<6 {
      await world.pass(10)
      try await world.report(55 + Double(number))
    }
    let first = try #require(world.heard.bells.first { $0.level == .critical })
    #expect(first.title.english.hasPrefix("The anchor drags") && first.to == [["person": "1"]])
    #expect(first.parts == ["dragging"])
    #expect(first.actions.map(\.id) == ["on-it", "extend", "weigh"])
    #expect(try await world.state == "alarm")
    // Ben has subscribed: he is the next.
    try await world.test.store.write { database throws(StoreError) in
      _ = try database.subscribe(.person(2), to: "anchor")
    }
    let watchers = try await world.ask(.get)["watchers"]?.array ?? []
    #expect(watchers.map { $0["rang"] } == [true, false] && watchers.allSatisfy { $0["rings_at"]?.string != nil })
    for _ in 0..<4 {
      await world.pass(30)
      try await world.report(58)
    }
    #expect(world.heard.bells.last?.to == [["person": "1"], ["person": "2"]])
    let answer = try await world.ask(.post, "/acknowledge", [:])
    #expect(answer["acknowledged_by"]?.string == "bridge")
    #expect(world.heard.titles.last == "bridge is on it" && world.heard.bells.last?.level == .passive)
    #expect(world.heard.pushes.last?["acknowledged"] == true)
    let count = world.heard.bells.count
    try await world.lie(at: 58, for: 150)
    #expect(world.heard.bells.count == count)
    // She drags on: it rings again.
    try await world.lie(at: 70, for: 90)
    #expect(world.heard.bells.last?.level == .critical)
    // She is back.
    try await world.lie(at: 20, for: 120)
    #expect(world.heard.titles.last == "She is back in her zone")
    #expect(try await world.state == "holding")
    // The boat's own reminder goes on until somebody acts, though no alarm is open here.
    #expect(world.heard.bells.last?.actions.map(\.id) == ["on-it"])
    let pushes = world.heard.pushes.count
    try await world.ask(.post, "/acknowledge", [:])
    #expect(world.heard.pushes.count == pushes + 1 && world.heard.pushes.last?["acknowledged"] == true)
    let history = try await world.ask(.get, "/track")
    let kinds = history["events"]?.array?.compactMap { $0["kind"]?.string } ?? []
    #expect(kinds.contains("alarm") && kinds.contains("clear") && kinds.contains("acknowledged"))
    await world.test.end()
  }

  @Test func `a boat that falls silent is an alarm of its own, and being heard again ends it`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 300)
    await world.pass(120)
    #expect(world.heard.titles == [])
    await world.pass(30)
    #expect(world.heard.titles == ["Nothing heard from the boat"] && world.heard.bells[0].level == .critical)
    #expect(try await world.state == "lost")
    await world.pass(60)
    #expect(world.heard.bells.count >= 2, "it rings until somebody acts")
    try await world.report(21)
    #expect(world.heard.titles.last == "The boat is heard again")
    #expect(try await world.state == "holding")
    #expect(try await world.ask(.get)["since"] == JSON(instant: world.time.now), "not since it was armed")
    await world.test.end()
  }

  @Test func `a receiver that is heard and knows no place is another alarm`() async throws {
    let world = try await AnchorWorld.watching()
    for _ in 0..<8 {
      await world.pass(30)
      try await world.report(nil)
    }
    #expect(world.heard.titles.first == "No position any more")
    await world.pass(180)
    #expect(world.heard.titles.last == "Nothing heard from the boat")
    try await world.report(nil)
    let alarms = try await world.ask(.get)["alarms"]?.array?.compactMap { $0["kind"]?.string }
    #expect(alarms == ["position lost"], "she is heard")
    try await world.report(20)
    #expect(world.heard.titles.last == "There is a position again")
    await world.test.end()
  }

  @Test func `a lost position is told two minutes after the last one, though reports come`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 120)
    try await world.report(20)
    for second in stride(from: 5, through: 130, by: 5) {
      await world.pass(5)
      if second % 60 == 0 { try await world.report(nil) }
      #expect(world.heard.titles.isEmpty == (second < 120), "after \(second) s")
    }
    #expect(world.heard.titles.first == "No position any more")
    await world.test.end()
  }

  @Test func `receivers on board that do not agree are told of once, and shown until they do`() async throws {
    let world = try await AnchorWorld.watching()
    func agrees() async throws -> JSON? { try await world.ask(.get)["sources"]?.array?.first?["agrees"] }
    let event: JSON = ["at": .double(world.time.now), "kind": "witness objects", "distance_m": 90]
    try await world.report(20, [.init("agrees", false), .init("events", [event])])
    try await world.lie(at: 20, for: 60, [.init("agrees", false)])
    #expect(try await agrees() == false)
    #expect(world.heard.titles == ["The receivers of “gpsd” do not agree"])
    let kinds = try await world.ask(.get, "/track")["events"]?.array?.compactMap { $0["kind"]?.string } ?? []
    #expect(kinds.contains("witness objects"))
    try await world.lie(at: 20, for: 60, [.init("agrees", true)])
    #expect(try await agrees() == .null)
    await world.test.end()
  }

  @Test(arguments: [(86_400.0, "1 day ahead"), (-86_400, "1 day behind"), (-300, "5 minutes behind")])
  func `a clock that is wrong is told of once, and its positions count`(error: Double, words: String) async throws {
    let world = try await AnchorWorld.watching()
    for _ in 0..<6 {
      await world.pass(30)
      try await world.report(20, at: world.time.now + error)
    }
    #expect(world.heard.titles == ["“gpsd”: the clock is \(words)"])
    let answer = try await world.ask(.get)
    #expect(answer["sources"]?.array?.first?["clock_error_s"]?.number.map { abs($0 - error) < 61 } == true)
    #expect(answer["state"]?.string == "holding")
    try await world.lie(at: 20, for: 60)
    #expect(try await world.ask(.get)["sources"]?.array?.first?["clock_error_s"] == .null)
    await world.test.end()
  }

  @Test func `when somebody looked last is known after a restart, and the readings say how it stands`() async throws {
    var world = try await AnchorWorld.watching()
    let room = try #require(world.test.hub.rooms.compactMap { $0 as? AnchorRoom }.first)
    #expect(room.readings.count == 3)
    let watch = try await SecondWatch(world.test.hub)
    #expect(watch.lastLook == nil && watch.looked() == nil && watch.looked() == AnchorWorld.start)
    let running = Task { try await watch.run() }
    while try await world.test.store.read({ database throws(StoreError) in try database.lastLook() }) == nil {
      await Task.yield()
    }
    running.cancel()
    world = try await world.restarted(after: 600)
    #expect(try await world.ask(.get)["last_looked"]?.string == "2026-11-20T18:40:00Z")
    await world.test.end()
  }

  @Test func `the best source counts, the others may object, and one that falls silent is told of once`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.report(21, source: "Ada", kind: "page", token: world.tokens["owner"])
    try await world.lie(at: 20, for: 60)
    #expect(world.heard.titles == [])
    for _ in 0..<3 {
      await world.pass(30)
      try await world.report(20)
      try await world.report(120, source: "Ada", kind: "page", token: world.tokens["owner"])
    }
    #expect(world.heard.titles == ["“Ada” sees the boat elsewhere"])
    let answer = try await world.ask(.get)
    let sources = answer["sources"]?.array ?? []
    #expect(sources.map { $0["agrees"] } == [.null, false] && answer["state"]?.string == "holding")
    try await world.lie(at: 20, for: 240)
    #expect(world.heard.titles.filter { $0 == "“Ada” has fallen silent" }.count == 1)
    await world.test.end()
  }

  @Test func `a restart knows what rang, and accuses nobody of the time when the hub was off`() async throws {
    var world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 120)
    world = try await world.restarted(after: 1_200)
    await world.pass(60)
    #expect(world.heard.titles == [])
    try await world.report(20)
    #expect(try await world.state == "holding")
    try await world.lie(at: 60, for: 120)
    #expect(world.heard.titles.contains { $0.hasPrefix("The anchor drags") })
    world = try await world.restarted()
    await world.pass(40)
    #expect(world.heard.titles.contains { $0.hasPrefix("The anchor drags") }, "it rings on after a restart")
    await world.test.end()
  }

  @Test(arguments: [false, true])
  func `a restart, or a command, does not hear a boat that is silent`(isRestarted: Bool) async throws {
    var world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 300)
    await world.pass(150)
    #expect(world.heard.titles.last == "Nothing heard from the boat")
    world.heard.forget()
    if isRestarted { world = try await world.restarted(after: 30) } else { world.test.hub.commandEnded() }
    await world.pass(240)
    #expect(!world.heard.titles.isEmpty && world.heard.titles.allSatisfy { $0 == "Nothing heard from the boat" })
    #expect(try await world.state == "lost")
    try await world.report(21)
    #expect(world.heard.titles.last == "The boat is heard again")
    #expect(try await world.state == "holding")
    await world.test.end()
  }

  @Test func `a restart finds no position that was lost`() async throws {
    var world = try await AnchorWorld.watching()
    func knowsNoPlace(_ world: AnchorWorld) async throws {
      for _ in 0..<8 {
        await world.pass(30)
        try await world.report(nil)
      }
    }
    try await knowsNoPlace(world)
    #expect(world.heard.titles.first == "No position any more")
    world = try await world.restarted(after: 30)
    try await knowsNoPlace(world)
    #expect(!world.heard.titles.isEmpty && world.heard.titles.allSatisfy { $0 == "No position any more" })
    try await world.report(20)
    #expect(world.heard.titles.last == "There is a position again")
    await world.test.end()
  }

  @Test func `commands that come often do not keep a silent boat from being noticed`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 300)
    for minute in 1...10 {
      world.test.hub.commandEnded()
      await world.pass(60)
      #expect(world.heard.titles.isEmpty == (minute < 3), "after \(minute) min")
    }
    #expect(world.heard.titles.allSatisfy { $0 == "Nothing heard from the boat" })
    await world.test.end()
  }

  @Test func `a clock that is put back does not keep a silent boat from being noticed`() async throws {
    var world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 60)
    world.time.setClock(by: -3_600)
    await world.pass(20)
    try await world.lie(at: 20, for: 120)
    #expect(world.heard.titles == [])
    world.test.hub.commandEnded()
    await world.pass(180)
    #expect(world.heard.titles.last == "Nothing heard from the boat")
    try await world.report(20)
    world = try await world.restarted(after: 10)
    #expect(world.heard.titles == [])
    await world.pass(240)
    #expect(world.heard.titles.last == "Nothing heard from the boat")
    await world.test.end()
  }

  @Test func `after a restart whoever tells where she is ends an alarm`() async throws {
    var world = try await AnchorWorld.watching()
    func page() async throws {
      try await world.report(21, source: "Ada", kind: "page", token: world.tokens["owner"])
    }
    try await page()
    try await world.lie(at: 20, for: 120)
    await world.pass(240)
    #expect(world.heard.titles.last == "Nothing heard from the boat")
    world = try await world.restarted(after: 30)
    await world.pass(10)
    #expect(world.heard.titles.allSatisfy { $0 == "Nothing heard from the boat" })
    try await page()
    #expect(world.heard.titles.contains("The boat is heard again"))
    #expect(try await world.state == "holding")
    await world.test.end()
  }

  @Test func `that she is near the edge is told once, also when the hub begins anew`() async throws {
    var world = try await AnchorWorld.watching()
    try await world.lie(at: 37, for: 120)
    #expect(try await world.state == "warning" && !world.heard.titles.isEmpty)
    world.heard.forget()
    world.test.hub.commandEnded()
    await world.pass(5)
    try await world.lie(at: 37, for: 60)
    #expect(world.heard.titles == [])
    world = try await world.restarted(after: 5)
    try await world.lie(at: 37, for: 60)
    #expect(try await world.state == "warning" && world.heard.titles == [])
    await world.test.end()
  }

  @Test func `a clock that is set ends no alarm, nor a restart when she has dragged out of sight`() async throws {
    var world = try await AnchorWorld.watching()
    try await world.lie(at: 58, for: 120)
    #expect(try await world.state == "alarm")
    world.heard.forget()
    world.time.setClock(by: 3_600)
    await world.pass(20)
    try await world.lie(at: 58, for: 60)
    #expect(try await world.state == "alarm")
    #expect(!world.heard.titles.isEmpty && world.heard.titles.allSatisfy { $0 == "The anchor drags: 58 m" })
    await world.pass(150)
    #expect(try await world.state == "lost" && world.heard.titles.allSatisfy { $0 == "The anchor drags: 58 m" })
    world = try await world.restarted(after: 30)
    await world.pass(30)
    #expect(try await world.state == "lost")
    try await world.report(58)
    #expect(try await world.state == "alarm")
    world.heard.forget()
    try await world.lie(at: 58, for: 60)
    #expect(!world.heard.titles.isEmpty && world.heard.titles.allSatisfy { $0 == "The anchor drags: 58 m" })
    try await world.lie(at: 20, for: 120)
    #expect(world.heard.titles.last == "She is back in her zone")
    await world.test.end()
  }

  @Test func `a restart is no sign of life of a phone that has fallen silent`() async throws {
    var world = try await AnchorWorld.watching()
    try await world.report(21, source: "Ada", kind: "page", token: world.tokens["owner"])
    try await world.lie(at: 20, for: 240)
    #expect(world.heard.titles == ["“Ada” has fallen silent"])
    world = try await world.restarted(after: 10)
    try await world.lie(at: 20, for: 240)
    #expect(world.heard.titles == [])
    await world.pass(5)
    try await world.report(21, source: "Ada", kind: "page", token: world.tokens["owner"])
    #expect(world.heard.titles == ["“Ada” is heard again"])
    await world.test.end()
  }

  @Test func `a pulled charger and a battery that gets empty are told of, each once`() async throws {
    let world = try await AnchorWorld.watching()
    func lie(_ battery: Double, _ charging: Bool) async throws {
      try await world.lie(at: 20, for: 60, [.init("battery", .double(battery)), .init("charging", .bool(charging))])
    }
    try await lie(0.5, true)
    #expect(world.heard.titles == [])
    try await lie(0.45, false)
    #expect(world.heard.titles == ["“gpsd” is no longer charging"])
    try await lie(0.2, false)
    try await lie(0.1, false)
    #expect(world.heard.titles.suffix(2) == ["“gpsd”: battery 20%", "“gpsd”: battery 10%"])
    #expect(world.heard.bells.map(\.level) == [.timeSensitive, .timeSensitive, .critical])
    try await lie(0.15, true)
    #expect(world.heard.titles.last == "“gpsd” is charging again")
    await world.test.end()
  }

  @Test func `an answer in a notification widens the zone, or weighs the anchor`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 48, for: 120)
    #expect(try await world.state == "alarm")
    let room = try #require(world.test.hub.rooms.first { $0 is AnchorRoom })
    let asked = try #require(world.heard.bells.last?.collapseID)
    func answer(_ action: String) async throws {
      try await world.test.hub.commit(as: .room("bells")) { change in
        try room.answered(
          BellAnswer(notification: 1, action: action, person: 2, collapseID: asked), in: change)
      }
      await world.test.settle()
    }
    try await answer("extend")
    #expect(world.heard.titles.contains("Ben is on it"))
    try await world.lie(at: 48, for: 90)
    let extended = try await world.ask(.get)
    #expect(extended["settings"]?["zone"]?["radius_m"]?.number == 50 && extended["state"]?.string != "alarm")
    try await answer("weigh")
    #expect(try await world.state == "idle")
    let told = try await world.audit()
    #expect(told.prefix(3) == ["Ben anchor.weighed", "Ben anchor.changed", "Ben anchor.acknowledged"])
    await world.pass(600)
    #expect(world.heard.bells.last?.level != .critical, "nobody is woken for an anchor that is up")
    // An answer to the last place's notification changes nothing at the next one.
    try await world.armed()
    try await answer("weigh")
    #expect(try await world.state != "idle")
    await world.test.end()
  }

  @Test(arguments: [(0.0, 50.0), (180, 30)])
  func `an alarm that somebody is on knows how far she is from an anchor that is moved`(
    bearing: Double, metres: Double
  ) async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 100, for: 120)
    try await world.ask(.post, "/acknowledge", [:])
    world.heard.forget()
    let place = AnchorWorld.anchor.moved(bearing: bearing, distance: metres)
    try await world.ask(.patch, "", ["anchor": ["lat": .double(place.latitude), "lon": .double(place.longitude)]])
    try await world.lie(at: 100, for: 240)
    #expect(try await world.state == "alarm" && world.heard.titles == [])
    try await world.lie(at: 108, for: 90)
    #expect(world.heard.bells.last?.level == .critical)
    await world.test.end()
  }

  @Test func `a boat outside is told of, also when whoever noticed it has told nobody`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 58, for: 120)
    #expect(try await world.state == "alarm")
    world.heard.forget()
    try await world.test.store.write { database throws(StoreError) in try database.closeAlarms() }
    await world.pass(15)
    #expect(world.heard.titles == ["The anchor drags: 58 m"])
    await world.pass(30)
    #expect(world.heard.titles == ["The anchor drags: 58 m", "The anchor drags: 58 m"])
    await world.test.end()
  }

  @Test func `a clock that is set accuses nobody`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 20, for: 60)
    world.time.setClock(by: 86_400)
    await world.pass(20)
    try await world.report(20)
    try await world.lie(at: 20, for: 120)
    #expect(world.heard.titles == [])
    await world.test.end()
  }

  @Test func `of reports that share a commit none is forgotten`() async throws {
    let world = try await AnchorWorld.watching()
    await world.pass(30)
    let store = world.test.store
    let release = ThreadSignal()
    let held = Task { try await store.write { _ throws(StoreError) in release.wait(atMost: 20) } }
    let reports = [
      Task { try await world.report(35) }, Task { try await world.report(nil, source: "mast") },
    ]
    await yieldUntil { store.statistics.writesWaiting >= 3 }
    #expect(store.statistics.writesWaiting >= 3, "the held one, and both reports; the watch may write, too")
    release.post()
    _ = try await held.value
    for report in reports { _ = try await report.value }
    let answer = try await world.ask(.get)
    #expect(answer["distance_m"]?.number.map { abs($0 - 35) < 0.2 } == true)
    #expect(answer["sources"]?.array?.compactMap { $0["name"]?.string }.sorted() == ["gpsd", "mast"])
    await world.test.end()
  }
}
