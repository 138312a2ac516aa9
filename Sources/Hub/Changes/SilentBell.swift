public import Wire

/// The content of a ring that shows nothing, and wakes the programs of devices that a room has something for, as people
/// have chosen there. `Change.ring` takes its JSON. Only devices of the hub's own gateway can be woken.
public struct SilentBell: Equatable, Sendable {
  /// The recipients, as of `Bell`.
  public var to: JSON
  /// An object with one member that has the room's id.
  public var userInfo: JSON
  /// A newer one takes the place of one with the same collapse id that a device has not got.
  public var collapseID: String?
  /// Seconds for which it is worth being delivered, counted from the ring.
  public var lifetime: Double

  public init(to: JSON, userInfo: JSON, collapseID: String?, lifetime: Double) {
    self.to = to
    self.userInfo = userInfo
    self.collapseID = collapseID
    self.lifetime = lifetime
  }

  /// The content of the ring.
  public var json: JSON {
    [
      "silent": true, "to": to, "user_info": userInfo, "collapse_id": JSON(collapseID), "lifetime": .double(lifetime),
    ]
  }

  /// Reads the content of a ring; nil if it is none that is silent.
  public init?(_ json: JSON) {
    guard json["silent"]?.bool == true, let to = json["to"], let userInfo = json["user_info"] else { return nil }
    self.init(
      to: to, userInfo: userInfo, collapseID: json["collapse_id"]?.string, lifetime: json["lifetime"]?.number ?? 0)
  }
}
