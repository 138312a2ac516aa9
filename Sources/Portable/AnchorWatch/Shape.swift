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

extension Shape {
  /// The same zone, larger, as far as one may be: its edges move outward, and whoever lies within still does. (In a
  /// polygon with bays that is true of what can be seen from its middle.)
  public func extended(by factor: Double, around anchor: Position) -> Shape {
    let most = AnchorLimits.radius.upperBound
    switch self {
    case .circle(let radius): return .circle(radius: min(radius * factor, most))
    case .sector(let sector):
      let span = wholeCircle(sector.to - sector.from)
      let more = span * (factor - 1) / 2
      let isWhole = span == 0 || span + 2 * more >= 360
      return .sector(
        Sector(
          from: isWhole ? sector.from : wholeCircle(sector.from - more),
          to: isWhole ? sector.from : wholeCircle(sector.to + more), inner: sector.inner / factor,
          outer: min(sector.outer * factor, most)))
    case .polygon(let corners):
      // Seen from a place outside, or close to an edge, that edge would come nearer or stay.
      let plane = Plane(around: anchor)
      let points = corners.map { plane.point($0) }
      let inmost = deepest(points)
      let isWithin = insideDistance(Point(east: 0, north: 0), points) >= inmost.clearance / 2
      let middle = isWithin ? anchor : anchor.moved(by: inmost.place)
      return .polygon(
        corners.map { corner in
          let away = middle.distance(to: corner)
          return middle.moved(bearing: middle.bearing(to: corner), distance: max(away, min(away * factor, most)))
        })
    }
  }
}
