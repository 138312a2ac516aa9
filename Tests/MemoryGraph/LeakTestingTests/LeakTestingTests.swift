import LeakTesting
import Testing

final class Player<Kind> {
  var session: Session<Kind>?
}
final class Session<Kind> {
  var player: Player<Kind>?
}
enum Closed {}
enum Lost {}
enum LostLater {}

@Suite(.serialized) struct LeakTestingTests {
  /// Other tests run in the same process: only what is defined here counts.
  private static let module: Set = ["LeakTestingTests"]
  /// A word that some call has left on a stack may hide one ring, but not so many.
  private static let rings = 8

  private static func play<Kind>(_ kind: Kind.Type, thenClose: Bool) {
    for _ in 0..<rings {
      let (session, player) = (Session<Kind>(), Player<Kind>())
      (session.player, player.session) = (player, session)
      if thenClose { session.player = nil }
    }
  }

  private static func of(_ kind: String, _ leaks: [Leak]) -> [Leak] {
    leaks.filter { leak in leak.types.contains { $0.hasSuffix("<LeakTestingTests.\(kind)>") } }
  }

  @Test func `a body that lets everything go leaks nothing`() throws {
    let found = try leaks(of: Self.module) { Self.play(Closed.self, thenClose: true) }
    #expect(Self.of("Closed", found).isEmpty)
  }

  @Test func `a body that closes rings leaks them, and what was lost before does not count`() throws {
    for _ in 0..<2 {
      let found = Self.of("Lost", try leaks(of: Self.module) { Self.play(Lost.self, thenClose: false) })
      #expect(found.map(\.kind) == ["retain cycle"])
      let leak = try #require(found.first)
      #expect(leak.title.contains(".player") && leak.title.contains(".session"))
      #expect((2...3 * Self.rings).contains(leak.objects), "\(leak)")
    }
  }

  @Test func `a body that waits is no different`() async throws {
    let closed = try await leaks(of: Self.module) {
      await Task.yield()
      Self.play(Closed.self, thenClose: true)
    }
    #expect(Self.of("Closed", closed).isEmpty)
    let lost = try await leaks(of: Self.module) {
      await Task.yield()
      Self.play(LostLater.self, thenClose: false)
    }
    #expect(Self.of("LostLater", lost).map(\.kind) == ["retain cycle"])
  }

  @Test func `what the body throws is thrown`() {
    struct Problem: Error {}
    #expect(throws: Problem.self) { try leaks { throw Problem() } }
  }
}
