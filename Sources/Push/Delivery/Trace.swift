/// One event in the life of a delivery.
public struct TraceEvent: Equatable, Sendable {
  public enum What: String, CaseIterable, Sendable {
    case queued, sent, delivered, shown, acted, suppressed, withdrawn, expired, gone, failed
  }

  public var what: What
  /// Seconds since 1970, to the millisecond.
  public var at: Double
  /// The version of the notification that it is about.
  public var version: Int
  public var reason: DeliveryReason?
  /// The reason's detail, such as "07:00"; the action of `acted`; or the seconds of a pause before another attempt.
  public var detail: String?
  /// True if the device may have shown it before; for `queued`, true if it is to ring again.
  public var isRepeat: Bool

  public init(
    _ what: What, at: Double, version: Int = 1, reason: DeliveryReason? = nil, detail: String? = nil,
    isRepeat: Bool = false
  ) {
    self.what = what
    self.at = (at * 1000).rounded() / 1000
    self.version = version
    self.reason = reason
    self.detail = detail.map(Self.shortened)
    self.isRepeat = isRepeat
  }

  /// One line of at most `DeliveryLimits.detailBytes`.
  private static func shortened(_ text: String) -> String {
    var bytes = 0
    var line = ""
    for character in text {
      let isControl = character.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
      bytes += isControl ? 1 : character.utf8.count
      if bytes > DeliveryLimits.detailBytes { break }
      line.append(isControl ? " " : character)
    }
    return line
  }
}

/// The events of one delivery as they are kept in its row: a line for each, such as "shown 1795200000123 1 repeat" or
/// "suppressed 1795200000123 1 quiet_hours:07:00". Only the first and the newest are kept.
struct EventLines {
  private(set) var text: String

  init(_ text: String = "") { self.text = text }

  init(_ event: TraceEvent) { text = Self.line(event) }

  mutating func append(_ event: TraceEvent) {
    text += text.isEmpty ? Self.line(event) : "\n" + Self.line(event)
    // A line has at least 17 bytes: nothing can be too much before.
    let most = DeliveryLimits.firstEvents + DeliveryLimits.lastEvents
    guard text.utf8.count > most * 17 else { return }
    var lines = text.split(separator: "\n")
    guard lines.count > most else { return }
    lines.removeSubrange(DeliveryLimits.firstEvents..<(lines.count - DeliveryLimits.lastEvents))
    text = lines.joined(separator: "\n")
  }

  /// All events that are kept, in the order in which they were written down.
  var events: [TraceEvent] { text.utf8.split(separator: .newline).compactMap(Self.event) }

  /// When the first one was.
  var start: Double? { text.utf8.split(separator: .newline, maxSplits: 1).first.flatMap(Self.event)?.at }

  /// True if such an event was written before, so that a receipt that comes again adds none.
  func contains(_ what: TraceEvent.What, version: Int) -> Bool {
    let (name, version) = (what.rawValue.utf8, String(version).utf8)
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != .newline }
      if line.starts(with: name), line.dropFirst(name.count).first == .space {
        let count = line.dropFirst(name.count + 1).drop { $0 != .space }.dropFirst().prefix { $0 != .space }
        if count.elementsEqual(version) { return true }
      }
      rest = rest[line.endIndex...].dropFirst()
    }
    return false
  }

  private static func line(_ event: TraceEvent) -> String {
    var line = "\(event.what.rawValue) \(Int(event.at * 1000)) \(event.version)"
    if event.isRepeat { line += " repeat" }
    if event.reason != nil || event.detail != nil {
      line += " \(event.reason?.rawValue ?? ""):\(event.detail ?? "")"
    }
    return line
  }

  private static func event(_ line: Substring.UTF8View) -> TraceEvent? {
    let parts = line.split(separator: .space, maxSplits: 3).map(Substring.init)
    guard parts.count >= 3, let what = TraceEvent.What(rawValue: String(parts[0])), let milliseconds = Int(parts[1]),
      let version = Int(parts[2])
    else { return nil }
    var rest = parts.count > 3 ? parts[3] : ""
    let isRepeat = rest == "repeat" || rest.hasPrefix("repeat ")
    if isRepeat { rest = rest.dropFirst(rest == "repeat" ? 6 : 7) }
    var event = TraceEvent(what, at: Double(milliseconds) / 1000, version: version, isRepeat: isRepeat)
    if let colon = rest.firstIndex(of: ":") {
      event.reason = DeliveryReason(rawValue: String(rest[..<colon]))
      let detail = rest[rest.index(after: colon)...]
      event.detail = detail.isEmpty ? nil : String(detail)
    }
    return event
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n"), space = UInt8(ascii: " ")
}

/// The trace of one delivery: to a device by a channel.
public struct DeliveryTrace: Equatable, Sendable {
  public var device: Int
  /// The device's name and person.
  public var name: String
  public var person: Int?
  public var channel: ChannelKind
  /// True if something is still to be sent, such as a withdrawal to a device that is away.
  public var isPending: Bool
  public var events: [TraceEvent]
}

/// The answer to why a notification arrived, or did not.
public struct Trace: Equatable, Sendable {
  public var notification: SentNotification
  public var devices: [DeliveryTrace]
}

/// A notification as it is kept.
public struct SentNotification: Equatable, Sendable {
  public enum State: Int, Sendable {
    /// Open to answers.
    case active = 0
    case withdrawn = 1
    case acted = 2
    /// Waits for its time.
    case scheduled = 3
    case expired = 4

    public var name: String { "\(self)" }
  }

  public var id: Int
  /// Seconds since 1970 at which it was sent; for a scheduled one, at which it will be.
  public var at: Double
  /// JSON text.
  public var content: String
  public var collapseID: String?
  public var expiresAt: Double?
  /// True if `expiresAt` ends its delivery only.
  public var stays: Bool
  public var priority: Priority
  public var version: Int
  public var state: State
  public var sender: String
  public var room: String?
  public var topic: String?
  public var answer: Answer?
}
