/// How often something may happen: so many times at once, and so many more with each second.
public struct Rate: Hashable, Sendable {
  public let burst: Double
  public let perSecond: Double

  public init(burst: Double, perSecond: Double) {
    precondition(burst >= 1 && perSecond > 0, "\(burst) at once and \(perSecond) a second let nothing happen")
    self.burst = burst
    self.perSecond = perSecond
  }

  /// Seconds of silence after which it is as if nothing had happened.
  var fillSeconds: Double { burst / perSecond }
}

/// How much of a rate is left: a token bucket. It fits into the few bytes that an idle connection has.
public struct TokenBucket: Sendable {
  private var uptime: Double
  private var left: Float

  /// A full one.
  /// - Parameter now: the uptime.
  public init(_ rate: Rate, now: Double) {
    uptime = now
    left = Float(rate.burst)
  }

  /// Takes one out, if there is one.
  /// - Returns: seconds to wait for the next; nil where it may happen now.
  public mutating func take(_ rate: Rate, now: Double) -> Double? {
    left = Float(min(Double(left) + (now - uptime) * rate.perSecond, rate.burst))
    uptime = now
    guard left >= 1 else { return Double(1 - left) / rate.perSecond }
    left -= 1
    return nil
  }

  /// Gives one back, for what turned out not to count.
  public mutating func putBack(_ rate: Rate) { left = min(left + 1, Float(rate.burst)) }
}
