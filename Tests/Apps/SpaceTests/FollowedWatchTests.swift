import Client
import Hub
import HubWorld
import Server
import Space
import Store
import Synchronization
import Testing
import Wire
import World

/// Collects the titles of what rings.
private final class Heard: OutboxReceiver {
  let name = "test"
  private let titles = Mutex<[String]>([])
  var all: [String] { titles.withLock { $0 } }

  func receive(_ ring: Ring, in change: Change) throws {
    guard let bell = Bell(ring.content) else { return }
    change.then { [self] in titles.withLock { $0.append(bell.title.english) } }
  }
}

/// Another space's document.
private final class OtherDoor: Sendable {
  private let open = Mutex("false")

  /// - Parameter word: true, false or null.
  func says(_ word: String) { open.withLock { $0 = word } }

  func answer(_ writer: ScriptedServer.Writer) {
    // It says the same time of change, whatever the door does.
    let body = #"{"space": "Other", "state": {"open": \#(open.withLock { $0 }), "lastchange": 1500000000}}"#
    writer.write(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(body)")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct FollowedWatchTests {
  private let heard = Heard()
  private let door = OtherDoor()

  /// A hub that follows the other door for everybody.
  private func following() async throws -> (TestHub, ScriptedServer) {
    let server = ScriptedServer { [door] in door.answer($0) }
    let test = try await TestHub(rooms: [SpaceRoom.self], addresses: .anywhere)
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO space_followed (id, url) VALUES (1, ?)", .text(server.url))
      try database.run("INSERT INTO space_followers (followed, person) VALUES (1, NULL)")
    }
    try await test.openRooms()
    test.hub.run([heard])
    return (test, server)
  }

  @Test func `what only somebody followed who was removed is asked no more`() async throws {
    let test = try await TestHub(rooms: [SpaceRoom.self])
    let store = test.store
    try await store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'member', 0)")
      // Refused at once, since it is not on the public Internet: each look is another failure.
      try database.run("INSERT INTO space_followed (id, url) VALUES (1, 'http://127.0.0.1:9/')")
      try database.run("INSERT INTO space_followed (id, url) VALUES (2, 'http://127.0.0.1:8/')")
      try database.run("INSERT INTO space_followers (followed, person) VALUES (1, 1), (2, NULL)")
    }
    let room = try await SpaceRoom(test.hub)
    test.hub.open([room])
    test.hub.run()

    func failures() async throws -> [Int] {
      try await store.read { database throws(StoreError) in
        try database.rows("SELECT failures FROM space_followed ORDER BY id") { $0.int(0) }
      }
    }
    /// Lets time pass until each known space has failed at least so often.
    func wait(for wanted: [Int], passing seconds: Double) async throws {
      try await test.wait(passing: seconds) {
        let found = try await failures()
        return found.count == wanted.count && zip(found, wanted).allSatisfy(>=)
      }
    }
    try await wait(for: [1, 1], passing: 0)
    try await wait(for: [2, 2], passing: 10)
    try await test.hub.commit(as: .room("test")) { change in
      try room.personRemoved(1, in: change)
      try change.database.run("DELETE FROM people WHERE id = 1")
    }
    #expect(try await failures().count == 1)
    try await wait(for: [3], passing: 10)
    await test.end()
  }

  @Test func `a ring is not lost with a look that could not be stored`() async throws {
    let (test, server) = try await following()
    try await test.wait {
      try await test.store.read { database throws(StoreError) in
        try database.first("SELECT known FROM space_followed WHERE known IS NOT NULL", read: { $0.text(0) }) != nil
      }
    }
    try await test.store.write { database throws(StoreError) in
      try database.run(
        "CREATE TRIGGER full BEFORE UPDATE ON space_followed BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    }
    door.says("true")
    test.time.advance(by: 300)
    // It is shown although it could not be stored.
    try await test.wait {
      let answer = try await test.ask(.get, "/api/v1/space/followed")
      guard case .bytes(let bytes) = answer.body else { return false }
      return try JSON(parsing: bytes)["followed"]?.array?.first?["open"]?.bool == true
    }
    #expect(heard.all.isEmpty)
    try await test.store.write { database throws(StoreError) in try database.run("DROP TRIGGER full") }
    await test.settle(turns: 50)
    test.time.advance(by: 300)
    let now = Int(test.time.now)
    try await test.wait {
      try await test.store.read { database throws(StoreError) in
        try database.first("SELECT good_at FROM space_followed", read: { $0.int(0) }) == now
      }
    }
    try await test.wait { !heard.all.isEmpty }
    await test.settle(turns: 50)
    #expect(heard.all == ["Other is open"])
    await test.end()
    server.stop()
  }

  @Test func `a space rings that opens after it was unknown, and not one that is what it was before`() async throws {
    let (test, server) = try await following()
    /// Waits until the hub has looked at the space at this time.
    func looked() async throws {
      let now = Int(test.time.now)
      try await test.wait {
        try await test.store.read { database throws(StoreError) in
          try database.first("SELECT good_at FROM space_followed", read: { $0.optionalInt(0) }) == now
        }
      }
      await test.settle(turns: 50)
    }
    try await looked()
    for word in ["null", "false", "null", "null", "true", "null", "true"] {
      door.says(word)
      test.time.advance(by: 300)
      try await looked()
    }
    #expect(heard.all == ["Other is open"])
    await test.end()
    server.stop()
  }
}
