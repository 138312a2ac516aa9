public import Lifecycle
import Synchronization

/// Time that advances only when a test demands it.
public final class VirtualTime: TimeSource {
  private struct State {
    var now: Double
    var uptime = 0.0
  }
  private let state: Mutex<State>

  /// - Parameter start: seconds since 1970; 2026-11-20T18:40:00Z unless a test needs another day.
  public init(_ start: Double = 1_795_200_000) { state = Mutex(State(now: start)) }

  public var now: Double { state.withLock { $0.now } }
  public var uptime: Double { state.withLock { $0.uptime } }

  public func advance(by seconds: Double) {
    state.withLock { state in
      state.now += seconds
      state.uptime += seconds
    }
  }
}
