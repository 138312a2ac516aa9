/// The limits of this module.
public enum ClientLimits {
  /// Seconds for a whole exchange: a calendar of 20 MB over a line of 2 Mbit/s takes 80.
  public static let timeout = 120.0
  /// Seconds until a connection must be established.
  static let connectSeconds = 10.0
  /// Seconds in which a server's machine must acknowledge what was sent, until a connection counts as dead.
  static let unacknowledgedSeconds = 15.0
  /// Seconds without bytes, or with hardly any, after which a transfer is given up. Some servers build a calendar anew
  /// for each request, which takes a while.
  public static let stallSeconds = 30.0
  /// Bytes a second below which a transfer counts as stalled; a telephone modem carried sixty times as much.
  static let stallBytesPerSecond = 100
  public static let bodyBytes = 20_000_000
  /// Redirects followed. Browsers allow about 20; a calendar needs two or three.
  public static let redirects = 5
  /// Bytes of all header fields of one answer.
  static let headerBytes = 256 << 10
  /// Bytes of a mail address (RFC 5321 section 4.5.3.1.3, without its brackets).
  static let mailAddressBytes = 254
  /// Whole seconds that a mail server may take for one answer. RFC 5321 section 4.5.3.2 allows minutes, for which
  /// nobody wants to wait.
  static let mailAnswerSeconds = 20
  /// Idle connections kept open for reuse.
  static let connections = 16
}
