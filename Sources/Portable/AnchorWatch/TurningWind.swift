/// The direction of the wind, smoothed, and how far it has turned.
struct TurningWind: Sendable {
  private var smooth: Point?
  private var (since, last) = (0.0, 0.0)
  private var reference: Point?

  /// True when the wind has turned by more than some degrees; from then on that is its direction.
  mutating func take(_ direction: Double, at time: Double, most: Double) -> Bool {
    let now = Point(east: sine(direction * radians), north: cosine(direction * radians))
    guard let before = smooth else {
      (smooth, since, last) = (now, time, time)
      return false
    }
    let weight = min(max((time - last) / AnchorLimits.windSeconds, 0), 1)
    last = time
    let wind = Point(
      east: before.east + (now.east - before.east) * weight, north: before.north + (now.north - before.north) * weight)
    smooth = wind
    guard time - since >= AnchorLimits.windSeconds else { return false }
    guard let from = reference else {
      reference = wind
      return false
    }
    let turned = angle(from.east * wind.north - from.north * wind.east, from.east * wind.east + from.north * wind.north)
    guard turned.magnitude > most * radians else { return false }
    reference = wind
    return true
  }

  /// The clock was set.
  mutating func shift(by seconds: Double) {
    since += seconds
    last += seconds
  }
}
