/// How often something may happen: `burst` times at once, then `perSecond` times per second.
public struct Rate: Hashable, Sendable {
  public let burst: Double
  public let perSecond: Double

  public init(burst: Double, perSecond: Double) {
    precondition(burst >= 1 && perSecond > 0, "\(burst) at once and \(perSecond) a second let nothing happen")
    self.burst = burst
    self.perSecond = perSecond
  }

  /// The seconds in which an empty bucket becomes full.
  var fillSeconds: Double { burst / perSecond }
}

/// A token bucket: counts what is left of a rate. It is small enough to be kept for each idle connection.
public struct TokenBucket: Sendable {
  private var uptime: Double
  private var left: Float

  /// A full bucket.
  /// - Parameter now: uptime in seconds.
  public init(_ rate: Rate, now: Double) {
    uptime = now
    left = Float(rate.burst)
  }

  /// Takes a token, if there is one.
  /// - Returns: the seconds until the next token; nil if one was taken.
  public mutating func take(_ rate: Rate, now: Double) -> Double? {
    left = Float(min(Double(left) + (now - uptime) * rate.perSecond, rate.burst))
    uptime = now
    guard left >= 1 else { return Double(1 - left) / rate.perSecond }
    left -= 1
    return nil
  }

  /// Puts a token back, for something that turned out not to count.
  public mutating func putBack(_ rate: Rate) { left = min(left + 1, Float(rate.burst)) }
}
