/// The content of a notification in the JSON form of version 1 (Docs/notification-format.md), checked. Members that
/// this version does not know are kept in their place and passed on; so is each value as it was written.
public struct Content: Equatable, Sendable {
  /// An object that has passed `check`.
  public let json: JSONValue

  /// Reads a content; the refusal has all that is wrong with it.
  public static func check(_ text: [UInt8]) -> Result<Content, Refusal> {
    .reading(text) { check($0) }
  }

  static func check(_ json: JSONValue) -> Result<Content, Refusal> {
    var faults = Faults()
    faults.check(content: json)
    return faults.isEmpty ? .success(Content(json: json)) : .failure(faults.refusal)
  }

  /// This content with the members of a patch instead of its own; a member that is null goes. The result is checked.
  public func patched(with text: [UInt8]) -> Result<Content, Refusal> {
    .reading(text) { changes in
      guard changes.members != nil else {
        var faults = Faults()
        faults.refuse([], seen: text, .words("an object is accepted"))
        return .failure(faults.refusal)
      }
      return Content.check(json.replacing(members: changes))
    }
  }

  /// This content for a reader of a language: what `localized` has for it stands in the place of its own.
  public func localized(in language: [UInt8]) -> Content {
    let own = json["localized"]?.members?.first { $0.name == language }
    return own.map { Content(json: json.replacing(members: $0.value)) } ?? self
  }

  /// The content as JSON without spaces.
  public var text: [UInt8] { json.text }

  /// The content as JSON of at most so many bytes. What is too long is cut at the end of the bodies, in each language,
  /// between two characters, and says so: "cut": true. Nil if it is too long without its bodies too, or if these are
  /// all that it shows and nothing is left of them.
  public func text(bytes most: Int) -> [UInt8]? { Content.fit(json, bytes: most) }

  /// The same for a content that was checked when it was sent.
  public static func fit(_ text: [UInt8], bytes most: Int) -> [UInt8]? {
    (try? JSONReader.read(text)).flatMap { fit($0, bytes: most) }
  }

  private static func fit(_ json: JSONValue, bytes most: Int) -> [UInt8]? {
    let whole = json.text
    if whole.count <= most { return whole }
    guard case .object(var members) = json else { return nil }
    members.removeAll { isEqual($0.name, "cut") }
    members.append(JSONMember("cut", .bool(true)))
    let cut = JSONValue.object(members)
    var left = most - cut.withBodies(of: 0).text.count
    guard left >= 0 else {
      // Without its box, the fallback is shown; the app fetches the whole.
      guard json["sealed"] != nil else { return nil }
      return fit(cut.replacing(members: .object([JSONMember("sealed", .null)])), bytes: most)
    }
    // The longest lose first: each has at most the same share.
    var sizes = cut.bodySizes.sorted()
    var share = 0
    while !sizes.isEmpty {
      share = left / sizes.count
      let size = sizes.removeFirst()
      if size > share { break }
      left -= size
      share = size
    }
    let fitted = cut.withBodies(of: share)
    // A body without room for an ellipsis is empty: a notification that showed nothing else is none any more.
    if share < JSONValue.ellipsis.count, case .failure = check(fitted) { return nil }
    return fitted.text
  }

  // MARK: Members

  public var title: String? { json["title"]?.string }
  public var subtitle: String? { json["subtitle"]?.string }
  public var body: String? { json["body"]?.string }
  /// The number on the icon; 0 clears it.
  public var badge: Int? { json["badge"]?.integer.map { Int($0) } }
  /// "default", a name, or an address. Nil means no sound.
  public var sound: String? { json["sound"]?.string }
  /// Milliseconds of vibration and of rest, in turn.
  public var vibration: [Int] { (json["vibration"]?.list ?? []).compactMap { $0.integer.map { Int($0) } } }
  public var category: String? { json["category"]?.string }
  public var thread: String? { json["thread"]?.string }
  /// The sender's own object, untouched.
  public var userInfo: JSONValue? { json["user_info"] }
  public var interruptionLevel: InterruptionLevel {
    json["interruption_level"]?.utf8Text.flatMap { InterruptionLevel(named: $0) } ?? .active
  }
  /// The address that a tap opens.
  public var url: String? { json["url"]?.string }
  public var tag: String? { json["tag"]?.string }
  /// True if nothing is to be shown: the app alone is told.
  public var isSilent: Bool { json["silent"]?.bool ?? false }
  /// True if the body, or the private part, was cut to fit a channel.
  public var isCut: Bool { json["cut"]?.bool ?? false }
  public var attachments: [Attachment] { (json["attachments"]?.list ?? []).map { Attachment(json: $0) } }
  /// The parts that are presented while the app is open; empty if the content does not say so.
  public var foreground: [ForegroundOption] { json.words("foreground") }

