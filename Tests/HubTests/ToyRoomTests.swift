import Hub
import HubWorld
import Kettle
import Server
import Store
import Synchronization
import Terminal
import Testing
import Wire
import World

/// A small, complete room (Tests/Fixtures/ToyRoom), in a hub that lists it.
@Suite(.timeLimit(.minutes(1)))
struct ToyRoomTests {
  let test: TestHub
  var hub: Hub { test.hub }

  init() async throws {
    test = try await TestHub(rooms: [KettleRoom.self], options: ["kettle_minutes": "5"])
    try await test.openRooms()
  }

  func token(_ role: Role) async throws -> String { try await hub.tokens.create(name: "test", role: role) }

  func kettle(token: String? = nil) async throws -> JSON {
    let response = try await test.ask(.get, "/api/v1/kettle", token: token)
    guard case .bytes(let bytes) = response.body else { return .null }
    return try JSON(parsing: bytes)
  }

  func count(_ query: String) async throws -> Int {
    try await test.store.read { database throws(StoreError) in try database.first(query) { $0.int(0) } ?? 0 }
  }

  /// The error code of a refused request; nil if it succeeds.
  func refusal(_ body: () async throws -> Void) async throws -> ErrorCode? {
    do { try await body() } catch let error as HTTPError { return error.code }
    return nil
  }

  @Test func `who has the right changes it, in one commit with its entry in the audit and its ring`() async throws {
    #expect(try await kettle()["hot"] == false)
    #expect(try await refusal { _ = try await test.ask(.post, "/api/v1/kettle") } == .noToken)
    let reader = try await token(.reader)
    #expect(try await refusal { _ = try await test.ask(.post, "/api/v1/kettle", token: reader) } == .roleNotAllowed)

    let member = try await token(.member)
    #expect(try await test.ask(.post, "/api/v1/kettle", token: member).status == 201)
    let told = try await kettle()
    #expect(told["hot"] == true && told["by"] == nil, "names are for members")
    #expect(try await kettle(token: member)["by"] == "test")
    #expect(try await count("SELECT count(*) FROM audit WHERE what = 'kettle.put-on'") == 1)
    #expect(try await count("SELECT count(*) FROM hub_outbox") == 1)

    let again = try await refusal { _ = try await test.ask(.post, "/api/v1/kettle", token: member) }
    #expect(again == ErrorCode(40999), "an error of the room's own")
    #expect(try await count("SELECT count(*) FROM hub_outbox") == 1)
    await test.end()
  }

  @Test func `the tea is chosen at any time and stays, and what is none is told beside its field`() async throws {
    let member = try await token(.member)
    let path = "/api/v1/kettle/tea"
    #expect(try await refusal { _ = try await test.ask(.put, path, ["tea": "Assam"]) } == .noToken)
    _ = try await test.ask(.put, path, token: member, ["tea": "Assam"])
    #expect(try await kettle()["hot"] == false)
    #expect(try await test.ask(.post, "/api/v1/kettle", token: member).status == 201)
    #expect(try await kettle()["hot"] == true)
    #expect(try await kettle()["tea"] == "Assam")
    let wrong = try await refusal { _ = try await test.ask(.put, path, token: member, ["tea": ""]) }
    #expect(wrong == .invalidField)
    #expect(try await kettle()["tea"] == "Assam")
    await test.end()
  }

  @Test func `a repeated request is answered as before for a week, and then is a new one`() async throws {
    let member = try await token(.member)
    func putOn() async throws -> Response {
      try await test.ask(.post, "/api/v1/kettle", token: member, once: "again")
    }
    func isReplayed(_ response: Response) -> Bool { response.fields.contains { $0.name == "Idempotency-Replayed" } }
    #expect(try await !isReplayed(putOn()))
    test.time.advance(by: 7 * 86_400)
    #expect(try await isReplayed(putOn()))
    test.time.advance(by: 1)
    #expect(try await refusal { _ = try await putOn() } == ErrorCode(40999))
    await test.end()
  }

