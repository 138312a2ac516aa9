import CivilTime
import Hub
import HubWorld
import Server
import Space
import Store
import Synchronization
import Testing
import Wire
import World

/// Collects what rings.
private final class Heard: OutboxReceiver {
  let name = "test"
  private let bells = Mutex<[Bell]>([])
  var all: [Bell] { bells.withLock { $0 } }
  /// Those that are not the sign's own.
  var others: [Bell] { all.filter { !["Open", "Closed", "Open or closed?"].contains($0.title.english) } }

  func receive(_ ring: Ring, in change: Change) throws {
    guard let bell = Bell(ring.content) else { return }
    change.then { [self] in bells.withLock { $0.append(bell) } }
  }
}

/// Another room, which knows openers.
private final class Evenings: PlannedEvents {
  private let openersDown = Mutex<[Int]>([])
  var openers: [Int] { openersDown.withLock { $0 } }
  let feedPath: String? = nil
  let isCancelled = Atomic(false)

  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes? { nil }
  func takesPlace(_ event: PlannedEvent, in database: Database) throws(StoreError) -> Bool {
    !isCancelled.load(ordering: .relaxed)
  }
  func openers(of event: String, in database: Database) throws(StoreError) -> [Int] { openers }
  func nextOpening(after now: Int, in database: Database) throws(StoreError) -> Int? { nil }
  func putDown(opener person: Int, of event: PlannedEvent, in change: Change) throws -> Bool {
    openersDown.withLock { $0.append(person) }
    return true
  }
  func albumChanged(of event: String, in change: Change) {}
}

/// Rings when nobody turns the sign: "open until" passes, an event begins before a closed door. In virtual time.
@Suite(.timeLimit(.minutes(1)))
struct DoorWatchTests {
  private let heard = Heard()
  private let evenings = Evenings()

  private struct World {
    var test: TestHub
    var token: String
  }

  private func start(
    folder: TemporaryFolder = TemporaryFolder(), time: VirtualTime = VirtualTime()
  ) async throws -> World {
    let test = try await TestHub(time: time, rooms: [SpaceRoom.self], folder: folder)
    try await test.store.write { database throws(StoreError) in
      for (id, name) in [(1, "Kim"), (2, "Lou"), (3, "Max")] {
        try database.run(
          """
          INSERT INTO people (id, name, role, created_at) VALUES (?, ?, 'keykeeper', 0) ON CONFLICT (id) DO NOTHING
          """, .int(id), .text(name))
      }
    }
    try await test.openRooms()
    test.hub.offers.make(.plannedEvents, evenings)
    test.hub.run([heard])
    return World(test: test, token: try await test.hub.tokens.replace(name: "door", role: .keykeeper))
  }

  private func turn(_ world: World, _ json: JSON) async throws {
    _ = try await world.test.ask(.post, "/api/v1/space/state", token: world.token, json)
  }

  private func hears(_ world: World, _ count: Int) async throws {
    try await world.test.wait { heard.others.count >= count }
    for _ in 0..<20 { await world.test.turn() }
    #expect(heard.others.count == count)
  }

  private func begins(_ world: World) async throws {
    let listener = try #require(world.test.hub.offers[.eventListener])
    let now = Int(world.test.time.now)
    try await world.test.hub.commit(as: .room("test")) { change in
      try listener.eventBegins(
        PlannedEvent(id: "000000000001", title: "Soldering", start: now, end: now + 10_800), in: change)
    }
  }

  /// An event has begun while the sign says closed, and one keykeeper is asked.
  private func asked() async throws -> World {
    let world = try await start()
    try await turn(world, ["open": false])
    try await begins(world)
    try await hears(world, 1)
    return world
  }

  private func answer(_ world: World, _ action: String, by person: Int) async throws {
    let rooms = world.test.hub.rooms
    let answer = BellAnswer(notification: 1, action: action, person: person, collapseID: "opener-000000000001")
    try await world.test.hub.commit(as: .room("test")) { change in
      for room in rooms { try room.answered(answer, in: change) }
    }
  }

  @Test func `open until has passed, which rings once`() async throws {
    let world = try await start()
    try await turn(world, ["open": true, "until": "2026-11-20T20:00:00Z"])
    world.test.time.advance(by: 4799)
    try await hears(world, 0)
    world.test.time.advance(by: 1)
    try await hears(world, 1)
    #expect(heard.others[0].title.english == "Open until 20:00: that has passed")
    await world.test.end()
    let again = try await start(folder: world.test.folder, time: world.test.time)
    again.test.time.advance(by: 60)
    try await hears(again, 1)
    await again.test.end()
  }

  @Test func `it does not ring for a sign that was turned, nor late`() async throws {
    let world = try await start()
    try await turn(world, ["open": true, "until": "2026-11-20T20:00:00Z"])
    try await turn(world, ["open": false])
    world.test.time.advance(by: 4800)
    try await hears(world, 0)
    try await turn(world, ["open": true, "until": "2026-11-20T21:00:00Z"])
    await world.test.end()
    world.test.time.advance(by: 3600 + 1801)
    let again = try await start(folder: world.test.folder, time: world.test.time)
    try await again.test.wait {
      try await again.test.store.read { database throws(StoreError) in
        try database.first("SELECT turn FROM space_rung", read: { $0.int(0) }) == 3
      }
    }
    try await hears(again, 0)
    await again.test.end()
  }

