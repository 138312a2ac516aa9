import Glibc
import Lifecycle
import Store
import Testing
import World

struct GroupCommitTests {
  static let tables = Migration(room: "test", number: 1, sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")

  let folder = TemporaryFolder()

  func open(_ engine: Engine) async throws -> Store {
    try await Store(engine.place(in: folder), migrations: [Self.tables], time: SystemTime())
  }

  /// Blocks the writer's thread in a write of its own until `release`, so that others have to wait.
  func hold(_ store: Store) async -> (release: ThreadSignal, done: Task<Void, any Error>) {
    let (entered, entering) = AsyncStream<Void>.makeStream()
    let release = ThreadSignal()
    let task = Task {
      try await store.write { _ throws(StoreError) in
        entering.finish()
        #expect(release.wait(atMost: 60))
      }
    }
    for await _ in entered {}
    return (release, task)
  }

  /// Waits until so many writes are waiting besides the blocking one.
  func waitForWrites(_ count: Int, _ store: Store) async {
    await yieldUntil { store.statistics.writesWaiting > count }
    #expect(store.statistics.writesWaiting == count + 1)
  }

  @Test(arguments: Engine.allCases)
  func `writes that wait at the same time share one commit, and one that fails is undone alone`(
    _ engine: Engine
  ) async throws {
    let store = try await open(engine)
    let (release, done) = await hold(store)
    let commits = store.statistics.commits
    let writes = (0..<40).map { number in
      Task {
        try await store.write { database throws(StoreError) in
          try database.run("INSERT INTO things (id, name) VALUES (?, 'a')", .int(number + 1))
          // Every fourth one fails after its first row, on a duplicate key.
          if number % 4 == 3 { try database.run("INSERT INTO things (id) VALUES (?)", .int(number + 1)) }
          return number
        }
      }
    }
    await waitForWrites(40, store)
    release.post()
    try await done.value
    for (number, write) in writes.enumerated() {
      switch await write.result {
      case .success(let answer): #expect(answer == number && number % 4 != 3)
      case .failure: #expect(number % 4 == 3)
      }
    }
    #expect(store.statistics.commits == commits + 2)
    #expect(store.statistics.writes == 41)
    let ids = try await store.read { database throws(StoreError) in
      try database.rows("SELECT id FROM things ORDER BY id") { $0.int(0) }
    }
    #expect(ids == (0..<40).filter { $0 % 4 != 3 }.map { $0 + 1 })
  }

  @Test(arguments: Engine.allCases)
  func `a query that fails costs the other writes of its batch nothing`(_ engine: Engine) async throws {
    let store = try await open(engine)
    let (release, done) = await hold(store)
    let insertion = Task {
      try await store.write { database throws(StoreError) in
        try database.run("INSERT INTO things (name) VALUES ('kept')")
      }
    }
    await waitForWrites(1, store)
    let query = Task {
      try await store.write { database throws(StoreError) in
        // There is no such number.
        _ = try database.first("SELECT abs(CAST(? AS INTEGER))", .int(.min)) { $0.int(0) }
      }
    }
    await waitForWrites(2, store)
    release.post()
    try await done.value
    try await insertion.value
    await #expect(throws: StoreError.self) { try await query.value }
    let names = try await store.read { database throws(StoreError) in
      try database.rows("SELECT name FROM things") { $0.text(0) }
    }
    #expect(names == ["kept"])
  }

  @Test(arguments: Engine.allCases)
  func `a batch has an end`(_ engine: Engine) async throws {
    let store = try await open(engine)
    let (release, done) = await hold(store)
    let count = StoreLimits.writesPerCommit + 1
    let writes = (0..<count).map { _ in
      Task {
        try await store.write { database throws(StoreError) in try database.run("INSERT INTO things DEFAULT VALUES") }
      }
    }
    await waitForWrites(count, store)
    release.post()
    try await done.value
    for write in writes { try await write.value }
    #expect(store.statistics.commits == 3)
  }

  @Test(arguments: Engine.allCases)
  func `writers that come again at once share commits, on any disk`(_ engine: Engine) async throws {
    let store = try await open(engine)
    let (callers, rounds) = (32, 50)
    await withTaskGroup { group in
      for _ in 0..<callers {
        group.addTask {
          for _ in 0..<rounds {
            await #expect(throws: Never.self) {
              try await store.write { database throws(StoreError) in
                try database.run("INSERT INTO things (name) VALUES ('a')")
              }
            }
          }
        }
      }
    }
    let statistics = store.statistics
    #expect(statistics.writes == callers * rounds)
    // On an idle machine there are 32 in each; on a busy one many come too late for the next. Where a commit takes so
    // long that all are back before it ends, nobody has to be waited for.
    #expect(statistics.commits * 2 <= statistics.writes, "\(statistics)")
    #expect(statistics.gatherings > 0 || statistics.commits == rounds, "\(statistics)")
  }

