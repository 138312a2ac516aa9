import Lifecycle
import Store
import Testing
import World

extension ServerTests {
  @Test func `rows that refer to later ones of their table are moved`() async throws {
    let chain = Migration(
      room: "test", number: 1,
      sql: "CREATE TABLE chain (id INTEGER PRIMARY KEY, behind INTEGER REFERENCES chain (id) ON DELETE SET NULL)")
    let path = "\(folder.path)/store.sqlite"
    let store = try await Store(path: path, migrations: [chain], time: SystemTime())
    try await store.write { database throws(StoreError) in
      for id in 1...3 { try database.run("INSERT INTO chain (id) VALUES (?)", .int(id)) }
      try database.run("UPDATE chain SET behind = 4 - id WHERE id <> 2")
    }
    await store.close()
    let place = StorePlace.server(try ServerAddress(address), blobs: "\(folder.path)/blobs")
    _ = try Store.move(from: .file(path), to: place, name: "there", migrations: [chain], time: SystemTime())
    let behind = try await open([chain]).read { database throws(StoreError) in
      try database.rows("SELECT behind FROM chain ORDER BY id") { $0.optionalInt(0) }
    }
    #expect(behind == [3, nil, 1])
  }

  @Test func `a long read may take its time between two queries`() async throws {
    let store = try await open()
    try await add("kept", to: store)
    let found = try await store.read { database throws(StoreError) in
      try database.inLongReading { () throws(StoreError) -> [String] in
        let read = { (row: Row) in row.text(0) }
        let before = try database.rows("SELECT name FROM things", read: read)
        PostgresServer.ask("SELECT pg_sleep(3.5)")
        return try before + database.rows("SELECT name FROM things", read: read)
      }
    }
    #expect(found == ["kept", "kept"])
  }
}
