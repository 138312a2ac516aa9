import Hub
import HubWorld
import Server
import Store
import Synchronization
import Testing
import Wire
import World

/// A ring is delivered to each receiver until that has acknowledged it, and then never again.
@Suite(.timeLimit(.minutes(1)))
struct OutboxTests {
  static let heard = Migration(
    room: "test", number: 1, sql: "CREATE TABLE heard (receiver TEXT NOT NULL, number INTEGER NOT NULL)")

  /// Records its rings, in the change that acknowledges them.
  final class Listener: OutboxReceiver {
    let name: String
    /// The number of refusals left.
    let refusals: Atomic<Int>

    init(_ name: String, refusing times: Int = 0) {
      self.name = name
      refusals = Atomic(times)
    }

    func receive(_ ring: Ring, in change: Change) throws {
      try change.database.run(
        "INSERT INTO heard (receiver, number) VALUES (?, ?)", .text(name), .int(ring.content["number"]?.int ?? -1))
      if refusals.load(ordering: .relaxed) > 0, ring.content["number"]?.int == 3 {
        refusals.subtract(1, ordering: .relaxed)
        throw HTTPError(.tooBusy, "Later.", help: "None.")
      }
    }
  }

  func ring(_ test: TestHub, _ numbers: ClosedRange<Int>) async throws {
    for number in numbers {
      try await test.hub.commit(as: .room("test")) { change in
        try change.ring("thing.made", ["number": .int(number)])
      }
    }
  }

  func heard(_ test: TestHub, by name: String) async throws -> [Int] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT number FROM heard WHERE receiver = ? ORDER BY rowid", .text(name)) { $0.int(0) }
    }
  }

  func waiting(_ test: TestHub) async throws -> Int {
    try await test.store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM hub_outbox") { $0.int(0) } ?? 0
    }
  }

  @Test func `each receiver hears everything once and in order, also what rang before it came`() async throws {
    let test = try await TestHub(migrations: [Self.heard])
    try await ring(test, 1...250)
    test.hub.run([Listener("one"), Listener("other")])
    try await ring(test, 251...260)
    for name in ["one", "other"] { try await test.wait { try await heard(test, by: name).count == 260 } }
    #expect(try await heard(test, by: "one") == Array(1...260))
    #expect(try await heard(test, by: "other") == Array(1...260))
    #expect(try await waiting(test) == 0)
    await test.end()
  }

  @Test func `a receiver that refuses is told again after a minute, and holds up no other`() async throws {
    let test = try await TestHub(migrations: [Self.heard])
    try await ring(test, 1...5)
    test.hub.run([Listener("slow", refusing: 2), Listener("quick")])
    try await test.wait { try await heard(test, by: "quick").count == 5 }
    #expect(try await heard(test, by: "slow") == [])
    #expect(try await waiting(test) == 5)
    try await test.wait(passing: 60) { try await heard(test, by: "slow").count == 5 }
    #expect(try await heard(test, by: "slow") == Array(1...5))
    #expect(try await waiting(test) == 0)
    await test.end()
  }

  @Test func `a ring that a command beside the hub has written is told within a minute`() async throws {
    let test = try await TestHub(migrations: [Self.heard])
    test.hub.run([Listener("one")])
    try await ring(test, 1...1)
    try await test.wait { try await heard(test, by: "one") == [1] }
    let beside = try await Store(
      path: "\(test.folder.path)/hub.sqlite", migrations: Hub.migrations + [Self.heard], time: test.time,
      access: .guest)
    try await beside.write { database throws(StoreError) in
      try database.run("INSERT INTO hub_outbox (at, topic, content) VALUES (0, 'thing.made', '{\"number\": 2}')")
    }
    await beside.close()
    test.time.advance(by: 61)
    try await test.wait { try await heard(test, by: "one") == [1, 2] }
    await test.end()
  }

  @Test func `rings of another hub are told once that hub has had the time to tell them itself`() async throws {
    let test = try await TestHub(migrations: [Self.heard])
    test.hub.run([Listener("one")])
    try await ring(test, 1...1)
    try await test.wait { try await heard(test, by: "one") == [1] }
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO hub_outbox (at, topic, content) VALUES (0, 'thing.made', '{\"number\": 2}')")
    }
    test.hub.outbox.wakeForOthers()
    test.time.advance(by: Outbox.otherHubSeconds / 2)
    await test.settle()
    #expect(try await heard(test, by: "one") == [1])
    test.time.advance(by: Outbox.otherHubSeconds)
    try await test.wait { try await heard(test, by: "one") == [1, 2] }
    await test.end()
  }

  @Test func `the oldest rings go once there are too many that nobody has taken`() async throws {
    let test = try await TestHub(migrations: [Self.heard])
    try await ring(test, 1...12)
    let dropped = try await test.store.change { database in
      [try database.dropRings(past: 10), try database.dropRings(past: 10)]
    }
    #expect(dropped == [2, 0])
    #expect(try await waiting(test) == 10)
    test.hub.run([Listener("one")])
    try await test.wait { try await heard(test, by: "one") == Array(3...12) }
    await test.end()
  }
}
