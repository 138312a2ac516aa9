/// The limits of this module.
public enum TCPClientLimits {
  /// Seconds for the connection to one of several addresses of a name, so that a broken IPv6 does not use up all.
  static let addressSeconds = 8.0
  /// Addresses of one name that are tried.
  static let addresses = 8
  /// Bytes that may wait to be sent; the connection is given up beyond, since the server does not read.
  public static let outputBytes = 1 << 20
  /// Bytes of memory for what waits that are kept when nothing does.
  static let keptBytes = 256 << 10
  /// Bytes read before other events have their turn.
  static let bytesPerTurn = 256 << 10
  static let readBytes = 16 << 10
}
