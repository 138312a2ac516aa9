import CivilTime

/// The limits of this module, each with its source. Those without one are ours. All fit into 32 bits, since an Int has
/// no more in WebAssembly.
public enum NotificationLimits {
  // MARK: JSON

  /// Bytes of a content as JSON without spaces: four times what Apple's push service takes (4,096).
  public static let contentBytes = 16_384
  /// Bytes of a text that is read at all, before its spaces are left out.
  public static let textBytes = 4 * contentBytes
  /// Bytes of a question to `answer`: the beginning of an attachment in hexadecimal digits, and more.
  public static let questionBytes = 262_144
  /// Lists and objects within each other.
  public static let depth = 16
  /// Values of a content, names not counted.
  public static let values = 1_000
  /// Members of one object; every two are compared, since a name that comes twice is refused.
  public static let members = 100
  /// Bytes of a number as it is written.
  public static let numberBytes = 40
  /// Faults that are told of one text.
  public static let faults = 20
  /// Bytes of a value that a fault shows.
  public static let seenBytes = 60

  // MARK: Content

  /// Bytes of a title and of a subtitle; screens show some 100 characters.
  public static let titleBytes = 1_000
  /// Bytes of a body.
  public static let bodyBytes = 8_000
  /// Bytes of an id, a category, a thread and a tag (Apple's `apns-collapse-id`: 64 bytes).
  public static let identifierBytes = 64
  /// Bytes of an address and of a sound's name.
  public static let addressBytes = 2_000
  /// The largest number on an icon.
  public static let badge = 2_147_483_647
  /// Times in a pattern of vibration, and milliseconds of one (Chromium's limits of the Vibration API).
  public static let vibrationTimes = 99
  public static let vibrationMilliseconds = 10_000
  /// Milliseconds of a whole pattern: as long as Apple's devices play a sound (UNNotificationSound).
  public static let patternMilliseconds = 30_000

  /// Bytes of a text that is spoken: a minute of it. Parts of one announcement: twelve strokes and the longest words
  /// are 20; and bytes of a part's name.
  public static let speechBytes = 1_000
  public static let spokenParts = 32
  public static let partBytes = 16

  /// Characters of a box in `sealed`: what a fallback and four actions leave of a content.
  public static let boxBytes = 12_000
  /// Hexadecimal digits of a key's id.
  public static let keyDigits = 16

  /// Seconds that an app has for a silent one (UserNotifications: content-available).
  public static let silentSeconds = 30

  // MARK: Actions and responses

  /// Actions of a category, or of a content (UserNotifications: "at most four").
  public static let actions = 4
  /// Actions that a banner shows; the others are seen when it is opened.
  public static let bannerActions = 2
  /// Bytes of an action's title, of the button beside a text field, and of its placeholder.
  public static let actionTitleBytes = 200
  /// Bytes of a text that was typed as an answer.
  public static let answerBytes = 4_000

  // MARK: Attachments (UserNotifications, table of the supported types)

  /// 1 MB in that table, which says "MByte".
  public static let megabyte = 1_048_576
  public static let audioBytes = 5 * megabyte
  public static let imageBytes = 10 * megabyte
  public static let videoBytes = 50 * megabyte
  /// A sealed file: a picture with its padding. A device opens it as a whole, in memory.
  public static let sealedBytes = imageBytes + 65_536
  /// The beginning of a sealed file.
  public static let sealedFileStart: StaticString = "eightbells sealed file 1\n"
  /// Attachments of one content.
  public static let attachments = 10
  /// Bytes of the beginning of a file that decide its type: a film's list of tracks is found within, if it comes first.
  public static let attachmentPrefix = 65_536

  // MARK: Triggers and what is pending

  /// The least seconds of an interval that repeats (UNTimeIntervalNotificationTrigger).
  public static let repeatingSeconds = 60
  /// The most seconds of an interval: ten years of 365 days.
  public static let intervalSeconds = 315_360_000
  /// Years that a calendar trigger may name.
  public static let years = 1970...9998
  /// Years in which the next match of a calendar trigger is looked for: 29 February on a given weekday comes every 28
  /// years, or after 40 where a year that ends with 00 has none.
  static let yearsAhead = 41
  /// Metres of a circle's radius.
  public static let radius = 1...100_000
  /// Local requests that are armed at a time (UserNotifications: 64 pending ones at most).
  public static let armed = 64
  /// Seconds of a step of the clock from which on it was wrong before: more than what keeps a right clock right.
  static let largeStep: EpochSeconds = 3_600
  /// Local requests that may be pending, on disk: 100 bytes of memory each.
  public static let pending = 100_000
}
