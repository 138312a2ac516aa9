/// The limits of this module, each with its source.
public enum NtfyLimits {
  /// Bytes of a message (ntfy's `message-size-limit`: 4K). A longer one is a file, of which the hub keeps pictures,
  /// sounds and films.
  public static let messageBytes = 4_096
  /// Bytes of a request's body: a message as JSON, with all that may stand beside it.
  public static let bodyBytes = 16 << 10
  /// Topics in one subscription: a phone has some dozens.
  public static let topics = 50
  /// Buttons of a message (ntfy's documentation: "up to three").
  public static let actions = 3
  /// Tags of a message, and bytes of each.
  public static let tags = 20
  public static let tagBytes = 100
  /// Bytes of the text that describes the buttons, and of each value in it.
  public static let actionsBytes = 8_192
  /// Headers of a button's request.
  public static let actionHeaders = 10
  /// Bytes of a sequence id, as in ntfy; and of a collapse id, as in the content of a notification.
  public static let sequenceBytes = 64
  static let collapseBytes = 64
  /// Bytes of an address, as in the content of a notification.
  public static let addressBytes = 2_000
  /// Seconds for which messages can be asked for again (ntfy's `cache-duration`: 12 h).
  public static let keptSeconds = 12 * 3_600.0
  /// Seconds of silence after which a subscriber is sent a keepalive (ntfy's `keepalive-interval`: 45 s).
  public static let keepaliveSeconds = 45.0
  /// Seconds in advance for which a message can be scheduled: a year and a bit, as for every notification. ntfy's own
  /// limit is three days.
  public static let delaySeconds = 400.0 * 86_400
  /// Bytes of a text in which a delay is said, and of encoded words in a header.
  static let delayBytes = 100
  /// Bytes of a credential in the address (`?auth=`).
  static let credentialBytes = 500
  /// Conditions of one filter that are separated by commas.
  static let filterWords = 20
}
