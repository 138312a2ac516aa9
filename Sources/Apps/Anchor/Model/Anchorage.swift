import AnchorWatch
import Wire

/// A time at anchor: where, since when, and with which settings. The current one has no end.
struct Anchorage: Equatable, Sendable {
  /// The way by which the anchor's position was found.
  enum Placing: String, Sendable, CaseIterable {
    case drop, bearing, map, swing
  }

  var id = 0
  var from: Double
  var to: Double?
  var position: Position
  /// The settings as the API has them.
  var settings: JSON
  /// Grows with each change, so that an agent knows which settings are newer.
  var version = 1
  /// When somebody changed it last, on the boat or here: the newest counts.
  var changedAt = 0.0
  var placing = Placing.drop
  /// Since when the watch is armed, and the person who armed it; nil for a program.
  var armedAt: Double?
  var person: Int?
  var most = 0.0
  var alarms = 0
  /// True for a track that was brought from elsewhere.
  var isImported = false

  var isArmed: Bool { armedAt != nil && to == nil }

  /// Somebody has changed it.
  mutating func changed(at time: Double) {
    version += 1
    changedAt = time
  }
}

/// An alarm that is open: rung again and again until somebody acts.
struct OpenAlarm: Equatable, Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case alarm
    case boatLost = "boat lost"
    case positionLost = "position lost"
  }

  var kind: Kind
  var since: Double
  var distance: Double
  var rings = 0
  /// The time of the next ring; nil if it rings no more.
  var nextAt: Double?
  var acknowledgedBy: String?
  var acknowledgedDistance: Double?
  /// Metres beyond the zone's edge then: into a sector that is kept out she can go at the same distance.
  var acknowledgedBeyond: Double?

  /// True when it is time for a ring; also of one that the clock has left behind when it was set back.
  func isDue(now: Double) -> Bool {
    let latest = now + WatchLimits.acknowledged + WatchLimits.ring
    return nextAt.map { $0 <= now || $0 > latest } ?? false
  }

  /// Persons of the crew who are rung by now.
  var reached: Int { 1 + rings / WatchLimits.ringsOfOne }

  /// True if a person of the crew was rung; the first is 0.
  func hasReached(_ place: Int) -> Bool { rings > 0 && (rings - 1) / WatchLimits.ringsOfOne >= place }

  /// The time of the next ring that such a person hears; nil if it rings no more.
  func nextRing(of place: Int) -> Double? {
    guard acknowledgedBy == nil else { return nil }
    var next = self
    while next.reached <= place, let at = next.nextAt { next = next.rung(now: at) }
    return next.nextAt
  }

  /// The alarm after a ring.
  func rung(now: Double) -> OpenAlarm {
    var next = self
    next.rings += 1
    next.nextAt = now + (next.rings < WatchLimits.rings ? WatchLimits.ring : WatchLimits.laterRing)
    return next
  }

  /// Somebody is on it: it keeps still, and rings again only if the boat drags on.
  mutating func acknowledge(by name: String, now: Double, distance: Double, beyond: Double?) {
    (acknowledgedBy, acknowledgedDistance, acknowledgedBeyond) = (name, distance, beyond)
    nextAt = kind == .alarm ? now + WatchLimits.acknowledged : nil
  }

  /// False for one that somebody is on, unless she lies further out than then.
  func rings(at distance: Double, beyond: Double?) -> Bool {
    guard let acknowledgedDistance else { return true }
    if distance > acknowledgedDistance + WatchLimits.draggedOn { return true }
    guard let beyond, let acknowledgedBeyond else { return false }
    return beyond > acknowledgedBeyond + WatchLimits.draggedOn
  }
}
