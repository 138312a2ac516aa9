// Which of the two has `timespec` depends on the files that are compiled together.
import CLinux
import Glibc

/// The clocks for everything that waits or records a time, so that a test can let a night pass in milliseconds.
public protocol TimeSource: Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds. It can jump when the machine's clock is set.
  var now: Double { get }
  /// Seconds since an arbitrary point; it never goes back. For time-outs and intervals.
  var uptime: Double { get }
}

/// The machine's own clocks. Only this file reads them, as Tests/Tidy checks.
public struct SystemTime: TimeSource {
  public init() {}
  public var now: Double { read(CLOCK_REALTIME) }
  public var uptime: Double { read(CLOCK_MONOTONIC) }

  private func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
