/// The limits of this module, each with its reason.
public enum MailLimits {
  /// Bytes of an address (RFC 5321 section 4.5.3.1.3, without its brackets).
  public static let addressBytes = 254
  /// Minutes until a notification that was not seen is mailed: from at once to a day.
  public static let minutes = 0...1_440
  /// Seconds for one mail.
  public static let sendSeconds = 60.0
  /// Mails under way at once; mail servers count connections.
  static let sending = 2
  /// Notifications of one mailbox that are read from the store at a time, and at most stand in one mail.
  static let read = 50
  static let gathered = 20
  /// Seconds for which a link of a mail is good: a week, in which somebody without a network comes home.
  public static let linkSeconds = 7 * 86_400.0
  /// Seconds for which the link that confirms an address is good.
  public static let confirmSeconds = 86_400.0
  /// Bytes in one encoded word of a header: with its frame fewer than 76 characters (RFC 2047 section 2).
  static let wordBytes = 42
  /// Bytes of a file with a password.
  static let passwordBytes = 1_000
}
