import EventLoop
import Hub
import Lifecycle
import Synchronization

/// Schedules looks at addresses: one look at a time at each, and a few at a time in all. The look at an address that is
/// no longer wanted is cancelled.
final class FollowedPolls: Sendable {
  /// An address, and whether the owner has set it, which decides the networks it may be in.
  struct Target: Hashable, Sendable {
    var url: String
    var isOwners: Bool
  }
  /// Looks at a target; returns the seconds until the next look.
  typealias Look = @Sendable (Target) async -> Double

  private struct State {
    /// The targets, with the uptime at which their next look is due.
    var wanted: [Target: Double] = [:]
    /// The looks under way; one that was cancelled counts until it has really ended.
    var looks: [Target: Task<Void, Never>] = [:]

    /// The target that waits for its look, and has waited longest.
    var next: (target: Target, due: Double)? {
      wanted.lazy.filter { looks[$0.key] == nil }.min { $0.value < $1.value }.map { ($0.key, $0.value) }
    }
  }
  private let loop: EventLoop
  private let supervisor: Supervisor
  private let poller: Poller
  private let state = Mutex(State())

  init(_ loop: EventLoop, _ supervisor: Supervisor) {
    (self.loop, self.supervisor, poller) = (loop, supervisor, Poller(loop))
  }

  /// Sets the targets: new ones are due at once, known ones keep their schedule. From any thread; calls of one caller
  /// take effect in order.
  func set(_ targets: Set<Target>) {
    let now = loop.time.uptime
    state.withLock { state in
      for gone in state.wanted.keys where !targets.contains(gone) {
        state.wanted[gone] = nil
        state.looks[gone]?.cancel()
      }
      for target in targets where state.wanted[target] == nil { state.wanted[target] = now }
    }
    poller.wake()
  }

  /// Looks at each target when it is due, until the task is cancelled.
  func run(_ look: @escaping Look) async throws {
    defer { state.withLock { for task in $0.looks.values { task.cancel() } } }
    try await poller.run { [self] in state.withLock { begin(&$0, look) } }
  }

  /// Starts as many looks as are allowed at once.
  /// - Returns: the seconds until the next one is due; nil for none.
  private func begin(_ state: inout State, _ look: @escaping Look) -> Double? {
    while state.looks.count < SpaceLimits.followedLooks, let (target, due) = state.next {
      guard due <= loop.time.uptime else { return due - loop.time.uptime }
      // It cannot end before it is noted, since the state is locked; and nothing begins while the hub is shutting down.
      guard
        let task = supervisor.once("space.look", on: loop, { [self] in end(target, after: await look(target)) })
      else { return nil }
      state.looks[target] = task
    }
    return nil
  }

  private func end(_ target: Target, after pause: Double) {
    let due = loop.time.uptime + pause
    state.withLock { state in
      let wasCancelled = state.looks.removeValue(forKey: target)?.isCancelled ?? true
      // One that was added again while its cancelled look was ending is due already.
      if !wasCancelled, state.wanted[target] != nil { state.wanted[target] = due }
    }
    poller.wake()
  }
}
