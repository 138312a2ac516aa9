/// The limits of this module.
package enum PlaybackLimits {
  /// Seconds before an announcement at which its device is opened: sound servers that sleep take up to two to wake up,
  /// and the measurement of the device's delay gets exact with its length.
  static let leadSeconds = 4.0
  /// Seconds of sound that wait in the device's buffer: long enough for a machine under full load.
  static let bufferSeconds = 0.5
  /// Seconds between two looks at the device while it plays.
  static let periodSeconds = 0.05
  /// Measurements of the device's delay of which the median is used.
  static let measurements = 41
  /// Measurements that are needed before a sound is placed by them.
  static let leastMeasurements = 3
  /// Seconds that a measurement may take; one that was interrupted for longer is left out.
  static let measuringSeconds = 0.002
  /// Seconds for which a device may not open, not answer or take no sound, before it counts as broken.
  static let stuckSeconds = 5.0
  /// Threads that may be left behind in a device that does not answer. Past them nothing is played until one returns.
  static let leftThreads = 2
  /// Seconds beyond its buffer that a device may take to play what was written.
  static let endSeconds = 2.0
  /// Seconds after its time within which a sound is still begun, beyond `DueAnnouncements.grace`.
  static let lateSeconds = 3.5
  /// Seconds by which the time of a sound that waits may move away, when somebody sets the clock.
  static let awaySeconds = 60.0
  /// Seconds that the end of the program waits for a device that does not answer.
  static let closeSeconds = 2.0
  /// Seconds of one sound.
  package static let soundSeconds = 120.0
  /// Spoken texts that wait for their turn, and the seconds of one: it fits between two announcements.
  static let waitingSounds = 8
  package static let speechSeconds = 50.0
  /// Seconds until the next look at a schedule that has nothing to announce for two days.
  static let dayOfQuietSeconds = 86_400.0
}
