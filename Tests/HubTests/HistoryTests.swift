import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

/// Random histories of changes, refusals, restarts and failing receivers, compared with a model.
@Suite(.timeLimit(.minutes(1)))
struct HistoryTests {
  static let things = Migration(
    room: "test", number: 1,
    sql: """
      CREATE TABLE things (number INTEGER NOT NULL);
      CREATE TABLE heard (receiver TEXT NOT NULL, number INTEGER NOT NULL)
      """)

  /// A receiver that fails at random.
  final class Moody: OutboxReceiver {
    let name: String
    let seed: UInt64
    init(_ name: String, seed: UInt64) { (self.name, self.seed) = (name, seed) }

    func receive(_ ring: Ring, in change: Change) throws {
      let number = ring.content["number"]?.int ?? -1
      try change.database.run("INSERT INTO heard (receiver, number) VALUES (?, ?)", .text(name), .int(number))
      var chance = SeededGenerator(state: seed &+ UInt64(change.number))
      if Int.random(in: 0..<10, using: &chance) == 0 { throw HTTPError(.tooBusy, "Later.", help: "None.") }
    }
  }

  /// Makes changes at random; every third is refused after it has written. Restarts the hub now and then.
  @Test(arguments: 0..<20) func `what was acknowledged is there once, and what was refused is nowhere`(
    _ seed: Int
  ) async throws {
    var generator = SeededGenerator(state: UInt64(seed))
    let time = VirtualTime()
    let folder = TemporaryFolder()
    var acknowledged: [Int] = []
    var number = 0
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let test = try await TestHub(time: time, migrations: [Self.things], folder: folder)
      test.hub.run([Moody("one", seed: UInt64(seed)), Moody("other", seed: UInt64(seed) + 99)])
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        number += 1
        let own = number
        let isRefused = Int.random(in: 0..<3, using: &generator) == 0
        do throws(HTTPError) {
          try await test.hub.commit(as: .room("test")) { change in
            try change.database.run("INSERT INTO things (number) VALUES (?)", .int(own))
            try change.ring("thing.made", ["number": .int(own)])
            if isRefused { throw HTTPError(.noSuchPage, "No.", help: "None.") }
          }
          acknowledged.append(own)
        } catch {
          #expect(isRefused, "seed \(seed): \(error)")
        }
        if Bool.random(using: &generator) { time.advance(by: 61) }
      }
      await test.end()
      time.advance(by: 1)
    }
    let last = try await TestHub(time: time, migrations: [Self.things], folder: folder)
    last.hub.run([Moody("one", seed: 1), Moody("other", seed: 2)])
    let wanted = acknowledged
    for name in ["one", "other"] {
      try await last.wait(passing: 61) { try await heard(last, by: name).count >= wanted.count }
      #expect(try await heard(last, by: name) == wanted, "seed \(seed)")
    }
    let kept = try await last.store.read { database throws(StoreError) in
      try database.rows("SELECT number FROM things ORDER BY rowid") { $0.int(0) }
    }
    #expect(kept == wanted, "seed \(seed)")
    await last.end()
  }

  private func heard(_ test: TestHub, by name: String) async throws -> [Int] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT number FROM heard WHERE receiver = ? ORDER BY rowid", .text(name)) { $0.int(0) }
    }
  }
}
