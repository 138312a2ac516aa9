import LeakTesting
import Testing

final class Player<Kind> {
  var session: Session<Kind>?
}
final class Session<Kind> {
  var player: Player<Kind>?
}
/// An object handed from a test to its body; they use it one after the other.
final class Shelf<Kind>: @unchecked Sendable {
  var session: Session<Kind>?
}
/// Objects that nothing refers to and that can be released all the same: no inverted address looks like a reference.
final class Inverted: @unchecked Sendable {
  private var words: [UInt] = []
  func keep(_ player: Unmanaged<Player<Lost>>) { words.append(~UInt(bitPattern: player.toOpaque())) }
  func release() {
    for pointer in words.compactMap({ UnsafeRawPointer(bitPattern: ~$0) }) {
      Unmanaged<Player<Lost>>.fromOpaque(pointer).release()
    }
  }
}
actor Band {
  var player: Player<Closed>?
  func play(_ count: Int) { for _ in 0..<count { LeakTestingTests.play(Closed.self, thenClose: true) } }
  func keep() { player = Player() }
  var isPlaying: Bool { player != nil }
}
enum Closed {}
enum Lost {}
enum Kept {}

/// Other tests run in the same process, so only objects of this module count. These tests run in parallel.
struct LeakTestingTests {
  private static let module: Set = ["LeakTestingTests"]
  private static let times = 2

  static func play<Kind>(_ kind: Kind.Type, thenClose: Bool) {
    let (session, player) = (Session<Kind>(), Player<Kind>())
    (session.player, player.session) = (player, session)
    if thenClose { session.player = nil }
  }
  private static func play<Kind>(_ kind: Kind.Type, thenClose: Bool, rings: Int) {
    for _ in 0..<rings { play(kind, thenClose: thenClose) }
  }
  private static func later<Kind>(_ kind: Kind.Type, thenClose: Bool) async {
    await Task.yield()
    play(kind, thenClose: thenClose)
    await Task.detached { play(kind, thenClose: thenClose) }.value
    async let one: Void = play(kind, thenClose: thenClose)
    await one
    await MainActor.run { play(kind, thenClose: thenClose) }
    try? await Task.sleep(for: .milliseconds(1))
  }

  private static func expectLost(_ rings: Int, in body: @escaping @Sendable () async throws -> Void) async throws {
    let found = try await leaks(of: module, in: body)
    #expect(found.map(\.kind) == ["retain cycle"] && found.first?.objects == 2 * rings, "\(found)")
    #expect(found.first?.types == ["Player", "Session"].map { "LeakTestingTests.\($0)<LeakTestingTests.Lost>" })
  }

  /// Bodies that leak and bodies that do not alternate, so that a leak of one could be found in the next.
  @Test(arguments: 0..<times) func `no leak is missed and none is told of another body`(_: Int) async throws {
    try await expectNoLeaks(of: Self.module) { Self.play(Closed.self, thenClose: true) }
    try await Self.expectLost(1) { Self.play(Lost.self, thenClose: false) }
    try await expectNoLeaks(of: Self.module) { await Self.later(Closed.self, thenClose: true) }
    try await Self.expectLost(4) { await Self.later(Lost.self, thenClose: false) }
  }

  /// Some of the many reuse addresses that stale words still have.
  @Test(arguments: [500]) func `of many rings none is missed`(_ rings: Int) async throws {
    try await expectNoLeaks(of: Self.module) { Self.play(Closed.self, thenClose: true, rings: rings) }
    try await Self.expectLost(rings) { Self.play(Lost.self, thenClose: false, rings: rings) }
    try await expectNoLeaks(of: Self.module) { await Band().play(rings) }
  }

  @Test func `what is lost is an issue at the caller's line, with its chain`() async throws {
    let line = #line + 2
    try await withKnownIssue {
      try await expectNoLeaks(of: Self.module) { Self.play(Lost.self, thenClose: false) }
    } matching: { issue in
      let told = issue.comments.map(\.rawValue).joined()
      return issue.sourceLocation?.line == line
        && told.contains("retain cycle: ")
        && told.contains("LeakTestingTests.Player<LeakTestingTests.Lost>.session →")
        && told.contains("LeakTestingTests.Session<LeakTestingTests.Lost>.player →")
    }
  }

  private static let kept = Shelf<Kept>()

  @Test func `what lives on is no leak`() async throws {
    let band = Band()
    let caught = Shelf<Kept>()
    try await expectNoLeaks(of: Self.module) {
      let player = Player<Kept>()
      player.session = Session()
      player.session?.player = player
      Self.kept.session = player.session
      caught.session = Session()
      await band.keep()
    }
    #expect(await band.isPlaying && caught.session != nil)
    Self.kept.session = nil
  }

  @Test func `an object that was there before is lost by the body that lets it go`() async throws {
    let held = Shelf<Lost>()
    held.session = Session()
    held.session?.player = Player()
    held.session?.player?.session = held.session
    let found = try await leaks(of: Self.module) { held.session = nil }
    #expect(found.map(\.instances) == [1])
  }

  @Test func `what was retained by hand is lost`() async throws {
    let addresses = Inverted()
    // No count doubts a word that other tests have left on their stacks: it hides one, so there are more.
    let found = try await leaks(of: Self.module) {
      for _ in 0..<8 { addresses.keep(Unmanaged.passRetained(Player<Lost>())) }
    }
    #expect(found.map(\.kind) == ["root leak"] && (7...8).contains(found.first?.instances ?? 0))
    // The hidden one would be told in the body of another test, as soon as its word is gone.
    addresses.release()
  }

  @Test func `a body belongs to its test`() async throws {
    let test = try #require(Test.current?.id)
    _ = try await leaks(of: Self.module) { #expect(Test.current?.id == test) }
    _ = try await leaks(of: Self.module) {
      await Task.yield()
      #expect(Test.current?.id == test)
    }
  }

  @Test func `what the body throws is thrown, and the next one has its turn`() async throws {
    struct Problem: Error {}
    for _ in 0..<2 { await #expect(throws: Problem.self) { try await leaks { throw Problem() } } }
  }

  @Test func `a body in a body is refused`() async throws {
    await #expect { try await leaks { try await expectNoLeaks {} } } throws: { error in
      (error as? LeakTestingError)?.message.contains("may have none in it") == true
    }
  }
}
