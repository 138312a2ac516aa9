/// The collapse ids of rooms, in a space of their own: "room ROOM/ID". Whoever may send to a topic must not take a
/// room's alarm away from everybody who listens to it.
public enum RoomCollapse {
  /// How they begin, and nobody else's does; also how the name of a room as a sender begins.
  public static let prefix = "room "

  /// The room as a sender, and the id by which it knows the notification; nil for an id that is no room's.
  public static func read(_ collapseID: String?) -> (sender: String, own: String)? {
    guard let collapseID, collapseID.hasPrefix(prefix) else { return nil }
    let parts = collapseID.split(separator: "/", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
