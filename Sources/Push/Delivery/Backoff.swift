/// The pauses between attempts: each twice the last one, up to the longest, spread by a quarter to both sides.
package enum Backoff {
  /// - Parameters:
  ///   - attempts: the attempts before this one.
  ///   - least: what the service asks for; it is not shortened.
  ///   - jitter: 0 to 1.
  package static func seconds(
    after attempts: Int, atLeast least: Double?, jitter: Double, longest: Double = DeliveryLimits.longestRetry
  ) -> Double {
    let doubled = DeliveryLimits.firstRetry * Double(1 << min(attempts, 30))
    let pause = min(doubled, longest) * (0.75 + 0.5 * jitter)
    guard let least else { return pause }
    return max(pause, min(least, 86_400) * (1 + 0.25 * jitter))
  }
}
