/// A place on the earth, which is taken for a sphere: within 0.6 % of the true distance, less than a receiver's noise.
public struct Position: Equatable, Sendable {
  /// Degrees north and east by WGS84.
  public let latitude, longitude: Double

  /// Nil for what is no place: a number that is not finite or beyond the poles or the date line, and exactly (0, 0),
  /// which receivers tell when they know nothing. A latitude or a longitude of 0 alone is a legal place to anchor.
  public init?(latitude: Double, longitude: Double) {
    guard latitude.magnitude <= 90, longitude.magnitude <= 180, latitude != 0 || longitude != 0 else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// A place that was calculated: brought back between the poles and the date line.
  init(calculated latitude: Double, _ longitude: Double) {
    self.latitude = min(max(latitude, -90), 90)
    let east = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    self.longitude = east
  }

  /// Metres: on a local plane when near, along the great circle beyond 1 km.
  public func distance(to other: Position) -> Double { Plane(around: self).point(other).length }

  /// Degrees true, from 0 to less than 360; 0 for the place itself.
  public func bearing(to other: Position) -> Double { Plane(around: self).point(other).bearing }

  /// The place at a bearing (degrees true) and a distance in metres: an anchor that was noted afterwards, a bow.
  public func moved(bearing: Double, distance: Double) -> Position {
    let direction = bearing * radians
    return moved(by: Point(east: sine(direction) * distance, north: cosine(direction) * distance))
  }

  /// The place of a point of the plane around this place.
  func moved(by point: Point) -> Position {
    let north = latitude + point.north / metresPerDegree
    let narrow = max(cosine((latitude + north) / 2 * radians), 1e-9)
    return Position(calculated: north, longitude + point.east / (metresPerDegree * narrow))
  }
}

/// The earth's mean radius in metres (IUGG).
let earthRadius = 6_371_008.8
let metresPerDegree = earthRadius * radians

/// A point of the plane around a place, in metres.
struct Point: Equatable, Sendable {
  var east, north: Double

  var length: Double { (east * east + north * north).squareRoot() }
  var bearing: Double { wholeCircle(angle(east, north) / radians) }

  static func - (left: Point, right: Point) -> Point {
    Point(east: left.east - right.east, north: left.north - right.north)
  }
}

/// The plane that touches the earth at a place. Around an anchor it makes a distance as cheap as four products.
struct Plane: Sendable {
  let center: Position
  /// Metres in a degree of longitude at the place, and by how much fewer they are a degree further north.
  private let perLongitude, narrowing: Double
  /// The degrees of latitude and longitude within which the plane is used.
  private let near, nearEast: Double

  init(around center: Position) {
    self.center = center
    let latitude = center.latitude * radians
    perLongitude = metresPerDegree * cosine(latitude)
    // A degree of longitude is taken as wide as it is half-way between the two places.
    narrowing = metresPerDegree * sine(latitude) * radians / 2
    let isNearPole = center.latitude.magnitude > AnchorLimits.planeLatitude
    near = isNearPole ? -1 : AnchorLimits.planeMetres / metresPerDegree
    nearEast = isNearPole ? -1 : AnchorLimits.planeMetres / perLongitude
  }

  func point(_ position: Position) -> Point {
    let north = position.latitude - center.latitude
    var east = position.longitude - center.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    if north.magnitude > near || east.magnitude > nearEast { return farPoint(position, east: east * radians) }
    return Point(east: east * (perLongitude - north * narrowing), north: north * metresPerDegree)
  }

  /// As far and in the direction of the great circle (haversine).
  private func farPoint(_ position: Position, east: Double) -> Point {
    let (from, to) = (center.latitude * radians, position.latitude * radians)
    let (sinNorth, sinEast) = (sine((to - from) / 2), sine(east / 2))
    let half = min(max(sinNorth * sinNorth + cosine(from) * cosine(to) * sinEast * sinEast, 0), 1)
    let distance = 2 * earthRadius * angle(half.squareRoot(), (1 - half).squareRoot())
    let across = sine(east) * cosine(to)
    let along = cosine(from) * sine(to) - sine(from) * cosine(to) * cosine(east)
    let length = (across * across + along * along).squareRoot()
    guard length > 0 else { return Point(east: 0, north: along < 0 ? -distance : distance) }
    return Point(east: distance * across / length, north: distance * along / length)
  }
}
