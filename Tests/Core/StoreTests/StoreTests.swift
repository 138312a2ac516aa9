import Lifecycle
import Store
import Synchronization
import Testing
import World

struct StoreTests {
  static let first = Migration(room: "test", number: 1, sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
  static let second = Migration(
    room: "test", number: 2, sql: "ALTER TABLE things ADD COLUMN size REAL; UPDATE things SET size = 1.5")

  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/store.sqlite" }

  func open(_ migrations: [Migration]) async throws -> Store {
    try await Store(path: path, migrations: migrations, time: VirtualTime())
  }

  func names(_ store: Store) async throws -> [String] {
    try await store.read { database throws(StoreError) in
      try database.rows("SELECT name FROM things ORDER BY id") { $0.text(0) }
    }
  }

  @Test func `what was written is there after opening again`() async throws {
    let store = try await open([Self.first])
    try await store.write { database throws(StoreError) in
      try database.run("INSERT INTO things (name) VALUES (?), (?)", "a", .text("ä\u{0}b"))
    }
    #expect(try await names(try await open([Self.first])) == ["a", "ä\u{0}b"])
  }

  @Test(arguments: Engine.allCases)
  func `the number of a row that is gone is not given again`(engine: Engine) async throws {
    let store = try await Store(engine.place(in: folder), migrations: [Self.first], time: SystemTime())
    let numbers = try await store.write { database throws(StoreError) in
      var numbers: [Int] = []
      for _ in 0..<3 {
        let id = try database.inserted("INSERT INTO things (name) VALUES ('a') RETURNING id")
        numbers.append(try database.neverReused(id, of: "things"))
        try database.run("DELETE FROM things WHERE id = ?", .int(numbers[0]))
      }
      try database.run("DELETE FROM things")
      let id = try database.inserted("INSERT INTO things (name) VALUES ('b') RETURNING id")
      numbers.append(try database.neverReused(id, of: "things"))
      return numbers
    }
    #expect(numbers == [1, 2, 3, 4])
    #expect(try await names(store) == ["b"])
  }

  @Test func `a write that fails half way leaves nothing`() async throws {
    let store = try await open([Self.first])
    await #expect(throws: StoreError.self) {
      try await store.write { database throws(StoreError) in
        try database.run("INSERT INTO things (id, name) VALUES (1, 'a')")
        try database.run("INSERT INTO things (id, name) VALUES (1, 'b')")
      }
    }
    #expect(try await names(store) == [])
    try await store.write { database throws(StoreError) in try database.run("INSERT INTO things (name) VALUES ('c')") }
    #expect(try await names(store) == ["c"])
  }

  @Test func `a query without an end is given up while it has no row yet`() async throws {
    let store = try await open([Self.first])
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let looks = try await store.read { database throws(StoreError) in
      var looks = 0
      let late = { () -> Bool in
        looks += 1
        return looks == 3
      }
      do throws(StoreError) {
        try database.scan(endless, [], isMade: true, isLate: late) { _ in false }
        return 0
      } catch {}
      // The connection is as good as before.
      try database.scan("SELECT count(*) FROM things", []) { _ in false }
      return looks
    }
    #expect(looks == 3)
  }

  @Test func `migrations run once and in order, and keep what is there`() async throws {
    let old = try await open([Self.first])
    try await old.write { database throws(StoreError) in try database.run("INSERT INTO things (name) VALUES ('a')") }
    await old.close()
    for _ in 0..<2 {
      let store = try await open([Self.second, Self.first])
      let sizes = try await store.read { database throws(StoreError) in
        try database.rows("SELECT size FROM things") { $0.double(0) }
      }
      #expect(sizes == [1.5])
    }
  }

  @Test func `a migration that fails changes nothing`() async throws {
    _ = try await open([Self.first])
    let broken = Migration(room: "test", number: 2, sql: "CREATE TABLE others (id INTEGER); NONSENSE")
    await #expect(throws: StoreError.self) { _ = try await open([Self.first, broken]) }
    let store = try await open([Self.first])
    let tables = try await store.read { database throws(StoreError) in
      try database.rows("SELECT name FROM sqlite_schema WHERE name = 'others'") { $0.text(0) }
    }
    #expect(tables == [])
  }

  @Test func `a migration that was changed after it ran is refused`() async throws {
    _ = try await open([Self.first])
    let changed = Migration(room: "test", number: 1, sql: Self.first.sql + " ")
    let error = await #expect(throws: StoreError.self) { _ = try await open([changed]) }
    #expect(error?.code == .migration)
  }

