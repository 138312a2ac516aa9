/// The middle of the last hour's positions, and how far it moved: an anchor that creeps through mud, too slowly for any
/// zone.
struct Creep: Sendable {
  private var samples: [(time: Double, point: Point)] = []
  private var nextSample = -Double.infinity
  private var nextLook: Double?
  /// The middle from which it is counted.
  private var reference: Point?

  func isDue(at time: Double) -> Bool { time >= nextSample }

  /// True when the middle has moved by more than `most` metres; from then on that is the middle.
  mutating func take(_ point: Point, at time: Double, most: Double) -> Bool {
    nextSample = time + AnchorLimits.creepStep
    samples.append((time, point))
    guard let look = nextLook else {
      nextLook = time + 3_600
      return false
    }
    guard time >= look else { return false }
    nextLook = time + AnchorLimits.creepLook
    samples.removeAll { $0.time < time - 3_600 }
    guard samples.count >= AnchorLimits.creepLeast else { return false }
    let center = Point(east: middle(samples.map { $0.point.east }), north: middle(samples.map { $0.point.north }))
    guard let from = reference, (center - from).length <= most else {
      defer { reference = center }
      return reference != nil
    }
    return false
  }

  /// The clock was set.
  mutating func shift(by seconds: Double) {
    nextSample += seconds
    nextLook = nextLook.map { $0 + seconds }
    for index in samples.indices { samples[index].time += seconds }
  }
}

/// The middle one of some numbers, found by parting them around one of them again and again.
func middle(_ numbers: [Double]) -> Double {
  guard !numbers.isEmpty else { return 0 }
  var numbers = numbers
  let wanted = numbers.count / 2
  var (low, high) = (0, numbers.count - 1)
  while low < high {
    let pivot = numbers[(low + high) / 2]
    var (left, right) = (low, high)
    while left <= right {
      while numbers[left] < pivot { left += 1 }
      while numbers[right] > pivot { right -= 1 }
      if left <= right {
        numbers.swapAt(left, right)
        left += 1
        right -= 1
      }
    }
    if wanted <= right { high = right } else if wanted >= left { low = left } else { break }
  }
  return numbers[wanted]
}

extension Position {
  /// The middle of some places, which single bad ones do not move: an anchor from the first minute's positions. Nil
  /// without any.
  public static func median(of places: [Position]) -> Position? {
    guard let first = places.first else { return nil }
    let points = places.map { Plane(around: first).point($0) }
    return first.moved(by: Point(east: middle(points.map { $0.east }), north: middle(points.map { $0.north })))
  }
}