  @Test func `keykeepers are asked one after the other, until one opens`() async throws {
    let world = try await asked()
    #expect(heard.others[0].title.english == "Soldering begins, the space is closed")
    #expect(heard.others[0].to == ["person": "1"] && heard.others[0].actions.map(\.id) == ["opening", "not-today"])
    try await answer(world, "not-today", by: 1)
    try await hears(world, 2)
    #expect(heard.others[1].to == ["person": "2"])
    // No answer for ten minutes.
    world.test.time.advance(by: 601)
    try await hears(world, 3)
    #expect(heard.others[2].to == ["person": "3"])
    try await answer(world, "opening", by: 2)
    try await hears(world, 4)
    #expect(evenings.openers == [2])
    #expect(heard.others[3].title.german == "Lou schließt auf")
    #expect(heard.others[3].to == [["person": "1"], ["person": "3"]])
    world.test.time.advance(by: 601)
    try await hears(world, 4)
    await world.test.end()
  }

  @Test func `for an event that was cancelled after it began nobody else is asked, and the question is taken back`()
    async throws
  {
    let world = try await asked()
    evenings.isCancelled.store(true, ordering: .relaxed)
    world.test.time.advance(by: 601)
    try await hears(world, 2)
    let told = heard.others[1]
    #expect(told.title.english == "Soldering is no longer in the calendar" && told.to == [["person": "1"]])
    #expect(told.collapseID == heard.others[0].collapseID)
    // An answer that was on its way.
    try await answer(world, "opening", by: 1)
    try await hears(world, 3)
    #expect(heard.others[2].title == told.title && evenings.openers == [])
    await world.test.end()
  }

  @Test func `while the contact is silent nobody else is asked, and it goes on when the sign says closed again`()
    async throws
  {
    let world = try await start()
    func hear() async throws {
      _ = try await world.test.ask(
        .put, "/api/v1/space/switch", token: world.token, ["open": false, "heartbeat_s": 30])
    }
    try await hear()
    try await begins(world)
    try await hears(world, 1)
    world.test.time.advance(by: 61)
    try await world.test.wait { heard.all.last?.title.english == "Open or closed?" }
    // Longer than what a hub drops that was off.
    world.test.time.advance(by: 2400)
    try await hears(world, 1)
    try await hear()
    try await hears(world, 2)
    #expect(heard.others[1].to == ["person": "2"])
    await world.test.end()
  }

  @Test func `the next evening it is the turn of who was not asked`() async throws {
    let world = try await asked()
    try await answer(world, "opening", by: 1)
    let listener = try #require(world.test.hub.offers[.eventListener])
    let now = Int(world.test.time.now)
    evenings.forget()
    try await world.test.hub.commit(as: .room("test")) { change in
      try listener.eventBegins(
        PlannedEvent(id: "000000000002", title: "Knitting", start: now, end: now + 3600), in: change)
    }
    try await hears(world, 2)
    #expect(heard.others[1].to == ["person": "2"])
    await world.test.end()
  }

  @Test(arguments: [true, nil])
  func `nobody is asked where the sign does not say closed`(open: Bool?) async throws {
    let world = try await start()
    if let open { try await turn(world, ["open": .bool(open)]) }
    try await begins(world)
    try await hears(world, 0)
    await world.test.end()
  }

  @Test func `once the sign opens nobody else is asked, and the question is taken back`() async throws {
    let world = try await asked()
    #expect(heard.others[0].level == .timeSensitive)
    try await answer(world, "not-today", by: 1)
    try await hears(world, 2)
    // The sign does not say until when.
    try await turn(world, ["open": true])
    try await hears(world, 3)
    let told = heard.others[2]
    #expect(told.title.english == "The space is open" && told.to == [["person": "2"]] && told.level == .passive)
    #expect(told.collapseID == heard.others[1].collapseID)
    world.test.time.advance(by: 601)
    try await hears(world, 3)
    // An answer that was on its way.
    try await answer(world, "opening", by: 2)
    try await hears(world, 4)
    #expect(heard.others[3].title.english == "The space is open" && evenings.openers == [])
    await world.test.end()
  }

  @Test func `an event that was postponed begins once more, and is asked about again`() async throws {
    let world = try await asked()
    try await turn(world, ["open": true])
    // The question is taken back.
    try await hears(world, 2)
    try await turn(world, ["open": false])
    // The same start is the same question.
    try await begins(world)
    try await hears(world, 2)
    world.test.time.advance(by: 3600)
    try await begins(world)
    try await hears(world, 3)
    #expect(heard.others[2].title.english == "Soldering begins, the space is closed")
    #expect(heard.others[2].to == ["person": "1"])
    await world.test.end()
  }

  @Test func `an answer counts when everybody was asked already, and not after the end`() async throws {
    let world = try await start()
    try await turn(world, ["open": false])
    try await begins(world)
    for person in 1...3 {
      try await hears(world, person)
      if person < 3 { try await answer(world, "not-today", by: person) }
    }
    #expect(heard.others.map(\.lifetime) == [7200, 7200, 7200])
    world.test.time.advance(by: 3600)
    try await hears(world, 3)
    try await answer(world, "opening", by: 1)
    try await hears(world, 4)
    #expect(evenings.openers == [1] && heard.others[3].title.english == "Kim is opening")
    #expect(heard.others[3].lifetime == 3600)
    // A second one may come too.
    try await answer(world, "opening", by: 3)
    try await hears(world, 5)
    #expect(evenings.openers == [1, 3] && heard.others[4].to == [["person": "1"], ["person": "2"]])
    world.test.time.advance(by: 3600)
    try await answer(world, "opening", by: 2)
    try await hears(world, 5)
    #expect(evenings.openers == [1, 3])
    await world.test.end()
  }
}

extension Evenings {
  func forget() { openersDown.withLock { $0 = [] } }
}
