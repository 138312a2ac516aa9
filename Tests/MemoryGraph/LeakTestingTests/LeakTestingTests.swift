import LeakTesting
import Testing

/// Other tests run in the same process: only what is defined here counts.
private let module: Set = ["LeakTestingTests"]

final class Player {
  var session: Session?
}
final class Session {
  var player: Player?
}

@Suite(.serialized) struct LeakTestingTests {
  private static func play(thenClose: Bool) {
    let (session, player) = (Session(), Player())
    (session.player, player.session) = (player, session)
    if thenClose { session.player = nil }
  }

  @Test func `a body that lets everything go leaks nothing`() throws {
    #expect(try leaks(of: module) { Self.play(thenClose: true) }.isEmpty)
  }

  @Test func `a body that closes a ring leaks it, and what was lost before does not count`() throws {
    for _ in 0..<2 {
      let found = try leaks(of: module) { Self.play(thenClose: false) }
      #expect(found.map(\.kind) == ["retain cycle"])
      #expect(found.first?.title.contains("Session.player") == true)
      #expect(found.first?.types == ["LeakTestingTests.Player", "LeakTestingTests.Session"])
      #expect(found.first?.objects == 2)
    }
  }

  @Test func `a body that waits is no different`() async throws {
    #expect(
      try await leaks(of: module) {
        await Task.yield()
        Self.play(thenClose: true)
      }.isEmpty)
    let found = try await leaks(of: module) {
      await Task.yield()
      Self.play(thenClose: false)
    }
    #expect(found.map(\.kind) == ["retain cycle"])
  }

  @Test func `what the body throws is thrown`() {
    struct Problem: Error {}
    #expect(throws: Problem.self) { try leaks { throw Problem() } }
  }
}
