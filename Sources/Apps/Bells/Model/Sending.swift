import CivilTime
import Crypto
import Delivery
import Hub
import Notifications
import Wire

/// A notification as somebody asks for it, checked.
struct Sending: Equatable, Sendable {
  /// One member of `to`.
  enum Target: Hashable, Sendable {
    case device(Int)
    /// A device by its token, of 64 hexadecimal digits.
    case deviceToken(String)
    case person(Int)
    case role(Role)
    case topic(String)
  }
  var to: [Target]
  var content: JSON
  var collapseID: String?
  /// Seconds since 1970.
  var expiresAt: Double
  /// Nil for at once, or at a local time.
  var at: Double?
  var local: LocalTime?
  /// The trigger at whose place it waits; nil for one that goes by the time.
  var place: JSON?
  var repetition: Repetition?
  /// The recipients who are rung if nobody has acted after the repetition's last ring.
  var then: [Target] = []
  var priority: Priority
  var idempotencyKey: String?

  static let fields = [
    "to", "content", "collapse_id", "expires_at", "priority", "idempotency_key", "at", "trigger", "repeat",
  ]
  static let help = "Example: {\"to\": {\"topic\": \"space\"}, \"content\": {\"title\": \"Open\"}}"

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - zone: the hub's, for devices that have not told theirs.
  init(_ json: JSON, now: Double, zone: Zone) throws(FieldErrors) {
    var check = FieldCheck(json, known: Self.fields)
    to = check.targets("to")
    content = check.content("content", isNeeded: true) ?? .object([])
    collapseID = check.bytes("collapse_id", longest: DeliveryLimits.collapseBytes)
    priority = check.priority("priority")
    idempotencyKey =
      check.has("idempotency_key")
      ? check.line("idempotency_key", longest: BellsLimits.idempotencyKey, isNeeded: true) : nil
    local = check.local("at", now: now, zone: zone)
    at = check.schedule("at", now: now)
    place = check.place("trigger")
    if place != nil, check.has("at") {
      check.fail("at", "not accepted beside trigger: it waits for a time, or for a place.")
    }
    (repetition, then) = check.repetition("repeat")
    let lasts =
      place?["repeats"]?.bool == true
      ? now + BellsLimits.furthest : (local?.latest ?? at ?? now) + BellsLimits.lifetime
    // By the hub's clock, which devices that have told no zone go by.
    let rings = local?.instant(deviceZone: nil) ?? at ?? now
    expiresAt = check.instant("expires_at", after: rings, now: now) ?? lasts
    if local?.rule != nil, check.has("expires_at") {
      check.fail("expires_at", "not accepted beside every: each is delivered until the next one; UNTIL ends the rule.")
    }
    if !check.errors.isEmpty { throw FieldErrors(check.errors) }
  }
}

extension FieldCheck {
  private enum Urgency: String, CaseIterable {
    case high
    case normal
  }

  /// The urgency with which it is sent on; high if nothing is said.
  mutating func priority(_ field: String) -> Priority {
    choice(field, among: Urgency.allCases) == .normal ? .normal : .high
  }

  /// `to`: one recipient, or a list of them.
  mutating func targets(_ field: String) -> [Sending.Target] {
    let accepted = "{\"topic\": ID}, {\"person\": ID}, {\"device\": ID} or {\"role\": NAME}, or a list of these"
    guard let value = value(field, isNeeded: true, accepted: accepted) else { return [] }
    let list = value.array ?? [value]
    guard (1...BellsLimits.recipients).contains(list.count) else {
      fail(field, "\(list.count) recipients; 1 to \(BellsLimits.recipients) are accepted.")
      return []
    }
    var targets: [Sending.Target] = []
    for one in list {
      guard let target = Sending.Target(one) else {
        fail(field, "\(one.text.prefix(100)); \(accepted) is accepted.")
        return []
      }
      if !targets.contains(target) { targets.append(target) }
    }
    return targets
  }

  /// The content of a notification.
  mutating func content(_ field: String, isNeeded: Bool) -> JSON? {
    guard let value = value(field, isNeeded: isNeeded, accepted: "an object with a title or a body") else { return nil }
    // The same rules as on devices and pages.
    if case .failure(let refusal) = checkContent(value.bytes) {
      fail(field, refusal)
    } else {
      refuseOrder(in: value, field)
    }
    return value
  }

  /// The content of a notification with the members of a field instead of its own; null removes one.
  mutating func change(_ field: String, of content: JSON) -> JSON? {
    guard let value = value(field, isNeeded: true, accepted: "an object with the members to replace") else {
      return nil
    }
    switch Content.check(content.bytes).flatMap({ $0.patched(with: value.bytes) }) {
    case .success(let changed):
      guard let json = try? JSON(parsing: changed.text) else { return nil }
      refuseOrder(in: json, field)
      return json
    case .failure(let refusal):
      fail(field, refusal)
      return nil
    }
  }

