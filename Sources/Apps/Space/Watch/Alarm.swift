import EventLoop

/// Rings once, at the moment that was set last: who has nothing to do sleeps until then.
///
/// The timer belongs to the loop; `set` may be called from anywhere, and what one caller sets comes in its order.
final class Alarm: @unchecked Sendable {
  private let loop: EventLoop
  private var timer: LoopTimer?

  init(_ loop: EventLoop) { self.loop = loop }

  /// - Parameter seconds: from now on; nil: not at all.
  func set(after seconds: Double?, _ ring: @escaping @Sendable () -> Void) {
    loop.perform { [self] in
      timer?.cancel()
      timer = seconds.map { loop.schedule(after: max(0, $0), ring) }
    }
  }
}
