/// One message for a device: to show a notification, or to remove it. The same for all devices of a channel that are at
/// the same version.
public final class Outgoing: Sendable {
  public enum Work: Equatable, Sendable {
    /// The content, as JSON text.
    case show(content: String)
    case withdraw(DeliveryReason)
  }

  public let id: Int
  /// Grows with each update and with a withdrawal.
  public let version: Int
  public let work: Work
  public let collapseID: String?
  public let expiresAt: Double?
  public let priority: Priority
  /// Seconds since 1970 at which the notification was sent.
  public let sentAt: Double
  public let topic: String?

  public init(
    id: Int, version: Int, work: Work, collapseID: String? = nil, expiresAt: Double? = nil, priority: Priority = .high,
    sentAt: Double, topic: String? = nil
  ) {
    self.id = id
    self.version = version
    self.work = work
    self.collapseID = collapseID
    self.expiresAt = expiresAt
    self.priority = priority
    self.sentAt = sentAt
    self.topic = topic
  }
}

/// A message that was written for some devices of a channel, and is now to be sent.
public struct Wake: Sendable {
  public let channel: ChannelKind
  public let devices: [Int]
  public let message: Outgoing
}

/// A channel that sends what is pending for its devices.
public protocol PushChannel: Sendable {
  var kind: ChannelKind { get }

  /// Called on the store's thread after the commit, in the order of the commits, or on any thread for attempts that are
  /// due: so it must be short. What it does not send now stays pending in the store.
  /// - Parameter wakes: those of this channel; empty when attempts are due.
  func wake(_ wakes: [Wake])

  /// The devices were removed: their connections end.
  func removed(_ devices: [Int])
}
