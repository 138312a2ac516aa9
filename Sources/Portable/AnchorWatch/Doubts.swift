/// Fixes in a row that were not believed: single ones are errors of a receiver, several are a boat that moves or a
/// clock that was set.
struct Doubts: Sendable {
  private var (jumps, backs) = (0, 0)
  private var (since, lastBack) = (0.0, 0.0)
  private var isOutside = false

  /// The first of the jumps, if all of them were outside the zone.
  var outsideSince: Double? { jumps > 0 && isOutside ? since : nil }

  /// The number of jumps in a row with this one.
  mutating func jumped(isOutside: Bool, at time: Double) -> Int {
    if jumps == 0 { (since, self.isOutside) = (time, true) }
    jumps += 1
    self.isOutside = self.isOutside && isOutside
    return jumps
  }

  /// The number of times in a row that lie before the last fix, each after the other.
  mutating func wentBack(to time: Double) -> Int {
    backs = backs > 0 && time > lastBack ? backs + 1 : 1
    lastBack = time
    return backs
  }

  mutating func end() { (jumps, backs) = (0, 0) }

  /// The clock was set.
  mutating func shift(by seconds: Double) { since += seconds }
}
