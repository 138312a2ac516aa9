/// The limits of this module.
public enum ServerLimits {
  /// Seconds a request's head may take from its first byte to its last.
  public static let headSeconds = 10.0
  /// Seconds without a byte of a body that is due.
  public static let bodySeconds = 30.0
  /// Seconds for the whole of a body.
  public static let wholeBodySeconds = 300.0
  /// Seconds a handler may take; then the client is told, and what comes later is thrown away.
  public static let handlerSeconds = 60.0
  /// Seconds an idle connection is kept, as nginx's keepalive_timeout.
  public static let idleSeconds = 75.0
  /// Seconds in which a peer must have taken at least a byte of what is sent.
  public static let sendSeconds = 30.0
  /// Seconds of silence after which a WebSocket is pinged, and then those in which it must stir (Pusher's own values).
  public static let pingSeconds = 120.0
  public static let pongSeconds = 30.0
  /// Seconds between two looks at the connections' deadlines.
  static let sweepSeconds = 1.0
  /// Seconds and bytes for which a refused peer's remaining request is thrown away (as nginx's lingering_close).
  public static let lingerSeconds = 3.0
  static let lingerBytes = 8 << 20
  /// Bytes that may wait for one WebSocket; a reader that falls further behind is dropped.
  public static let socketQueueBytes = 1 << 20
  /// Bytes that may wait on an HTTP connection before its next request is read.
  static let pipelineBytes = 256 << 10
  /// Bytes of one read.
  static let readBytes = 64 << 10
  /// Bodies up to this size are copied behind their head, so that both leave in one packet.
  static let inlineBodyBytes = 32 << 10
  /// Connections waiting to be accepted.
  static let backlog: Int32 = 4096
  /// Seconds without accepting after the descriptors have run out.
  static let acceptPauseSeconds = 0.5
  /// Connections open at once. Each has a descriptor; the hub asks Linux for as many as it may have.
  public static let connections = 20_000
  /// Seconds a closing server waits for the answers under way.
  public static let closeSeconds = 10.0
}