  @Test func `a database of a newer program is refused`() async throws {
    _ = try await open([Self.first, Self.second])
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.first]) }
    #expect(error?.code == .migration)
    #expect(error?.message.contains("newer") == true)
  }

  @Test func `a database with a room that is not known is refused`() async throws {
    await (try open([Self.first, Migration(room: "later", number: 1, sql: "CREATE TABLE later (a)")])).close()
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.first]) }
    #expect(error?.code == .migration && error?.context == "later")
  }

  @Test func `a file that is no database is refused and not touched`() async throws {
    let bytes = [UInt8]("this is no database, but somebody's letter".utf8)
    try folder.write(bytes, to: "store.sqlite")
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.first]) }
    #expect(error?.code == .open)
    #expect(try folder.read("store.sqlite") == bytes)
  }

  @Test func `two backups to the same file at once are not mixed`() async throws {
    let store = try await open([Self.first])
    try await store.write { database throws(StoreError) in try database.run("INSERT INTO things (name) VALUES ('a')") }
    await store.close()
    let (place, target, answers) = (StorePlace.file(path), "\(folder.path)/all.tar", Answers())
    @Sendable func backUp(_ progress: @escaping StoreProgress.Listener) throws(StoreError) {
      _ = try Store.backup(place, migrations: [Self.first], to: target, time: VirtualTime(), progress: progress)
    }
    try backUp { _ in
      do throws(StoreError) {
        try backUp { _ in }
        answers.all.withLock { $0.append(nil) }
      } catch {
        answers.all.withLock { $0.append(error.code) }
      }
    }
    let all = answers.all.withLock { $0 }
    #expect(!all.isEmpty && all.allSatisfy { $0 == .inUse })
    let other = TemporaryFolder()
    let again = "\(other.path)/store.sqlite"
    _ = try Store.restore(from: target, path: again)
    let restored = try await Store(path: again, migrations: [Self.first], time: VirtualTime())
    #expect(try await names(restored) == ["a"])
    // The next one replaces it.
    try backUp { _ in }
  }

  @Test func `a backup is refused whose list of files no restore would read`() throws {
    let digest = String(repeating: "ab", count: 32)
    let body = "blobs/ab/\(digest) 70000 \(digest)\n"
    let manifest = try #require(BackupManifest(body: body[...]))
    let size = manifest.text.utf8.count
    #expect(try manifest.readableText(atMost: size) == manifest.text)
    #expect { _ = try manifest.readableText(atMost: size - 1) } throws: { ($0 as? StoreError)?.code == .archive }
  }

  @Test func `every kind of value comes back as it went in`() async throws {
    let store = try await open([
      Migration(room: "test", number: 1, sql: "CREATE TABLE v (a, b, c, d, e, f)")
    ])
    let row = try await store.write { database throws(StoreError) in
      try database.run(
        "INSERT INTO v VALUES (?, ?, ?, ?, ?, ?)", nil, .int(.min), .double(0.1), "", .blob([0, 255]), .blob([]))
      return try database.first("SELECT * FROM v") { row in
        let isNull = "\(row.isNull(0)) \(row.optionalInt(0) == nil) \(row.isNull(5))"
        return "\(isNull) \(row.int(1)) \(row.double(2)) \(row.text(3)) \(row.blob(4)) \(row.blob(5))"
      }
    }
    #expect(row == "true true false \(Int.min) 0.1  [0, 255] []")
  }

  @Test func `a question that is answered is let go of, also while others wait`() async throws {
    final class Burden: Sendable {}
    let store = try await open([Self.first])
    let end = ThreadSignal()
    func hold() -> Task<Void, any Error> {
      Task {
        try await store.read { _ throws(StoreError) -> Void in
          end.wait(atMost: 120)
        }
      }
    }
    func waiting(_ count: Int) async {
      func isSo() -> Bool {
        let now = store.statistics
        return now.busyReaders == StoreLimits.readers && now.readsWaiting == count
      }
      await yieldUntil(isSo)
      #expect(isSo(), "\(store.statistics)")
    }
    let holders = (0..<StoreLimits.readers).map { _ in hold() }
    await waiting(0)
    var burden: Burden? = Burden()
    weak let seen = burden
    let answered = Task { [burden] in try await store.read { _ throws(StoreError) in withExtendedLifetime(burden) {} } }
    burden = nil
    await waiting(1)
    let others = [hold(), hold()]
    await waiting(3)
    end.post()
    try await answered.value
    await waiting(1)
    await yieldUntil { seen == nil }
    #expect(seen == nil)
    for _ in holders + others { end.post() }
    for holder in holders + others { try await holder.value }
  }
}

/// How each of several attempts has ended: nil for one that was done.
private final class Answers: Sendable {
  let all = Mutex<[StoreError.Code?]>([])
}
