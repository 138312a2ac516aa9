/// Keeps the number of calls within an hour's limit: some at once, the others spread over the hour. No hour has more
/// than the limit, whenever it begins.
public struct CallRate: Equatable, Sendable {
  /// Seconds between two calls, once those at once are used up.
  private let interval: Double
  /// Seconds that calls may be ahead of the even pace.
  private let ahead: Double
  /// The uptime of the next call at the even pace: all that is to be known of the calls until now.
  public private(set) var next = -Double.infinity

  /// - Parameters:
  ///   - limit: calls in any `seconds`.
  ///   - burst: how many of them may come at once; less than `limit`.
  public init(
    limit: Int = FlickrLimits.callsAnHour, burst: Int = FlickrLimits.callsAtOnce, seconds: Double = 3_600
  ) {
    precondition(burst > 0 && burst < limit, "a burst of 1 to \(limit - 1) calls, not \(burst)")
    interval = seconds / Double(limit - burst)
    ahead = interval * Double(burst - 1)
  }

  /// Counts the calls that others have made with the same key.
  public mutating func follow(_ others: Double) { next = max(next, others) }

  /// Counts a call.
  /// - Returns: the seconds after which it may be made.
  public mutating func take(at uptime: Double) -> Double {
    next = max(next, uptime)
    defer { next += interval }
    return max(0, next - ahead - uptime)
  }
}
