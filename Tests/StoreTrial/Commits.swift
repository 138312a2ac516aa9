import Glibc
import Lifecycle
import Store

/// Callers that write one small row after the other, each when its last one is on the disk.
struct Commits {
  let folder: String
  /// Of a PostgreSQL server; nil for a file.
  var address: String?

  private static let table = Migration(
    room: "trial", number: 1, sql: "CREATE TABLE trial_rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL);")
  private static let insert = "INSERT INTO trial_rows (body) VALUES (?)"
  private static let body = String(repeating: "0123456789", count: 20)

  func run(_ callers: Int, _ seconds: Int) async throws(StoreError) {
    mkdir(folder, 0o700)
    let place: StorePlace =
      if let address { .server(try ServerAddress(address), blobs: "\(folder)/blobs") } else {
        .file("\(folder)/eightbells.sqlite")
      }
    let time = SystemTime()
    let store = try await Store(place, migrations: [Self.table], time: time)
    let start = time.uptime
    let before = store.statistics
    let count = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<callers {
        group.addTask {
          var written = 0
          do throws(StoreError) {
            while time.uptime - start < Double(seconds) {
              try await store.write { database throws(StoreError) in try database.run(Self.insert, .text(Self.body)) }
              written += 1
            }
          } catch {
            Trial.fail(error.description)
          }
          return written
        }
      }
      return await group.reduce(0, +)
    }
    let took = time.uptime - start
    let after = store.statistics
    let rows = try await store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM trial_rows") { $0.int(0) }
    }
    guard let rows, rows >= count else { Trial.fail("\(count) rows were acknowledged, \(rows ?? 0) are there") }
    let commits = max(1, after.commits - before.commits)
    Trial.say("\(Double(count) / took) \(Double(after.writes - before.writes) / Double(commits))")
    await store.close()
  }
}
