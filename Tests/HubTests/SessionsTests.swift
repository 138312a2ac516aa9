import EventLoop
import Hub
import HubWorld
import Store
import Testing
import World

struct SessionsTests {
  let test: TestHub
  var time: VirtualTime { test.time }

  init() async throws { test = try await TestHub() }

  struct Signed {
    var sessions: Sessions
    var secret: String
    var store: Store
    var loop: EventLoop

    /// The time when the device was last seen, from the store.
    func lastSeen() async throws -> Double {
      try await store.read { database throws(StoreError) in
        try database.first("SELECT last_seen FROM devices") { $0.double(0) } ?? 0
      }
    }
  }

  func signedIn() async throws -> Signed {
    let store = test.store
    let made = try await test.hub.links.recovery(role: .member, name: "Ada").get()
    guard
      case .found(let signIn) = try await test.hub.signIn(
        by: .secret(made.secret), device: "phone", name: nil, replacing: nil)
    else { throw StoreError(.open, "nobody was signed in", context: "test") }
    let loop = EventLoop(time: time)
    let sessions = Sessions(store: store, loop: loop, supervisor: test.hub.supervisor)
    return Signed(sessions: sessions, secret: signIn.secret, store: store, loop: loop)
  }

  @Test func `a session is known by its secret alone`() async throws {
    let signed = try await signedIn()
    #expect(try await signed.sessions.session(of: signed.secret)?.principal.name == "Ada")
    for wrong in ["", "x", signed.secret + "x", String(signed.secret.dropLast()), signed.secret.uppercased()] {
      #expect(try await signed.sessions.session(of: wrong) == nil)
    }
  }

  @Test func `when a device was seen is written at most every ten minutes, and only gathered`() async throws {
    let signed = try await signedIn()
    let begin = time.now
    for _ in 0..<10 {
      time.advance(by: 59)
      _ = try await signed.sessions.session(of: signed.secret)
    }
    let writes = signed.store.statistics.writes
    await signed.sessions.writeNotes()
    #expect(signed.store.statistics.writes == writes, "there was nothing to write")
    time.advance(by: 11)
    let seen = time.now
    for _ in 0..<10 { _ = try await signed.sessions.session(of: signed.secret) }
    #expect(signed.store.statistics.writes == writes, "nobody waits for it")
    #expect(try await signed.lastSeen() == begin)
    await signed.sessions.writeNotes()
    #expect(signed.store.statistics.writes == writes + 1)
    #expect(try await signed.lastSeen() == seen)
  }

  @Test func `a visit while the clock was ahead is not the last one for as long`() async throws {
    let signed = try await signedIn()
    time.setClock(by: 300 * 86_400)
    _ = try await signed.sessions.session(of: signed.secret)
    await signed.sessions.writeNotes()
    time.setClock(by: -300 * 86_400)
    _ = try await signed.sessions.session(of: signed.secret)
    await signed.sessions.writeNotes()
    #expect(try await signed.lastSeen() == time.now)
  }

  @Test func `a sign-in while the clock was years ahead is corrected by the next visit`() async throws {
    let begin = time.now
    time.setClock(by: 3 * 365 * 86_400)
    let signed = try await signedIn()
    time.setClock(to: begin)
    _ = try await signed.sessions.session(of: signed.secret)
    await signed.sessions.writeNotes()
    #expect(try await signed.lastSeen() == begin)
  }

  @Test func `a machine that starts in 1970 signs nobody out once its clock is set`() async throws {
    let signed = try await signedIn()
    let seen = try await signed.lastSeen()
    time.setClock(to: 60)
    #expect(try await signed.sessions.session(of: signed.secret) != nil)
    await signed.sessions.writeNotes()
    // Somebody signs in meanwhile, and so does somebody else once the clock is set.
    let early = try await signedIn()
    time.setClock(to: seen + 3_600)
    let late = try await signedIn()
    for one in [signed, early, late] { #expect(try await one.sessions.session(of: one.secret) != nil) }
    for one in [signed, early] { await one.sessions.writeNotes() }
    time.advance(by: 365 * 86_400)
    for one in [signed, early, late] { #expect(try await one.sessions.session(of: one.secret) == nil) }
  }

  @Test func `a clock that was more than a year behind and is set while the hub runs signs nobody out`() async throws {
    time.setClock(by: 365 * 86_400)
    let signed = try await signedIn()
    time.advance(by: 3_600)
    #expect(try await signed.sessions.session(of: signed.secret) != nil)
    time.setClock(by: 400 * 86_400)
    #expect(try await signed.sessions.session(of: signed.secret) != nil)
    await signed.sessions.writeNotes()
    #expect(try await signed.lastSeen() == time.now)
    time.advance(by: 365 * 86_400)
    #expect(try await signed.sessions.session(of: signed.secret) == nil)
  }

  @Test func `a device that was not seen for a year is signed out`() async throws {
    let signed = try await signedIn()
    time.advance(by: 365 * 86_400 - 1)
    #expect(try await signed.sessions.session(of: signed.secret) != nil)
    await signed.sessions.writeNotes()
    time.advance(by: 365 * 86_400 - 1)
    #expect(try await signed.sessions.session(of: signed.secret) != nil, "it was seen meanwhile")
    time.advance(by: 1)
    #expect(try await signed.sessions.session(of: signed.secret) == nil)
  }
}
