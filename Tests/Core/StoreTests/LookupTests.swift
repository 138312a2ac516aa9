import Lifecycle
import Store
import Testing
import World

struct LookupTests {
  let folder = TemporaryFolder()

  func open(_ engine: Engine) async throws -> Store {
    try await Store(engine.place(in: folder), migrations: [GroupCommitTests.tables], time: SystemTime())
  }

  func until(_ store: Store, _ condition: (StoreStatistics) -> Bool) async {
    await yieldUntil { condition(store.statistics) }
    #expect(condition(store.statistics), "\(store.statistics)")
  }

  func name(of id: Int, in store: Store) async throws -> String? {
    try await store.look { database throws(StoreError) in
      try database.first("SELECT name FROM things WHERE id = ?", .int(id)) { $0.text(0) }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a lookup sees all that was written before it, however many ask`(_ engine: Engine) async throws {
    let store = try await open(engine)
    try await withThrowingTaskGroup { group in
      for id in 1...300 {
        group.addTask {
          try await store.write { database throws(StoreError) in
            try database.run("INSERT INTO things (id, name) VALUES (?, ?)", .int(id), .text("\(id)"))
          }
          for _ in 0..<3 { #expect(try await name(of: id, in: store) == "\(id)") }
          #expect(try await name(of: -id, in: store) == nil)
        }
      }
      try await group.waitForAll()
    }
    #expect(store.statistics.reads == 1_200 && store.statistics.readsWaiting == 0)
  }

  @Test(arguments: Engine.allCases)
  func `slow questions hold up no lookup`(_ engine: Engine) async throws {
    let store = try await open(engine)
    let release = ThreadSignal()
    let slow = (0..<StoreLimits.readers).map { _ in
      Task { try await store.read { _ throws(StoreError) in #expect(release.wait(atMost: 20)) } }
    }
    await until(store) { $0.busyReaders == StoreLimits.readers }
    #expect(try await name(of: 1, in: store) == nil)
    for _ in slow { release.post() }
    for question in slow { try await question.value }
  }

  @Test(arguments: Engine.allCases)
  func `a lookup that fails fails alone, of those that are answered together`(_ engine: Engine) async throws {
    let store = try await open(engine)
    let release = ThreadSignal()
    let first = Task {
      try await store.look { _ throws(StoreError) in #expect(release.wait(atMost: 20)) }
    }
    await until(store) { $0.readsWaiting == 1 }
    let wrong = Task {
      try await store.look { database throws(StoreError) in try database.run("SELECT nothing FROM nowhere") }
    }
    let right = Task { try await name(of: 1, in: store) }
    await until(store) { $0.readsWaiting == 3 }
    release.post()
    try await first.value
    await #expect(throws: StoreError.self) { try await wrong.value }
    #expect(try await right.value == nil)
  }

  @Test(arguments: Engine.allCases)
  func `a lookup in a store that is closed fails`(_ engine: Engine) async throws {
    let store = try await open(engine)
    #expect(try await name(of: 1, in: store) == nil)
    await store.close()
    await #expect(throws: StoreError.self) { try await name(of: 1, in: store) }
  }
}
