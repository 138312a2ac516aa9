import Glibc
public import Wire

/// A place on the earth, in degrees.
public struct GeoPoint: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Reads a value of the type GeoPoint.
  public init?(_ json: JSON) {
    guard json["__type"]?.string == "GeoPoint", let latitude = json["latitude"]?.number,
      let longitude = json["longitude"]?.number
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// The distance over the ground, as the angle between the two in radians.
  public func distance(to other: GeoPoint) -> Double {
    let radian = Double.pi / 180
    let latitudes = sin((other.latitude - latitude) * radian / 2)
    let longitudes = sin((other.longitude - longitude) * radian / 2)
    let half = latitudes * latitudes + cos(latitude * radian) * cos(other.latitude * radian) * longitudes * longitudes
    return 2 * asin(min(1, half.squareRoot()))
  }

  /// The earth's radius as Parse reckons with it.
  static let kilometersOfRadian = 6371.0
  static let milesOfRadian = 3959.0
}

/// An area of the map, on which degrees are straight lines; no area goes over the date line.
enum GeoArea: Hashable, Sendable {
  case box(GeoPoint, GeoPoint)
  case polygon([GeoPoint])
  /// Within so many radians over the ground.
  case circle(GeoPoint, Double)

  func contains(_ point: GeoPoint) -> Bool {
    switch self {
    case .box(let first, let second):
      let latitudes = min(first.latitude, second.latitude)...max(first.latitude, second.latitude)
      let longitudes = min(first.longitude, second.longitude)...max(first.longitude, second.longitude)
      return latitudes.contains(point.latitude) && longitudes.contains(point.longitude)
    case .polygon(let corners): return Self.contains(point, corners)
    case .circle(let center, let radians): return center.distance(to: point) <= radians
    }
  }

  /// Counts the sides that a line from the point to the north crosses; the sides themselves belong to the area.
  private static func contains(_ point: GeoPoint, _ corners: [GeoPoint]) -> Bool {
    var isInside = false
    var last = corners[corners.count - 1]
    for corner in corners {
      let (from, to) = last.longitude <= corner.longitude ? (last, corner) : (corner, last)
      last = corner
      let turn =
        (to.longitude - from.longitude) * (point.latitude - from.latitude)
        - (to.latitude - from.latitude) * (point.longitude - from.longitude)
      let latitudes = min(from.latitude, to.latitude)...max(from.latitude, to.latitude)
      if turn == 0, (from.longitude...to.longitude).contains(point.longitude), latitudes.contains(point.latitude) {
        return true
      }
      if (from.longitude..<to.longitude).contains(point.longitude), turn < 0 { isInside.toggle() }
    }
    return isInside
  }
}
