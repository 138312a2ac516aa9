/// What a notification says, in the JSON form of version 1 (Docs/notifications.md), checked. Members that this version
/// does not know are kept in their place and passed on; so is each value as it was written.
public struct Content: Equatable, Sendable {
  /// An object that has passed `check`.
  public let json: JSONValue

  /// Names that a later version will give a meaning. They are kept and passed on.
  public static var reserved: [String] { ["mutable", "encrypted", "speech", "parts", "repeat", "view"] }

  init(checked json: JSONValue) {
    self.json = json
  }

  /// Reads a content; the refusal has all that is wrong with it.
  public static func check(_ text: [UInt8]) -> Result<Content, Refusal> {
    var faults = Faults()
    do throws(JSONFault) {
      return check(try JSONReader.read(text))
    } catch {
      faults.refuse(error)
      return .failure(faults.refusal)
    }
  }

  static func check(_ json: JSONValue) -> Result<Content, Refusal> {
    var faults = Faults()
    faults.check(content: json)
    return faults.isEmpty ? .success(Content(checked: json)) : .failure(faults.refusal)
  }

  /// This content with the members of a patch instead of its own; a member that is null goes. The result is checked.
  public func patched(with text: [UInt8]) -> Result<Content, Refusal> {
    var faults = Faults()
    do throws(JSONFault) {
      guard let changes = try JSONReader.read(text).members else {
        faults.refuse([], seen: text, .words("an object is accepted"))
        return .failure(faults.refusal)
      }
      var members = json.members ?? []
      for change in changes {
        let place = members.firstIndex { $0.name == change.name }
        if change.value == .null {
          if let place { members.remove(at: place) }
        } else if let place {
          members[place] = change
        } else {
          members.append(change)
        }
      }
      return Content.check(.object(members))
    } catch {
      faults.refuse(error)
      return .failure(faults.refusal)
    }
  }

  /// The content as JSON without spaces.
  public var text: [UInt8] { json.text }

  /// The content as JSON of at most so many bytes. What is too long is cut at the end of the body, between two
  /// characters, and says so: "cut": true. Nil if it is too long without its body too.
  public func text(bytes most: Int) -> [UInt8]? {
    let whole = text
    if whole.count <= most { return whole }
    guard case .object(var members) = json, let place = members.firstIndex(where: { isEqual($0.name, "body") }),
      let body = members[place].value.utf8Text
    else { return nil }
    members.removeAll { isEqual($0.name, "cut") }
    members.append(JSONMember("cut", .bool(true)))
    let at = members.firstIndex { isEqual($0.name, "body") } ?? place
    members[at].value = .string([])
    let left = most - JSONValue.object(members).text.count
    guard left >= 0 else { return nil }
    var (end, size) = (0, 0)
    while end < body.count {
      size += JSONValue.writtenBytes(of: body[end])
      if size > left { break }
      end += 1
    }
    members[at].value = .string(Array(body[..<endOfCharacter(body, bytes: end)]))
    return JSONValue.object(members).text
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
  /// 0 to 1: which of several a summary shows first.
  public var relevance: Double? { json["relevance"]?.double }
  /// What a tap opens.
  public var url: String? { json["url"]?.string }
  public var tag: String? { json["tag"]?.string }
  /// True if nothing is to be shown: the app alone is told.
  public var isSilent: Bool { json["silent"]?.bool ?? false }
  /// False for silent ones, which are sent with normal priority (APNs: priority 5) and may come late.
  public var acceptsHighPriority: Bool { !isSilent }
  /// True if the body was cut to fit a channel.
  public var isCut: Bool { json["cut"]?.bool ?? false }
  public var attachments: [Attachment] { (json["attachments"]?.list ?? []).map { Attachment(checked: $0) } }
  /// What is presented while the app is open; nothing if the content does not say so.
  public var foreground: [ForegroundOption] {
    (json["foreground"]?.list ?? []).compactMap { $0.utf8Text.flatMap { ForegroundOption(named: $0) } }
  }

  /// The actions: its own, or else those of its category, if that is known.
  public func actions(of category: Category? = nil) -> [Action] {
    if let own = json["actions"]?.list { return own.map { Action(checked: $0) } }
    guard let category, category.json["id"] == json["category"] else { return [] }
    return category.actions
  }
}

/// Reads a content as it is sent: its JSON without spaces, or all that is wrong with it.
public func checkContent(_ text: [UInt8]) -> Result<[UInt8], Refusal> {
  Content.check(text).map { $0.text }
}

/// How much a notification may interrupt (UNNotificationInterruptionLevel).
public enum InterruptionLevel: Int, Sendable, Named {
  /// Into the list, without a sound or a lit screen.
  case passive
  case active
  /// Also in a quiet time, if the device's settings let it.
  case timeSensitive
  /// In a quiet time and on a silenced device, if the device's settings let it.
  case critical

  static var names: [(StaticString, Self)] {
    [("passive", .passive), ("active", .active), ("time-sensitive", .timeSensitive), ("critical", .critical)]
  }
  static var accepted: StaticString { "passive, active, time-sensitive or critical is accepted" }
}

/// What of a notification is presented while its app is open (UNNotificationPresentationOptions).
public enum ForegroundOption: Sendable, Named {
  case banner, list, sound, badge

  static var names: [(StaticString, Self)] {
    [("banner", .banner), ("list", .list), ("sound", .sound), ("badge", .badge)]
  }
  static var accepted: StaticString { "a list of banner, list, sound and badge, each at most once, is accepted" }
}
