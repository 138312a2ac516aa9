/// What a device tells about a notification.
public struct Receipt: Equatable, Sendable {
  public enum What: Equatable, Sendable {
    /// It has arrived. It stays pending until it is shown, so that the receipt for that is not lost for good when a
    /// connection breaks.
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

  public init(
    notification: Int, version: Int, what: What, at: Double? = nil, sentAt: Double? = nil, isRepeat: Bool = false,
    detail: String? = nil
  ) {
    self.notification = notification
    self.version = version
    self.what = what
    self.at = at
    self.sentAt = sentAt
    self.isRepeat = isRepeat
    self.detail = detail
  }
}

/// Who answered a notification: a device, or a person on the page.
public enum Responder: Hashable, Sendable {
  case device(Int)
  case person(Int)
}

/// The answer that counts: the first action of anybody.
public struct Answer: Equatable, Sendable {
  /// The tap on a notification, and its removal by hand: these count for the one person and their devices only, and
  /// others can still answer.
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
  /// The answer that has just won, to be told to the room and the pages; nil for all else, and for a repeated one.
  public var answer: Answer?
  public var taken: Taken?
  /// Why an answer does not count.
  public var refusal: DeliveryReason?
}
