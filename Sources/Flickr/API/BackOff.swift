/// The time to leave a host alone after failures. The API and the host of the files each have their own: one is often
/// busy while the other is not.
struct BackOff: Equatable, Sendable {
  private(set) var failures = 0
  /// The uptime before which nothing is asked.
  private var until = -Double.infinity

  mutating func succeed() { self = BackOff() }

  /// - Parameters:
  ///   - retryAfter: the seconds of the host's Retry-After, which are a minimum.
  ///   - chance: a random number from 0 up to but not including 1, so that hubs do not come back all at once.
  mutating func fail(at uptime: Double, retryAfter: Double?, chance: Double) {
    failures += 1
    var pause = FlickrLimits.firstPause
    // Doubling ends at the maximum, so that it cannot overflow.
    for _ in 1..<failures where pause < FlickrLimits.longestPause { pause *= 2 }
    pause = min(pause, FlickrLimits.longestPause) * (0.75 + 0.5 * chance)
    if let retryAfter { pause = max(pause, retryAfter * (1 + 0.1 * chance)) }
    until = max(until, uptime + pause)
  }

  /// The seconds to wait before the next request.
  func wait(at uptime: Double) -> Double { max(0, until - uptime) }
}
