/// The circle on which a boat has swung: where its anchor lies, found afterwards.
public struct Swing: Sendable {
  public let anchor: Position
  /// Metres.
  public let radius: Double
  /// Metres by which the anchor may lie elsewhere (one standard error).
  public let error: Double
  /// Degrees of the circle in which the boat has been.
  public let arc: Double
  public let hours: Double
  /// Metres by which the positions lie off the circle.
  public let spread: Double
  private let points: [Point]
  private let plane: Plane

  /// Nil when the arc is too short to say anything, or when there is no circle in it.
  /// - Parameter hours: the time of the track. A receiver's error goes on for a minute or so: more positions in it say
  ///   nothing new.
  public init?(of places: [Position], hours: Double) {
    guard places.count >= AnchorLimits.swingPlaces.lowerBound, hours > 0, let middle = Position.median(of: places)
    else {
      return nil
    }
    let step = (places.count - 1) / AnchorLimits.swingPlaces.upperBound + 1
    let plane = Plane(around: middle)
    let points = stride(from: 0, to: places.count, by: step).map { plane.point(places[$0]) }
    guard var circle = Circle(algebraic: points) else { return nil }
    var inverse = (0.0, 0.0)
    for _ in 0..<AnchorLimits.swingRounds {
      guard let found = circle.improve(points) else { return nil }
      inverse = found
    }
    let spread = circle.spread(points)
    let independent = min(Double(points.count), max(hours * 60, 1))
    let error = spread * ((inverse.0 + inverse.1) * Double(points.count) / independent).squareRoot()
    let arc = circle.arc(points)
    guard arc >= AnchorLimits.swingArc, error.isFinite, error < circle.radius / 2,
      AnchorLimits.radius.contains(circle.radius), circle.center.length < 2 * circle.radius
    else { return nil }
    (anchor, radius, self.error) = (plane.center.moved(by: circle.center), circle.radius, error)
    (self.arc, self.hours, self.spread, self.points, self.plane) = (arc, hours, spread, points, plane)
  }

  /// True when this anchor explains the track clearly better than the noted one.
  public func isBetter(than noted: Position) -> Bool {
    let center = plane.point(noted)
    let ways = points.map { ($0 - center).length }
    let mean = ways.reduce(0, +) / Double(ways.count)
    let notedSpread = (ways.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ways.count)).squareRoot()
    let moved = anchor.distance(to: noted)
    return moved > max(2 * error, AnchorLimits.swingLeast) && spread < 0.8 * notedSpread
  }
}

private struct Circle {
  var center: Point
  var radius: Double

  /// By least squares of the circle's equation (Kåsa), which needs no first guess.
  init?(algebraic points: [Point]) {
    let count = Double(points.count)
    var (east, north) = (0.0, 0.0)
    for point in points { (east, north) = (east + point.east / count, north + point.north / count) }
    var (ee, nn, en, eee, nnn) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let (x, y) = (point.east - east, point.north - north)
      let square = x * x + y * y
      (ee, nn, en) = (ee + x * x, nn + y * y, en + x * y)
      (eee, nnn) = (eee + x * square, nnn + y * square)
    }
    let determinant = ee * nn - en * en
    guard determinant > 1e-9 * (ee + nn) * (ee + nn), ee + nn > 0 else { return nil }
    let x = (eee * nn - nnn * en) / determinant / 2
    let y = (nnn * ee - eee * en) / determinant / 2
    center = Point(east: east + x, north: north + y)
    radius = (x * x + y * y + (ee + nn) / count).squareRoot()
  }

  /// One step towards the least squares of the true distances (Gauss-Newton); returns the variances of the center for
  /// an error of 1.
  mutating func improve(_ points: [Point]) -> (Double, Double)? {
    // The normal equations of three unknowns, in the order east, north, radius; the derivative by the radius is −1.
    var (a, b, c, d, e) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (right, up, out) = (0.0, 0.0, 0.0)
    for point in points {
      let away = point - center
      let length = max(away.length, 1e-6)
      let (x, y, off) = (away.east / length, away.north / length, length - radius)
      (a, b, d) = (a + x * x, b + x * y, d + y * y)
      (c, e) = (c + x, e + y)
      (right, up, out) = (right + x * off, up + y * off, out + off)
    }
    let f = Double(points.count)
    let determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c)
    guard determinant > 1e-9 * f * f * f else { return nil }
    let first = (d * f - e * e, c * e - b * f, b * e - c * d)
    let second = (c * e - b * f, a * f - c * c, b * c - a * e)
    let third = (b * e - c * d, b * c - a * e, a * d - b * b)
    center.east += (first.0 * right + first.1 * up + first.2 * out) / determinant
    center.north += (second.0 * right + second.1 * up + second.2 * out) / determinant
    radius += (third.0 * right + third.1 * up + third.2 * out) / determinant
    guard radius > 0, center.length.isFinite else { return nil }
    return (first.0 / determinant, second.1 / determinant)
  }

  func spread(_ points: [Point]) -> Double {
    let squares = points.reduce(0) { sum, point in
      let off = (point - center).length - radius
      return sum + off * off
    }
    return (squares / Double(max(points.count - 3, 1))).squareRoot()
  }

  /// Degrees of the circle in which there are points, in steps of ten.
  func arc(_ points: [Point]) -> Double {
    var seen: UInt64 = 0
    for point in points { seen |= 1 << UInt64((point - center).bearing / 10) }
    return Double(seen.nonzeroBitCount * 10)
  }
}
