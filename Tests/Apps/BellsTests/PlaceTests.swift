import Bells
import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

/// A hub on which Ada, who owns it, and Ben have phones that tell where they are.
private struct PlaceWorld {
  let test: TestHub
  let token: String

  init(folder: TemporaryFolder = TemporaryFolder(), time: VirtualTime = VirtualTime()) async throws {
    test = try await TestHub(time: time, rooms: [BellsRoom.self], folder: folder)
    try await test.store.write { database throws(StoreError) in
      try database.run(
        "INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'owner', 0) ON CONFLICT DO NOTHING")
      try database.run(
        "INSERT INTO people (id, name, role, created_at) VALUES (2, 'Ben', 'member', 0) ON CONFLICT DO NOTHING")
    }
    token = try await test.hub.tokens.create(name: "test \(time.now)", role: .owner)
    try await test.openRooms()
  }

  /// The circle has 500 m around 54.32 N, 10.14 E; a thousandth of a degree of latitude has 111 m.
  func send(to: JSON, on crossing: String, repeats: Bool = false, inside: Bool = false) async throws -> String {
    let trigger: JSON = [
      "type": "location", "latitude": 54.32, "longitude": 10.14, "radius": 500, "on": .string(crossing),
      "repeats": .bool(repeats), "inside": .bool(inside),
    ]
    let answer = try await test.ask(
      .post, "/api/v1/notifications", token: token, ["to": to, "content": ["title": "Near"], "trigger": trigger])
    return try Self.json(answer)["id"]?.string ?? ""
  }

  /// - Parameter north: thousandths of a degree north of the middle.
  func report(_ north: Double, reporter: Int = 11, person: Int = 1, before: Double?, accuracy: Double = 0) async throws
  {
    try await test.hub.offers[.locationTriggers]?.moved(
      Movement(
        reporter: reporter, person: person, before: before, latitude: 54.32 + north / 1_000, longitude: 10.14,
        accuracy: accuracy))
    test.time.advance(by: 60)
  }

  /// The persons in whose lists something stands, once for each ring.
  func rung() async throws -> [Int] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT person FROM push_inbox ORDER BY notification", read: { $0.int(0) })
    }
  }

  static func json(_ response: Response) throws -> JSON {
    guard case .bytes(let bytes) = response.body else { return .null }
    return try JSON(parsing: bytes)
  }

  func scheduled() async throws -> Int? {
    try await test.store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM push_scheduled", read: { $0.int(0) })
    }
  }
}

struct PlaceTests {
  @Test func `who comes to the place is rung once, and the first report only tells where they are`() async throws {
    let world = try await PlaceWorld()
    let before = world.test.time.now + 1
    _ = try await world.send(to: ["person": "1"], on: "enter")
    try await world.report(1, before: nil)
    #expect(try await world.rung() == [])
    try await world.report(20, before: before)
    try await world.report(3, before: before)
    #expect(try await world.rung() == [1])
    try await world.report(20, before: before)
    try await world.report(3, before: before)
    #expect(try await world.rung() == [1])
    await world.test.end()
  }

  @Test func `one that repeats rings each time, for each person it is for, and for nobody else`() async throws {
    let world = try await PlaceWorld()
    let before = world.test.time.now + 1
    _ = try await world.send(to: ["role": "owner"], on: "both", repeats: true)
    for north in [20.0, 1, 20] {
      try await world.report(north, before: before)
      try await world.report(north, reporter: 12, person: 2, before: before)
    }
    #expect(try await world.rung() == [1, 1])
    await world.test.end()
  }

  @Test func `with inside it rings those who are there already, and then those who come`() async throws {
    let world = try await PlaceWorld()
    // Ada has two reporters and rings once; Ben is known to be far away.
    try await world.report(2, before: nil)
    try await world.report(2, reporter: -7, before: nil)
    try await world.report(20, reporter: 12, person: 2, before: nil)
    let before = world.test.time.now
    _ = try await world.send(to: [["person": "1"], ["person": "2"]], on: "enter", inside: true)
    #expect(try await world.rung() == [1])
    try await world.report(2, before: before)
    try await world.report(1, reporter: 12, person: 2, before: before)
    #expect(try await world.rung() == [1, 2])
    await world.test.end()
  }

  @Test func `with inside, where somebody was an hour ago says nothing, and their next report says it`() async throws {
    let world = try await PlaceWorld()
    try await world.report(2, before: nil)
    let before = world.test.time.now
    world.test.time.advance(by: 3_600)
    _ = try await world.send(to: ["person": "1"], on: "enter", inside: true)
    #expect(try await world.rung() == [])
    try await world.report(2, before: before)
    #expect(try await world.rung() == [1])
    await world.test.end()
  }

  @Test func `leaving has to be certain, and is known also after a restart`() async throws {
    let world = try await PlaceWorld()
    let before = world.test.time.now + 1
    _ = try await world.send(to: ["person": "1"], on: "leave")
    try await world.report(1, before: before)
    try await world.report(5, before: before, accuracy: 100)
    #expect(try await world.rung() == [])
    await world.test.end()
    let again = try await PlaceWorld(folder: world.test.folder, time: world.test.time)
    try await again.report(5, before: before, accuracy: 100)
    #expect(try await again.rung() == [])
    try await again.report(5, before: before, accuracy: 10)
    #expect(try await again.rung() == [1])
    await again.test.end()
  }

  @Test func `a cancelled one rings nobody, and nothing has a place and a time`() async throws {
    let world = try await PlaceWorld()
    let before = world.test.time.now + 1
    let id = try await world.send(to: ["person": "1"], on: "enter")
    #expect(try await world.scheduled() == 1)
    _ = try await world.test.ask(.delete, "/api/v1/notifications/\(id)", token: world.token)
    #expect(try await world.scheduled() == 0)
    try await world.report(20, before: before)
    try await world.report(1, before: before)
    #expect(try await world.rung() == [])
    await #expect(throws: HTTPError.self) {
      _ = try await world.test.ask(
        .post, "/api/v1/notifications", token: world.token,
        [
          "to": ["person": "1"], "content": ["title": "Near"], "at": "2030-01-01T00:00:00Z",
          "trigger": ["type": "location", "latitude": 54, "longitude": 10, "radius": 500, "on": "enter"],
        ])
    }
    await world.test.end()
  }
}
