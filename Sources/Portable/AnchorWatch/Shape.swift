/// A part of a ring around the anchor.
public struct Sector: Equatable, Sendable {
  /// Degrees true, clockwise from one to the other; the whole ring when they are equal.
  public let from, to: Double
  /// Metres from the anchor.
  public let inner, outer: Double

  public init(from: Double, to: Double, inner: Double = 0, outer: Double) {
    (self.from, self.to, self.inner, self.outer) = (from, to, inner, outer)
  }
}

/// The zone in which the boat may lie.
public enum Shape: Equatable, Sendable {
  /// Around the anchor; metres.
  case circle(radius: Double)
  /// Seen from the anchor.
  case sector(Sector)
  /// Corners of a place on the chart, which stays there when the anchor is moved.
  case polygon([Position])
}
