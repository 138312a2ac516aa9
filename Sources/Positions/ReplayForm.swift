package import AnchorWatch
package import Wire

extension Replay {
  /// The result of a replay: `{"fixes", "refused", "gaps", "max_m", "outside", "events": [{"at", "kind",
  /// "distance_m"}], "more"}`, with the kinds warning, alarm, clear, position lost and position back; metres to a
  /// millimetre. `more` are the events beyond the bound.
  package var json: JSON {
    let told = events.filter { Self.told.contains($0.kind) }
    return [
      "fixes": .int(fixes), "refused": .int(refused), "gaps": .int(gaps), "max_m": .double(millimetres(farthest)),
      "outside": .int(outside),
      "events": .array(
        told.map { event in
          [
            "at": .string(utcTimestamp(event.at)), "kind": .string("\(event.kind.name)"),
            "distance_m": .double(millimetres(event.distance)),
          ]
        }), "more": .int(more),
    ]
  }

  private static let told: [WatchKind] = [.warning, .alarm, .clear, .positionLost, .positionBack]
}

private func millimetres(_ metres: Double) -> Double { (metres * 1_000).rounded() / 1_000 }

extension Position {
  /// The place whose latitude and longitude are the medians of many, on either side of the date line; nil of none.
  package static func median(_ places: [Position]) -> Position? {
    guard let first = places.first else { return nil }
    let latitudes = places.map(\.latitude).sorted()
    let east = places.map { wrapped($0.longitude - first.longitude) }.sorted()
    return Position(latitude: middle(latitudes), longitude: wrapped(first.longitude + middle(east)))
  }

  private static func wrapped(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }

  private static func middle(_ sorted: [Double]) -> Double {
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
}
