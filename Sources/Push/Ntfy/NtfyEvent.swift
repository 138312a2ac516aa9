public import Wire

/// One line of a subscription: a message, or that the subscription is open, or goes on.
public struct NtfyEvent: Sendable {
  public let id: String
  /// Whole seconds since 1970.
  public let time: Int
  public let topic: String
  public let kind: Kind
  public let title: String?
  public let message: String?
  /// 1 to 5; nil for the usual one, 3.
  public let priority: Int?
  public let tags: [String]
  /// False for a message that was for those alone who listened.
  public let isCached: Bool
  /// The form in which JSON subscribers get it.
  public let json: JSON

  public enum Kind: String, Sendable {
    case open, keepalive, message
  }

  /// - Parameter time: seconds since 1970.
  public init(_ kind: Kind, id: String, time: Double, topic: String) {
    self.id = id
    self.time = Int(time)
    self.topic = topic
    self.kind = kind
    (title, message, priority, tags, isCached) = (nil, nil, nil, [], true)
    json = [
      "id": .string(id), "time": .int(self.time), "event": .string(kind.rawValue), "topic": .string(topic),
    ]
  }

  /// A notification of the hub, published in ntfy's manner or not; nil for one that shows nothing.
  /// - Parameters:
  ///   - at: seconds since 1970 at which it is or was sent.
  ///   - base: the hub's address, for those within it; nil if it is not known.
  public init?(id: Int, at: Double, topic: String, content: JSON, collapseID: String?, base: String?) {
    guard content["silent"]?.bool != true else { return nil }
    let own = content[NtfyMessage.member]
    self.id = String(id)
    time = Int(at)
    self.topic = topic
    kind = .message
    var (title, message) = (content["title"]?.string, content["body"]?.string)
    if own == nil {
      // Without a body the title is all that there is to read.
      let lines = [content["subtitle"]?.string, message].compactMap { $0 }.filter { !$0.isEmpty }
      message = lines.isEmpty ? nil : lines.joined(separator: "\n")
      if message == nil { (title, message) = (nil, title) }
    }
    self.title = title.flatMap { $0.isEmpty ? nil : $0 }
    self.message = message ?? NtfyMessage.empty
    priority = own.map { $0["priority"]?.int } ?? NtfyPriority.of(level: content["interruption_level"]?.string)
    tags = (own?["tags"]?.array ?? []).compactMap(\.string)
    isCached = own?["cache"]?.bool ?? true
    var members: [JSON.Member] = [.init("id", .string(self.id)), .init("time", .int(time))]
    if isCached { members.append(.init("expires", .int(Int(at + NtfyLimits.keptSeconds)))) }
    members += [.init("event", .string(kind.rawValue)), .init("topic", .string(topic))]
    func add(_ name: String, _ value: JSON?) {
      if let value, value != .null { members.append(.init(name, value)) }
    }
    // Older messages have it as their collapse id, and so have those of other senders.
    add("sequence_id", own?["sequence_id"] ?? collapseID.map(JSON.string))
    add("title", self.title.map(JSON.string))
    add("message", self.message.map(JSON.string))
    add("priority", priority.map(JSON.int))
    add("tags", tags.isEmpty ? nil : .array(tags.map(JSON.string)))
    if let own {
      for name in ["click", "icon", "actions"] { add(name, own[name]) }
    } else {
      add("click", content["url"]?.string.flatMap { Self.whole($0, base) }.map(JSON.string))
    }
    let file = own.map { $0["attachment"] } ?? content["attachments"]?.array?.first
    let url = file?["url"]?.string.flatMap { Self.whole($0, base) }
    add("attachment", url.map { ["name": file?["name"] ?? .string(NtfyMessage.name(of: $0)), "url": .string($0)] })
    for name in ["content_type", "encoding"] { add(name, own?[name]) }
    json = .object(members)
  }

  /// A path of the hub with the hub's address before it.
  private static func whole(_ url: String, _ base: String?) -> String? {
    url.hasPrefix("/") ? base.map { $0 + url } : url
  }

  // MARK: Forms

  /// One line of `/json`.
  public var line: [UInt8] { json.bytes + [10] }

  /// One event of `/sse`. Messages have the type that browsers take without one.
  public var serverSentEvent: ServerSentEvent {
    ServerSentEvent(event: kind == .message ? nil : kind.rawValue, data: json.text)
  }

  /// One line of `/raw`: the message alone, and nothing for other events.
  public var raw: [UInt8] {
    Array((message ?? "").utf8).map { $0 == 10 || $0 == 13 ? 32 : $0 } + [10]
  }
}
