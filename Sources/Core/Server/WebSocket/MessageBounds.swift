/// What the other end of a WebSocket may send. A route names its own; an object, so that an idle socket has a reference
/// to it and no more.
public final class MessageBounds: Sendable {
  /// Bytes of one message as it is when it is inflated: of a peer that has not signed in, and of one that has.
  public let strangersBytes: Int
  public let bytes: Int
  /// How often a message may come, pings among them.
  public let rate: Rate

  public init(strangersBytes: Int, bytes: Int, rate: Rate) {
    self.strangersBytes = strangersBytes
    self.bytes = bytes
    self.rate = rate
  }

  /// For sockets on which news are listened to: what is said there are a few words at the beginning, and one now and
  /// then. A message of 64 KB fits into a frame of 95 bytes, and costs a reader of JSON a quarter of a millisecond.
  public static let listeners = MessageBounds(
    strangersBytes: 4 << 10, bytes: 64 << 10, rate: Rate(burst: 40, perSecond: 20))
}
