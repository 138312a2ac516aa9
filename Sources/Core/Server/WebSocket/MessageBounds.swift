public import Wire

/// The limits of what a WebSocket's peer may send. A route names its own; an object, so that an idle socket holds one
/// reference only.
public final class MessageBounds: Sendable {
  /// Bytes of one message after decompression: from a peer that has not signed in, and from one that has.
  public let strangersBytes: Int
  public let bytes: Int
  /// The rate of messages, pings included.
  public let rate: Rate
  /// Seconds of silence after which the peer is pinged.
  public let quietSeconds: Double
  /// The code of a peer's closing that has not answered the ping; nil to close without one.
  public let silence: CloseCode?

  public init(
    strangersBytes: Int, bytes: Int, rate: Rate, quietSeconds: Double = ServerLimits.pingSeconds,
    silence: CloseCode? = nil
  ) {
    self.strangersBytes = strangersBytes
    self.bytes = bytes
    self.rate = rate
    self.quietSeconds = quietSeconds
    self.silence = silence
  }

  /// For sockets of subscribers, which send a few short messages at the beginning and one now and then. A message of 64
  /// KB fits into a compressed frame of 95 bytes, and costs a JSON parser a quarter of a millisecond.
  public static let listeners = MessageBounds(
    strangersBytes: 4 << 10, bytes: 64 << 10, rate: Rate(burst: 40, perSecond: 20))
}
