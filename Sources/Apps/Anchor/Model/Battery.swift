/// A battery's charge at a time.
struct Charge: Equatable, Sendable {
  var at: Double
  var share: Double
}

/// The news of a battery: each is told once, until it is charged again.
enum BatteryNews: Equatable, Sendable {
  case low(Double)
  case empty(Double)
  /// It does not reach the morning; the time at which it will be empty.
  case slope(Double)
  case unplugged
  case plugged
}

enum Battery {
  /// The time at which a battery will be empty, by the straight line through its history (least squares); nil if it is
  /// not getting emptier, or too little is known.
  static func emptyAt(_ history: [Charge], now: Double) -> Double? {
    let recent = history.filter { $0.at > now - WatchLimits.slopeHistory }
    guard let first = recent.first, let last = recent.last, last.at - first.at >= WatchLimits.slopeSeconds,
      recent.count >= 4
    else { return nil }
    let count = Double(recent.count)
    let meanAt = recent.reduce(0) { $0 + ($1.at - now) } / count
    let meanShare = recent.reduce(0) { $0 + $1.share } / count
    var (products, squares) = (0.0, 0.0)
    for charge in recent {
      products += (charge.at - now - meanAt) * (charge.share - meanShare)
      squares += (charge.at - now - meanAt) * (charge.at - now - meanAt)
    }
    guard squares > 0, products < 0 else { return nil }
    let slope = products / squares
    return now - (meanShare - slope * meanAt) / slope
  }

  /// Notices what there is to tell of a source's battery after a report.
  /// - Parameters:
  ///   - wasCharging: as it told before.
  ///   - morning: until when it should last.
  static func news(
    of source: inout Source, wasCharging: Bool?, history: [Charge], now: Double, morning: Double
  ) -> [BatteryNews] {
    var news: [BatteryNews] = []
    if source.isCharging == true {
      if wasCharging == false, source.told.contains(.unplugged) { news.append(.plugged) }
      source.told.subtract([.low, .empty, .slope, .unplugged])
      return news
    }
    if wasCharging == true, source.isCharging == false, source.told.insert(.unplugged).inserted {
      news.append(.unplugged)
    }
    guard let share = source.battery else { return news }
    if share > WatchLimits.charged { source.told.subtract([.low, .empty]) }
    if share <= WatchLimits.empty {
      if source.told.insert(.empty).inserted { news.append(.empty(share)) }
      source.told.insert(.low)
    } else if share <= WatchLimits.low, source.told.insert(.low).inserted {
      news.append(.low(share))
    } else if let end = emptyAt(history, now: now), end < morning, source.told.insert(.slope).inserted {
      news.append(.slope(end))
    }
    return news
  }
}
