/// The chain or line between anchor and bow, and how far the boat can swing on it.
public struct Rode: Equatable, Sendable {
  /// Metres: of rode that is out, of water at the anchor now, from the water to the bow's roller, and by which the tide
  /// still rises.
  public var length, depth, bowHeight, tide: Double
  public var isChain: Bool
  /// Kilograms a metre of chain, in air.
  public var weight = 2.2

  public init(length: Double, depth: Double, bowHeight: Double, tide: Double = 0, isChain: Bool = true) {
    (self.length, self.depth, self.bowHeight, self.tide, self.isChain) = (length, depth, bowHeight, tide, isChain)
  }

  /// Metres from the ground to the roller at high water, and at the depth of now, when the boat swings widest.
  public var height: Double { depth + tide + bowHeight }
  private var lowest: Double { depth + min(tide, 0) + bowHeight }

  /// The rode's length divided by that height: five is usual for chain, seven for line.
  public var scope: Double { height > 0 ? length / height : 0 }

  /// Metres from anchor to bow when the rode is straight: the farthest it can be. Nil for a rode that does not reach
  /// the ground.
  public var straight: Double? {
    guard length > height else { return nil }
    return (length * length - lowest * lowest).squareRoot()
  }

  /// Metres from anchor to bow at a pull in newtons: part of the chain lies on the ground, the rest hangs in its curve.
  /// A line is as good as straight.
  public func swing(pull: Double) -> Double? {
    guard let straight else { return nil }
    guard isChain, pull > 0 else { return isChain ? max(length - lowest, 0) : straight }
    // A metre of steel weighs 13 % less in water.
    let curve = pull / (weight * 0.87 * 9.80665)
    let lifted = (lowest * lowest + 2 * lowest * curve).squareRoot()
    if lifted <= length { return length - lifted + curve * arcosh(1 + lowest / curve) }
    let half = straight / (2 * curve)
    return 2 * curve * logarithm(half + (half * half + 1).squareRoot())
  }

  /// Newtons by which a wind (metres a second) pulls on a boat of some metres that lies with its bow to it.
  public static func pull(wind: Double, length: Double, beam: Double) -> Double {
    let area = 0.25 * length * beam
    return 0.5 * 1.22 * 1.1 * area * wind * wind
  }

  /// The radius that is offered around a swing: 20 m and 2.5 times the HDOP more, and the way from bow to antenna.
  public static func radius(swing: Double, bow: Double = 0, hdop: Double? = nil) -> Double {
    swing + bow + 20 + 2.5 * max(hdop ?? 1, 0)
  }
}

private func arcosh(_ value: Double) -> Double { logarithm(value + (value * value - 1).squareRoot()) }
