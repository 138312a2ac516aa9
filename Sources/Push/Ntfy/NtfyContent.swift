import Crypto
public import Wire

/// A message as the content of a notification of the hub, and back.
extension NtfyMessage {
  /// The member of a content that has what only ntfy's clients understand. Other devices pass it over.
  static let member = "ntfy"

  /// The content for all devices. What these have no field for, and addresses that browsers do not open, stands in the
  /// member `ntfy` alone, from which subscribers get it as it was published.
  public var content: JSON {
    var members: [JSON.Member] = []
    func add(_ name: String, _ value: JSON?) { if let value { members.append(.init(name, value)) } }
    add("title", title.map(JSON.string))
    add("subtitle", tags.isEmpty ? nil : .string(NtfyEmoji.line(tags)))
    add("body", .string(message))
    let level = NtfyPriority.level(of: priority)
    add("interruption_level", level.map(JSON.string))
    add("sound", level == "passive" ? nil : "default")
    // Uptime Kuma and Healthchecks say by a button alone where to look.
    let button = actions.first { $0["action"]?.string == "view" }?["url"]?.string
    if let url = click ?? button, Self.isAddress(url) { add("url", .string(url)) }
    if let attachment {
      let type = attachmentType.map { [JSON.Member("type", .string($0))] } ?? []
      add("attachments", [.object([.init("id", "attachment"), .init("url", .string(attachment.url))] + type)])
    }
    var own: [JSON.Member] = []
    func keep(_ name: String, _ value: JSON?) { if let value { own.append(.init(name, value)) } }
    keep("priority", priority.map(JSON.int))
    keep("tags", tags.isEmpty ? nil : .array(tags.map(JSON.string)))
    keep("click", click.map(JSON.string))
    keep("icon", icon.map(JSON.string))
    keep("actions", actions.isEmpty ? nil : .array(actions))
    keep("attachment", attachment.map { ["name": .string($0.name), "url": .string($0.url)] })
    keep("content_type", isMarkdown ? "text/markdown" : nil)
    keep("encoding", isBinary ? "base64" : nil)
    keep("cache", isCached ? nil : false)
    keep("sequence_id", sequenceID.map(JSON.string))
    add(Self.member, .object(own))
    return .object(members)
  }

  /// The request to the hub's own interface, by which it is checked and sent.
  /// - Parameter timestamp: writes an instant as RFC 3339.
  public func request(_ timestamp: (Double) -> String) -> JSON {
    var members: [JSON.Member] = [
      .init("to", ["topic": .string(topic)]), .init("content", content),
      .init("priority", .string((priority ?? 3) < 3 ? "normal" : "high")),
    ]
    if let sequenceID { members.append(.init("collapse_id", .string(collapseID(sequenceID)))) }
    if let at { members.append(.init("at", .string(timestamp(at)))) }
    return .object(members)
  }

  /// The collapse id of a sequence, which belongs to its topic: another topic's scripts may have chosen the same.
  private func collapseID(_ sequenceID: String) -> String {
    let id = "ntfy \(topic)/\(sequenceID)"
    return id.utf8.count > NtfyLimits.collapseBytes ? Digest.base64URL(Digest.sha256(id.utf8)) : id
  }
}

/// Emojis for the tags that scripts use most; other tags stay words.
enum NtfyEmoji {
  private static let known: [String: String] = [
    "+1": "👍", "-1": "👎", "alarm_clock": "⏰", "battery": "🔋", "bell": "🔔", "bug": "🐛", "calendar": "📆",
    "clock": "🕘", "coffee": "☕", "computer": "💻", "door": "🚪", "email": "✉️", "eyes": "👀", "fire": "🔥",
    "floppy_disk": "💾", "gear": "⚙️", "globe_with_meridians": "🌐", "green_circle": "🟢", "heart": "❤️",
    "heavy_check_mark": "✔️", "hourglass": "⌛", "house": "🏠", "information_source": "ℹ️", "key": "🔑", "lock": "🔒",
    "loudspeaker": "📢", "mailbox": "📫", "no_entry": "⛔", "package": "📦", "partying_face": "🥳", "rainbow": "🌈",
    "red_circle": "🔴", "robot": "🤖", "rocket": "🚀", "rotating_light": "🚨", "skull": "💀", "sos": "🆘", "star": "⭐",
    "stop_sign": "🛑", "tada": "🎉", "thermometer": "🌡️", "triangular_flag_on_post": "🚩", "unlock": "🔓",
    "warning": "⚠️", "white_check_mark": "✅", "wrench": "🔧", "x": "❌", "zap": "⚡",
  ]

  /// One line of all tags, emojis first.
  static func line(_ tags: [String]) -> String {
    let emojis = tags.compactMap { known[$0] }.joined()
    let words = tags.filter { known[$0] == nil }.joined(separator: ", ")
    return [emojis, words].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
