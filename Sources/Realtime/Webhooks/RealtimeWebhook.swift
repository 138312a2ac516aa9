import Crypto
package import Wire

/// A server that an app's owner has told what happens on the app's channels.
public struct RealtimeWebhook: Sendable, Hashable {
  public var url: String
  public var kinds: Set<WebhookEvent.Kind>
  /// True if one post may tell several events, which is quicker where there are many; false by default, as at Pusher.
  public var isBatched: Bool

  public init(url: String, kinds: Set<WebhookEvent.Kind>, isBatched: Bool = false) {
    self.url = url
    self.kinds = kinds
    self.isBatched = isBatched
  }
}

extension WebhookEvent.Kind {
  /// The coming for a going, and the other way round; nil for what is neither.
  var opposite: WebhookEvent.Kind? {
    switch self {
    case .channelOccupied: .channelVacated
    case .channelVacated: .channelOccupied
    case .memberAdded: .memberRemoved
    case .memberRemoved: .memberAdded
    case .clientEvent, .cacheMiss, .subscriptionCount: nil
    }
  }
}

extension WebhookEvent {
  /// As it stands in a post.
  package var json: JSON {
    let told: [(String, JSON?)] = [
      ("name", .string(kind.rawValue)), ("channel", .string(channel)), ("event", event.map { .string($0) }),
      ("data", data.map { .string($0) }), ("socket_id", socketID.map { .string($0) }),
      ("user_id", userID.map { .string($0) }), ("subscription_count", count.map { .int($0) }),
    ]
    return .object(told.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }

  /// Bytes that it takes while it waits, give or take some.
  var bytes: Int {
    let texts = [event, data, socketID, userID].reduce(channel.utf8.count) { $0 + ($1?.utf8.count ?? 0) }
    return texts + MemoryLayout<Self>.size
  }
}

/// One request with some events.
package struct WebhookPost: Equatable {
  package var events: [WebhookEvent]
  /// Seconds since 1970 at which it was put together; the same in all attempts.
  package var createdAt: Double

  package init(events: [WebhookEvent], createdAt: Double) {
    self.events = events
    self.createdAt = createdAt
  }

  package var body: [UInt8] {
    JSON.object([
      .init("time_ms", .int(Int(createdAt * 1_000))), .init("events", .array(events.map(\.json))),
    ]).bytes
  }

  /// The value of X-Pusher-Signature.
  package static func signature(of body: [UInt8], secret: String) -> String {
    Digest.hex(Digest.hmacSHA256(body, key: Array(secret.utf8)))
  }
}
