import Hub
import HubWorld
import Store
import Testing
import World

@testable import Bells

struct DiskNoticeTests {
  /// A hub that nobody owns yet.
  private func hub() async throws -> (test: TestHub, sender: BellSender) {
    let test = try await TestHub(rooms: [BellsRoom.self])
    try await test.openRooms()
    return (test, try #require(test.hub.rooms.first as? BellsRoom).sender)
  }

  private func addPeople(to test: TestHub) async throws {
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'owner', 0)")
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Ben', 'member', 0)")
    }
  }

  private func rung(_ test: TestHub) async throws -> [Int] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT person FROM push_inbox ORDER BY notification", read: { $0.int(0) })
    }
  }

  @Test func `owners are told once that the disk is nearly full, and once more after there was room`() async throws {
    let (test, sender) = try await hub()
    let notice = DiskNotice(sender: sender)
    try await notice.tell(free: 400_000_000)
    try await addPeople(to: test)
    try await notice.tell(free: 600_000_000)
    #expect(try await rung(test) == [])
    for free in [400_000_000, 300_000_000, 600_000_000, 400_000_000] { try await notice.tell(free: free) }
    #expect(try await rung(test) == [1])
    for free in [2_000_000_000, 400_000_000, 100_000_000] { try await notice.tell(free: free) }
    #expect(try await rung(test) == [1, 1])
    await test.end()
  }

  @Test func `owners are told once that no mail has gone out for an hour, and once more after one has`() async throws {
    let (test, sender) = try await hub()
    let notice = MailNotice(sender: sender)
    let why = Bell.Words("the mail server took it not: 535", german: "der Mailserver nahm sie nicht: 535")
    try await notice.tell(silentFor: 7_200, why)
    try await addPeople(to: test)
    try await notice.tell(silentFor: 600, why)
    #expect(try await rung(test) == [])
    for seconds in [3_600.0, 7_200] { try await notice.tell(silentFor: seconds, why) }
    #expect(try await rung(test) == [1])
    for seconds in [0, 3_600.0] { try await notice.tell(silentFor: seconds, why) }
    #expect(try await rung(test) == [1, 1])
    await test.end()
  }
}
