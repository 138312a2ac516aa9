/// A device's report on a notification: whether it arrived, was shown, removed or answered, or could not be shown.
public struct Receipt: Equatable, Sendable {
  public enum What: Equatable, Sendable {
    /// The notification has arrived. Its delivery stays pending until the device reports that it was shown, so that a
    /// lost connection cannot lose that report for good.
    case delivered
    case shown
    case withdrawn
    case failed
    /// The person has answered, with an action and perhaps a text.
    case acted(action: String, text: String?)
  }

  public var notification: Int
  public var version: Int
  public var what: What
  /// The device's time of the event, seconds since 1970; nil for now.
  public var at: Double?
  /// The time at which the hub sent it, where that was not recorded yet.
  public var sentAt: Double?
  /// True if it may have been shown before: the device was ended between showing it and recording that.
  public var isRepeat: Bool
  /// The device's own words for a failure.
  public var detail: String?
  /// A remark of the device, such as that its extension has failed.
  public var note: DeviceNote?

  public init(
    notification: Int, version: Int, what: What, at: Double? = nil, sentAt: Double? = nil, isRepeat: Bool = false,
    detail: String? = nil, note: DeviceNote? = nil
  ) {
    self.notification = notification
    self.version = version
    self.what = what
    self.at = at
    self.sentAt = sentAt
    self.isRepeat = isRepeat
    self.detail = detail
    self.note = note
  }
}

/// A reason that a device may give beside a receipt: on the wire its code and its detail, such as
/// "extension_failed:late".
public struct DeviceNote: Equatable, Sendable {
  public var reason: DeliveryReason
  public var detail: String?

  /// Nil for a text that is none: devices do not speak for the hub, or for a later version of it.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard text.utf8.count <= DeliveryLimits.detailBytes, let code = parts.first,
      let reason = DeliveryReason(rawValue: String(code)), reason.isDevices
    else { return nil }
    self.reason = reason
    // A trace has no room for what is private.
    detail = parts.count > 1 && reason != .notOpened ? String(parts[1]) : nil
  }
}

/// The one who answered a notification: a device, or a person on the page.
public enum Responder: Hashable, Sendable {
  case device(Int)
  case person(Int)
}

/// The answer that counts: the first action that anybody takes.
public struct Answer: Equatable, Sendable {
  /// The names of a tap and of a dismissal. These count for the one person only, on all their devices; others can still
  /// answer.
  public static let tap = "default"
  public static let dismiss = "dismiss"

  public var notification: Int
  public var action: String
  public var text: String?
  /// Seconds since 1970.
  public var at: Double
  public var device: Int?
  public var person: Int?
  /// The room that rang, if one did.
  public var room: String?
  public var topic: String?
  public var collapseID: String?

  static func isPersonal(_ action: String) -> Bool { action == tap || action == dismiss }
}

/// A receipt or an answer that was written.
public struct Recorded: Sendable {
  /// Told to the device that answered, so that it need not repeat its answer.
  public struct Taken: Equatable, Sendable {
    /// The action that counts, perhaps another one's.
    public var action: String
    /// False if the answer came too late.
    public var counts: Bool

    public init(action: String, counts: Bool) {
      self.action = action
      self.counts = counts
    }
  }

  public var changed = Changed()
  /// The answer that has just won, to be told to the room and the pages; nil if there was no answer, or it came too
  /// late or again.
  public var answer: Answer?
  public var taken: Taken?
  /// The reason why an answer does not count; nil otherwise.
  public var refusal: DeliveryReason?
  /// True if the device is not to show it (any more): it was answered or taken back, has expired, or a newer one has
  /// its place. Only told for receipts that are no answers.
  public var isOver = false
}
