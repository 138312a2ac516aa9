import Sound

/// The limits of the agent's clock.
enum ClockLimits {
  /// Bytes of the file of its state: the hub's last message, and the last instant.
  static let stateBytes = 64 << 10
  /// Seconds since 1970 that a message may name, with which no sum overflows: those that the hub takes in reports.
  static let instants = 1...Int(Int32.max) * 4
  /// Reports that wait for the hub: two days of quarter-hours.
  static let reports = 200
  static let reportsBytes = 64 << 10
  /// Seconds for which the hub may say nothing to a request, and the bytes of its answer: ten seconds of a part are
  /// 0.9 MB.
  static let requestSeconds = 30.0
  static let answerBytes = 1 << 20
  /// Requests that wait for their turn.
  static let requests = 8
  /// Parts of a recorded voice, and the bytes of all.
  static let parts = 100
  static let voiceBytes = SoundLimits.recordedBytes
  /// Seconds until the next attempt to fetch a voice that could not be fetched.
  static let voiceRetrySeconds = 300.0
  /// Seconds for which an alarm keeps the clock still if nobody acts: as long as one rings, it says so again.
  static let alarmSeconds = 600.0
  /// Seconds after which a message that asks for the time now is over.
  static let freshSeconds = 60.0
  /// Alarms that are known at once.
  static let alarms = 64
  /// Seconds to make a text into a sound, and bytes of that.
  static let speechSeconds = 10.0
  static let speechFileBytes = 8 << 20
  /// Bytes of a text beyond which it is spoken faster: the longest one would take 70 s else, and is to fit between two
  /// announcements.
  static let unhurriedBytes = 650
  /// Bytes of any file that the process may make.
  static let speechProcessBytes = 128 << 20
}
