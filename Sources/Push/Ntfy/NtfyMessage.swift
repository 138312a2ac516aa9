public import CivilTime
import Crypto
public import Wire

/// A message as somebody publishes it in ntfy's manner, checked.
public struct NtfyMessage: Equatable, Sendable {
  public var topic: String
  public var message: String
  public var title: String?
  /// 1 to 5; nil for the usual one, 3.
  public var priority: Int?
  public var tags: [String] = []
  public var click: String?
  public var icon: String?
  /// The buttons in the form in which subscribers get them.
  public var actions: [JSON] = []
  /// A file elsewhere or on the hub, and the name under which it is shown.
  public var attachment: (url: String, name: String)?
  /// The type of a file on the hub.
  public var attachmentType: String?
  public var isMarkdown = false
  /// Seconds since 1970 at which it is sent; nil for at once.
  public var at: Double?
  /// Messages of the topic with the same one replace each other.
  public var sequenceID: String?
  /// False if it is for those alone who listen now.
  public var isCached = true
  /// True if `message` is bytes in base64, which are no text: UnifiedPush.
  public var isBinary = false

  /// The message if none was sent.
  static let empty = "triggered"

  /// A message whose text is the body of a request, and whose other parts are header fields or parameters.
  /// - Parameter file: the body, kept on the hub, at a path there.
  public init(
    topic: String, _ parameters: NtfyParameters, body: [UInt8], file: (url: String, type: String)? = nil,
    contentType: String?, now: Double, zone: Zone
  ) throws(NtfyFault) {
    self.topic = topic
    message = ""
    try setText(parameters, body)
    try setParts(parameters, now: now, zone: zone)
    if let file {
      let kind = file.type.split(separator: "/").last ?? ""
      attachment = (file.url, parameters["filename", "file", "f"] ?? "attachment.\(kind)")
      attachmentType = file.type
    }
    let isMarkdownType = contentType?.lowercased().hasPrefix("text/markdown") ?? false
    isMarkdown = isMarkdown || isMarkdownType
    try check()
  }

  /// All but the text.
  private mutating func setParts(_ parameters: NtfyParameters, now: Double, zone: Zone) throws(NtfyFault) {
    if parameters["template", "tpl"] != nil, !parameters.isOff("template", "tpl") { throw .noTemplates }
    if parameters["email", "e-mail", "mail", "e"] != nil { throw .noMail }
    if parameters["call"] != nil, !parameters.isOff("call") { throw .noCalls }
    title = parameters["title", "t"]
    priority = try parameters["priority", "prio", "p"].flatMap { text throws(NtfyFault) in try NtfyPriority.read(text) }
    tags = NtfyWords.list(parameters["tags", "tag", "ta"] ?? "")
    click = parameters["click"]
    icon = parameters["icon"]
    if let text = parameters["actions", "action"] { actions = try NtfyActions.read(text) }
    attach(parameters["attach", "a"], as: parameters["filename", "file", "f"])
    isMarkdown = parameters.isOn("markdown", "md")
    if let delay = parameters["delay", "at", "in"] { at = try NtfyDelay.instant(delay, now: now, zone: zone) }
    sequenceID = parameters["sequence-id", "sequence_id", "sid"]
    isCached = !parameters.isOff("cache")
  }

  /// True for a body that is no text of a message: one with a name, a longer one, and bytes.
  public static func isFile(_ body: [UInt8], _ parameters: NtfyParameters) -> Bool {
    if body.isEmpty || parameters.isOn("unifiedpush", "up") || parameters["attach", "a"] != nil { return false }
    return parameters["filename", "file", "f"] != nil || body.count > NtfyLimits.messageBytes
      || String(validating: body, as: UTF8.self) == nil
  }

  private mutating func setText(_ parameters: NtfyParameters, _ body: [UInt8]) throws(NtfyFault) {
    guard body.count <= NtfyLimits.messageBytes else { throw .noFiles }
    if !body.isEmpty, parameters["filename", "file", "f"] != nil, parameters["attach", "a"] == nil { throw .noFiles }
    let isUnifiedPush = parameters.isOn("unifiedpush", "up")
    // No JSON here has U+0000: a text goes without it, and what a program is to get goes as bytes.
    if !isUnifiedPush || !body.contains(0), let text = String(validating: body.filter { $0 != 0 }, as: UTF8.self) {
      // In a header, a line break is spelt \n.
      let beside = parameters["message", "m"].map { $0.split(separator: "\\n", omittingEmptySubsequences: false) }
      message = body.isEmpty ? (beside ?? []).joined(separator: "\n") : NtfyWords.trimmed(text)
    } else if isUnifiedPush {
      message = Digest.base64(body)
      isBinary = true
    } else {
      throw .noFiles
    }
  }

