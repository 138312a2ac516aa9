/// The limits of this module, each with its reason.
public enum NATSLimits {
  // MARK: What the server sends

  /// Bytes of a line with its end: the servers' own limit for clients (max_control_line).
  package static let lineBytes = 4 << 10
  /// Bytes of a message, if the server allows no fewer: the servers' default (max_payload).
  public static let payloadBytes = 1 << 20

  // MARK: What is sent

  /// Bytes of a subject, so that a line with it fits into the servers' limit.
  public static let subjectBytes = 1 << 10
  /// Bytes of messages that may wait to be sent; further ones are dropped. A server that reads takes them in a second.
  package static let waitingBytes = 8 << 20
  /// Bytes for all else that may wait beside them: subscriptions, PING and PONG.
  static let controlBytes = 1 << 20

  // MARK: Addresses and time

  /// Servers of an address: three make a cluster, five a large one.
  static let servers = 16
  /// Seconds from the look-up of the name to the server's answer to CONNECT.
  package static let openSeconds = 10.0
  /// Seconds between two of our PINGs, and how many may be unanswered.
  package static let pingSeconds = 20.0
  static let unansweredPings = 2
  /// Seconds before all servers are tried again, doubled up to the longest.
  package static let firstPause = 0.5
  package static let longestPause = 30.0
  /// Seconds of a connection after which the next pause is the first again.
  package static let steadySeconds = 5.0
}
