import Crypto
import Hub
import Store
import Testing
import World

struct TokensTests {
  let folder = TemporaryFolder()

  func tokens() async throws -> (Tokens, Store) {
    let path = "\(folder.path)/hub.sqlite"
    let store = try await Store(path: path, migrations: Hub.migrations, time: VirtualTime())
    return (Tokens(store: store, time: VirtualTime()), store)
  }

  @Test func `a token is known by whom it was made for, and by another connection at once`() async throws {
    let (tokens, _) = try await tokens()
    let (others, _) = try await self.tokens()
    let text = try await others.create(name: "door", role: .keykeeper)
    let principal = try await tokens.holder(of: text)?.principal
    #expect(principal?.name == "door")
    #expect(principal?.role == .keykeeper)
    #expect(try await others.create(name: "door", role: .keykeeper) != text)
  }

  @Test func `a new token has not the number of one that was revoked, also by a version before`() async throws {
    let (path, before) = ("\(folder.path)/hub.sqlite", Hub.migrations.filter { ($0.room, $0.number) != ("hub", 13) })
    let older = try await Store(path: path, migrations: before, time: VirtualTime())
    try await older.write { database throws(StoreError) in
      // Of three the last two were revoked.
      try database.run("INSERT INTO tokens (id, name, role, digest, created_at) VALUES (1, 'a', 'reader', x'01', 0)")
      for _ in 0..<2 {
        try database.run("INSERT INTO audit (at, actor, who, what) VALUES (0, 'person', 'Ada', 'token.revoked')")
      }
    }
    await older.close()
    let (tokens, store) = try await tokens()
    var ids: [Int?] = []
    for name in ["b", "c"] {
      let text = try await tokens.create(name: name, role: .reader)
      ids.append(try await tokens.holder(of: text)?.principal.token)
      try await store.write { database throws(StoreError) in
        try database.run("DELETE FROM tokens WHERE name = ?", .text(name))
      }
    }
    #expect(ids == [4, 5])
  }

  @Test func `a token is not kept, only its digest`() async throws {
    let (tokens, store) = try await tokens()
    let text = try await tokens.create(name: "door", role: .owner)
    let kept = try await store.read { database throws(StoreError) in
      try database.rows("SELECT name || role || hex(digest) FROM tokens") { $0.text(0) }
    }
    #expect(kept == ["doorowner" + Digest.hex(Digest.sha256(text.utf8)).uppercased()])
  }

  @Test(arguments: ["", "eb_", "eb_unknown", "something else"])
  func `what is no token belongs to nobody`(text: String) async throws {
    let (tokens, _) = try await tokens()
    _ = try await tokens.create(name: "door", role: .owner)
    #expect(try await tokens.holder(of: text)?.principal == nil)
  }
}
