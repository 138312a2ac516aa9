import CivilTime
import Lifecycle
import Playback
import Sound
import SpeakingClock

/// The clock of one person: what all devices of this person say, and how.
struct PersonClock: Equatable, Sendable {
  var settings = ClockSettings()
  /// A built-in voice's name, or the id of a recorded one.
  var voice = BuiltInVoice.english.rawValue
  /// `device` for the zone of where each device is, or an IANA name.
  var zone = ClockSettingsForm.ofDevice
  /// Seconds since 1970 until which it keeps still; 0 for never.
  var mutedUntil = 0.0
  /// When its owner last changed it, in seconds since 1970.
  var changedAt = 0.0

  /// As it is at first for those who read German.
  static var german: PersonClock {
    var clock = PersonClock()
    (clock.settings.language, clock.settings.isTwentyFourHours) = (.german, true)
    clock.voice = BuiltInVoice.german.rawValue
    return clock
  }

  /// The zone by which a device speaks.
  /// - Parameters:
  ///   - device: the zone that the device has told.
  ///   - house: the hub's, for a device that has told none.
  func zone(ofDevice device: String?, house: Zone) -> Zone {
    let name = zone == ClockSettingsForm.ofDevice ? device : zone
    return name.flatMap { try? systemZone($0) } ?? house
  }

  /// The next announcement that is not muted.
  func next(after moment: Int, in zone: Zone) -> Announcement? {
    settings.next(after: max(moment, Int(mutedUntil.rounded(.up)) - 1), offset: zone.offset(at:))
  }
}
