import AnchorWatch
import Testing

struct PositionTests {
  @Test func `what is no place is refused, and a zero alone is one`() {
    for (latitude, longitude) in [
      (0.0, 0.0), (214.7483647, 10), (54, 214.7483647), (.nan, 10), (54, .nan), (.infinity, 0), (90.1, 0), (54, -180.1),
      (-0.0, 0.0),
    ] {
      #expect(Position(latitude: latitude, longitude: longitude) == nil, "\(latitude) \(longitude)")
    }
    for (latitude, longitude) in [(0.0, 10.2), (54.1, 0), (-90, 180), (90, -180)] {
      #expect(Position(latitude: latitude, longitude: longitude) != nil, "\(latitude) \(longitude)")
    }
  }

  @Test(arguments: [
    // Haversine with R = 6,371,008.8 m, by hand.
    (54.1, 10.2, 54.1, 10.2, 0.0, 0.0), (54.1, 10.2, 54.1005, 10.2, 55.598, 0), (0, 10, 0, 10.0005, 55.598, 90),
    (0, 179.9998, 0, -179.9998, 44.478, 90), (0, -179.9998, 0, 179.9998, 44.478, 270),
    (52.5, 13.4, 48.85, 2.35, 876_800.3, 246.83), (90, 0, 89.9995, 77, 55.598, 180),
  ]) func `distances and bearings`(
    latitude: Double, longitude: Double, toLatitude: Double, toLongitude: Double, metres: Double, degrees: Double
  ) throws {
    let from = try #require(Position(latitude: latitude, longitude: longitude))
    let to = try #require(Position(latitude: toLatitude, longitude: toLongitude))
    #expect(abs(from.distance(to: to) - metres) < max(metres * 1e-5, 0.001), "\(from.distance(to: to))")
    if latitude != 90 { #expect(abs(from.bearing(to: to) - degrees) < 0.05, "\(from.bearing(to: to))") }
  }

  @Test func `the plane and the great circle meet at a kilometre, at any latitude and across the date line`() throws {
    for latitude in [-84.0, -60, -0.001, 0, 33, 54, 78] {
      for longitude in [0.001, 10, 179.999, -179.999] {
        let here = try #require(Position(latitude: latitude, longitude: longitude))
        for bearing in stride(from: 0.0, to: 360, by: 15) {
          let near = here.moved(bearing: bearing, distance: 990)
          let far = here.moved(bearing: bearing, distance: 1_010)
          #expect(abs(here.distance(to: near) - 990) < 0.2, "\(latitude) \(bearing)")
          #expect(abs(here.distance(to: far) - 1_010) < 0.2, "\(latitude) \(bearing)")
          let turned = abs(here.bearing(to: near) - bearing)
          #expect(min(turned, 360 - turned) < 0.15, "\(latitude) \(bearing)")
        }
      }
    }
  }

  @Test func `the median of places is moved by no single bad one`() {
    let places = (0..<59).map { Boat.place(3, Double($0) * 6.1) } + [Boat.place(9_000)]
    #expect(Position.median(of: places)!.distance(to: Boat.anchor) < 0.5)
    #expect(Position.median(of: []) == nil)
  }
}
