/// A system that lends a program in the background its time in leases. Seconds are since 1970.
public protocol Lender {
  var now: Double { get }
  /// Seconds that are left of the lease, or infinite: which may turn into a countdown at any moment.
  var remaining: Double { get }
  /// Seconds after the end of a lease in which a program that is warned may still stop or begin the next one; 0 where
  /// nobody warns it.
  var warning: Double { get }
  /// False when no more are lent.
  mutating func beginLease() -> Bool
  /// Ends the oldest lease that runs.
  mutating func endLease()
  /// Sets the callback for positions, and starts them: some systems forget what was started in the foreground.
  mutating func startPositions()
  /// Looks at the position and judges it.
  mutating func check()
  /// A notification of the device itself, which outlives the program. It replaces an earlier one of the same kind; the
  /// one that the watch ends withdraws the one that it is silent.
  mutating func notify(_ notice: Notice)
}

/// A message that the device shows when the program no longer can.
public struct Notice: Equatable, Sendable {
  public enum Kind: UInt8, Equatable, Sendable, CaseIterable {
    /// The watch will end, at `until` or somewhat later.
    case willEnd
    /// The watch ends now, in an orderly way.
    case ends
    /// The watch has not been heard since `until`: always set ahead of time, and put off by every check.
    case silent
  }
  public var kind: Kind
  /// The instant at which the device says it.
  public var at: Double
  public var until: Double

  public init(_ kind: Kind, at: Double, until: Double) { (self.kind, self.at, self.until) = (kind, at, until) }
}
