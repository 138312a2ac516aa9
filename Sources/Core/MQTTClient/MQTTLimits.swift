/// The limits of this module, each with its reason.
public enum MQTTLimits {
  /// Seconds between two signs of life; a broker that is silent for one and a half of them is gone.
  static let keepAlive: Int32 = 30
  /// Seconds before the next attempt to connect, doubled up to the longest.
  static let firstRetry = 1.0
  static let longestRetry = 60.0
  /// Seconds of a connection after which the next pause is the first again.
  static let steadySeconds = 5.0
  /// Bytes of a message that is taken; a longer one is left out.
  public static let messageBytes = 1 << 20
  /// Messages that may wait to be sent: the newest of each topic counts, so that a broker that is away costs nothing.
  static let waiting = 256
}
