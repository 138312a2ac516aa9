package import AnchorWatch

/// The interval between looks at the boat's position: all the time while there is power or danger, seldom on battery
/// far from the edge.
package enum WatchPace: Equatable, Sendable {
  package enum Reason: String, Sendable {
    case charger, nearEdge = "near_edge", alarm, torn, noPosition = "no_position", battery, noWatch = "no_watch"
  }

  case continuous(Reason)
  /// With the seconds between two looks; the sources are closed in between.
  case seldom(Double, Reason)

  /// - Parameter isTorn: true while a source leaps to and fro between two places.
  package init(_ watch: AnchorWatch?, _ supply: PowerSupply.Reading, isRinging: Bool, isTorn: Bool = false) {
    guard let watch else {
      self = supply.isPlugged ? .continuous(.noWatch) : .seldom(AgentWatchLimits.idleSeconds, .noWatch)
      return
    }
    if isRinging || watch.state == .alarm {
      self = .continuous(.alarm)
    } else if isTorn {
      self = .continuous(.torn)
    } else if watch.state == .waiting || watch.state == .lost {
      self = .continuous(.noPosition)
    } else if watch.state == .warning || watch.share >= AgentWatchLimits.nearEdge {
      self = .continuous(.nearEdge)
    } else if supply.isPlugged {
      self = .continuous(.charger)
    } else {
      let seconds = watch.nextCheck(charging: false, battery: supply.level)
      self = seconds >= AgentWatchLimits.seldomSeconds ? .seldom(seconds, .battery) : .continuous(.battery)
    }
  }

  var words: (interval: String, why: String) {
    switch self {
    case .continuous(let reason): ("continuous", reason.rawValue)
    case .seldom(let seconds, let reason): ("\(Int(seconds.rounded()))", reason.rawValue)
    }
  }
}

extension TrackRecord {
  /// Nil for exactly (0, 0), which no log has.
  package var fix: Fix? {
    Position(latitude: latitude, longitude: longitude).map {
      Fix(time: time, position: $0, accuracy: accuracy, hdop: hdop, heading: heading)
    }
  }
}
