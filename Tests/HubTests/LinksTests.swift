import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

struct LinksTests {
  let test: TestHub
  var time: VirtualTime { test.time }

  init() async throws { test = try await TestHub() }

  func links() async throws -> (Links, Store) { (test.hub.links, test.store) }

  func made(_ links: Links, role: Role = .member, name: String? = "Ada") async throws -> Links.Made {
    try await links.recovery(role: role, name: name).get()
  }

  func isGood(_ links: Links, _ key: Links.Key) async throws -> Bool {
    if case .found = try await links.look(key) { true } else { false }
  }

  func use(_ links: Links, _ key: Links.Key, old: String? = nil) async throws -> Links.SignIn? {
    if case .found(let signIn) = try await test.hub.signIn(by: key, device: "phone", name: nil, replacing: old) {
      signIn
    } else {
      nil
    }
  }

  @Test func `a link and its code are good for ten minutes`() async throws {
    let (links, _) = try await links()
    let made = try await made(links)
    time.advance(by: 599)
    #expect(try await isGood(links, .secret(made.secret)))
    #expect(try await isGood(links, .code(made.code)))
    time.advance(by: 1)
    #expect(try await !isGood(links, .code(made.code)))
    #expect(try await use(links, .code(made.code)) == nil)
    #expect(try await use(links, .secret(made.secret)) == nil)
    guard case .ended(let at) = try await links.look(.secret(made.secret)) else {
      Issue.record("whoever comes late is told so")
      return
    }
    #expect(at == made.expiresAt)
  }

  @Test func `a link that was used says when, to whoever has it`() async throws {
    let (links, _) = try await links()
    let made = try await made(links)
    time.advance(by: 60)
    let usedAt = time.now
    #expect(try await use(links, .secret(made.secret)) != nil)
    time.advance(by: 60)
    guard case .used(let at) = try await links.look(.secret(made.secret)) else {
      Issue.record("it was used")
      return
    }
    #expect(at == usedAt)
    guard case .none = try await links.look(.code(made.code)) else {
      Issue.record("of a code nothing is told, since it could be guessed")
      return
    }
  }

  @Test func `the set-up's link is there until there is an owner, and only the last one counts`() async throws {
    let (links, _) = try await links()
    let first = try #require(try await links.setup())
    let second = try #require(try await links.setup())
    #expect(try await use(links, .secret(first.secret)) == nil)
    let signIn = try #require(try await use(links, .secret(second.secret)))
    #expect(signIn.principal.role == .owner)
    #expect(signIn.principal.name == "Owner", "nobody said how to call them")
    #expect(try await links.setup() == nil)
  }

  @Test func `a code has eight letters none of which looks like another`() async throws {
    let (links, _) = try await links()
    var seen: Set<Character> = []
    for _ in 0..<100 {
      let code = try await made(links).code
      #expect(code.count == 9 && Array(code)[4] == "-")
      seen.formUnion(code)
    }
    #expect(seen.isDisjoint(with: "01ILOU"))
    #expect(seen.count == 31, "with the dash, all of them occur")
  }

  @Test func `a token that is limited to topics is no owner`() async throws {
    let (links, _) = try await links()
    _ = try await test.hub.tokens.create(name: "door", role: .owner, topics: ["door"])
    #expect(try await !links.hasOwner())
    _ = try await test.hub.tokens.create(name: "me", role: .owner)
    #expect(try await links.hasOwner())
  }

  @Test func `a link ends with a letter or digit, which no chat leaves out of it`() {
    for _ in 0..<500 {
      let secret = LinkSecrets().secret
      #expect(secret.utf8.count == 32 && !"-_".contains(secret.last ?? "-"))
    }
  }

  @Test func `of several owners the command has to name one`() async throws {
    let (links, _) = try await links()
    for name in ["Ada", "Bo"] {
      _ = try #require(try await use(links, .secret(try await made(links, role: .owner, name: name).secret)))
    }
    guard case .failure(.severalOwners(["Ada", "Bo"])) = try await links.recovery(role: .owner, name: nil) else {
      Issue.record("it does not choose")
      return
    }
    let signIn = try #require(
      try await use(links, .secret(try await made(links, role: .owner, name: "Bo").secret)))
    #expect(signIn.principal.name == "Bo")
  }

  @Test func `of two owners with one name the command lets each in by person and its number`() async throws {
    let (links, _) = try await links()
    var ids: [Int] = []
    for name in ["Ada", "Bo"] {
      let signIn = try #require(
        try await use(links, .secret(try await made(links, role: .owner, name: name).secret)))
      ids.append(try #require(signIn.principal.person))
    }
    let token = try await test.hub.tokens.create(name: "one", role: .owner)
    _ = try await test.ask(.patch, "/api/v1/people/\(ids[1])", token: token, ["name": "Ada"])
    guard case .failure(.severalOfName) = try await links.recovery(role: .owner, name: "Ada"),
      case .failure(.severalOwners(let names)) = try await links.recovery(role: .owner, name: nil)
    else {
      Issue.record("it does not choose")
      return
    }
    #expect(names == ids.map { "person:\($0)" })
    let signIn = try #require(
      try await use(links, .secret(try await made(links, role: .owner, name: "person:\(ids[1])").secret)))
    #expect(signIn.principal.person == ids[1] && signIn.principal.name == "Ada")
    guard case .failure(.nobody) = try await links.recovery(role: .owner, name: "person:99") else {
      Issue.record("nobody is invited by a key that is nobody's")
      return
    }
  }

  @Test func `a token may have as many links open as anybody, whatever others have`() async throws {
    let tokens = test.hub.tokens
    let (first, other) = (
      try await tokens.create(name: "one", role: .owner), try await tokens.create(name: "another", role: .owner)
    )
    let wish: JSON = ["role": "member"]
    for _ in 0..<100 { _ = try await test.ask(.post, "/api/v1/links", token: first, wish) }
    let error = await #expect(throws: HTTPError.self) {
      try await test.ask(.post, "/api/v1/links", token: first, wish)
    }
    #expect(error?.code == .tooMany)
    _ = try await test.ask(.post, "/api/v1/links", token: other, wish)
  }

  @Test func `what nobody can know any more is forgotten by those who come`() async throws {
    let (links, store) = try await links()
    _ = try await use(links, .secret(try await made(links, name: "Ada").secret))
    time.advance(by: 366 * 86_400)
    _ = try await use(links, .secret(try await made(links, name: "Bo").secret))
    let counts = try await store.read { database throws(StoreError) in
      try ["links", "devices", "audit", "people"].map { table throws(StoreError) in
        try database.first("SELECT count(*) FROM \(table)") { $0.int(0) }
      }
    }
    // Ada remains, without a device; of Bo the link, the device, and three entries.
    #expect(counts == [1, 1, 3, 2])
  }
}
