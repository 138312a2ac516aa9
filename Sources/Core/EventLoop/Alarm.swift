import Lifecycle

/// Rings once, when the machine's clock shows the moment that was set last: for what is meant "at seven".
///
/// Timers go by uptime, while clocks drift and are set. So the clock is looked at again every few seconds: a moment
/// that it was set past rings within `recheckSeconds`, and one that it was set back from rings when it comes. What has
/// rung does not ring again, whatever the clock does then. For a length of time take `EventLoop.schedule` or `Poller`.
///
/// The timer belongs to the loop; `set` may be called from anywhere, and what one caller sets comes in its order.
public final class Alarm: @unchecked Sendable {
  /// Seconds of uptime between two looks at the clock: nobody minds a bell that is so late on the day the clock was
  /// set, and a look is nothing.
  public static let recheckSeconds = 10.0

  private let loop: EventLoop
  private var timer: LoopTimer?

  public init(_ loop: EventLoop) { self.loop = loop }

  /// - Parameters:
  ///   - moment: seconds since 1970; one that has passed rings soon. nil: it does not ring at all.
  ///   - ring: called on the loop.
  public func set(at moment: Double?, _ ring: @escaping @Sendable () -> Void) {
    loop.perform { [self] in
      timer?.cancel()
      timer = nil
      if let moment { wait(for: moment, ring) }
    }
  }

  private func wait(for moment: Double, _ ring: @escaping @Sendable () -> Void) {
    let left = moment - loop.time.now
    timer = loop.schedule(after: min(max(0, left), Self.recheckSeconds)) { [self] in
      timer = nil
      if loop.time.now >= moment { ring() } else { wait(for: moment, ring) }
    }
  }
}
