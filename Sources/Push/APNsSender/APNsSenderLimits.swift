/// The limits of this module, each with its reason. What Apple's service itself limits is in `APNsLimits`.
public enum APNsSenderLimits {
  // MARK: Accounts and registrations

  /// Keys and certificates of a hub, and apps of each: they are made by hand.
  public static let accounts = 100
  public static let topics = 50
  /// Bytes of a device's token. Apple's have 32 now, and may grow: it says so, and names 100 as the most.
  public static let tokenBytes = 1...100
  /// Days before a certificate's end from which on the doctor warns.
  public static let warningDays = 30.0

  // MARK: Tokens of the hub

  /// Seconds for which one is used. Apple accepts it for 60 minutes, and wants none that is younger than 20.
  static let renewSeconds = 50.0 * 60
  /// Seconds between two that were made because Apple's service called the last one expired.
  static let expiredSeconds = 20.0 * 60

  // MARK: Connections

  /// Seconds from the look-up of the name to the service's first word.
  static let openSeconds = 20.0
  /// Seconds for an answer. Apple's take milliseconds.
  static let answerSeconds = 30.0
  /// Seconds between two looks at what takes too long.
  static let lookSeconds = 5.0
  /// Seconds without a byte from the service after which it is asked for a sign of life, if answers are waited for and
  /// if not; and the seconds that it has for that. Networks forget connections on which nothing goes for some minutes.
  static let busySilenceSeconds = 10.0
  static let idleSilenceSeconds = 120.0
  static let pingSeconds = 10.0
  /// Seconds after which an unused connection is closed. Apple takes connections that come and go for an attack.
  static let idleSeconds = 3_600.0
  /// Seconds of the longest pause after connections that came to nothing.
  static let longestPause = 300.0
  /// Requests that may wait or be under way for one account: twice as many as Apple allows at once.
  static let requests = 2_000
  /// Bytes that may wait for the service to read, before further streams have to.
  static let outputBytes = 256 << 10
  /// Requests of one turn that are written together. With all of them in one piece, both sides waited for each other in
  /// turns (measured).
  static let writtenTogether = 16

  // MARK: The channel

  /// Devices that are served at once.
  static let sending = 256
  /// Seconds for which Apple keeps the order to take a notification back.
  static let withdrawalSeconds = 7 * 86_400.0
  /// The longest wait that the service may ask for: no longer than our own longest pause.
  static let retryAfterSeconds = 3_600.0
}
