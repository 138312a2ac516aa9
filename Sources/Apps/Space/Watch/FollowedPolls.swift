import EventLoop
import Hub

/// Looks at addresses, each at its own pace: one look at a time at each, and a few at a time in all. An address that is
/// not wanted any more is not waited for: its look is cancelled.
///
/// Confined to the loop; `set` may be called from anywhere, and what one caller sets comes in its order.
final class FollowedPolls: @unchecked Sendable {
  /// What is looked at: an address, and whether the owner has set it, which says how far it may reach.
  struct Target: Hashable, Sendable {
    var url: String
    var isOwners: Bool
  }

  private let loop: EventLoop
  private let supervisor: Supervisor
  /// One look; answers the seconds until the next.
  private let look: @Sendable (Target) async -> Double
  private var wanted: Set<Target> = []
  /// Those whose turn has come, first come first.
  private var due: [Target] = []
  private var timers: [Target: LoopTimer] = [:]
  private var looks: [Target: Task<Void, Never>] = [:]

  init(_ loop: EventLoop, _ supervisor: Supervisor, _ look: @escaping @Sendable (Target) async -> Double) {
    self.loop = loop
    self.supervisor = supervisor
    self.look = look
  }

  /// From now on looks at these and no others: new ones at once, known ones when their time comes.
  func set(_ targets: Set<Target>) {
    loop.perform { [self] in
      for gone in wanted.subtracting(targets) {
        timers.removeValue(forKey: gone)?.cancel()
        // It is counted until it has really ended.
        looks[gone]?.cancel()
      }
      due.removeAll { !targets.contains($0) }
      let new = targets.subtracting(wanted)
      wanted = targets
      due += new
      begin()
    }
  }

  /// Begins as many looks as there may be at once.
  private func begin() {
    while looks.count < SpaceLimits.followedLooks, let index = due.firstIndex(where: { looks[$0] == nil }) {
      let target = due.remove(at: index)
      // None once the hub is going down.
      looks[target] = supervisor.once("space.look") { [self] in
        let pause = await look(target)
        loop.perform { [self] in end(target, pause) }
      }
    }
  }

  private func end(_ target: Target, _ pause: Double) {
    looks[target] = nil
    // One that came back while its cancelled look was ending stands in the line already.
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
