import Glibc
import Lifecycle
import Store
import Synchronization
import Testing
import World

/// What is particular to a store on a PostgreSQL server.
struct ServerTests {
  static let things = Migration(
    room: "test", number: 1,
    sql: """
      -- All types; a comment; with a semicolon.
      CREATE TABLE things (
        id INTEGER PRIMARY KEY, name TEXT, size REAL, bytes BLOB, flag INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE pairs (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)) \(Database.inKeyOrder);
      """)

  let folder = TemporaryFolder()
  let address = PostgresServer.database()

  func open(_ migrations: [Migration] = [Self.things], access: Store.Access = .owner) async throws -> Store {
    try await Store(
      .server(ServerAddress(address), blobs: "\(folder.path)/blobs"), migrations: migrations, time: SystemTime(),
      access: access)
  }

  /// The database's name, behind the last slash before the options.
  var name: String { String(address.prefix { $0 != "?" }.split(separator: "/").last!) }

  /// Ends all connections to the database, as a server does that goes down, and returns when all have ended.
  func putOut() {
    PostgresServer.ask("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(name)'")
  }

  func names(_ store: Store) async throws -> [String] {
    try await store.read { database throws(StoreError) in
      try database.rows("SELECT name FROM things ORDER BY id") { $0.text(0) }
    }
  }

  /// Asked on the connection for lookups.
  func count(_ store: Store) async throws -> Int? {
    try await store.look { database throws(StoreError) in
      try database.first("SELECT count(*) FROM things") { $0.int(0) }
    }
  }

  func add(_ name: String, to store: Store) async throws {
    try await store.write { database throws(StoreError) in
      try database.run("INSERT INTO things (name) VALUES (?)", .text(name))
    }
  }

