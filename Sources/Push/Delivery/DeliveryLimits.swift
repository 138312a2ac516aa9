/// The limits of this module, each with its reason.
public enum DeliveryLimits {
  /// The most pending deliveries of a device and channel. A phone that was off for weeks shows no more than its last
  /// thousand; past it the oldest of the lowest priority is suppressed.
  public static let pending = 1_000
  /// Bytes of a notification's content as JSON. Attachments are addresses, and a page of text has 4 KB.
  public static let contentBytes = 32 << 10
  /// Bytes of a collapse id, as in APNs.
  public static let collapseBytes = 64
  /// Bytes of an action's id, and of a typed text.
  public static let actionBytes = 64
  public static let textBytes = 4 << 10
  /// The most recipients of one notification: larger audiences are topics.
  public static let recipients = 256
  /// The most notifications that wait for their time: a year of one an hour for ten people.
  public static let scheduled = 200_000
  /// Due ones that are sent in one transaction: some twenty milliseconds, in which all other writers wait.
  package static let duePerCommit = 1_000

  /// Events of a delivery's trace that are kept: its beginning and its newest.
  static let firstEvents = 4
  static let lastEvents = 28
  /// Bytes of an event's detail, such as another program's message.
  static let detailBytes = 120

  /// Days for which notifications are kept, with their traces.
  public static let keptDays = 30.0
  /// The most notifications kept; past it the oldest settled ones are removed earlier. Each has some 500 bytes.
  package static let kept = 1_000_000
  /// Old notifications removed in one transaction, so that others do not wait long.
  static let removedPerCommit = 200
  /// Seconds between two looks for old ones.
  package static let tidySeconds = 3_600.0
  /// The most expired deliveries closed in one transaction.
  static let expiredPerCommit = 500
  /// Seconds after which the clock is looked at again, as it may have been set.
  package static let recheckSeconds = 10.0

  /// Seconds before the second attempt; doubled for each further one, up to the longest.
  static let firstRetry = 5.0
  static let longestRetry = 3_600.0
  /// Days of attempts for a notification that has no end of its own.
  static let retryDays = 3.0

  /// The most devices of people who are not signed in, together and from one address, and the days after which one that
  /// was not seen is dropped.
  public static let strangers = 5_000
  public static let strangersPerAddress = 20
  public static let strangerDays = 90.0
  /// The most devices of one person: a household's phones, browsers and agents.
  public static let devicesPerPerson = 50
}
