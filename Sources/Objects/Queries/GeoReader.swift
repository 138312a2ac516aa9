import Wire

/// Reads constraints on places.
struct GeoReader {
  private let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// `{"$nearSphere": point, "$maxDistanceInKilometers": 5}`
  func near(_ value: JSON, among all: JSON) throws(ObjectError) -> Condition.Test {
    let units = [
      ("$maxDistance", 1), ("$maxDistanceInRadians", 1), ("$maxDistanceInMiles", GeoPoint.milesOfRadian),
      ("$maxDistanceInKilometers", GeoPoint.kilometersOfRadian),
    ]
    var radians: Double?
    for (name, unit) in units {
      guard let distance = all[name] else { continue }
      guard let number = distance.number, number >= 0 else {
        throw .json("\(path.text): \(name): \(distance.kind); a number from 0 on is accepted.")
      }
      radians = min(radians ?? .infinity, number / unit)
    }
    return .near(try point(value, "$nearSphere"), within: radians)
  }

  /// `{"$box": [southwest, northeast]}`; any two opposite corners will do.
  func box(_ value: JSON) throws(ObjectError) -> GeoArea {
    guard let corners = value["$box"]?.array, corners.count == 2 else {
      throw .json("\(path.text): malformatted $within arg: $box with two GeoPoints is accepted.")
    }
    return .box(try point(corners[0], "$box"), try point(corners[1], "$box"))
  }

  /// `{"$polygon": [point, point, point]}` or `{"$centerSphere": [point, radians]}`
  func area(_ value: JSON) throws(ObjectError) -> GeoArea {
    if let polygon = value["$polygon"] {
      guard let corners = polygon.array ?? polygon["coordinates"]?.array else {
        throw .json("bad $geoWithin value; $polygon should be Polygon object or Array of Parse.GeoPoint's")
      }
      guard corners.count >= 3 else {
        throw .json("bad $geoWithin value; $polygon should contain at least 3 GeoPoints")
      }
      var points: [GeoPoint] = []
      for corner in corners { points.append(try point(corner, "$polygon")) }
      return .polygon(points)
    }
    guard let sphere = value["$centerSphere"]?.array, sphere.count >= 2 else {
      throw .json(
        "bad $geoWithin value; $polygon, or $centerSphere with an array of Parse.GeoPoint and distance is accepted")
    }
    guard let radians = sphere[1].number, radians >= 0 else {
      throw .json("bad $geoWithin value; $centerSphere distance invalid")
    }
    // Here Parse has a pair the other way round than in a polygon.
    var center = sphere[0]
    if let pair = center.array, pair.count == 2 { center = .array([pair[1], pair[0]]) }
    return .circle(try point(center, "$centerSphere"), radians)
  }

  /// A GeoPoint, or a pair of latitude and longitude.
  private func point(_ json: JSON, _ name: String) throws(ObjectError) -> GeoPoint {
    var point = GeoPoint(json)
    if let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number {
      point = GeoPoint(latitude: latitude, longitude: longitude)
    } else if let pair = json.array, pair.count == 2, let latitude = pair[0].number, let longitude = pair[1].number {
      point = GeoPoint(latitude: latitude, longitude: longitude)
    }
    guard let point else {
      throw .json("\(path.text): \(name): not a GeoPoint; latitude −90…90 and longitude −180…180 are accepted.")
    }
    return point
  }
}
