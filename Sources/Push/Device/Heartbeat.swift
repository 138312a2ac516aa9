/// The interval between two pings, which seeks the longest one that holds on this network: each answered ping makes it
/// longer by half, a lost connection halves it.
public struct Heartbeat: Equatable, Sendable {
  /// Seconds.
  public private(set) var interval: Double
  /// The shortest interval at which a connection was lost; the interval stays below.
  public private(set) var broken: Double?
  /// Answered pings since the interval last changed.
  private var answered = 0

  public init(interval: Double = DeviceLimits.firstPing, broken: Double? = nil) {
    self.interval = min(max(interval, DeviceLimits.pings.lowerBound), DeviceLimits.pings.upperBound)
    self.broken = broken
  }

  /// A ping after this interval was answered.
  /// - Returns: true if the interval has changed.
  mutating func hold() -> Bool {
    answered += 1
    if broken != nil, answered >= DeviceLimits.pongsToForget {
      broken = nil
    } else if let broken, interval * 1.5 > broken * 0.9 {
      return false
    }
    let longer = min(interval * 1.5, DeviceLimits.pings.upperBound)
    guard longer > interval else { return false }
    (interval, answered) = (longer, 0)
    return true
  }

  /// The connection was found dead by a ping after this interval.
  mutating func lose() {
    broken = min(broken ?? interval, interval)
    (interval, answered) = (max(interval / 2, DeviceLimits.pings.lowerBound), 0)
  }
}
