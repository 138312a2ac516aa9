import Hub
import HubWorld
import Store
import Testing
import World

@testable import Bells

struct DiskNoticeTests {
  @Test func `owners are told once that the disk is nearly full, and once more after there was room`() async throws {
    let test = try await TestHub(rooms: [BellsRoom.self])
    try await test.openRooms()
    let room = try #require(test.hub.rooms.first as? BellsRoom)
    let notice = DiskNotice(sender: room.sender)
    func rung() async throws -> [Int] {
      try await test.store.read { database throws(StoreError) in
        try database.rows("SELECT person FROM push_inbox ORDER BY notification", read: { $0.int(0) })
      }
    }
    // Nobody owns the hub yet.
    try await notice.tell(free: 400_000_000)
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'owner', 0)")
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Ben', 'member', 0)")
    }
    try await notice.tell(free: 600_000_000)
    #expect(try await rung() == [])
    for free in [400_000_000, 300_000_000, 600_000_000, 400_000_000] { try await notice.tell(free: free) }
    #expect(try await rung() == [1])
    for free in [2_000_000_000, 400_000_000, 100_000_000] { try await notice.tell(free: free) }
    #expect(try await rung() == [1, 1])
    await test.end()
  }
}