  @Test func `values come back as they went in`() async throws {
    let store = try await open()
    let doubles = [0, -1.5, 0.1, 1e-300, 1.7976931348623157e308, 1_795_196_400.123456]
    let texts = ["", "ä €", "a'b\"c\\d?$1", String(repeating: "x", count: 100_000)]
    let blobs: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 7, count: 100_000)]
    let ints = [0, 1, -1, .max, .min]
    try await store.write { database throws(StoreError) in
      for value in doubles { try database.run("INSERT INTO things (size) VALUES (?)", .double(value)) }
      for value in texts { try database.run("INSERT INTO things (name) VALUES (?)", .text(value)) }
      for value in blobs { try database.run("INSERT INTO things (bytes) VALUES (?)", .blob(value)) }
      for value in ints { try database.run("INSERT INTO pairs (a, b) VALUES ('a', ?)", .int(value)) }
    }
    let found = try await store.read { database throws(StoreError) in
      (
        try database.rows("SELECT size FROM things WHERE size IS NOT NULL ORDER BY id") { $0.double(0) },
        try database.rows("SELECT name FROM things WHERE name IS NOT NULL ORDER BY id") { row in
          (row.text(0), row.byteCount(0))
        },
        try database.rows("SELECT bytes FROM things WHERE bytes IS NOT NULL ORDER BY id") { row in
          (row.blob(0), row.byteCount(0))
        },
        try database.rows("SELECT b FROM pairs ORDER BY b") { $0.int(0) },
        try database.first(
          "SELECT name IS NULL, SUM(id), \(Database.bytes(of: "'ä'")) FROM things WHERE id = 1 GROUP BY name"
        ) { row in
          (row.bool(0), row.int(1), row.int(2), row.isNull(0))
        }
      )
    }
    #expect(found.0 == doubles)
    #expect(found.1.map(\.0) == texts && found.1.map(\.1) == texts.map(\.utf8.count))
    #expect(found.2.map(\.0) == blobs && found.2.map(\.1) == blobs.map(\.count))
    #expect(found.3 == ints.sorted())
    #expect(try #require(found.4) == (true, 1, 2, false))
  }

  @Test func `a text with a zero byte is refused, and the rest of its batch is kept`() async throws {
    let store = try await open()
    await #expect { try await add("a\u{0}b", to: store) } throws: { ($0 as? StoreError)?.code == .unacceptable }
    try await add("c", to: store)
    #expect(try await names(store) == ["c"])
  }

  @Test func `texts are in the order of their bytes`() async throws {
    let store = try await open()
    for name in ["b", "a", "B", "ä", "_"] { try await add(name, to: store) }
    let sorted = try await store.read { database throws(StoreError) in
      try database.rows("SELECT name FROM things ORDER BY name") { $0.text(0) }
    }
    #expect(sorted == ["B", "_", "a", "b", "ä"])
  }

  @Test func `a long result comes in pieces, and its reader may end it`() async throws {
    let store = try await open()
    try await store.write { database throws(StoreError) in
      for number in 1...1_000 { try database.run("INSERT INTO pairs (a, b) VALUES ('a', ?)", .int(number)) }
    }
    for wanted in [1, 256, 257, 1_000, 2_000] {
      let read = try await store.read { database throws(StoreError) in
        var read: [Int] = []
        try database.scan("SELECT b FROM pairs WHERE a = ? ORDER BY b", ["a"], isMade: true) { row in
          read.append(row.int(0))
          return read.count == wanted
        }
        return read
      }
      #expect(read == Array(1...min(wanted, 1_000)))
    }
  }

  @Test func `a query that is late is given up, and the connection is as good as before`() async throws {
    let store = try await open()
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    await #expect(throws: StoreError.self) {
      try await store.read { database throws(StoreError) in
        var looks = 0
        let late = { () -> Bool in
          looks += 1
          return looks >= 3
        }
        try database.scan(endless, [], isMade: true, isLate: late) { _ in false }
      }
    }
    #expect(try await names(store) == [])
  }

  @Test func `a query whose time ends just when it was answered fails, and finds no part`() async throws {
    let store = try await open()
    let pause = Pause()
    await #expect {
      try await store.read { database throws(StoreError) in
        try database.run("SET LOCAL statement_timeout = '2s'")
        // More than the line takes: while we pause the server sends, with its time running out, and ends the statement.
        let sql = "SELECT repeat('x', 10000) FROM generate_series(1, 1000)"
        let late = { () -> Bool in
          pause.take()
          return false
        }
        try database.scan(sql, [], isMade: true, isLate: late) { _ in false }
      }
    } throws: {
      ($0 as? StoreError)?.code == .server("57014")
    }
    #expect(pause.isTaken)
    // On the same connection.
    #expect(try await names(store) == [])
  }

  @Test(arguments: [
    ("statement_timeout = '9s'", "statement_timeout", "0"), ("lock_timeout = '9s'", "lock_timeout", "0"),
    ("client_encoding = 'LATIN1'", "client_encoding", "UTF8"),
    ("default_transaction_isolation = 'serializable'", "transaction_isolation", "read committed"),
  ])
  func `a server's own defaults do not count for a hub's changes`(
    _ theirs: String, _ setting: String, _ expected: String
  ) async throws {
    PostgresServer.ask("ALTER DATABASE \(name) SET \(theirs)")
    let store = try await open()
    let told = try await store.write { database throws(StoreError) in
      try database.first("SELECT current_setting(?)", .text(setting)) { $0.text(0) }
    }
    #expect(told == expected)
  }

  @Test func `a connection that several clients use is told as such`() async throws {
    let store = try await open()
    await #expect {
      try await store.read { database throws(StoreError) in
        // The last one is as on another connection, which does not know what was prepared on this one.
        for sql in ["SELECT 1", "DEALLOCATE ALL", "SELECT 1"] { try database.run(sql) }
        _ = try database.first("SELECT 2") { $0.int(0) }
      }
    } throws: { ($0 as? StoreError)?.message.contains("pool_mode") == true }
  }

  @Test func `a connection that is lost is made again, for writing and for reading`() async throws {
    let store = try await open()
    try await add("before", to: store)
    #expect(try await names(store) == ["before"])
    #expect(try await count(store) == 1)
    putOut()
    // Nobody is refused for it: nothing was asked yet.
    #expect(try await names(store) == ["before"])
    #expect(try await count(store) == 1)
    try await add("after", to: store)
    #expect(try await names(store) == ["before", "after"])
  }

  @Test func `readers that the server does not let in leave the work to those that are there`() async throws {
    let store = try await open()
    try await add("there", to: store)
    #expect(try await names(store) == ["there"])
    PostgresServer.ask("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<50 { group.addTask { try await names(store) } }
      for try await found in group { #expect(found == ["there"]) }
    }
    for _ in 0..<5 { #expect(try await names(store) == ["there"]) }
  }

  @Test func `a server that takes no changes is told as such, and takes them again`() async throws {
    let (store, server) = (try await open(), try ServerAddress(address))
    PostgresServer.ask("ALTER DATABASE \(name) SET default_transaction_read_only = on")
    putOut()
    await #expect { try await add("refused", to: store) } throws: { ($0 as? StoreError)?.isOfPlace == true }
    #expect(try await names(store) == [])
    #expect(try !Store.condition(of: server, time: SystemTime()).takesChanges)
    PostgresServer.ask("ALTER DATABASE \(name) RESET default_transaction_read_only")
    putOut()
    try await add("taken", to: store)
    #expect(try await names(store) == ["taken"])
    #expect(try Store.condition(of: server, time: SystemTime()).takesChanges)
  }

  @Test func `a lost server is told, and found again`() async throws {
    let store = try await open()
    try await add("before", to: store)
    PostgresServer.ask("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
    putOut()
    await #expect { try await add("lost", to: store) } throws: { ($0 as? StoreError)?.code == .unavailable }
    PostgresServer.ask("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
    try await add("after", to: store)
    #expect(try await names(store) == ["before", "after"])
  }

  @Test func `a connection that is lost in the middle of a commit is made again for the next write`() async throws {
    let store = try await open()
    // The server ends the connection when the change is to be committed.
    PostgresServer.ask(
      """
      CREATE FUNCTION put_out() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER put_out AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION put_out()
      """, in: address)
    await #expect {
      try await store.write { database throws(StoreError) in
        _ = try database.inserted("INSERT INTO things (name) VALUES ('lost') RETURNING id")
      }
    } throws: {
      ($0 as? StoreError)?.code == .unavailable
    }
    PostgresServer.ask("DROP TRIGGER put_out ON things", in: address)
    try await add("after", to: store)
    #expect(try await names(store) == ["after"])
  }

  @Test func `a backup may take its time between two queries`() async throws {
    let store = try await open()
    try await add("kept", to: store)
    let place = StorePlace.server(try ServerAddress(address), blobs: "\(folder.path)/blobs")
    let pause = Pause()
    let made = try Store.backup(
      place, migrations: [Self.things], to: "\(folder.path)/all.tar", time: SystemTime(),
      progress: { if $0.step == "comparing records" { pause.take() } })
    #expect(made.damage.isEmpty && pause.isTaken)
  }

  @Test func `a move may take its time between two queries`() async throws {
    let path = "\(folder.path)/store.sqlite"
    let store = try await Store(path: path, migrations: [Self.things], time: SystemTime())
    let upload = store.blobs.upload(limit: 100)
    try await upload.append([1, 2, 3])
    let blob = try await upload.finish()
    try await store.write { database throws(StoreError) in
      try database.name(blob, as: BlobName(room: "test", "a"))
    }
    await store.close()
    let place = StorePlace.server(try ServerAddress(address), blobs: "\(folder.path)/blobs")
    let pause = Pause()
    let made = try Store.move(
      from: .file(path), to: place, name: "there", migrations: [Self.things], time: SystemTime()
    ) { if $0.step == "checking blobs" { pause.take() } }
    #expect(made.damage.isEmpty && made.blobs == 1 && pause.isTaken)
  }

  @Test(arguments: [true, false])
  func `numbers of rows that are gone are not given again after a move`(_ isMoved: Bool) async throws {
    let file = StorePlace.file("\(folder.path)/store.sqlite")
    let server = StorePlace.server(try ServerAddress(address), blobs: "\(folder.path)/blobs")
    /// Adds a row, and removes it again before the move or after it.
    func number(at place: StorePlace) async throws -> Int {
      let store = try await Store(place, migrations: [Self.things], time: SystemTime())
      let number = try await store.write { database throws(StoreError) in
        if isMoved { try database.run("DELETE FROM things") }
        let id = try database.inserted("INSERT INTO things (name) VALUES ('a') RETURNING id")
        let number = try database.neverReused(id, of: "things")
        if !isMoved { try database.run("DELETE FROM things") }
        return number
      }
      await store.close()
      return number
    }
    var numbers = [try await number(at: file)]
    _ = try Store.move(from: file, to: server, name: "there", migrations: [Self.things], time: SystemTime())
    numbers.append(try await number(at: server))
    try Store.setAside("\(folder.path)/store.sqlite")
    _ = try Store.move(from: server, to: file, name: "back", migrations: [Self.things], time: SystemTime())
    numbers.append(try await number(at: file))
    #expect(numbers == [1, 2, 3])
  }

  @Test func `two stores on one server write one after the other`() async throws {
    let (one, other) = (try await open(), try await open(access: .guest))
    try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          try await (number % 2 == 0 ? one : other).write { database throws(StoreError) in
            // Without an order of the writes, two would see the same number.
            let next = try database.first("SELECT coalesce(max(b), 0) + 1 FROM pairs") { $0.int(0) } ?? 1
            try database.run("INSERT INTO pairs (a, b) VALUES ('n', ?)", .int(next))
          }
        }
      }
      try await group.waitForAll()
    }
    let numbers = try await one.read { database throws(StoreError) in
      try database.rows("SELECT b FROM pairs ORDER BY b") { $0.int(0) }
    }
    #expect(numbers == Array(1...200))
  }

  @Test func `who stands still between statements that are sent ahead is put out, and does it again`() async throws {
    let (one, other) = (try await open(), try await open(access: .guest))
    let (entered, entering) = AsyncStream<Void>.makeStream()
    let release = ThreadSignal()
    let began = SystemTime().uptime
    let stalled = Task {
      try await one.write { database throws(StoreError) in
        // So many leave at once, and nobody asks for answers.
        for number in 1...8 { try database.run("INSERT INTO pairs (a, b) VALUES ('n', ?)", .int(number)) }
        entering.finish()
        #expect(release.wait(atMost: 30))
      }
    }
    for await _ in entered {}
    let waiting = Task { try await add("after", to: other) }
    var ended = 0
    while ended == 0, SystemTime().uptime - began < 20 { ended = try await other.endStalled() }
    #expect(ended == 1)
    #expect(SystemTime().uptime - began > 2, "who is only slow is left alone")
    try await waiting.value
    #expect(try await names(other) == ["after"])
    // It comes there twice.
    for _ in 0..<2 { release.post() }
    try await stalled.value
    let numbers = try await one.read { database throws(StoreError) in
      try database.rows("SELECT b FROM pairs ORDER BY b") { $0.int(0) }
    }
    #expect(numbers == Array(1...8))
  }

  @Test func `a hub that cleans up the folder of blobs has it alone until then`() async throws {
    _ = try Store.migrate(
      server: ServerAddress(address), migrations: [Self.things], time: SystemTime(), isTrial: false,
      running: { _ in [] })
    let guest = try await open(access: .guest)
    let (locked, locking) = AsyncStream<Void>.makeStream()
    let release = ThreadSignal()
    let holding = Task {
      try await guest.read { database throws(StoreError) in
        try database.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        // A start looks through this table when it cleans up.
        try database.run("LOCK TABLE blob_parts IN ACCESS EXCLUSIVE MODE")
        _ = try database.first("SELECT 1") { $0.int(0) }
        locking.finish()
        #expect(release.wait(atMost: 20))
      }
    }
    for await _ in locked {}
    let starting = Task { try await open() }
    var isCleaning = false
    for _ in 0..<2_000 where !isCleaning {
      isCleaning = try await guest.read { database throws(StoreError) in
        try database.first(
          "SELECT 1 FROM pg_locks WHERE relation = CAST('blob_parts' AS regclass) AND NOT granted"
        ) { _ in true } ?? false
      }
    }
    #expect(isCleaning)
    let users = Glibc.open("\(folder.path)/blobs/users", O_RDWR)
    defer { close(users) }
    #expect(flock(users, LOCK_SH | LOCK_NB) == -1, "another one could begin uploads there")
    release.post()
    try await holding.value
    _ = try await starting.value
    #expect(flock(users, LOCK_SH | LOCK_NB) == 0)
  }

  @Test func `a lock that a program keeps is not given to another one until it ends`() async throws {
    let (one, other) = (try await open(), try await open())
    func takes(_ store: Store, untilEnd: Bool) async throws -> Bool {
      try await store.write { database throws(StoreError) in
        try database.takeLock((85 << 32) + 1, untilEnd: untilEnd)
      }
    }
    #expect(try await takes(one, untilEnd: false))
    #expect(try await takes(other, untilEnd: true), "the one had it for its transaction")
    #expect(try await !takes(one, untilEnd: false))
    #expect(try await !takes(one, untilEnd: true))
    #expect(try await takes(other, untilEnd: false))
    await other.close()
    var isTaken = false
    for _ in 0..<2_000 where !isTaken { isTaken = try await takes(one, untilEnd: true) }
    #expect(isTaken)
  }

  @Test func `migrations run once and in order, and one that loses rows is refused`() async throws {
    let store = try await open()
    try await add("kept", to: store)
    let grown = Migration(
      room: "test", number: 2, sql: "ALTER TABLE things ADD COLUMN age INTEGER; UPDATE things SET age = 7")
    await #expect { try await open([Self.things, grown], access: .guest) } throws: { error in
      (error as? StoreError)?.code == .outdated
    }
    _ = try await open([Self.things, grown])
    let losing = Migration(room: "test", number: 3, sql: "DELETE FROM things")
    await #expect { try await open([Self.things, grown, losing]) } throws: { ($0 as? StoreError)?.code == .migration }
    let broken = Migration(room: "test", number: 3, sql: "CREATE TABLE others (id INTEGER); NONSENSE")
    await #expect(throws: StoreError.self) { try await open([Self.things, grown, broken]) }
    #expect(try await names(try await open([Self.things, grown])) == ["kept"])
    await #expect { try await open() } throws: { ($0 as? StoreError)?.code == .migration }
  }

  @Test func `a JSON text's member is compared as what it is compared with`() async throws {
    let store = try await open()
    for text in [#"{"a": {"null": 2}}"#, #"{"a": {"null": "2"}}"#, #"{"a": {"null": true}}"#, "{}"] {
      try await add(text, to: store)
    }
    let member = Database.member("name", ["a", "null"])
    func found(_ value: Value) async throws -> [Int] {
      try await store.read { database throws(StoreError) in
        var ids: [Int] = []
        try database.scan("SELECT id FROM things WHERE \(member) = ? ORDER BY id", [value], isMade: true) { row in
          ids.append(row.int(0))
          return false
        }
        return ids
      }
    }
    #expect(try await found(2) == [1])
    #expect(try await found(2.0) == [1])
    #expect(try await found("2") == [2])
    #expect(try await found(1) == [3])
  }

  @Test(arguments: [
    ("mysql://host/name", "not one of PostgreSQL"), ("postgres://host/%zz", "cannot be read"),
    ("postgres://host/name?colour=red", "cannot be read"),
    ("host=127.0.0.1 user=club password=secret dbname=club", "not one of PostgreSQL"),
    ("password=secret host=a:1 options=b://c", "not one of PostgreSQL"),
  ])
  func `an address that is none is refused with the reason, without its password`(_ text: String, _ reason: String) {
    #expect {
      try ServerAddress(text)
    } throws: {
      ($0 as? StoreError)?.message.contains(reason) == true && !"\($0)".contains("secret")
    }
  }

  @Test func `an address is shown without its password`() throws {
    let address = try ServerAddress("postgres://ada:secret@db.example:5433/club?passfile=/x")
    #expect(address.shown == "postgres://ada@db.example:5433/club")
    #expect(address.hasPassword)
    #expect(try ServerAddress("postgres://a:1,b:2/club").shown == "postgres://a:1,b:2/club", "each host has its port")
    #expect(try ServerAddress("postgres://a,b/club?port=7").shown == "postgres://a:7,b:7/club")
    #expect(try ServerAddress("postgres://a,b/club").shown == "postgres://a,b/club")
    #expect(try !ServerAddress("postgres://ada@db.example/club").hasPassword)
  }
}

/// A pause in the middle of a transaction, longer than one that changes something may stand still.
private final class Pause: Sendable {
  private let state = Mutex(false)
  var isTaken: Bool { state.withLock { $0 } }

  /// Pauses at the first call.
  func take() {
    let isFirst = state.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    if isFirst { PostgresServer.ask("SELECT pg_sleep(3.5)") }
  }
}
