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

  func ask(_ method: Method, _ path: String, _ body: JSON? = nil) async throws -> JSON {
    guard case .bytes(let bytes) = try await test.ask(method, path, token: token, body).body else { return .null }
    return try JSON(parsing: bytes)
  }

  func hear() async throws -> JSON {
    try await ask(.put, "/api/v1/space/switch", ["open": true, "heartbeat_s": 30])
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
}
