/// The watches of a day at sea, each of four hours but for the two dog watches of two hours in the afternoon.
public enum Watch: Int, CaseIterable, Sendable {
  case middle
  case morning
  case forenoon
  case afternoon
  case firstDog
  case lastDog
  case first

  /// - Parameter minute: of the day, 0 to 1439.
  public init(at minute: Int) {
    self = Watch.allCases.last { $0.start <= minute } ?? .middle
  }

  /// The minute of the day at which it begins.
  public var start: Int { [0, 4, 8, 12, 16, 18, 20][rawValue] * 60 }
}

/// The number of bells that were last struck, one to eight: eight end a watch, and so does the fourth of the first dog
/// watch; the last dog watch begins again with one, and ends with eight (the tradition of the Royal Navy).
/// - Parameter minute: of the day, 0 to 1439.
public func shipsBellCount(at minute: Int) -> Int {
  let half = minute / 30 * 30
  // The bells at the very beginning of a watch belong to the one that ends with them.
  let watch = Watch(at: (half + 1439) % 1440)
  if watch == .lastDog, half == Watch.first.start { return 8 }
  return ((half + 1439) % 1440 + 1 - watch.start) / 30
}

/// The strokes of a half-hour: pairs, then the odd one.
func shipsBells(at minute: Int) -> [Part] {
  let count = shipsBellCount(at: minute)
  return Array(repeating: .word(.bells), count: count / 2) + Array(repeating: .word(.bell), count: count % 2)
}
