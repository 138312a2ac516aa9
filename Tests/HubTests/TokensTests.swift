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
    let principal = try await tokens.principal(of: text)
    #expect(principal?.name == "door")
    #expect(principal?.role == .keykeeper)
    #expect(try await others.create(name: "door", role: .keykeeper) != text)
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
    #expect(try await tokens.principal(of: text) == nil)
  }
}
