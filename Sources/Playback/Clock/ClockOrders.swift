public import CivilTime
public import SpeakingClock

/// The orders of a clock: when and how it speaks, and how loud.
public struct ClockOrders: Equatable, Sendable {
  public var settings: ClockSettings
  public var isOn = true
  /// 0 to 100.
  public var volume = 80
  /// Seconds since 1970 until which it keeps still; 0 if it does not.
  public var mutedUntil: EpochSeconds = 0

  public init(settings: ClockSettings = ClockSettings()) { self.settings = settings }
}

/// The outcome of an announcement, as the hub's history has it.
public struct AnnouncementReport: Equatable, Sendable {
  public enum What: String, CaseIterable, Sendable {
    case spoke, muted, alarm, missed
    case noAudio = "no_audio"
  }
  /// The schedule that it came from: the hub's, or the clock's own.
  public enum Source: String, Sendable { case push, own }

  public var announcement: Announcement
  public var what: What
  /// Milliseconds from its time to its first sample; nil if nothing was heard.
  public var lateMilliseconds: Int?
  public var source: Source
  /// The reason why nothing was heard, as a sentence.
  public var reason: String?
}
