import AnchorWatch

/// Notices positions that go to and fro between two places, which no boat does.
struct Leaps: Sendable {
  private var last: Position?
  /// The place that was left with the last leap.
  private var left: Position?
  /// Uptimes of the first and of the last leap back, without a rest between them.
  private var (since, latest) = (0.0, -Double.infinity)
  private(set) var isTold = false

  /// - Parameter allowed: metres that are no leap.
  /// - Returns: the metres of a leap, once, when they have gone on for a while.
  mutating func take(_ place: Position, allowed: Double, uptime: Double) -> Double? {
    defer { self.last = place }
    guard let last else { return nil }
    let metres = place.distance(to: last)
    guard metres > allowed else { return nil }
    let isBack = left.map { place.distance(to: $0) < metres / 2 } ?? false
    left = last
    guard isBack else { return nil }
    if !goOn(uptime: uptime) { (since, isTold) = (uptime, false) }
    latest = uptime
    guard !isTold, uptime - since >= AgentWatchLimits.disagreementSeconds else { return nil }
    isTold = true
    return metres
  }

  /// True until there was none for a while.
  func goOn(uptime: Double) -> Bool { uptime - latest <= AgentWatchLimits.tornSeconds }
}
