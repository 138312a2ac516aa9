public import Wire

/// One thing to be shown on the device, or to be taken away.
public struct Showing: Equatable, Sendable {
  struct Successor: Equatable, Sendable {
    var id: String
    var version: Int
  }

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
  /// True if an earlier version was shown, and this one does not ring.
  public var isUpdate = false
  /// True if it rings again, as nobody has acted.
  public var isAgain = false
  /// True for a request of the device's own, which no hub sent, and for what goes by the device's own clock.
  public var isLocal = false
  /// The notification that this one takes the place of.
  public var replaces: String?
  /// For a withdrawal: the newer one that was to take its place, and was taken back before it came.
  var successor: Successor?
  public var collapse: String?
  public var priority = "high"
  public var sentAt: String?
  public var topic: String?
  /// Seconds since 1970.
  public var expiresAt: Double?
  /// True if what is on the screen by then stays there.
  var stays = false
  /// The time for which a request of the device's own was due, seconds since 1970.
  public var due: Double?
  /// Seconds that the hub gives for the work of a silent one; nil for the usual ones.
  public var seconds: Double?
  /// The code and the detail that the trace at the hub is to have beside "shown" or "failed".
  public var note: String?

  /// The name under which the showing is recorded: of a request of the device's own, each time that it fires.
  public var recordID: String { due.map { "local:\(id)@\(Int($0))" } ?? id }
}

extension JSON {
  /// A content without the `file` of its attachments: a path on this device, which no sender chooses.
  public var withoutFiles: JSON {
    guard let members else { return self }
    return .object(
      members.map { member in
        guard member.name == "attachments", let all = member.value.array else { return member }
        let bare = all.map { one in one.members.map { JSON.object($0.filter { $0.name != "file" }) } ?? one }
        return Member(member.name, .array(bare))
      })
  }
}
