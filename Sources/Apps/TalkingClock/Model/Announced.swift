import Hub
import Wire

/// The report of a device on one announcement.
struct Announced: Equatable, Sendable {
  enum What: String, CaseIterable, Sendable {
    case spoke
    /// It kept still, since it is muted or another sound had the loudspeaker.
    case muted
    case alarm
    /// There was no loudspeaker, or it failed.
    case noAudio = "no_audio"
    /// It was asleep or switched off at that second.
    case missed

    /// True if the device was at work, so that nobody needs to look after it.
    var isAlive: Bool { self == .spoke || self == .muted || self == .alarm }
  }

  enum Cause: String, CaseIterable, Sendable {
    /// The hub's push.
    case push
    /// Its own schedule.
    case own
  }

  var at: Int
  var what: What
  /// Milliseconds from the second of the announcement to its first sample; nil if nothing was played.
  var lateness: Int?
  var cause: Cause
  /// Seconds by which the hub's push went ahead; nil if it sent none.
  var lead: Int?

  func json(device: Int) -> JSON {
    [
      "at": JSON(instant: Double(at)), "device": JSON(id: device), "what": .string(what.rawValue),
      "late_ms": JSON(lateness), "by": .string(cause.rawValue), "lead_s": JSON(lead),
    ]
  }
}

/// A device's part in the clock.
struct ClockState: Equatable, Sendable {
  var isOn = false
  var volume = ClockLimits.volume
  /// Seconds since 1970 from which it is expected to speak.
  var watchedFrom = 0.0
  /// The last announcement that it was woken for.
  var wokenAt: Int?
  /// The last announcement that it reported, and the last one at which it was at work.
  var last: Announced?
  var heardAt: Int?
  /// When it was found silent, in seconds since 1970; nil while it speaks.
  var silentSince: Double?
}
