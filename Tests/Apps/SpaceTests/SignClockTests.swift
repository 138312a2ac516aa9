import Hub
import HubWorld
import Server
import Space
import Testing
import Wire
import World

/// The contact's silence is measured by uptime, not by a clock that can be set.
@Suite(.timeLimit(.minutes(1)))
struct SignClockTests {
  let test: TestHub
  let token: String

  init() async throws {
    test = try await TestHub(rooms: [SpaceRoom.self])
    try await test.openRooms()
    test.hub.run()
    token = try await test.hub.tokens.create(name: "door", role: .sensor)
  }

  func ask(_ method: Method, _ path: String, _ body: JSON? = nil, of hub: TestHub? = nil) async throws -> JSON {
    guard case .bytes(let bytes) = try await (hub ?? test).ask(method, path, token: token, body).body else {
      return .null
    }
    return try JSON(parsing: bytes)
  }

  func hear(at hub: TestHub? = nil) async throws -> JSON {
    try await ask(.put, "/api/v1/space/switch", ["open": true, "heartbeat_s": 30], of: hub)
  }

  @Test(arguments: [3_600.0, -3_600])
  func `a clock that is set does not silence a contact that goes on speaking`(seconds: Double) async throws {
    let first = try await hear()
    #expect(first["open"] == true)
    test.time.advance(by: 20)
    test.time.setClock(by: seconds)
    // Silence in between would have caused a turn.
    #expect(try await hear()["turn"] == first["turn"])
    await test.end()
  }

  @Test(arguments: [3_600.0, -3_600])
  func `a contact that says no more falls silent in its time, although the clock was set`(seconds: Double) async throws
  {
    _ = try await hear()
    test.time.setClock(by: seconds)
    test.time.advance(by: 20)
    for _ in 0..<5 { await test.turn() }
    #expect(try await ask(.get, "/api/v1/space/state")["open"] == true)
    test.time.advance(by: 200)
    try await test.wait { try await ask(.get, "/api/v1/space/state")["open"]?.bool == nil }
    await test.end()
  }

  @Test(arguments: [false, true])
  func `a contact whose reports reached a hub that was off rings only if it does not report again`(isAlive: Bool)
    async throws
  {
    let first = try await hear()
    await test.end()
    test.time.advance(by: 100)
    let next = try await TestHub(time: test.time, rooms: [SpaceRoom.self], folder: test.folder)
    try await next.openRooms()
    next.hub.run()
    test.time.advance(by: 20)
    await next.settle()
    let meanwhile = try await ask(.get, "/api/v1/space/state", of: next)
    #expect(meanwhile["open"]?.bool == nil)
    #expect(meanwhile["turn"] == first["turn"], "what is a turn rings")
    if isAlive {
      let heard = try await hear(at: next)
      #expect(heard["turn"] == first["turn"])
      let state = try await ask(.get, "/api/v1/space/state", of: next)
      #expect(state["open"] == true)
      #expect(state["since"] == first["since"])
    } else {
      test.time.advance(by: 50)
      try await next.wait { try await ask(.get, "/api/v1/space/state", of: next)["turn"] != first["turn"] }
      #expect(try await ask(.get, "/api/v1/space/state", of: next)["open"]?.bool == nil)
    }
    await next.end()
  }
}