  /// Refuses what an agent would take for the word of one of the hub's rooms.
  private mutating func refuseOrder(in content: JSON, _ field: String) {
    guard let name = RoomOrder.name(in: content) else { return }
    fail(
      "\(field).user_info.\(name)",
      "an object; in a silent one, that is the hub's own word to an agent. Any other name is accepted.")
  }

  private mutating func fail(_ field: String, _ refusal: Refusal) {
    for fault in refusal.faults { fail(fault.field.isEmpty ? field : "\(field).\(fault.field)", fault.sentence) }
  }

  /// A text of one line and of at most so many bytes.
  mutating func bytes(_ field: String, longest: Int) -> String? {
    guard has(field), let text = line(field, longest: longest) else { return nil }
    guard text.utf8.count <= longest else {
      fail(field, "\(text.utf8.count) bytes; at most \(longest) are accepted.")
      return nil
    }
    return text
  }

  /// A trigger at a place; the other ones are for requests of a device's own.
  mutating func place(_ field: String) -> JSON? {
    guard let value = self[field], value != .null else { return nil }
    if let inside = value["inside"], inside.bool == nil {
      fail("\(field).inside", "\(inside.text.prefix(40)); true or false is accepted.")
    }
    switch LocationTrigger.check(value) {
    case .success(.location): return value
    case .success: fail(field, "\(value.text.prefix(100)); the type location is accepted here; for times there is at.")
    case .failure(let refusal): for fault in refusal.faults { fail(fault.field, fault.sentence) }
    }
    return nil
  }

  /// The id of the action that is an answer.
  mutating func answerAction(_ field: String) -> String? { bytes(field, longest: NotificationLimits.identifierBytes) }

  /// A text that was typed as an answer.
  mutating func answerText(_ field: String) -> String? {
    guard let text = text(field, longest: NotificationLimits.answerBytes) else { return nil }
    guard text.utf8.count <= NotificationLimits.answerBytes else {
      fail(field, "\(text.utf8.count) bytes; at most \(NotificationLimits.answerBytes) are accepted.")
      return nil
    }
    return text
  }

  /// `at` as an instant. A past one counts as now, which is nil.
  mutating func schedule(_ field: String, now: Double) -> Double? {
    guard let value = self[field], value != .null, value.members == nil else { return nil }
    guard let at = instant(field, after: 0, now: now), at > now else { return nil }
    return at
  }

  /// An instant as RFC 3339, after another one and at most a year ahead.
  mutating func instant(_ field: String, after first: Double, now: Double) -> Double? {
    guard let value = self[field], value != .null else { return nil }
    guard let text = value.string, let instant = parseTimestamp(text).map({ Double($0) }) else {
      fail(field, "\(value.string == nil ? value.kind : value.text); a time such as 2026-11-21T23:00:00Z is accepted.")
      return nil
    }
    guard instant > first, instant <= now + BellsLimits.furthest else {
      fail(
        field,
        "\(value.text); a time after \(timestamp(EpochSeconds(max(first, 0)), in: .utc)) and within "
          + "\(Int(BellsLimits.furthest / 86_400)) days is accepted.")
      return nil
    }
    return instant
  }
}

extension Sending.Target {
  /// Reads one recipient: an object with one member.
  init?(_ json: JSON) {
    guard let members = json.members, members.count == 1, let member = members.first, let word = member.value.string
    else { return nil }
    self.init(member.name, word)
  }

  /// Those of a room's or a hook's `to`: one recipient, or several. What names none is left out.
  static func list(_ to: JSON) -> [Sending.Target] { (to.array ?? [to]).compactMap { Sending.Target($0) } }

  /// Nil for others than topics.
  var topicID: String? { if case .topic(let id) = self { id } else { nil } }

  /// Reads the spelling of commands: "topic:space".
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    self.init(parts[0], parts[1])
  }

  private init?(_ kind: String, _ word: String) {
    switch kind {
    case "device":
      if let bytes = Digest.bytes(hex: word), bytes.count == Self.tokenBytes {
        self = .deviceToken(word.lowercased())
        return
      }
      guard let id = Self.id(word) else { return nil }
      self = .device(id)
    case "person":
      guard let id = Self.id(word) else { return nil }
      self = .person(id)
    case "role":
      guard let role = Role(rawValue: word), Role.ofPeople.contains(role) else { return nil }
      self = .role(role)
    case "topic":
      guard TokenTopics.isID(word) else { return nil }
      self = .topic(word)
    default: return nil
    }
  }

  /// Bytes of a device token, as APNs has it.
  static let tokenBytes = 32

  private static func id(_ word: String) -> Int? {
    guard let id = Int(word), id > 0, String(id) == word else { return nil }
    return id
  }

  /// The spelling of commands, which the list of notifications and the audit show.
  var text: String {
    switch self {
    case .device(let id): "device:\(id)"
    case .deviceToken(let token): "device:\(token)"
    case .person(let id): "person:\(id)"
    case .role(let role): "role:\(role.rawValue)"
    case .topic(let id): "topic:\(id)"
    }
  }
}
