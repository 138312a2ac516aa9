import Positions

/// An order given on the boat herself, where there may have been no network: the anchor and its watch as the
/// agent has them now.
struct BoatOrder: Equatable, Sendable {
  /// The version of the hub's settings that the agent had.
  var version: Int
  /// Seconds since 1970, by the hub's clock.
  var at: Double
  /// The time at which the anchor was dropped, if it was; else it lies as it did.
  var droppedAt: Double?
  var isArmed: Bool
  /// Nil for an anchor that was weighed.
  var form: WatchSettingsForm?

  /// True if it counts: nobody has changed anything here that the boat did not know of, or only before.
  func isNewest(version: Int, changedAt: Double) -> Bool {
    version == self.version || at > changedAt + WatchLimits.orderTold
  }

  /// The time of the drop, if it is another one than that of the anchorage that there is.
  func newDrop(after began: Double?) -> Double? {
    guard let droppedAt, let began, abs(droppedAt - began) <= WatchLimits.orderTold else { return droppedAt }
    return nil
  }
}
