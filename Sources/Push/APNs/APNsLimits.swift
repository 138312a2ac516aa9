/// The limits of this module, each with its source. Where none is named, it is Apple's documentation of the APNs
/// provider API.
public enum APNsLimits {
  /// Bytes of a payload, and of one of a VoIP push.
  public static let payloadBytes = 4_096
  public static let voipPayloadBytes = 5_120
  /// Bytes of a collapse id.
  public static let collapseBytes = 64
  /// Bytes of a device token; it is written in hexadecimal digits.
  public static let tokenBytes = 32
  /// Seconds for which a notification is stored at most: 30 days.
  public static let storedSeconds = 30.0 * 86_400
  /// Seconds for the one attempt of a push with the expiration 0, which is not stored for longer. Ours: a device whose
  /// network changes just then comes back within them.
  public static let attemptSeconds = 30.0

  /// Characters of a team's id and of a key's id.
  public static let idCharacters = 10
  /// Seconds for which a provider's token is accepted after it was issued.
  public static let tokenSeconds = 3_600.0
  /// Seconds by which it may come from the future. Ours: the clocks of two machines that are set by a time server
  /// differ by much less.
  public static let clockSeconds = 30.0
  /// Seconds that have to lie between the issue of one token and of the next on the same connection.
  public static let renewalSeconds = 20.0 * 60
  /// Bytes of the field with the token. Ours: those of real providers have some 250.
  public static let authorizationBytes = 2_048

  /// Bytes of a bundle id (App Store Connect), and of a topic, which may have a suffix.
  public static let bundleBytes = 155
  public static let topicBytes = 200
  /// Providers of a hub, and apps of one provider. Ours: they are kept in memory, and made by hand.
  public static let providers = 200
  public static let topics = 50
  /// Days for which a provider's certificate is valid: as Apple's, a year and a month.
  public static let certificateDays = 395
  /// Days before its end from which on the doctor warns.
  public static let warningDays = 30.0

  /// The newest ids of pushes that are remembered, so that one that is sent again rings once, and the seconds for which
  /// they are. Ours: 60 bytes each, and a sender that had no answer tries again within seconds or minutes.
  public static let rememberedPushes = 200_000
  public static let rememberedSeconds = 3_600.0
  /// Those forgotten in one transaction, so that others do not wait long.
  static let forgottenPerCommit = 5_000
}
