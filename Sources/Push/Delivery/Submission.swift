public import Store
public import Wire

/// The addressee of a notification.
public enum Recipient: Hashable, Sendable {
  case device(Int)
  case person(Int)
  case topic(String)
  /// Those who have the role when it is time. Only for what is scheduled, and for who is rung when nobody has acted:
  /// of what is sent at once the caller names the persons.
  case role(String)
}

/// The persons of a role, which only the caller knows.
public typealias RoleMembers = @Sendable (_ database: Database, _ role: String) throws(StoreError) -> [Int]

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
  /// A newer notification with the same collapse id replaces an older one on each device.
  public var collapseID: String?
  /// Seconds since 1970, after which it is not delivered any more.
  public var expiresAt: Double?
  public var priority: Priority
  /// Seconds since 1970 at which it is to be sent; nil or a past time for at once.
  public var at: Double?
  /// The time of day at which each device is rung, instead of `at`.
  public var local: LocalTime?
  /// The trigger (`{"type": "location", …}`) at whose place it waits for those it is for, instead of a time: the caller
  /// has checked it, and sends it by `sendAtPlace`. It ends at `expiresAt`.
  public var place: JSON?
  /// Rings again until somebody acts.
  public var repetition: Repetition?
  /// The sender, such as "person 7" or "room space".
  public var sender: String
  /// The room that gets the responses.
  public var room: String?
  /// The topic that is shown with it.
  public var topic: String?
  /// All topics that it is sent to, for how often each rang.
  public var topics: [String]
  /// True if `expiresAt` ends its delivery only: what is shown by then stays. Not for what is scheduled.
  public var stays: Bool
  /// True for a silent one by which a part of the hub keeps its own programs on devices at work, as the person has
  /// chosen: it has a budget of its own, and quiet hours do not hold it. Not for what is scheduled.
  public var isWake: Bool

  public init(
    to: [Recipient], content: JSON, collapseID: String? = nil, expiresAt: Double? = nil, priority: Priority = .high,
    at: Double? = nil, local: LocalTime? = nil, place: JSON? = nil, repetition: Repetition? = nil, sender: String,
    room: String? = nil, topic: String? = nil, topics: [String] = [], stays: Bool = false, isWake: Bool = false
  ) {
    self.to = to
    self.content = content
    self.collapseID = collapseID
    self.expiresAt = expiresAt
    self.priority = priority
    self.at = at
    self.local = local
    self.place = place
    self.repetition = repetition
    self.sender = sender
    self.room = room
    self.topic = topic
    self.topics = topics
    self.stays = stays
    self.isWake = isWake
  }
}

/// A submission that was written; to be given to `Delivery.announce` after the commit.
public struct Submitted: Sendable {
  public var id: Int
  /// True if it waits for its time.
  public var isScheduled: Bool
  /// The number of devices that it is for, also those where it was suppressed.
  public var devices: Int
  /// The persons whose list has changed.
  public var persons: [Int]
  public var wakes: [Wake]
  /// The message for listeners to its topics; nil if it waits for its time, or was sent to none.
  public var news: TopicNews?
}

/// The effect of an update, a withdrawal or a receipt.
public struct Changed: Sendable {
  /// To be given to `Delivery.wake` after the commit.
  public var wakes: [Wake] = []
  /// The persons whose list has changed.
  public var persons: [Int] = []
  /// True if something was changed, even if no device has it yet.
  private(set) var hasChanged = false

  /// Adds the effect of another change; nil if there was nothing to change.
  mutating func add(_ other: Changed?) {
    guard let other else { return }
    hasChanged = true
    wakes += other.wakes
    persons += other.persons.filter { !persons.contains($0) }
  }
}
