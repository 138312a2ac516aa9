public import Wire

/// The addressee of a notification. Roles are resolved to persons by the caller.
public enum Recipient: Hashable, Sendable {
  case device(Int)
  case person(Int)
  case topic(String)
}

public enum Priority: Int, Sendable {
  case normal = 0
  case high = 1

  public var name: String { self == .high ? "high" : "normal" }
}

/// A notification to be sent.
public struct Submission: Equatable, Sendable {
  public var to: [Recipient]
  /// The content, checked by the caller; `DeliveryLimits.contentBytes` of text at most.
  public var content: JSON
  /// A newer notification with the same one replaces an older one on each device.
  public var collapseID: String?
  /// Seconds since 1970, after which it is not delivered any more.
  public var expiresAt: Double?
  public var priority: Priority
  /// Seconds since 1970 at which it is to be sent; nil or a past time for at once.
  public var at: Double?
  /// The sender, such as "person 7" or "room space".
  public var sender: String
  /// The room that gets the responses.
  public var room: String?
  /// The topic that is shown with it.
  public var topic: String?

  public init(
    to: [Recipient], content: JSON, collapseID: String? = nil, expiresAt: Double? = nil, priority: Priority = .high,
    at: Double? = nil, sender: String, room: String? = nil, topic: String? = nil
  ) {
    self.to = to
    self.content = content
    self.collapseID = collapseID
    self.expiresAt = expiresAt
    self.priority = priority
    self.at = at
    self.sender = sender
    self.room = room
    self.topic = topic
  }
}

/// A submission that was written.
public struct Submitted: Sendable {
  public var id: Int
  /// True if it waits for its time.
  public var isScheduled: Bool
  /// The number of devices that it is for, also those where it was suppressed.
  public var devices: Int
  /// The persons whose list has changed.
  public var persons: [Int]
  /// To be given to `Delivery.wake` after the commit.
  public var wakes: [Wake]
}

/// The effect of an update, a withdrawal or a receipt.
public struct Changed: Sendable {
  /// To be given to `Delivery.wake` after the commit.
  public var wakes: [Wake] = []
  /// The persons whose list has changed.
  public var persons: [Int] = []
}
