/// The pauses between attempts to connect: each is twice as long as the one before, with a part by chance.
struct Backoff: Sendable {
  private var attempts = 0

  /// - Parameter chance: 0 to 1.
  mutating func next(_ chance: Double) -> Double {
    let (least, most) = (DeviceLimits.retry.lowerBound, DeviceLimits.retry.upperBound)
    var pause = least
    for _ in 0..<attempts where pause < most { pause *= 2 }
    attempts += 1
    return min(pause, most) * (0.5 + chance / 2)
  }

  mutating func reset() { attempts = 0 }
}
