public import Lifecycle
import Synchronization

/// Time that advances only when a test demands it. The wall clock may drift and may be set, as a machine's can; the
/// uptime is not affected.
public final class VirtualTime: TimeSource {
  private struct State {
    var now: Double
    var uptime = 0.0
    var pace = 1.0
  }
  private let state: Mutex<State>

  /// - Parameter start: seconds since 1970; 2026-11-20T18:40:00Z unless a test needs another day.
  public init(_ start: Double = 1_795_200_000) { state = Mutex(State(now: start)) }

  public var now: Double { state.withLock { $0.now } }
  public var uptime: Double { state.withLock { $0.uptime } }

  public func advance(by seconds: Double) {
    state.withLock { state in
      state.now += seconds * state.pace
      state.uptime += seconds
    }
  }

  /// The wall clock's seconds per second of uptime: 1.0001 for a cheap clock on a warm day.
  public func setPace(_ pace: Double) { state.withLock { $0.pace = pace } }

  /// Sets the wall clock, without advancing uptime.
  /// - Parameter now: seconds since 1970.
  public func setClock(to now: Double) { state.withLock { $0.now = now } }
  /// Moves the wall clock forward, or back by a negative number.
  public func setClock(by seconds: Double) { state.withLock { $0.now += seconds } }
}
