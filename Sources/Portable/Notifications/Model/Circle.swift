/// A circle on the earth, which is taken for a sphere: at most 0.6 % from the true distance.
public struct Circle: Equatable, Sendable {
  /// Metres.
  public let radius: Int

  private let center: Point

  /// - Parameters:
  ///   - latitude: degrees north, −90…90.
  ///   - longitude: degrees east, −180…180.
  public init(latitude: Double, longitude: Double, radius: Int) {
    self.radius = radius
    center = Point(latitude: latitude, longitude: longitude)
  }

  /// Reads "latitude", "longitude" and "radius" of a trigger.
  init(_ json: JSONValue, at path: [UInt8], _ faults: inout Faults) {
    func degrees(_ name: StaticString, _ most: Double, _ accepted: StaticString, _ faults: inout Faults) -> Double {
      guard let value = json[name]?.double, value >= -most, value <= most else {
        faults.refuse(Field(path, name), json[name], .words(accepted))
        return 0
      }
      return value
    }
    let latitude = degrees("latitude", 90, "degrees from -90 to 90 are accepted", &faults)
    let longitude = degrees("longitude", 180, "degrees from -180 to 180 are accepted", &faults)
    let field = Field(path, "radius")
    if json["radius"] == nil { faults.refuse(field, nil, .integer(NotificationLimits.radius)) }
    let radius = faults.integer(json, field, NotificationLimits.radius) ?? 1
    self.init(latitude: latitude, longitude: longitude, radius: radius)
  }

  /// True if the device counts as inside the circle. Leaving has to be certain: while the fix may lie inside, given its
  /// accuracy, the device has not left. Coming in is believed at once.
  /// - Parameter wasInside: the side on which the device was before; nil if nobody knows.
  public func contains(_ fix: Fix, wasInside: Bool?) -> Bool {
    let margin = wasInside == true ? max(fix.accuracy, 0) : 0
    let point = Point(latitude: fix.latitude, longitude: fix.longitude)
    return center.chord(to: point) <= 2 * sine(min((Double(radius) + margin) / (2 * earthRadius), halfTurn / 2))
  }
}

/// A place of the device, as its receiver told it.
public struct Fix: Equatable, Sendable {
  public var latitude: Double
  public var longitude: Double
  /// Metres by which it may be wrong; 0 if nobody knows.
  public var accuracy: Double

  public init(latitude: Double, longitude: Double, accuracy: Double = 0) {
    (self.latitude, self.longitude, self.accuracy) = (latitude, longitude, accuracy)
  }
}

/// A point on a sphere whose radius is 1.
private struct Point: Equatable {
  let x, y, z: Double

  init(latitude: Double, longitude: Double) {
    let (north, east) = (latitude * halfTurn / 180, longitude * halfTurn / 180)
    x = cosine(north) * cosine(east)
    y = cosine(north) * sine(east)
    z = sine(north)
  }

  func chord(to other: Point) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y) + (z - other.z) * (z - other.z)).squareRoot()
  }
}

/// The earth's mean radius in metres (IUGG).
private let earthRadius = 6_371_008.8
private let halfTurn = 3.141592653589793

// Sine and cosine of our own: those of browsers and of the C library differ in their last bits.

/// The sine of an angle from −2 to 2 half turns, to 15 digits, by its series.
private func sine(_ angle: Double) -> Double {
  var angle = angle
  if angle > halfTurn / 2 { angle = halfTurn - angle }
  if angle < -halfTurn / 2 { angle = -halfTurn - angle }
  var (term, sum) = (angle, angle)
  let square = angle * angle
  for number in 1...11 {
    let next = 2 * number
    term *= -square / Double(next * (next + 1))
    sum += term
  }
  return sum
}

private func cosine(_ angle: Double) -> Double { sine(halfTurn / 2 - (angle < 0 ? -angle : angle)) }
