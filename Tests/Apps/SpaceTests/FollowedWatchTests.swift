import Client
import EventLoop
import Hub
import Lifecycle
import Observe
import Realtime
import Space
import Store
import Testing
import World

@Suite(.timeLimit(.minutes(1)))
struct FollowedWatchTests {
  let folder = TemporaryFolder()
  let time = VirtualTime()

  @Test func `what only somebody followed who was removed is asked no more`() async throws {
    let loop = EventLoop(time: time)
    loop.runInBackground(name: "test")
    defer { loop.stop() }
    let store = try await Store(
      path: "\(folder.path)/hub.sqlite", migrations: Hub.migrations + SpaceRoom.migrations, time: time)
    try await store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'member', 0)")
      // Refused at once, since it is not on the public Internet: each look is one failure more.
      try database.run("INSERT INTO space_followed (id, url) VALUES (1, 'http://127.0.0.1:9/')")
      try database.run("INSERT INTO space_followed (id, url) VALUES (2, 'http://127.0.0.1:8/')")
      try database.run("INSERT INTO space_followers (followed, person) VALUES (1, 1), (2, NULL)")
    }
    let hub = Hub(
      loop: loop, time: time, log: Log(time: time, sink: { _ in }), store: store, channels: Channels(loops: [loop]),
      client: HTTPClient(loop: loop, userAgent: "test"), dataFolder: folder.path, readableFolders: [])
    let room = try await SpaceRoom(hub)
    loop.execute { room.start() }

    func failures() async throws -> [Int] {
      try await store.read { database throws(StoreError) in
        try database.rows("SELECT failures FROM space_followed ORDER BY id") { $0.int(0) }
      }
    }
    /// Lets so much time pass, over and over, until each space that is known has failed so often, or more.
    func wait(for wanted: [Int], passing seconds: Double) async throws {
      while true {
        let found = try await failures()
        if found.count == wanted.count, zip(found, wanted).allSatisfy(>=) { return }
        time.advance(by: seconds)
        await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
      }
    }
    try await wait(for: [1, 1], passing: 0)
    try await wait(for: [2, 2], passing: 10)
    try await store.write { database throws(StoreError) in try database.run("DELETE FROM people WHERE id = 1") }
    try await wait(for: [3], passing: 10)
    await store.close()
  }
}
