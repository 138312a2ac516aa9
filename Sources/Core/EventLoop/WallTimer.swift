import CLinux
import Glibc

/// A timer by the wall clock that sleeps until its time, through suspends too, and hears when the clock is set: nothing
/// looks at the clock in between (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
///
/// `Alarm` checks every few seconds instead, works with a time that a test invents, and can be set from any thread.
/// Confined to its loop.
public final class WallTimer: Watcher {
  public enum Event: Sendable {
    case due
    /// Somebody has set the clock, or the machine was suspended. The timer is set to the same time still.
    case clockWasSet
  }

  private let descriptor: Int32
  private unowned let loop: EventLoop
  private let heard: (Event) -> Void
  private var moment: Double?

  /// Seconds since 1970 that no clock reaches: without a time, it is set to that, to hear when the clock is set.
  private static let never = 32_503_680_000.0

  /// - Parameter heard: called on the loop, until `close`.
  public init(_ loop: EventLoop, _ heard: @escaping (Event) -> Void) {
    descriptor = clinux_wall_timer()
    precondition(descriptor >= 0, "Cannot make a timer: error \(errno)")
    (self.loop, self.heard) = (loop, heard)
    arm()
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  /// Sets the time and replaces an earlier one.
  /// - Parameter moment: seconds since 1970; a past time rings soon. Nil: it does not ring.
  public func set(at moment: Double?) {
    self.moment = moment
    arm()
  }

  private func arm() {
    // Zero would switch it off.
    let at = max(moment ?? Self.never, 0.001)
    let second = at.rounded(.down)
    var time = timespec(tv_sec: Int(second), tv_nsec: min(999_999_999, Int((at - second) * 1e9)))
    guard clinux_set_wall_timer(descriptor, &time) != 0, errno == ECANCELED else { return }
    // It is set; but this has taken the news that the clock was set before.
    loop.atNextTurn { [weak self] in self?.heard(.clockWasSet) }
  }

  public func ready(_ readiness: Readiness) {
    var count: UInt64 = 0
    if read(descriptor, &count, 8) == 8 {
      moment = nil
      arm()
      heard(.due)
    } else if errno == ECANCELED {
      arm()
      heard(.clockWasSet)
    }
  }

  /// Ends it; nothing is heard afterwards.
  public func close() {
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
  }
}
