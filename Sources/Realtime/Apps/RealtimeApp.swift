/// An app whose clients speak the Pusher Channels protocol: its credentials and options. Apps on one hub are wholly
/// apart.
public struct RealtimeApp: Sendable, Equatable {
  /// Digits, since client libraries accept nothing else.
  public var id: String
  /// The name in the address /app/KEY, which clients know.
  public var key: String
  /// The present secret first, then those that count for a while after it was changed.
  public var secrets: [String]
  public var options: RealtimeOptions
  /// Rises with the looks at where the app is kept: of two copies that look begun later counts. A copy that was under
  /// way must not undo a change that came meanwhile.
  public var version = 0

  public init(id: String, key: String, secrets: [String], options: RealtimeOptions = RealtimeOptions()) {
    self.id = id
    self.key = key
    self.secrets = secrets
    self.options = options
  }

  /// True for the same app with the same choices, whenever they were looked at.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.key == right.key && left.secrets == right.secrets && left.options == right.options
  }
}

/// The choices of an app's owner. Without any, an app behaves as one of Pusher's.
public struct RealtimeOptions: Sendable, Equatable {
  public var isEnabled = true
  /// True until the app may send messages again.
  public var isOverQuota = false
  public var clientEvents = true
  /// Subscribers are told how many they are.
  public var subscriptionCount = false
  /// Connections that neither sign in nor subscribe with a signature are ended.
  public var authorizedOnly = false
  /// The seconds and the events of a channel that are kept for clients that reconnect; 0: none are.
  public var historySeconds = 0
  public var historyCount = 0
  /// The most connections of the app; 0: no limit of its own.
  public var connections = 0

  public init() {}

  /// True if events are kept for clients that reconnect.
  var keepsHistory: Bool { historySeconds > 0 && historyCount > 0 }
}

/// A channel at one moment.
public struct ChannelSummary: Sendable {
  public var name: String
  /// The number of subscriptions; 0 for a vacant channel.
  public var subscriptions: Int
  /// The number of members; nil unless it is a presence channel.
  public var users: Int?
  /// The last event's data, and the seconds for which it is kept.
  public var cached: (data: String, ttl: Int)?

  public init(name: String, subscriptions: Int, users: Int? = nil, cached: (data: String, ttl: Int)? = nil) {
    self.name = name
    self.subscriptions = subscriptions
    self.users = users
    self.cached = cached
  }
}
