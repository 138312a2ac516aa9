public import Wire

/// One thing to be shown on the device, or to be taken away.
public struct Presentation: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case show
    /// With the reason's code.
    case withdraw(String)
  }

  public var kind = Kind.show
  /// The hub's number of the notification, or the name of a request of the device's own.
  public var id: String
  public var version: Int
  /// The notification's content; null for a withdrawal.
  public var content: JSON
  /// True if it may have been shown before: it must not ring again.
  public var isRepeat = false
  /// True if an earlier version was shown.
  public var isUpdate = false
  /// True for a request of the device's own, which no hub sent.
  public var isLocal = false
  /// The notification that this one takes the place of.
  public var replaces: String?
  public var collapse: String?
  public var priority = "high"
  public var sentAt: String?
  public var topic: String?
  /// Seconds since 1970.
  public var expiresAt: Double?
  /// The time for which a request of the device's own was due, seconds since 1970.
  public var due: Double?

  /// The name under which the showing is recorded: of a request of the device's own, each time that it fires.
  public var recordID: String { due.map { "local:\(id)@\(Int($0))" } ?? id }
}
