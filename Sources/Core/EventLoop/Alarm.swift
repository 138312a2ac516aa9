import Lifecycle

/// A timer by the wall clock that can be set again: it rings once, when the machine's clock shows the time that was set
/// last, or when the clock was set back.
///
/// Timers use uptime, but clocks drift and are set. So the clock is checked every few seconds: if it was set past the
/// time, the alarm rings within `recheckSeconds`. If it was set back, it rings as soon: the time was worked out by a
/// clock that was ahead, and others may come before it. Whoever is rung looks what is due, and sets the alarm anew. It
/// does not ring twice, whatever the clock does. For a length of time use `EventLoop.schedule` or `Poller`.
///
/// The timer belongs to the loop; `set` may be called from any thread, and calls of one caller take effect in order.
public final class Alarm: @unchecked Sendable {
  /// Seconds of uptime between two checks of the clock, and so the delay when it was set: short enough for an alarm,
  /// and a check costs next to nothing.
  public static let recheckSeconds = 10.0

  private let loop: EventLoop
  private var timer: LoopTimer?

  public init(_ loop: EventLoop) { self.loop = loop }

  /// Sets the time and replaces an earlier one.
  /// - Parameters:
  ///   - moment: seconds since 1970; a past time rings soon. Nil: the alarm does not ring.
  ///   - ring: called on the loop.
  public func set(at moment: Double?, _ ring: @escaping @Sendable () -> Void) {
    loop.perform { [self] in
      timer?.cancel()
      timer = nil
      if let moment { wait(for: moment, ring) }
    }
  }

  private func wait(for moment: Double, _ ring: @escaping @Sendable () -> Void) {
    let before = loop.time.now
    timer = loop.schedule(after: min(max(0, moment - before), Self.recheckSeconds)) { [self] in
      timer = nil
      let now = loop.time.now
      if now >= moment || now < before { ring() } else { wait(for: moment, ring) }
    }
  }
}
