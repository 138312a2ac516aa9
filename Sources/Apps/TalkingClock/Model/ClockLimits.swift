/// The limits of this room, each with its reason.
enum ClockLimits {
  // MARK: Waking

  /// Seconds by which a push goes ahead: at first, and the least and the most that a device's last deliveries can ask
  /// for. An agent with a bad line has its own schedule; more than half a minute would not help it.
  static let firstLead = 15.0
  static let leads = 5.0...30.0
  /// Deliveries that are needed to judge by, and seconds that are added for the agent to fetch and to join its parts.
  static let leadTrials = 8
  static let leadMargin = 2.0
  /// With fewer seconds left than these, a push is not sent any more: it would come too late.
  static let tooLate = 1.0
  /// Devices that are woken in one transaction, for which other writers wait.
  static let wokenPerCommit = 500
  /// Seconds after which the plan is made anew from the store: a device may have told another zone meanwhile.
  static let planSeconds = 300.0
  /// Seconds for which an announcement that was woken for may lie ahead; beyond, the hub's clock was set back.
  static let setBack = 120
  /// Seconds for which new settings wait for a device that is away. Every wake has them, too.
  static let settingsLifetime = 7 * 86_400.0
  /// Seconds in which "speak now" is still now.
  static let speakLifetime = 10.0

  // MARK: Silence

  /// A device is silent when it has reported none of so many announcements, and so many seconds more have passed.
  static let missedAnnouncements = 2
  static let patience = 300.0
  static let checkSeconds = 60.0
  /// Seconds by which the wall clock may go ahead between two checks without having been set.
  static let jump = 60.0
  /// Seconds for which the news of it is worth knowing.
  static let silenceLifetime = 86_400.0

  // MARK: History

  static let keptDays = 30.0
  /// Rows that are kept in all, some 60 bytes each: those of three hundred devices for a month of quarters.
  static let kept = 1_000_000
  static let removedPerCommit = 2_000
  static let tidySeconds = 3_600.0
  /// Announcements in one report: what an agent keeps without a network.
  static let reported = 200
  /// Seconds by which an agent's clock may be ahead of the hub's.
  static let ahead = 60
  /// Milliseconds of lateness that are believed, either way; more of them count as so many.
  static let lateness = 60_000
  /// Announcements in one answer: all of a day, each minute, on three devices; of more, the newest.
  static let answered = 5_000

  // MARK: Clocks

  /// The longest mute in seconds: a month's holiday.
  static let longestMute = 31 * 86_400.0
  static let volumes = 0...100
  static let volume = 80
  /// Bytes of a zone's name.
  static let zone = 64

  // MARK: Voices

  static let voices = 10
  /// Parts of one voice: more than the 17 to 60 that an announcement of any kind needs.
  static let parts = 80
  /// Hertz and seconds of a recorded part.
  static let rate = 44_100
  static let partSeconds = 10
  /// Bytes of a WAV file for its header, and for what programs write beside it.
  static let headerBytes = 4_096
  /// Bytes of a WAV file of that length.
  static let partBytes = rate * 2 * partSeconds + headerBytes
}
