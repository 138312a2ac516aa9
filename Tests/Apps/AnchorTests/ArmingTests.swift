import HubWorld
import Server
import Testing
import Wire

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
    #expect(try await world.report(20)["takes"] == ["tells"])
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
}
