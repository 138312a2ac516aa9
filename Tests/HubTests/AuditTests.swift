import Hub
import Store
import Testing
import World

struct AuditTests {
  let folder = TemporaryFolder()

  func store(_ migrations: [Migration] = Hub.migrations) async throws -> Store {
    try await Store(path: "\(folder.path)/hub.sqlite", migrations: migrations, time: VirtualTime())
  }

  /// The number of entries by actor.
  func counts(_ store: Store) async throws -> [String: Int] {
    let rows = try await store.read { database throws(StoreError) in
      try database.rows("SELECT who, count(*) FROM audit GROUP BY who") { ($0.text(0), $0.int(1)) }
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  func write(_ store: Store, _ principal: Principal, times: Int, now: Double = 0) async throws {
    try await store.write { database throws(StoreError) in
      for number in 0..<times { try database.audit(principal, "tested", about: "\(number)", now: now) }
    }
  }

  @Test func `who does something in a loop pushes out their own entries and nobody else's`() async throws {
    let store = try await store()
    let mo = Principal(person: 1, device: 1, name: "Mo", role: .member)
    let door = Principal(token: 1, name: "door", role: .sensor)
    try await write(store, Principal(person: 2, device: 2, name: "Ada", role: .owner), times: 1)
    try await write(store, door, times: 2)
    let written = IdentityLimits.auditEntriesOfOne + 7 * IdentityLimits.auditRoom
    let kept = IdentityLimits.auditEntriesOfOne...IdentityLimits.auditEntriesOfOne + IdentityLimits.auditRoom
    try await write(store, mo, times: written)
    let counts = try await counts(store)
    #expect(counts["Ada"] == 1 && counts["door"] == 2)
    #expect(kept.contains(try #require(counts["Mo"])))
    let oldest = try await store.read { database throws(StoreError) in
      try database.first("SELECT about FROM audit WHERE who = 'Mo' ORDER BY id") { $0.text(0) }
    }
    #expect(oldest == "\(written - counts["Mo"]!)")
    try await write(store, door, times: written)
    #expect(kept.contains(try #require(try await self.counts(store)["door"])))
  }

  @Test func `of everybody together the newest stay`() async throws {
    let store = try await store()
    let people = IdentityLimits.auditEntriesKept / IdentityLimits.auditEntriesOfOne
    for person in 0...people {
      let principal = Principal(person: person, device: person, name: "\(person)", role: .member)
      try await write(store, principal, times: IdentityLimits.auditEntriesOfOne - 1)
    }
    let counts = try await counts(store)
    let all = counts.values.reduce(0, +)
    #expect((0...IdentityLimits.auditRoom).contains(all - IdentityLimits.auditEntriesKept))
    #expect(counts["\(people)"] == IdentityLimits.auditEntriesOfOne - 1)
    #expect(try #require(counts["0"]) < IdentityLimits.auditEntriesOfOne - 1)
  }

  @Test func `what is older than a year goes with the next entry`() async throws {
    let store = try await store()
    let ada = Principal(person: 1, device: 1, name: "Ada", role: .owner)
    try await write(store, ada, times: 3, now: 0)
    try await write(store, ada, times: 1, now: IdentityLimits.auditDays * 86_400)
    #expect(try await counts(store) == ["Ada": 4])
    try await write(store, ada, times: 1, now: IdentityLimits.auditDays * 86_400 + 1)
    #expect(try await counts(store) == ["Ada": 2])
  }

  @Test func `what an older version wrote is told by who did it`() async throws {
    let before = try await store(Hub.migrations.filter { $0.room != "hub" || $0.number < 4 })
    try await before.write { database throws(StoreError) in
      for (person, who) in [("7", "eightbells"), ("NULL", "eightbells"), ("NULL", "door")] {
        try database.run("INSERT INTO audit (at, person, who, what) VALUES (0, \(person), '\(who)', 'tested')")
      }
    }
    await before.close()
    let after = try await store()
    let actors = try await after.read { database throws(StoreError) in
      try database.rows("SELECT actor, who FROM audit ORDER BY id") { "\($0.text(0)): \($0.text(1))" }
    }
    #expect(actors == ["person: eightbells", "command: command line", "token: door"])
  }
}
