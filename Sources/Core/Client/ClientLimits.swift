/// The limits of this module.
public enum ClientLimits {
  /// Seconds for a whole exchange: a calendar of 20 MB over a line of 2 Mbit/s takes 80.
  public static let timeout = 120.0
  /// Seconds until a connection stands.
  static let connectSeconds = 10.0
  /// Seconds of waiting, or of bytes that only drip, after which a transfer is given up. Some servers make a calendar
  /// anew for whoever asks, and take a while.
  public static let stallSeconds = 30.0
  /// Bytes a second below which bytes drip; a telephone line of the last century carried thirty times as much.
  static let stallBytesPerSecond = 100
  public static let bodyBytes = 20_000_000
  /// Redirects followed, as browsers allow about 20; a calendar needs two or three.
  public static let redirects = 5
  /// Bytes of all header fields of one answer.
  static let headerBytes = 256 << 10
  /// Connections kept open for later.
  static let connections = 16
}
