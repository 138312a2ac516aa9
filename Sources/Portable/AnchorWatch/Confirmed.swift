/// A thing that is only believed when it has been so for a while, and over when it has not been so for a while.
struct Confirmed: Sendable {
  private(set) var holds: Bool
  /// Since when it is otherwise than believed.
  private(set) var otherwiseSince: Double?

  init(holds: Bool = false) { self.holds = holds }

  /// True when something new is believed now.
  mutating func judge(_ isSo: Bool, at time: Double, patience: Double) -> Bool {
    if isSo == holds {
      otherwiseSince = nil
      return false
    }
    let since = otherwiseSince ?? time
    otherwiseSince = since
    guard time - since >= patience else { return false }
    (holds, otherwiseSince) = (isSo, nil)
    return true
  }

  /// It is as believed.
  mutating func settle() { otherwiseSince = nil }

  /// It was so earlier already, by positions that were not believed then.
  mutating func began(at time: Double) { if !holds, otherwiseSince == nil { otherwiseSince = time } }

  /// Nothing more is heard. What threatens is believed; the rest begins anew.
  mutating func fallSilent(believe: Bool) {
    if believe, otherwiseSince != nil, !holds { holds = true }
    otherwiseSince = nil
  }

  /// The clock was set.
  mutating func shift(by seconds: Double) { otherwiseSince = otherwiseSince.map { $0 + seconds } }
}