  /// A message as JSON: `{"topic": …, "message": …}`. What it does not say may stand in header fields or parameters.
  public init(json body: [UInt8], _ parameters: NtfyParameters, now: Double, zone: Zone) throws(NtfyFault) {
    guard let json = try? JSON(parsing: body), json.members != nil else { throw .notJSON }
    func text(_ name: String) throws(NtfyFault) -> String? {
      switch json[name] {
      case nil, .null?: return nil
      case .string(let text)?: return text.isEmpty ? nil : text
      case let other?: throw .field(name, "\(other.kind); a text is accepted")
      }
    }
    func flag(_ name: String) throws(NtfyFault) -> Bool? {
      guard let value = json[name], value != .null else { return nil }
      if let flag = value.bool { return flag }
      switch value.string?.lowercased() {
      case "yes", "true", "1": return true
      case "no", "false", "0": return false
      default: throw .field(name, "true or false is accepted")
      }
    }
    guard let topic = try text("topic"), TopicNames.isName(topic) else {
      throw .topic(json["topic"]?.string ?? "")
    }
    self.topic = topic
    message = ""
    try setParts(parameters, now: now, zone: zone)
    message = try text("message") ?? ""
    guard message.utf8.count <= NtfyLimits.messageBytes else { throw .noFiles }
    if try text("email") != nil { throw .noMail }
    if let call = try text("call"), !["no", "false", "0"].contains(call.lowercased()) { throw .noCalls }
    title = try text("title") ?? title
    priority = try Self.priority(json["priority"]) ?? priority
    let listed = try Self.tags(json["tags"])
    if !listed.isEmpty { tags = listed }
    click = try text("click") ?? click
    icon = try text("icon") ?? icon
    if let list = json["actions"], list != .null { actions = try NtfyActions.read(list) }
    attach(try text("attach"), as: try text("filename"))
    isMarkdown = try flag("markdown") ?? isMarkdown
    if let delay = try text("delay") { at = try NtfyDelay.instant(delay, now: now, zone: zone) }
    sequenceID = try text("sequence_id") ?? sequenceID
    isCached = try flag("cache") ?? isCached
    try check()
  }

  private static func priority(_ json: JSON?) throws(NtfyFault) -> Int? {
    switch json {
    case nil, .null?, .int(0)?: return nil
    case .string(let text)?: return try NtfyPriority.read(text)
    case let other?: return try NtfyPriority.read(other.text)
    }
  }

  private static func tags(_ json: JSON?) throws(NtfyFault) -> [String] {
    switch json {
    case nil, .null?: return []
    case .string(let text)?: return NtfyWords.list(text)
    case let other?:
      let tags = (other.array ?? []).compactMap(\.string)
      guard let list = other.array, tags.count == list.count else {
        throw .field("tags", "a list of texts is accepted")
      }
      return tags.filter { !$0.isEmpty }
    }
  }

  private mutating func attach(_ url: String?, as name: String?) {
    if let url { attachment = (url, name ?? Self.name(of: url)) }
  }

  /// The name of a file by its address.
  static func name(of url: String) -> String {
    url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2).last.map(String.init) ?? "attachment"
  }

  private mutating func check() throws(NtfyFault) {
    if NtfyWords.trimmed(message).isEmpty {
      message = attachment.map { "You received a file: \($0.name)" } ?? Self.empty
    }
    guard tags.count <= NtfyLimits.tags, tags.allSatisfy({ $0.utf8.count <= NtfyLimits.tagBytes }) else {
      throw .field("tags", "at most \(NtfyLimits.tags) tags of \(NtfyLimits.tagBytes) bytes are accepted")
    }
    if let url = attachment?.url, attachmentType == nil, !Self.isAddress(url) { throw .address("attach", code: 40_013) }
    if let icon, !Self.isAddress(icon) { throw .address("icon", code: 40_021) }
    if let click, click.utf8.count > NtfyLimits.addressBytes { throw .address("click", code: 40_017) }
    if let sequenceID, !TopicNames.isName(sequenceID) {
      throw .field(
        "sequence_id", "1 to \(NtfyLimits.sequenceBytes) letters, digits, \"-\", \"_\" and \".\" are accepted")
    }
    if at != nil, !isCached { throw .delayNotKept }
  }

  /// True for an address that a device fetches or opens.
  static func isAddress(_ url: String) -> Bool {
    let lower = url.prefix(8).lowercased()
    return (lower.hasPrefix("https://") || lower.hasPrefix("http://")) && url.utf8.count <= NtfyLimits.addressBytes
      && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.content == other.content && one.topic == other.topic && one.at == other.at
  }
}
