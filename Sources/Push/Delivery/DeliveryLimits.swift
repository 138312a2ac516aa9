/// The limits of this module, each with its reason.
public enum DeliveryLimits {
  /// The most pending deliveries of a device and channel. A phone that was off for weeks shows no more than its last
  /// thousand; past it the oldest of the lowest priority is suppressed.
  public static let pending = 1_000
  /// Bytes of a notification's content as JSON. Attachments are addresses, and a page of text has 4 KB.
  public static let contentBytes = 32 << 10
  /// Bytes of a collapse id, as in APNs.
  public static let collapseBytes = 64
  /// The most scheduled notifications: enough for one an hour for a year, for each of twenty people.
  public static let scheduled = 200_000
  /// The most notifications that wait for a place: each position of each phone is compared with all of their circles.
  public static let places = 200
  /// In seconds: the step by which the offsets of time zones differ; the furthest offset to the east of UTC (Kiribati);
  /// the furthest to the west, with an hour more for a time that a clock skips there.
  static let zoneStep = 900.0
  static let furthestEast = 14 * 3_600.0
  static let furthestWest = 13 * 3_600.0
  /// Seconds within which every clock shows each time of day, even on a day when it is put back by two hours.
  static let longestDay = 26 * 3_600.0
  /// The longest lifetime, in seconds, of one notification of a series: four weeks, as long as push services keep a
  /// message. It ends earlier when the next one comes.
  static let seriesLifetime = 28 * 86_400.0
  /// The most days of a rule that are skipped in one go after an outage: more than a year.
  static let skippedDays = 400
  /// Bounds of ringing until somebody acts. The seconds from one ring to the next go from half a minute, so that people
  /// have time to get up, to a day; the rings are at most one each quarter of an hour for a day.
  public static let repeatSeconds = 30.0...86_400.0
  public static let repeats = 1...100
  /// Scheduled notifications that are sent in one transaction. It takes some 20 ms, for which all other writers wait.
  package static let duePerCommit = 1_000
  /// Such transactions after another before anything else that is due: half a second.
  static let dueCommitsInARow = 20

  /// Silent notifications of a device in a window of so many seconds (APNs: "two or three an hour"); those of one that
  /// did not answer as many in succession as it has trials; and the newest ones that are remembered for that.
  static let silent = 3
  static let silentWindow = 3_600.0
  static let silentOfDeaf = 1
  static let silentTrials = 3
  static let silentRemembered = 8
  /// Wakes of a device in the same window: one each minute, and half as many when settings change. The newest that are
  /// remembered for their times, of which one in a hundred may be late; older ones are removed, so many at once.
  package static let wakes = 90
  package static let wakesRemembered = 100
  static let wakesRemovedAtOnce = 4

  /// Events of a delivery's trace that are kept: its beginning and its newest.
  static let firstEvents = 4
  static let lastEvents = 28
  /// Bytes of an event's detail, such as another program's message.
  static let detailBytes = 120

  /// The newest notifications of a person's list among which a newer one looks for those with its collapse id.
  static let collapsing = 100

  /// The most notifications that are counted for how often a topic rang: nobody wants to know more exactly.
  public static let counted = 1_000

  /// Days for which notifications are kept, with their traces.
  public static let keptDays = 30.0
  /// The most notifications kept; past it the oldest settled ones are removed earlier. Each has some 500 bytes.
  package static let kept = 1_000_000
  /// Old notifications removed in one transaction, so that others do not wait long.
  static let removedPerCommit = 200
  /// Seconds between two removals of old notifications.
  package static let tidySeconds = 3_600.0
  /// The most expired deliveries closed in one transaction.
  static let expiredPerCommit = 500
  /// The longest wait that is ever written down: a day, and the quarter by which attempts are spread. What is to wait
  /// for longer was written while the clock was ahead, and is due.
  public static let longestWait = 108_000.0
  /// Seconds in which most services and receivers answer; one that took longer is slow.
  package static let promptSeconds = 2.0
  /// Slow services that are remembered: people may invent addresses.
  static let slowServices = 1_000
  /// Messages of one device that a channel reads from the store at a time.
  package static let readAtOnce = 16
  /// Seconds until the outcome of a message is written once more, when the disk is full.
  static let rewriteSeconds = 30.0
  /// Seconds after which the clock is looked at again, as it may have been set.
  package static let recheckSeconds = 10.0
  /// Seconds by which a clock is put back that passed over what is planned; less is a correction.
  static let clockStep = 60.0

  /// Seconds before the second attempt; doubled for each further one, up to the longest.
  static let firstRetry = 5.0
  package static let longestRetry = 3_600.0
  /// The same where the service was not reached at all: most often it is the hub's own line that is away.
  static let longestUnreachable = 300.0
  /// Days of attempts for a notification that has no end of its own.
  static let retryDays = 3.0
  /// Attempts to have one removed: about a day, for which push services keep the order, too.
  static let withdrawalAttempts = 33

  /// The most devices of people who are not signed in, together and from one address, those included that were removed
  /// and whose rows are still kept; and the days after which one that was not seen is dropped.
  public static let strangers = 5_000
  public static let strangersPerAddress = 20
  public static let strangerDays = 90.0
  /// The beginning of 2026: a clock before it is not set yet.
  static let earliest = 1_767_225_600.0
  /// The most devices of one person: a household's phones, browsers and agents.
  public static let devicesPerPerson = 50
  /// The most tokens of removed devices that are remembered, 50 bytes each. A sender that has not rung one for so long
  /// that it was forgotten is told that it is none.
  static let goneTokens = 100_000
}
