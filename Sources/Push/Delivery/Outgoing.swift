package import Wire

/// A message for devices: to show a notification, or to remove it. One object serves all devices of a channel that need
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
  /// For a withdrawal from the queue, the content of what is withdrawn, as JSON text: chats cannot remove it.
  package let withdrawn: String?
  public let collapseID: String?
  /// For a withdrawal, its place among those with its collapse id; nil if that is its id.
  public let sequence: Int?
  public let expiresAt: Double?
  /// True if `expiresAt` ends its delivery only.
  public let stays: Bool
  public let priority: Priority
  /// Seconds since 1970 at which the notification was sent.
  public let sentAt: Double
  public let topic: String?
  /// True if a device that already shows the notification rings again; false if this version silently changes what it
  /// shows.
  public let ringsAgain: Bool

  public init(
    id: Int, version: Int, work: Work, collapseID: String? = nil, sequence: Int? = nil, expiresAt: Double? = nil,
    stays: Bool = false, priority: Priority = .high, sentAt: Double, topic: String? = nil, ringsAgain: Bool = false,
    withdrawn: String? = nil
  ) {
    self.id = id
    self.version = version
    self.work = work
    self.collapseID = collapseID
    self.sequence = sequence
    self.expiresAt = expiresAt
    self.stays = stays
    self.priority = priority
    self.sentAt = sentAt
    self.topic = topic
    self.ringsAgain = ringsAgain
    self.withdrawn = withdrawn
  }
}

/// A message that was written for some devices of a channel, and is now to be sent.
public struct Wake: Sendable {
  public let channel: ChannelKind
  public let devices: [Int]
  public let message: Outgoing
}

/// A notification that was sent to topics, for those who listen to topics without being devices.
public struct TopicNews: Sendable {
  public let message: Outgoing
  public let topics: [String]

  public init(_ message: Outgoing, topics: [String]) {
    self.message = message
    self.topics = topics
  }
}

/// Somebody who is told what is sent to topics, such as the subscribers of another program's protocol.
public protocol TopicListener: Sendable {
  /// Called after each commit on the store's thread, in the order of the commits. It must return quickly.
  func sent(_ news: [TopicNews])
  /// False if nobody wants to be told at present.
  var isHeard: Bool { get }
  /// Called alike when it is not known any more what others have sent.
  func missedSome()
}

/// A way to devices, such as the gateway or Web Push, which sends their pending messages.
public protocol PushChannel: Sendable {
  var kind: ChannelKind { get }

  /// Called after each commit on the store's thread, in the order of the commits, and on any thread when attempts are
  /// due. It must return quickly. Messages that it does not send now stay pending in the store.
  /// - Parameter wakes: those of this channel; empty when attempts are due.
  func wake(_ wakes: [Wake])

  /// Ends the connections of devices that were removed.
  func removed(_ devices: [Int])

  /// Another hub has written something for these devices; nil: for any.
  func look(for devices: Set<Int>?)

  /// Devices have connected to another hub: their connections here are old ones.
  func connectedElsewhere(_ devices: Set<Int>)
}

extension PushChannel {
  public func look(for devices: Set<Int>?) { wake([]) }
  public func connectedElsewhere(_ devices: Set<Int>) {}
}

extension JSON {
  /// True for a content with something to see, as browsers' notifications and mails need it: a sound, a vibration or a
  /// number on an icon alone is nothing there.
  package var isVisible: Bool {
    ["title", "subtitle", "body"].contains { self[$0]?.string ?? "" != "" }
      || !(self["attachments"]?.array ?? []).isEmpty
  }
}
