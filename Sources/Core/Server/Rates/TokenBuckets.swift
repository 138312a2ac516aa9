public import Lifecycle
import Synchronization

/// A token bucket for each of many keys, usable from any thread.
///
/// A bucket unused for as long as it takes to fill is dropped, since a new one is the same. Above the limit of keys,
/// those unused for longest are dropped.
public final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
  /// Two generations: a used bucket moves to the newer one; the older one is dropped as a whole.
  private struct State {
    var recent: [Key: TokenBucket] = [:]
    var older: [Key: TokenBucket] = [:]
    /// The uptime at which the newer generation began.
    var began = 0.0
  }
  private let state = Mutex(State())
  private let most: Int
  private let seconds: Double
  private let time: any TimeSource

  /// - Parameters:
  ///   - most: the limit of keys.
  ///   - seconds: the time in which a bucket of the slowest rate becomes full.
  public init(most: Int, for seconds: Double, time: any TimeSource) {
    self.most = most
    self.seconds = seconds
    self.time = time
  }

  /// Takes a token from the key's bucket, if there is one.
  /// - Returns: the seconds until the next token; nil if one was taken.
  public func take(_ key: Key, _ rate: Rate) -> Double? {
    precondition(rate.fillSeconds <= seconds, "a bucket would be forgotten before it is full")
    return change(key, rate) { bucket, now in bucket.take(rate, now: now) }
  }

  /// Puts a token back, for something that turned out not to count.
  public func putBack(_ key: Key, _ rate: Rate) { change(key, rate) { bucket, _ in bucket.putBack(rate) } }

  /// The number of keys.
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
