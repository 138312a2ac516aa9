import EventLoop
import Hub

/// Schedules looks at addresses: one look at a time at each, and a few at a time in all. The look at an address that is
/// no longer wanted is cancelled.
///
/// Confined to the loop; `set` may be called from any thread, and calls of one caller take effect in order.
final class FollowedPolls: @unchecked Sendable {
  /// An address, and whether the owner has set it, which decides the networks it may be in.
  struct Target: Hashable, Sendable {
    var url: String
    var isOwners: Bool
  }

  private let loop: EventLoop
  private let supervisor: Supervisor
  /// Looks at a target; returns the seconds until the next look.
  private let look: @Sendable (Target) async -> Double
  private var wanted: Set<Target> = []
  /// The targets whose look is due, in order.
  private var due: [Target] = []
  private var timers: [Target: LoopTimer] = [:]
  private var looks: [Target: Task<Void, Never>] = [:]

  init(_ loop: EventLoop, _ supervisor: Supervisor, _ look: @escaping @Sendable (Target) async -> Double) {
    self.loop = loop
    self.supervisor = supervisor
    self.look = look
  }

  /// Sets the targets: new ones are due at once, known ones keep their schedule.
  func set(_ targets: Set<Target>) {
    loop.perform { [self] in
      for gone in wanted.subtracting(targets) {
        timers.removeValue(forKey: gone)?.cancel()
        // It counts until it has really ended.
        looks[gone]?.cancel()
      }
      due.removeAll { !targets.contains($0) }
      let new = targets.subtracting(wanted)
      wanted = targets
      due += new
      begin()
    }
  }

  /// Starts as many looks as are allowed at once.
  private func begin() {
    while looks.count < SpaceLimits.followedLooks, let index = due.firstIndex(where: { looks[$0] == nil }) {
      let target = due.remove(at: index)
      // None while the hub is shutting down.
      looks[target] = supervisor.once("space.look") { [self] in
        let pause = await look(target)
        loop.perform { [self] in end(target, pause) }
      }
    }
  }

  private func end(_ target: Target, _ pause: Double) {
    looks[target] = nil
    // A target that was added again while its cancelled look was ending is queued already.
    if wanted.contains(target), !due.contains(target) {
      timers[target] = loop.schedule(after: pause) { [self] in
        timers[target] = nil
        due.append(target)
        begin()
      }
    }
    begin()
  }
}
