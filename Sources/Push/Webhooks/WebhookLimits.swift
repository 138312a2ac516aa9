package import Delivery

/// The limits of this module, each with its reason.
public enum WebhookLimits {
  // MARK: Outgoing

  /// Bytes of a receiver's address; those of services that put a key into it have 100 to 300.
  public static let addressBytes = 2_048
  /// Webhooks of a hub. Each may have a transfer under way.
  public static let webhooks = 100
  /// Bytes of the secret that signs: Standard Webhooks has 24 to 64.
  static let secretBytes = 32
  /// Seconds for one request; Standard Webhooks recommends 15 to 30.
  public static let sendSeconds = 20.0
  /// Bytes of a receiver's answer that are read. Its status is what counts.
  static let answerBytes = 65_536
  /// Webhooks that are sent to at once; of those that failed last, or took their time, as many as leave half for the
  /// others.
  package static let shares = DeviceShares(all: 32, ofService: 32, strangers: 16, strangersOfService: 16)
  /// Attempts for one message. With the pauses of `DeliveryLimits`, which are an hour from the eleventh attempt on,
  /// they take three days.
  package static let attempts = 81
  /// The days of attempts after which owners are told of a webhook that takes nothing at all.
  static let failingSeconds = 3 * 86_400.0
  /// The longest wait that a receiver may ask for: no longer than our own longest pause.
  static let retryAfterSeconds = 3_600.0

  // MARK: Incoming

  /// Hooks of a hub, one for each program that reports something.
  public static let hooks = 200
  /// Bytes of a template's text.
  public static let templateBytes = 2_000
  /// Places for values in one template, and steps of one path: nobody writes more by hand.
  static let placeholders = 50
  static let pathSteps = 20
  /// Bytes of one value that are taken over: a commit's message may be a book.
  static let valueBytes = 4_000
}
