import Hub
import HubWorld
import Server
import Store
import Synchronization
import Wire
import World

/// The run of one hub process with a store and outbox receivers.
struct History: Sendable {
  let test: TestHub

  static let things = Migration(
    room: "test", number: 1,
    sql: """
      CREATE TABLE things (number INTEGER NOT NULL);
      CREATE TABLE heard (receiver TEXT NOT NULL, number INTEGER NOT NULL)
      """)
  static let receivers = ["one", "other"]

  init(folder: String) async throws {
    test = try await TestHub(migrations: [Self.things], folder: TemporaryFolder(keeping: folder))
  }

  func live(_ step: String, seed: UInt64) async throws {
    let parts = step.split(separator: ":")
    let numbers = parts.dropFirst().compactMap { Int($0) }
    switch (parts.first, numbers.count) {
    case ("make", 1): await make(numbers[0], isRefused: false)
    case ("refuse", 1): await make(numbers[0], isRefused: true)
    case ("crowd", 2):
      await withTaskGroup(of: Void.self) { group in
        for number in numbers[0]...numbers[1] {
          group.addTask { await make(number, isRefused: number.isMultiple(of: 3)) }
        }
      }
    case ("listen", 0): test.hub.run(Self.receivers.map { Receiver($0, seed: seed) })
    case ("pass", 0):
      test.time.advance(by: 61)
    default: HubTrial.fail("unknown step \(step)")
    }
    try await settle()
  }

  /// Lets the receivers take what is waiting, after the writer's work, a few times over, so that the same steps make
  /// the same calls.
  private func settle() async throws {
    for _ in 0..<6 {
      await test.turn()
      try await test.store.write { _ throws(StoreError) in }
    }
  }

  private func make(_ number: Int, isRefused: Bool) async {
    do throws(HTTPError) {
      let commit = try await test.hub.commit(as: .room("test")) { change in
        try change.database.run("INSERT INTO things (number) VALUES (?)", .int(number))
        try change.audit("thing.made", about: "\(number)")
        try change.ring("thing.made", ["number": .int(number)])
        if isRefused { throw HTTPError(.noSuchPage, "No.", help: "None.") }
        return change.number
      }
      HubTrial.say("made \(number) \(commit)")
    } catch {
      HubTrial.say("\(error.code == .noSuchPage ? "refused" : "failed") \(number)")
    }
  }

  func tellAll() async throws {
    test.hub.run(Self.receivers.map { Receiver($0, seed: nil) })
    let store = test.store
    try await test.wait {
      try await store.read { database throws(StoreError) in
        try database.first("SELECT count(*) FROM hub_outbox") { $0.int(0) } == 0
      }
    }
  }
}

/// Records what it receives, and then fails at random; never with a seed divisible by three.
private final class Receiver: OutboxReceiver {
  let name: String
  private let chance: Mutex<SeededGenerator>?

  init(_ name: String, seed: UInt64?) {
    self.name = name
    let fails = seed.flatMap { $0.isMultiple(of: 3) ? nil : $0 &+ UInt64(name.utf8.count) }
    chance = fails.map { Mutex(SeededGenerator(state: $0)) }
  }

  func receive(_ ring: Ring, in change: Change) throws {
    try change.database.run(
      "INSERT INTO heard (receiver, number) VALUES (?, ?)", .text(name), .int(ring.content["number"]?.int ?? -1))
    let fails = chance?.withLock { generator in Int.random(in: 0..<15, using: &generator) == 0 } ?? false
    if fails { throw HTTPError(.tooBusy, "Later.", help: "None.") }
  }
}
