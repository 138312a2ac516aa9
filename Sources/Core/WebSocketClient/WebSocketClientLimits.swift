/// The limits of this module.
public enum WebSocketClientLimits {
  /// Seconds from the look-up of the name to the open WebSocket: several round trips over a slow mobile network.
  static let openSeconds = 30.0
  /// Seconds for the connection to one of several addresses of a name, so that a broken IPv6 does not use up all.
  static let addressSeconds = 8.0
  /// Addresses of one name that are tried.
  static let addresses = 8
  /// Seconds that the server has to answer our close frame.
  static let closeSeconds = 2.0
  /// Bytes that may wait to be sent; the connection is given up beyond, since the server does not read.
  static let outputBytes = 1 << 20
  /// Bytes read before other events have their turn.
  static let bytesPerTurn = 256 << 10
  static let readBytes = 16 << 10
}
