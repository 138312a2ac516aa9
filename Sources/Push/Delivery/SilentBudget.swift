/// The silent notifications of one device in an hour. Each wakes a program for half a minute, so there are few; whoever
/// never answers gets fewer, until it answers again.
package struct SilentBudget: Equatable {
  package enum Outcome {
    /// It is on its way, or the device is at work.
    case open
    case answered
    /// The device has had it and did not say what came of it.
    case unanswered
  }

  /// One that was let through.
  package struct Push: Equatable {
    /// Seconds since 1970.
    package var at: Double
    package var outcome: Outcome

    package init(at: Double, _ outcome: Outcome) { (self.at, self.outcome) = (at, outcome) }
  }

  /// The newest ones, the oldest of them first.
  package var pushes: [Push]

  package init(_ pushes: [Push]) { self.pushes = pushes }

  /// How many may go in an hour.
  package var allowance: Int {
    let ended = pushes.filter { $0.outcome != .open }.suffix(DeliveryLimits.silentTrials)
    let isDeaf = ended.count == DeliveryLimits.silentTrials && ended.allSatisfy { $0.outcome == .unanswered }
    return isDeaf ? DeliveryLimits.silentOfDeaf : DeliveryLimits.silent
  }

  /// The time at which the next one may go, in seconds since 1970; now or later.
  package func next(now: Double) -> Double {
    let window = DeliveryLimits.silentWindow
    // A device that is away, or at work, does not get a heap of them at once.
    guard pushes.count(where: { $0.outcome == .open }) < allowance else { return now + window / Double(allowance) }
    // A clock that was ahead has written times to come: they count as now's.
    let recent = pushes.map { min($0.at, now) }.filter { $0 > now - window }.sorted()
    return recent.count < allowance ? now : recent[recent.count - allowance] + window
  }
}