  @Test func `its work in the background goes by its option`() async throws {
    hub.run()
    _ = try await test.ask(.post, "/api/v1/kettle", token: try await token(.member))
    // kettle_minutes = 5. Time advances while the store works, so only the earliest time is exact.
    for _ in 0..<29 {
      test.time.advance(by: 10)
      await test.turn()
    }
    #expect(try await kettle()["hot"] == true)
    try await test.wait(passing: 10) { try await kettle()["hot"] == false }
    await test.end()
  }

  @Test func `only whoever its rule lets in hears its private channel`() async throws {
    func may(_ role: Role, listen channel: String = "private-kettle") async throws -> Bool {
      let token = try await token(role)
      return try await refusal {
        _ = try await test.ask(
          .post, "/api/v1/realtime/auth", token: token, form: "socket_id=1.2&channel_name=\(channel)")
      } == nil
    }
    try await hub.openPrivateChannels()
    #expect(try await may(.member))
    #expect(try await !may(.sensor))
    for other in ["private-kettle-7", "private-kettles", "private-person-7"] {
      #expect(try await !may(.member, listen: other), "\(other)")
    }
    await test.end()
  }

  @Test func `who is removed is forgotten by it in the same change`() async throws {
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (7, 'Ada', 'member', 0)")
      try database.run("INSERT INTO kettle_state (id, is_hot, since, name, person) VALUES (1, 1, 0, 'Ada', 7)")
    }
    let owner = try await token(.owner)
    #expect(try await kettle(token: owner)["by"] == "Ada")
    _ = try await test.ask(.delete, "/api/v1/people/7", token: owner)
    #expect(try await kettle(token: owner)["by"] == JSON.null)
    await test.end()
  }

  @Test func `its numbers are among the metrics, and its look at itself is the doctor's`() async throws {
    let owner = try await token(.owner)
    func hot() async throws -> Bool {
      guard case .bytes(let text) = try await test.ask(.get, "/metrics", token: owner).body else { return false }
      return String(decoding: text, as: UTF8.self).contains("\neightbells_kettle_hot 1\n")
    }
    #expect(try await !hot())
    #expect(await hub.rooms[0].examine().map(\.verdict) == [.warning])
    _ = try await test.ask(.post, "/api/v1/kettle", token: owner)
    #expect(try await hot())
    #expect(await hub.rooms[0].examine().map(\.verdict) == [.ok])
    await test.end()
  }

  @Test func `its demo is filled once`() async throws {
    try await KettleRoom.fillDemo(hub)
    try await KettleRoom.fillDemo(hub)
    #expect(try await kettle()["hot"] == true)
    await test.end()
  }

  @Test func `a room that is off keeps its tables, and nothing of it is served`() async throws {
    let rooms: [any Room] = []
    hub.open(rooms)
    #expect(try await refusal { _ = try await test.ask(.get, "/api/v1/kettle") } == .noSuchPage)
    #expect(try await count("SELECT count(*) FROM kettle_state") == 0)
    await test.end()
  }

  @Test func `roles are told by the rights of all rooms`() {
    let terms = Role.terms(Role.allCases, in: RoomList([KettleRoom.self]))
    let told = Dictionary(uniqueKeysWithValues: terms.rows.map { ($0.name, $0.text) })
    #expect(told.keys.sorted() == Role.allCases.map(\.rawValue).sorted())
    #expect(told["member"]?.contains("puts the kettle on") == true)
    #expect(told["sensor"]?.contains("kettle") == false)
    #expect(told["owner"] == "everything")
    #expect(told["member"]?.contains("keeps devices") == true)
    let ofTokens = Role.terms(Role.allCases, ofTokens: true, in: RoomList([KettleRoom.self]))
    #expect(ofTokens.rows.first { $0.name == "member" }?.text == "reads what members may know; puts the kettle on")
  }
}
