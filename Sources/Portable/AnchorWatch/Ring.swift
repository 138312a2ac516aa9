/// A sector in the plane around the anchor, ready to be asked for every fix: no angles, only products.
struct Ring: Sendable {
  /// The directions of its two sides.
  private let from, to: Point
  private let isWhole, isReflex: Bool
  private let inner, outer: Double
  /// The farthest that any place within it is from its edge.
  private(set) var depth = 0.0

  init(_ sector: Sector) {
    let span = wholeCircle(sector.to - sector.from)
    func side(_ degrees: Double) -> Point { Point(east: sine(degrees * radians), north: cosine(degrees * radians)) }
    (from, to) = (side(sector.from), side(sector.to))
    (isWhole, isReflex) = (span == 0, span > 180)
    (inner, outer) = (sector.inner, sector.outer)
    // The deepest place lies on the line between the sides.
    let middle = side(sector.from + span / 2)
    for step in 0...256 {
      let away = inner + (outer - inner) * Double(step) / 256
      depth = max(depth, clearance(Point(east: middle.east * away, north: middle.north * away)))
    }
  }

  /// Metres from the edge: positive within, negative outside.
  func clearance(_ point: Point) -> Double {
    let away = point.length
    let isBetween = self.isBetween(point)
    var nearest = Double.infinity
    if isBetween {
      nearest = (outer - away).magnitude
      if inner > 0 { nearest = min(nearest, (away - inner).magnitude) }
    }
    if !isWhole { nearest = min(nearest, distance(point, from), distance(point, to)) }
    return isBetween && away <= outer && away >= inner ? nearest : -nearest
  }

  private func isBetween(_ point: Point) -> Bool {
    if isWhole { return true }
    let isAfter = from.east * point.north <= from.north * point.east
    let isBefore = to.east * point.north >= to.north * point.east
    return isReflex ? isAfter || isBefore : isAfter && isBefore
  }

  private func distance(_ point: Point, _ side: Point) -> Double {
    let along = min(max(point.east * side.east + point.north * side.north, inner), outer)
    return (point - Point(east: side.east * along, north: side.north * along)).length
  }
}
