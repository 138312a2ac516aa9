import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Anchor

@Suite(.timeLimit(.minutes(5)))
struct AnchorRouteTests {
  private func refusal(
    _ world: AnchorWorld, _ method: Method, _ path: String, _ json: JSON? = nil, token: String? = nil
  ) async -> Int? {
    let error = await #expect(throws: HTTPError.self) { try await world.ask(method, path, json, token: token) }
    return error?.code.rawValue
  }

  @Test func `from the drop to the weighing, with history, replay and export`() async throws {
    let world = try await AnchorWorld()
    world.run()
    #expect(try await world.state == "idle")
    #expect(await refusal(world, .post, "/arm", [:]) == 40450)
    #expect(await refusal(world, .post, "/drop", [:]) == 40951, "nobody has told a position")
    try await world.report(20)
    let dropped = try await world.ask(.post, "/drop", ["bearing_deg": 180, "distance_m": 20])
    #expect(dropped["state"]?.string == "dropped" && dropped["anchor_by"]?.string == "bearing")
    #expect(dropped["distance_m"]?.number.map { abs($0 - 20) < 0.2 } == true)
    #expect(await refusal(world, .post, "/drop", [:]) == 40950)
    let changed = try await world.ask(.patch, "", ["zone": ["shape": "circle", "radius_m": 30], "grace_s": 10])
    #expect(changed["settings"]?["zone"]?["radius_m"]?.number == 30)
    #expect(await refusal(world, .patch, "", ["grace_s": -1]) == 40003)
    let armed = try await world.ask(.post, "/arm", [:])
    #expect(armed["armed"] == true)
    #expect(armed["warnings"]?.array?.compactMap { $0["kind"]?.string } == ["no drill"])
    #expect(world.heard.pushes.last?["armed"] == true)
    let told = try await world.report(20)
    #expect(
      told["armed"] == true && told["settings"]?["grace_s"]?.number == 10
        && told["version"] == world.heard.pushes.last?["version"])
    try await world.lie(at: 25, for: 300)
    let extended = try await world.ask(.post, "/extend", [:])
    #expect(extended["settings"]?["zone"]?["radius_m"] == 37.5)
    let replay = try await world.ask(.post, "/replay", ["zone": ["shape": "circle", "radius_m": 10], "grace_s": 0])
    #expect(replay["events"]?.array?.contains { $0["kind"]?.string == "alarm" } == true)
    #expect(replay["max_m"]?.number.map { abs($0 - 25) < 0.3 } == true)
    #expect(await refusal(world, .post, "/weigh", [:]) == 40952)
    #expect(try await world.ask(.post, "/weigh", ["sure": true])["state"]?.string == "idle")
    #expect(world.heard.pushes.last?["settings"] == .null && world.heard.pushes.last?["armed"] == false)
    let history = try await world.ask(.get, "/history")["anchorages"]?.array ?? []
    #expect(history.count == 1 && history[0]["max_m"]?.number.map { abs($0 - 25) < 0.3 } == true)
    #expect(try await world.report(20)["settings"] == .null)
    await world.test.end()
  }

  @Test func `what is exported can be brought back`() async throws {
    let world = try await AnchorWorld()
    world.run()
    try await world.armed()
    try await world.lie(at: 22, for: 300)
    let file = try await world.test.ask(.get, "/api/v1/anchor/track.gpx", token: world.tokens["owner"])
    guard case .bytes(let bytes) = file.body else { throw HTTPError.noAnchorDown }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("<name>Anchor</name>"))
    let answer = try await world.test.ask(.post, "/api/v1/anchor/tracks", token: world.tokens["owner"], form: text)
    #expect(answer.status == 201)
    let history = try await world.ask(.get, "/history")["anchorages"]?.array ?? []
    #expect(history.count == 1 && history[0]["imported"] == true)
    #expect(history[0]["max_m"]?.number.map { abs($0 - 22) < 0.3 } == true)
    await #expect(throws: HTTPError.self) {
      try await world.test.ask(.post, "/api/v1/anchor/tracks", token: world.tokens["owner"], form: "<kml></kml>")
    }
    await world.test.end()
  }

  @Test func `a drill rings every device that would be rung, and arming names those that did not answer`() async throws
  {
    let world = try await AnchorWorld()
    world.run()
    try await world.report(20)
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    let drill = try await world.ask(.post, "/drill", [:])
    #expect(drill["devices"] == 2)
    let rung = world.heard.bells.filter { $0.collapseID?.hasPrefix("anchor.drill.") == true }
    #expect(rung.count == 2 && rung.allSatisfy { $0.level == .critical })
    #expect(world.heard.pushes.last?["drill"] == drill["id"])
    await world.pass(5)
    // The boat's agent answers with its next report, and so does Ada's phone by its button.
    try await world.report(20, [.init("drill", drill["id"] ?? .null)])
    let before = try await world.ask(.get, "/drill")["devices"]?.array ?? []
    #expect(before.compactMap { $0["answered_after_s"]?.number } == [5])
    let room = try #require(world.test.hub.rooms.first { $0 is AnchorRoom })
    let other = try #require(before.first { $0["answered_after_s"] == .null }?["device"]?.string)
    let id = drill["id"]?.string ?? ""
    try await world.test.hub.commit(as: .room("bells")) { change in
      try room.answered(
        BellAnswer(notification: 1, action: "heard", person: 1, collapseID: "anchor.drill.\(id).\(other)"), in: change)
    }
    let after = try await world.ask(.get, "/drill")["devices"]?.array ?? []
    #expect(after.allSatisfy { $0["answered_after_s"]?.number != nil && $0["rang"] == true })
    #expect(try await world.ask(.post, "/arm", [:])["warnings"] == [])
    await world.test.end()
  }

  @Test func `who may do what, and what is wrong with a report`() async throws {
    let world = try await AnchorWorld()
    #expect(await refusal(world, .get, "", token: "nobody") == 40102)
    #expect(await refusal(world, .post, "/positions", ["kind": "agent"], token: "ebd_stranger") == 40102)
    for fixes: JSON in [[[1, 0, 0]], [[1, 91, 10]], [[1, 54, 200]], [["a", 54, 10]], [[1]], 7] {
      #expect(
        await refusal(world, .post, "/positions", ["kind": "agent", "fixes": fixes], token: AnchorWorld.agent) == 40003)
    }
    let many = JSON.array(Array(repeating: [1_795_200_000, 54, 10], count: 501))
    #expect(
      await refusal(world, .post, "/positions", ["kind": "agent", "fixes": many], token: AnchorWorld.agent) == 40003)
    #expect(await refusal(world, .post, "/positions", ["kind": "submarine"], token: AnchorWorld.agent) == 40003)
    // Latitude 0 alone is a place to anchor.
    let answer = try await world.ask(
      .post, "/positions", ["kind": "agent", "fixes": [[1_795_200_000, 0, 10.5, 3]]], token: AnchorWorld.agent)
    #expect(answer["armed"] == false)
    await world.test.end()
  }
}
