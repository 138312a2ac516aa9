package import Delivery

/// The limits of this module.
public enum WebPushLimits {
  /// Bytes of a message before encryption: a push service must take 4,096 after it (RFC 8030 section 7.2), of which 86
  /// are the header, 16 the tag and one the padding's delimiter (RFC 8291 section 4).
  public static let plaintextBytes = 3_993
  /// The same for a push service that finds this too large. Mozilla's hands messages for Firefox on Android on to
  /// Google's, as text (base64) in JSON of at most 4,096 bytes.
  static let bridgedBytes = 2_800
  /// Bytes of an endpoint's address; those of browsers have 150 to 700.
  public static let endpointBytes = 2_048
  /// Bytes of the secret that goes with a subscription (RFC 8291 section 3.2).
  static let authSecretBytes = 16
  /// Seconds that a push service may be asked to keep a message: four weeks, the most that Google's keeps one.
  static let timeToLive = 2_419_200
  /// Seconds that a token is good for; at most 24 hours are allowed (RFC 8292 section 2). With twelve, clocks may
  /// differ by as much.
  static let tokenSeconds = 43_200.0
  /// Seconds before its end at which a token is made anew, so that none ends on its way.
  static let tokenMargin = 3_600.0
  /// Tokens kept, one for each push service. There are five or six in the world; an attacker may invent more.
  static let tokens = 256
  /// Bytes of a push service's answer that are read. Its status is what counts; a proxy's page beside it has a few
  /// thousand.
  static let answerBytes = 65_536
  /// Seconds for which a push service keeps the order to take a notification back. A browser that comes later still
  /// shows it.
  static let withdrawalSeconds = 86_400.0
  /// Seconds for one message: it is small, and slots are few.
  public static let sendSeconds = 30.0
  /// Messages under way at once, to all push services and to one, and the share of strangers and slow services in
  /// these: people who are not signed in can make the hub call a server that answers only drop by drop.
  package static let shares = DeviceShares(all: 64, ofService: 16, strangers: 32, strangersOfService: 8)
  /// The longest wait that a push service may ask for, in seconds.
  static let retryAfterSeconds = 86_400.0
}
