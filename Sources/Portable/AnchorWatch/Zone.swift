/// The zone and what is kept out of it, in the plane around the anchor.
struct Zone: Sendable {
  private enum Form {
    case circle(Double)
    case ring(Ring)
    case polygon([Point])
  }
  private let form: Form
  private let excluded: [Ring]
  /// The radius of a mere circle; nil for what is more.
  private let plain: Double?
  /// The farthest that any place within the zone is from its edge: the radius of a circle.
  let depth: Double

  init(_ shape: Shape, excluded: [Sector], in plane: Plane) {
    switch shape {
    case .circle(let radius): (form, depth) = (.circle(radius), max(radius, 0.1))
    case .sector(let sector):
      let ring = Ring(sector)
      (form, depth) = (.ring(ring), max(ring.depth, 0.1))
    case .polygon(let corners):
      let points = corners.map { plane.point($0) }
      (form, depth) = (.polygon(points), max(deepest(points).clearance, 0.1))
    }
    self.excluded = excluded.map { Ring($0) }
    if case .circle(let radius) = shape, excluded.isEmpty { plain = radius } else { plain = nil }
  }

  /// Metres from the edge: positive within, negative outside.
  @inline(__always) func clearance(_ point: Point) -> Double {
    if let plain { return plain - point.length }
    return shapedClearance(point)
  }

  private func shapedClearance(_ point: Point) -> Double {
    var clearance =
      switch form {
      case .circle(let radius): radius - point.length
      case .ring(let ring): ring.clearance(point)
      case .polygon(let corners): insideDistance(point, corners)
      }
    for ring in excluded { clearance = min(clearance, -ring.clearance(point)) }
    return clearance
  }

  /// The share of the way to the edge: 0 in the middle, 1 at the edge, more outside.
  func share(clearance: Double) -> Double { 1 - clearance / depth }
}

/// Metres from a polygon's edge: positive within, negative outside.
func insideDistance(_ point: Point, _ corners: [Point]) -> Double {
  var (isInside, nearest) = (false, Double.infinity)
  guard var last = corners.last else { return -Double.infinity }
  for corner in corners {
    let (side, there) = (corner - last, point - last)
    let square = side.east * side.east + side.north * side.north
    let along = square > 0 ? min(max((there.east * side.east + there.north * side.north) / square, 0), 1) : 0
    let away = Point(east: there.east - side.east * along, north: there.north - side.north * along)
    nearest = min(nearest, away.east * away.east + away.north * away.north)
    if (corner.north > point.north) != (last.north > point.north),
      point.east < last.east + side.east * (point.north - last.north) / side.north
    {
      isInside.toggle()
    }
    last = corner
  }
  return isInside ? nearest.squareRoot() : -nearest.squareRoot()
}

/// A polygon's deepest place and its distance from the edge: found on a grid that closes in on the best place.
func deepest(_ corners: [Point]) -> (place: Point, clearance: Double) {
  guard let first = corners.first else { return (Point(east: 0, north: 0), 0) }
  var (low, high) = (first, first)
  for corner in corners {
    low = Point(east: min(low.east, corner.east), north: min(low.north, corner.north))
    high = Point(east: max(high.east, corner.east), north: max(high.north, corner.north))
  }
  var (best, found) = (0.0, low)
  for _ in 0..<5 {
    let step = Point(east: (high.east - low.east) / 24, north: (high.north - low.north) / 24)
    for across in 0...24 {
      for up in 0...24 {
        let place = Point(east: low.east + step.east * Double(across), north: low.north + step.north * Double(up))
        let clearance = insideDistance(place, corners)
        if clearance > best { (best, found) = (clearance, place) }
      }
    }
    low = Point(east: found.east - step.east * 2, north: found.north - step.north * 2)
    high = Point(east: found.east + step.east * 2, north: found.north + step.north * 2)
  }
  return (found, best)
}
