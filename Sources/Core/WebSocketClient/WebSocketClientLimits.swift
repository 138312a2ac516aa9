/// The limits of this module.
public enum WebSocketClientLimits {
  /// Seconds from the look-up of the name to the open WebSocket: several round trips over a slow mobile network.
  static let openSeconds = 30.0
  /// Seconds that the server has to answer our close frame.
  static let closeSeconds = 2.0
}
