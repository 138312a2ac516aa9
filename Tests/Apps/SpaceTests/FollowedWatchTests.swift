import Hub
import HubWorld
import Space
import Store
import Testing
import World

@Suite(.timeLimit(.minutes(1)))
struct FollowedWatchTests {
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
}
