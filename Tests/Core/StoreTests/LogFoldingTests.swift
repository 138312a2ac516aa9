import Glibc
import Lifecycle
import Store
import Testing
import World

/// The write-ahead log is copied into the file beside the writer, and does not grow without end.
struct LogFoldingTests {
  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/store.sqlite" }

  @Test(arguments: [
    (StoreLimits.logPages - 1, 0, false, LogFolding.Step.nothing), (StoreLimits.logPages, 0, false, .beside),
    (StoreLimits.logPages, 0, true, .nothing), (StoreLimits.mostLogPages, 0, true, .now),
    (StoreLimits.logPages + 1_000, StoreLimits.logPages + 1_000 - StoreLimits.restPages, false, .now),
    (StoreLimits.logPages + 1_000, StoreLimits.logPages + 999 - StoreLimits.restPages, false, .beside),
  ])
  func `the writer copies only a short rest, or a log that is far too long`(
    pages: Int, folded: Int, isRunning: Bool, step: LogFolding.Step
  ) {
    #expect(LogFolding.step(pages: pages, folded: folded, isRunning: isRunning) == step)
  }

  @Test func `a log that is written without a pause begins anew, and nothing is lost`() async throws {
    let table = Migration(room: "test", number: 1, sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, body BLOB)")
    let store = try await Store(path: path, migrations: [table], time: SystemTime())
    let body = [UInt8](repeating: 7, count: 1_000_000)
    // 200 MB: each commit has some 250 pages.
    for number in 1...200 {
      try await store.write { database throws(StoreError) in
        try database.run("INSERT INTO things (id, body) VALUES (?, ?)", .int(number), .blob(body))
      }
    }
    var log = stat()
    #expect(stat("\(path)-wal", &log) == 0)
    // It has begun anew at least once, although SQLite's own copying is off: on a slow disk not before `mostLogPages`,
    // 131 MB, and some commits later if a pass is under way just then.
    #expect(log.st_size < 160_000_000)
    let found = try await store.read { database throws(StoreError) in
      try database.first("SELECT count(*), sum(length(body)) FROM things") { ($0.int(0), $0.int(1)) }
    }
    #expect(found?.0 == 200 && found?.1 == 200_000_000)
    await store.close()
    #expect(stat("\(path)-wal", &log) != 0)
  }

  @Test func `the file of a log that had to grow becomes smaller again`() async throws {
    let table = Migration(room: "test", number: 1, sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, body BLOB)")
    let store = try await Store(path: path, migrations: [table], time: SystemTime())
    let body = [UInt8](repeating: 7, count: 1_000_000)
    try await store.write { database throws(StoreError) in
      for _ in 1...48 { try database.run("INSERT INTO things (body) VALUES (?)", .blob(body)) }
    }
    var log = stat()
    #expect(stat("\(path)-wal", &log) == 0)
    #expect(log.st_size > 48_000_000)
    // The log begins anew with a commit after the pass of another thread.
    for _ in 1...20_000 where log.st_size > 32 << 20 {
      try await store.write { database throws(StoreError) in
        try database.run("INSERT INTO things (body) VALUES (?)", .blob([]))
      }
      #expect(stat("\(path)-wal", &log) == 0)
    }
    #expect(log.st_size <= 32 << 20)
    await store.close()
  }
}