  @Test(arguments: Engine.allCases)
  func `after a batch of several, what comes while the next one is run belongs to it`(_ engine: Engine) async throws {
    let store = try await Store(engine.place(in: folder), migrations: [Self.tables], time: VirtualTime())
    func add() -> Task<Void, any Error> {
      Task {
        try await store.write { database throws(StoreError) in
          try database.run("INSERT INTO things (name) VALUES ('a')")
        }
      }
    }
    let first = await hold(store)
    let two = [add(), add()]
    await waitForWrites(2, store)
    first.release.post()
    for task in two + [first.done] { try await task.value }
    let commits = store.statistics.commits
    let second = await hold(store)
    let late = add()
    await waitForWrites(1, store)
    second.release.post()
    for task in [second.done, late] { try await task.value }
    #expect(store.statistics.commits == commits + 1)
  }

  @Test(arguments: Engine.allCases)
  func `a number is remembered until a write is undone or somebody else has written`(_ engine: Engine) async throws {
    let place = try engine.place(in: folder)
    func open(_ access: Store.Access) async throws -> Store {
      try await Store(place, migrations: [Self.tables], time: VirtualTime(), access: access)
    }
    let (store, beside) = (try await open(.owner), try await open(.guest))
    let name = Remembered("things", 1)
    func next(_ store: Store, fails: Bool = false) async throws -> Int {
      try await store.write { database throws(StoreError) in
        let number = database.remembered[name] ?? 0
        database.remembered[name] = number + 1
        try database.run("INSERT INTO things (name) VALUES ('a')")
        if fails { throw StoreError(.closed, "undone", context: "") }
        return number
      }
    }
    let isFile = engine == .file
    for number in 0..<3 { #expect(try await next(store) == (isFile ? number : 0)) }
    #expect(try await next(beside) == 0)
    #expect(try await next(store) == 0)
    #expect(try await next(store) == (isFile ? 1 : 0))
    await #expect(throws: StoreError.self) { try await next(store, fails: true) }
    #expect(try await next(store) == 0)
  }

  @Test(arguments: Engine.allCases)
  func `who writes alone never waits for others`(_ engine: Engine) async throws {
    let store = try await open(engine)
    for number in 1...100 {
      try await store.write { database throws(StoreError) in try database.run("INSERT INTO things (name) VALUES ('a')")
      }
      #expect(store.statistics.commits == number)
    }
    #expect(store.statistics.gatherings == 0)
  }

  @Test(arguments: Engine.allCases)
  func `a commit that fails fails for everyone in it`(_ engine: Engine) async throws {
    let deferred = Migration(
      room: "test", number: 1,
      sql: """
        CREATE TABLE things (id INTEGER PRIMARY KEY);
        CREATE TABLE parts (thing INTEGER REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)
        """)
    let store = try await Store(engine.place(in: folder), migrations: [deferred], time: VirtualTime())
    let (release, done) = await hold(store)
    let writes = (0..<3).map { number in
      Task {
        try await store.write { database throws(StoreError) in
          if number == 1 { try database.run("INSERT INTO parts VALUES (7)") }
          try database.run("INSERT INTO things (id) VALUES (?)", .int(number + 1))
        }
      }
    }
    await waitForWrites(3, store)
    release.post()
    try await done.value
    for write in writes {
      await #expect(throws: StoreError.self) { try await write.value }
    }
    #expect(try await count("things", store) == 0)
    try await store.write { database throws(StoreError) in try database.run("INSERT INTO things (id) VALUES (9)") }
    #expect(try await count("things", store) == 1)
  }

  func count(_ table: String, _ store: Store) async throws -> Int {
    try await store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM \(table)") { $0.int(0) } ?? 0
    }
  }

  @Test(arguments: Engine.allCases)
  func `a slow question holds up nobody while a connection is free`(_ engine: Engine) async throws {
    let store = try await open(engine)
    let (entered, entering) = AsyncStream<Void>.makeStream()
    let release = ThreadSignal()
    let slow = (1..<StoreLimits.readers).map { _ in
      Task {
        try await store.read { _ throws(StoreError) in
          entering.yield()
          #expect(release.wait(atMost: 60))
        }
      }
    }
    var arrivals = entered.makeAsyncIterator()
    for _ in slow { await arrivals.next() }
    #expect(store.statistics.busyReaders == StoreLimits.readers - 1)
    for _ in 0..<100 { #expect(try await count("things", store) == 0) }
    for _ in slow { release.post() }
    for question in slow { try await question.value }
    #expect(store.statistics.readers == StoreLimits.readers)
    await store.close()
    await #expect(throws: StoreError.self) { try await count("things", store) }
  }
}
