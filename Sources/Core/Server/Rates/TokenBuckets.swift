public import Lifecycle
import Synchronization

/// A token bucket for each of many keys, from any thread.
///
/// A bucket that nobody has used for as long as it takes to fill is forgotten, since a new one is the same. Where more
/// keys come than are remembered, those go that were not used for longest.
public final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
  /// Two generations: what is used moves to the newer one, and the older one is dropped as a whole.
  private struct State {
    var recent: [Key: TokenBucket] = [:]
    var older: [Key: TokenBucket] = [:]
    /// Uptime at which the newer one began.
    var began = 0.0
  }
  private let state = Mutex(State())
  private let most: Int
  private let seconds: Double
  private let time: any TimeSource

  /// - Parameters:
  ///   - most: how many keys are remembered.
  ///   - seconds: as long as the slowest of their rates needs to fill a bucket.
  public init(most: Int, for seconds: Double, time: any TimeSource) {
    self.most = most
    self.seconds = seconds
    self.time = time
  }

  /// Takes one out of the key's bucket, if there is one.
  /// - Returns: seconds to wait for the next; nil where it may happen now.
  public func take(_ key: Key, _ rate: Rate) -> Double? {
    precondition(rate.fillSeconds <= seconds, "a bucket would be forgotten before it is full")
    return change(key, rate) { bucket, now in bucket.take(rate, now: now) }
  }

  /// Gives one back, for what turned out not to count.
  public func putBack(_ key: Key, _ rate: Rate) { change(key, rate) { bucket, _ in bucket.putBack(rate) } }

  /// How many keys are remembered.
  package var count: Int { state.withLock { $0.recent.count + $0.older.count } }

  private func change<Value: Sendable>(
    _ key: Key, _ rate: Rate, _ change: (inout TokenBucket, _ now: Double) -> Value
  ) -> Value {
    let now = time.uptime
    return state.withLock { state in
      if state.recent.count >= most / 2 || now - state.began >= seconds {
        state = State(older: now - state.began < 2 * seconds ? state.recent : [:], began: now)
      }
      var bucket = state.recent[key] ?? state.older.removeValue(forKey: key) ?? TokenBucket(rate, now: now)
      let value = change(&bucket, now)
      state.recent[key] = bucket
      return value
    }
  }
}
