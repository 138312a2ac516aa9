import Crypto
import Notifications
import Wire

/// The content of a notification made of a payload of APNs.
///
/// Nothing of the payload is lost: what has no place in a content, or does not fit there, stays in `user_info`, under
/// its own name or, if it stood in `aps`, in `user_info.aps`.
struct PayloadContent {
  private(set) var json: JSON
  /// True if nothing is shown: it is for the app alone.
  private(set) var isSilent = false

  private var members: [JSON.Member] = []
  /// The members of `aps` and of its `alert` that go into `user_info`.
  private var rest: [JSON.Member] = []
  private var restOfAlert: [JSON.Member] = []

  /// - Parameters:
  ///   - text: the payload as it was sent.
  ///   - isShown: false for kinds of pushes that are for the app alone.
  init(_ payload: JSON, text: [UInt8], isShown: Bool) {
    json = .null
    let aps = payload["aps"]?.members
    for member in aps ?? [] where !(isShown && take(member)) { rest.append(member) }
    if !restOfAlert.isEmpty { rest.append(.init("alert", .object(restOfAlert))) }
    if members.contains(where: { Self.shown.contains($0.name) }) {
      if aps?.first(where: { $0.name == "mutable-content" })?.value == 1 { members.append(.init("mutable", true)) }
    } else {
      // Interruption levels and the like of what is not shown say nothing.
      members = [.init("silent", true)]
      rest = aps ?? []
      isSilent = true
    }
    var info = (payload.members ?? []).filter { $0.name != "aps" }
    if aps == nil, let odd = payload["aps"] { rest = [.init("aps", odd)] }
    if !rest.isEmpty { info.insert(.init("aps", .object(rest)), at: 0) }
    let words = members
    if !info.isEmpty { members.append(.init("user_info", .object(info))) }
    json = .object(members)
    if Self.isAccepted(json) { return }
    // Deeper, or with more members, than a content may be: the app gets the payload as text.
    let whole = JSON.string(String(decoding: text, as: UTF8.self))
    json = .object(words + [.init("user_info", ["payload": whole])])
  }

  private static func isAccepted(_ json: JSON) -> Bool {
    if case .success = checkContent(json.bytes) { true } else { false }
  }

  private static let shown: Set = ["title", "subtitle", "body", "badge", "sound"]

  // MARK: aps

  /// Takes a member of `aps` over.
  /// - Returns: false if it has to go into `user_info`.
  private mutating func take(_ member: JSON.Member) -> Bool {
    let value = member.value
    switch member.name {
    case "alert": return takeAlert(value)
    case "badge":
      return put("badge", value, if: value.int.map((0...NotificationLimits.badge).contains) ?? false)
    case "sound": return takeSound(value)
    case "thread-id":
      guard let thread = value.string, !thread.isEmpty else { return value.string != nil }
      // A longer one still keeps together what belongs together.
      let isShort = thread.utf8.count <= NotificationLimits.identifierBytes
      _ = put("thread", .string(isShort ? thread : Digest.base64URL(Digest.sha256(thread.utf8))))
      return isShort
    case "category":
      let isShort = (1...NotificationLimits.identifierBytes).contains(value.string?.utf8.count ?? 0)
      return put("category", value, if: isShort)
    case "interruption-level":
      let levels = ["passive", "active", "time-sensitive", "critical"]
      guard let level = value.string, levels.contains(level) else { return false }
      // A critical sound may have said it before.
      members.removeAll { $0.name == "interruption_level" }
      return put("interruption_level", value)
    case "relevance-score": return put("relevance", value, if: value.number.map((0...1).contains) ?? false)
    case "mutable-content": return value == 1
    default: return false
    }
  }

  private mutating func put(_ name: String, _ value: JSON, if isGood: Bool = true) -> Bool {
    if isGood { members.append(.init(name, value)) }
    return isGood
  }

  private mutating func takeAlert(_ alert: JSON) -> Bool {
    if let text = alert.string { return takeText("body", text, NotificationLimits.bodyBytes) }
    guard let parts = alert.members else { return false }
    for part in parts {
      let isTaken =
        switch (part.name, part.value.string) {
        case ("title", let text?), ("subtitle", let text?): takeText(part.name, text, NotificationLimits.titleBytes)
        case ("body", let text?): takeText("body", text, NotificationLimits.bodyBytes)
        default: false
        }
      if !isTaken { restOfAlert.append(part) }
    }
    // An app finds these words in its own languages. Who has none sees at least their names.
    for (name, key) in [("title", "title-loc-key"), ("subtitle", "subtitle-loc-key"), ("body", "loc-key")] {
      guard alert[name] == nil, let text = alert[key]?.string else { continue }
      _ = takeText(name, text, NotificationLimits.titleBytes)
    }
    return true
  }

  /// - Returns: false if it had to be cut, and the whole goes into `user_info`.
  private mutating func takeText(_ name: String, _ text: String, _ most: Int) -> Bool {
    if text.isEmpty { return true }
    guard text.utf8.count > most else { return put(name, .string(text)) }
    var cut = ""
    var count = "…".utf8.count
    for character in text {
      count += character.utf8.count
      if count > most { break }
      cut.append(character)
    }
    _ = put(name, .string("\(cut)…"))
    if !members.contains(where: { $0.name == "cut" }) { _ = put("cut", true) }
    return false
  }

  /// A name, or an object with `name`, `critical` and `volume`.
  private mutating func takeSound(_ sound: JSON) -> Bool {
    let name = sound.string ?? sound["name"]?.string ?? (sound.members == nil ? nil : "default")
    guard let name, (1...NotificationLimits.addressBytes).contains(name.utf8.count) else { return name == "" }
    if sound["critical"] == 1, !members.contains(where: { $0.name == "interruption_level" }) {
      members.append(.init("interruption_level", "critical"))
    }
    members.append(.init("sound", .string(name)))
    return sound.string != nil
  }
}
