import AnchorWatch
import Hub

extension SecondWatch {
  /// The watch at /metrics.
  var readings: [Reading] {
    [
      Reading(
        "state", help: "0 not armed, 1 waiting, 2 holding, 3 warning, 4 alarm, 5 position lost, 6 boat lost."
      ) { [self] in watch.number },
      Reading("last_fix_seconds", help: "Seconds since the newest position; NaN before the first.") { [self] in
        watch.lastFix.map { max(0, now - $0) } ?? .nan
      },
      Reading("reporters", help: "Devices that keep the interval which they have promised.") { [self] in
        Double(watch.sources.values.count { $0.health(now: now) == .ok })
      },
    ]
  }
}

extension HubWatch {
  fileprivate var number: Double {
    guard settings != nil else { return 0 }
    return switch standing {
    case .waiting: 1
    case .holding: 2
    case .warning: 3
    case .alarm: 4
    case .positionLost: 5
    case .boatLost: 6
    }
  }

  /// The time of the newest position of any source.
  fileprivate var lastFix: Double? { sources.values.compactMap { $0.fix?.time }.max() }
}
