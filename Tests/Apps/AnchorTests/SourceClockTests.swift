import AnchorWatch
import Hub
import HubWorld
import Testing
import Wire
import World

@testable import Anchor

/// Devices that say what their clock shows, by the date of their reports.
@Suite(.timeLimit(.minutes(5)))
struct SourceClockTests {
  private let place = Position(latitude: 54, longitude: 10)!
  private let now = 1_795_200_000.0

  /// How old positions count as, if a device whose clock is so far behind tells them.
  private func ages(_ boat: inout Source, behind: Double, told: [Double]) -> [Double] {
    let at = now - behind
    return boat.corrected(told.map { Fix(time: at - $0, position: place) }, now: now, at: at).map { now - $0.time }
  }

  @Test func `a device that says what its clock shows is believed with its first report`() {
    for behind in [259_200.0, 1_795_000_000, 61, -31, -7_200] {
      var boat = Source(name: "boat", kind: .agent, last: 0)
      let wrong = ages(&boat, behind: behind, told: [400, 2, 0])
      #expect(wrong == [400, 2, 0] && boat.clockError == -behind)
      // Set right: no correction is left.
      let right = ages(&boat, behind: 0.5, told: [1])
      #expect(right == [1.5] && boat.clockError == nil)
    }
    // Positions that are old are no wrong clock, report after report.
    var boat = Source(name: "boat", kind: .agent, last: 0)
    for _ in 0..<5 {
      let old = ages(&boat, behind: 3, told: [300])
      #expect(old == [303] && boat.clockError == nil)
    }
  }

  @Test func `positions from before a clock was put back are of no known time`() {
    var boat = Source(name: "boat", kind: .agent, last: 0)
    let known = ages(&boat, behind: 0, told: [-7_200, -7_195, 4, 2])
    #expect(known == [4, 2] && boat.clockError == nil)
  }

  @Test func `a report that was long on its way moves no position`() {
    var boat = Source(name: "boat", kind: .agent, last: 0)
    _ = ages(&boat, behind: 3_600, told: [0])
    let late = ages(&boat, behind: 3_606, told: [10])
    #expect(late == [16] && boat.clockError == -3_600)
  }

  /// The boat's agent tells where she lies, with what its clock shows.
  private func report(_ world: AnchorWorld, behind: Double) async throws {
    let shown = world.time.now - behind
    let boat = AnchorWorld.anchor.moved(bearing: 0, distance: 20)
    let body: JSON = [
      "source": "gpsd", "kind": "agent", "interval_s": 60,
      "fixes": [[.double(shown), .double(boat.latitude), .double(boat.longitude), 4, nil]],
    ]
    let fields = Fields([
      "Authorization": "Bearer \(AnchorWorld.agent)", "Date": ResponseHead.date(Int(shown)),
    ])
    _ = try await world.test.ask(.post, "/api/v1/anchor/positions", body, fields: fields)
    await world.test.settle()
  }

  @Test func `a report that was long on its way rings nobody, and a clock that is behind does`() async throws {
    let world = try await AnchorWorld.watching()
    for behind in [90.0, 0, 90, 0] {
      await world.pass(60)
      try await report(world, behind: behind)
    }
    #expect(world.heard.titles == [])
    for _ in 0..<2 {
      await world.pass(60)
      try await report(world, behind: 300)
    }
    #expect(world.heard.titles == ["“gpsd”: the clock is 5 minutes behind"])
    try await report(world, behind: 0)
    #expect(world.heard.titles.last == "“gpsd”: the clock agrees with the hub’s again")
    #expect(world.heard.bells.count == 2 && Set(world.heard.bells.map(\.collapseID)).count == 1, "in its place")
    await world.test.end()
  }

  @Test func `commands while she drags do not put the alarm off, though the hub's clock was put back`() async throws {
    let world = try await AnchorWorld.watching()
    world.time.setClock(by: -3_600)
    await world.pass(20)
    try await world.lie(at: 20, for: 60)
    for number in 0..<6 {
      await world.pass(10)
      try await world.report(55 + Double(number))
      world.test.hub.commandEnded()
    }
    #expect(world.heard.titles.contains { $0.hasPrefix("The anchor drags") })
    await world.test.end()
  }

  @Test func `an agent that starts with its clock behind rings nobody, and an anchor is dropped where it lies`()
    async throws
  {
    let world = try await AnchorWorld()
    world.run()
    try await report(world, behind: 259_200)
    let dropped = try await world.ask(.post, "/drop", [:])
    #expect(dropped["state"]?.string == "dropped")
    try await world.ask(.post, "/weigh", ["sure": true])
    try await world.armed()
    for _ in 0..<5 {
      await world.pass(60)
      try await report(world, behind: 259_200)
    }
    #expect(try await world.state == "holding")
    #expect(world.heard.titles.count == 1, "that its clock is wrong")
    await world.test.end()
  }
}
