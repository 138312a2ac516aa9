/// A device that a drill has rung: one of those that would be rung in earnest.
public struct DrilledDevice: Equatable, Sendable {
  public var drill: Int
  public var device: Int
  public var name: String
  /// The person it belongs to; nil for a box that is nobody's.
  public var person: Int?
  /// When the drill began, in seconds since 1970.
  public var at: Double
  /// When the device had it.
  public var rangAt: Double?
  /// When somebody answered there.
  public var answeredAt: Double?
}

/// The names of a drill's notifications. Each device has one of its own, since an answer ends a notification on every
/// device.
public enum DrillName {
  private static let prefix = "drill."

  public static func collapseID(drill: Int, device: Int) -> String { "\(prefix)\(drill).\(device)" }

  /// The drill and the device of a notification; nil for any other notification.
  public static func read(_ collapseID: String?) -> (drill: Int, device: Int)? {
    guard let collapseID, collapseID.hasPrefix(prefix) else { return nil }
    let parts = collapseID.dropFirst(prefix.count).split(separator: ".").map { Int($0) }
    guard parts.count == 2, let drill = parts[0], let device = parts[1] else { return nil }
    return (drill, device)
  }
}