  /// The actions: its own, or else those of its category, if that is known.
  public func actions(of category: Category? = nil) -> [Action] {
    if let own = json["actions"]?.list { return own.map { Action(json: $0) } }
    guard let category, category.json["id"] == json["category"] else { return [] }
    return category.actions
  }
}

/// Reads a content as it is sent: its JSON without spaces, or all that is wrong with it.
public func checkContent(_ text: [UInt8]) -> Result<[UInt8], Refusal> {
  Content.check(text).map { $0.text }
}

/// The degree to which a notification may interrupt (UNNotificationInterruptionLevel).
public enum InterruptionLevel: Int, Comparable, Sendable, Named {
  /// Into the list, without a sound or a lit screen.
  case passive
  case active
  /// Also in a quiet time, if the device's settings let it.
  case timeSensitive
  /// In a quiet time and on a silenced device, if the device's settings let it.
  case critical

  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  static var names: [(StaticString, Self)] {
    [("passive", .passive), ("active", .active), ("time-sensitive", .timeSensitive), ("critical", .critical)]
  }
  static var accepted: StaticString { "passive, active, time-sensitive or critical is accepted" }
}

/// The parts of a notification that are presented while its app is open (UNNotificationPresentationOptions).
public enum ForegroundOption: Sendable, Named {
  case banner, list, sound, badge

  static var names: [(StaticString, Self)] {
    [("banner", .banner), ("list", .list), ("sound", .sound), ("badge", .badge)]
  }
  static var accepted: StaticString { "a list of banner, list, sound and badge, each at most once, is accepted" }
}

/// The bodies of a content: its own, and those of other languages in `localized`.
extension JSONValue {
  fileprivate static var ellipsis: [UInt8] { utf8("…") }

  /// Bytes that each of them takes when it is written.
  fileprivate var bodySizes: [Int] {
    let languages = self["localized"]?.members ?? []
    return ([self] + languages.map { $0.value }).compactMap { words in
      words["body"]?.utf8Text.map { body in body.reduce(0) { $0 + JSONValue.writtenBytes(of: $1) } }
    }
  }

  /// The same value with bodies that take at most so many bytes each.
  fileprivate func withBodies(of most: Int) -> JSONValue {
    mapped { member in
      if isEqual(member.name, "body") { return member.value.shortened(to: most) }
      guard isEqual(member.name, "localized") else { return member.value }
      return member.value.mapped { language in
        language.value.mapped { isEqual($0.name, "body") ? $0.value.shortened(to: most) : $0.value }
      }
    }
  }

  private func mapped(_ change: (JSONMember) -> JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.map { JSONMember($0.name, change($0)) })
  }

  /// A text that takes at most so many bytes when it is written; a shorter one ends with an ellipsis, if that has room.
  private func shortened(to most: Int) -> JSONValue {
    guard case .string(let text) = self else { return self }
    let end = JSONValue.end(of: text, in: most)
    if end == text.count { return self }
    guard most >= JSONValue.ellipsis.count else { return .string([]) }
    let kept = endOfCharacter(text, bytes: JSONValue.end(of: text, in: most - JSONValue.ellipsis.count))
    return .string(Array(text[..<kept]) + JSONValue.ellipsis)
  }

  /// How much of a text takes so many bytes.
  private static func end(of text: [UInt8], in most: Int) -> Int {
    var (end, size) = (0, 0)
    while end < text.count {
      size += writtenBytes(of: text[end])
      if size > most { break }
      end += 1
    }
    return end
  }
}
