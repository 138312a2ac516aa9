import AnchorWatch
import Hub
import Wire

/// A device that tells positions, and what it has told last.
struct Source: Equatable, Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case agent, owntracks, overland, traccar, mqtt, page
  }

  /// The news of it that the crew was told, so that each is told once.
  struct Told: OptionSet, Sendable {
    let rawValue: Int
    static let low = Told(rawValue: 1)
    static let empty = Told(rawValue: 2)
    static let slope = Told(rawValue: 4)
    static let unplugged = Told(rawValue: 8)
    static let lost = Told(rawValue: 16)
    static let objects = Told(rawValue: 32)
    static let divided = Told(rawValue: 64)
    static let clock = Told(rawValue: 128)
    static let forgets = Told(rawValue: 256)
  }

  var id = 0
  var name: String
  var kind: Kind
  /// The device of the hub that is rung, and the person whose it is, where there is one.
  var device: Int?
  var person: Int?
  /// The last sign of life, and the seconds that are promised until the next.
  var last: Double
  var interval = WatchLimits.usualInterval
  var battery: Double?
  var isCharging: Bool?
  /// The state that its own watch told, if it has one.
  var state: String?
  /// The instruments that an agent is told, "depth" and "wind": it alone can ring for them. Nil if it has not said.
  var tells: [String]?
  var fix: Fix?
  var told: Told = []
  /// The error of its clock in seconds, and reports that agreed on it.
  var skew = 0.0
  var skewTrials = 0
  /// The hub's time of the last report that was counted.
  var skewTriedAt = 0.0

  enum Health: String, Sendable {
    case ok, late, lost
  }

  func health(now: Double) -> Health {
    let age = now - last
    if age > HubWatch.patience(interval) { return .lost }
    return age > interval + WatchLimits.slack ? .late : .ok
  }

  /// The times of fixes by the hub's clock. A device says what its clock shows; else one that is wrong is known by its
  /// newest fix, report after report, and old fixes that come late are no reason.
  mutating func corrected(_ fixes: [Fix], now: Double, at: Double? = nil) -> [Fix] {
    var fixes = fixes
    if let at {
      note(error: now - at)
      // The clock was set since: nobody knows when they were.
      fixes.removeAll { $0.time > at + WatchLimits.ahead }
    } else if let newest = fixes.map(\.time).max() {
      learn(error: now - newest, now: now)
    }
    guard let ahead = clockError else { return fixes }
    return fixes.map { fix in
      var fix = fix
      fix.time = min(fix.time - ahead, now)
      return fix
    }
  }

  /// - Parameter error: seconds by which the device's clock is behind.
  private mutating func note(error: Double) {
    let isKnown = clockError != nil
    guard error < -WatchLimits.ahead || error > WatchLimits.skewLeast / (isKnown ? 2 : 1) else {
      (skew, skewTrials) = (0, 0)
      return
    }
    // Reports are longer on their way now and then.
    if !isKnown || abs(error - skew) >= WatchLimits.smallSkewDrift { skew = error }
    skewTrials = WatchLimits.skewTrials
  }

  /// - Parameter error: seconds by which a report's newest fix is older than the report.
  private mutating func learn(error: Double, now: Double) {
    let isKnown = clockError != nil
    // Positions are some minutes late for many reasons, but not by the same seconds each time.
    let drift = isKnown || error > WatchLimits.late ? WatchLimits.skewDrift : WatchLimits.smallSkewDrift
    // A clock at the edge is told of once.
    let least = isKnown ? WatchLimits.skewLeast / 2 : WatchLimits.skewLeast
    if error < -WatchLimits.ahead {
      skew = error
    } else if error <= least {
      (skew, skewTrials) = (0, 0)
    } else if abs(error - skew) >= drift {
      (skew, skewTrials, skewTriedAt) = (error, 1, now)
    } else if now - skewTriedAt >= WatchLimits.skewPause {
      // Reports that come at once, with what could not be sent for an hour, say nothing of a clock.
      (skewTrials, skewTriedAt) = (skewTrials + 1, now)
    }
  }

  /// Seconds by which its clock is ahead of the hub's, or behind (less than 0); nil for one that is right, as far as
  /// anybody knows.
  var clockError: Double? {
    skew < -WatchLimits.ahead || skewTrials >= WatchLimits.skewTrials ? -skew : nil
  }

  /// Better ones come first: exact, and of the boat rather than of a pocket.
  var rank: Double { (fix?.accuracy ?? WatchLimits.usualAccuracy) + (kind == .agent ? 0 : WatchLimits.usualAccuracy) }

  func json(now: Double, agrees: Bool?) -> JSON {
    [
      "id": JSON(id: id), "name": .string(name), "kind": .string(kind.rawValue), "last": JSON(instant: last),
      "interval_s": .double(interval), "battery": JSON(battery), "charging": JSON(isCharging),
      "state": .string(health(now: now).rawValue), "agrees": told.contains(.divided) ? false : JSON(agrees),
      "clock_error_s": JSON(clockError.map { $0.rounded() }), "keeps": .bool(!told.contains(.forgets)),
    ]
  }
}
