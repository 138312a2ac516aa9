/// The apps of a hub, as the room that keeps them serves them to the channels: finds an app, and hears what happens in
/// it.
public struct AppDirectory: Sendable {
  /// Returns the app with that key. It is called for each connection.
  let find: @Sendable (_ key: String) async -> RealtimeApp?
  let webhook: @Sendable (_ app: String, WebhookEvent) -> Void
  let console: @Sendable (_ app: String, ConsoleEntry) -> Void
  let count: @Sendable (_ app: String, _ messages: Int) -> Void
  let others: @Sendable (_ app: String) -> Int
  /// Returns false for a session of a user that has ended. It is called for each subscription that is made with one.
  let isSession: @Sendable (_ id: String, _ app: String) async -> Bool

  /// All but `find` and `isSession` are called in the order of what happens in a channel, and while others wait: they
  /// must return at once, and must not call the channels.
  /// - Parameters:
  ///   - console: called only while the app's console is watched.
  ///   - count: called with the messages that an app has sent: each event once, and once for each of its receivers.
  ///   - others: returns the connections that an app has beside those of its channels, and that its limit counts too.
  public init(
    find: @escaping @Sendable (_ key: String) async -> RealtimeApp?,
    webhook: @escaping @Sendable (_ app: String, WebhookEvent) -> Void,
    console: @escaping @Sendable (_ app: String, ConsoleEntry) -> Void,
    count: @escaping @Sendable (_ app: String, _ messages: Int) -> Void,
    others: @escaping @Sendable (_ app: String) -> Int = { _ in 0 },
    isSession: @escaping @Sendable (_ id: String, _ app: String) async -> Bool = { _, _ in true }
  ) {
    self.find = find
    self.webhook = webhook
    self.console = console
    self.count = count
    self.others = others
    self.isSession = isSession
  }
}

/// Something that an app's own server may want to know.
public struct WebhookEvent: Sendable, Equatable {
  public enum Kind: String, CaseIterable, Sendable {
    case channelOccupied = "channel_occupied"
    case channelVacated = "channel_vacated"
    case memberAdded = "member_added"
    case memberRemoved = "member_removed"
    case clientEvent = "client_event"
    case cacheMiss = "cache_miss"
    case subscriptionCount = "subscription_count"
  }
  public var kind: Kind
  public var channel: String
  public var userID: String?
  public var event: String?
  public var data: String?
  public var socketID: String?
  /// The number of subscriptions.
  public var count: Int?

  public init(
    _ kind: Kind, channel: String, userID: String? = nil, event: String? = nil, data: String? = nil,
    socketID: String? = nil, count: Int? = nil
  ) {
    self.kind = kind
    self.channel = channel
    self.userID = userID
    self.event = event
    self.data = data
    self.socketID = socketID
    self.count = count
  }
}

/// A line of an app's debug console.
public struct ConsoleEntry: Sendable, Equatable {
  /// "event", "client event", "connected", "disconnected", "subscribed", "unsubscribed", "signed in", "refused",
  /// "webhook" or "mail".
  public var kind: String
  public var channel: String?
  public var event: String?
  public var data: String?
  public var socketID: String?
  public var reason: String?

  public init(
    _ kind: String, channel: String? = nil, event: String? = nil, data: String? = nil, socketID: String? = nil,
    reason: String? = nil
  ) {
    self.kind = kind
    self.channel = channel
    self.event = event
    self.data = data
    self.socketID = socketID
    self.reason = reason
  }
}
