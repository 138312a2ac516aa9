/// The channels by which devices are reached. The raw values are stored in tables and must not change.
public enum ChannelKind: Int, CaseIterable, Hashable, Sendable {
  case gateway = 1
  case webPush = 2
  case apns = 3
  case mail = 4
  case webhook = 6

  /// The channel's name in the API and in traces.
  public var name: String {
    switch self {
    case .gateway: "gateway"
    case .webPush: "webpush"
    case .apns: "apns"
    case .mail: "mail"
    case .webhook: "webhook"
    }
  }

  /// True if a message may have reached the device before that is written down: the gateway writes "sent" together with
  /// the receipt, to save a write. A message of other channels is recorded as soon as the service has taken it.
  var mayBeSentUnrecorded: Bool { self == .gateway }

  /// True if the hub itself makes the attempts, with a time for the next one; false if the device fetches.
  var isAttempted: Bool { self != .gateway }
}

/// Something that can be rung: an agent, a signed-in browser, or the browser of somebody who is not signed in.
public struct PushDevice: Equatable, Sendable {
  public enum Kind: String, Sendable {
    case agent
    case browser
    case stranger
    /// Another program's server, to which notifications are posted.
    case webhook
    /// A person's mailbox.
    case mailbox
  }

  /// 0 until it is added.
  public var id: Int
  public var name: String
  public var kind: Kind
  /// The person it belongs to.
  public var person: Int?
  /// For a signed-in browser, the hub's number of that device.
  public var browser: Int?
  /// The IANA name of its time zone, if it has told it.
  public var zone: String?
  public var channels: Set<ChannelKind>
  /// The origin of what is nobody's: of a stranger's browser the client address, for the limit of each address; of a
  /// webhook whoever made it, such as "token 7" or "person 3".
  public var address: String?
  /// Seconds since 1970.
  public var createdAt: Double
  public var seenAt: Double

  /// True if it rings where people are.
  var isAudible: Bool { !channels.isEmpty && (kind == .agent || kind == .browser) }

  public init(
    id: Int = 0, name: String, kind: Kind, person: Int? = nil, browser: Int? = nil, zone: String? = nil,
    channels: Set<ChannelKind>, address: String? = nil, createdAt: Double
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.person = person
    self.browser = browser
    self.zone = zone
    self.channels = channels
    self.address = address
    self.createdAt = createdAt
    seenAt = createdAt
  }
}
