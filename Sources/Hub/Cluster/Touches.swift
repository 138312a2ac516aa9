public import Store

/// What others have changed on the same database server, of what hubs keep in memory.
public struct Touches: Sendable {
  /// The number of the last change among them.
  public let commit: Int
  /// The number of the last change before them.
  let after: Int
  /// Nil if it is not known: everything.
  private let keys: [String: Set<Int?>]?

  /// - Parameter touches: nil if everything may have changed.
  init(_ touches: [Touch]?, after: Int, commit: Int) {
    (self.after, self.commit) = (after, commit)
    keys = touches.map { touches in
      Dictionary(grouping: touches, by: \.name).mapValues { Set($0.map(\.key)) }
    }
  }

  var isComplete: Bool { keys != nil }

  /// True if something of this name has changed.
  public func has(_ touch: Touch) -> Bool { keys.map { $0[touch.name] != nil } ?? true }

  /// The rows of that name that have changed; nil if that can be any.
  public func rows(_ touch: Touch) -> Set<Int>? {
    guard let keys else { return nil }
    guard let rows = keys[touch.name] else { return [] }
    return rows.contains(nil) ? nil : Set(rows.compactMap { $0 })
  }
}

/// What the hub itself keeps in memory.
extension Touch {
  public static let place = Touch("hub.place")
  static let rooms = Touch("hub.rooms")
  /// Somebody has lost rights.
  static let rights = Touch("hub.rights")
  /// A hub that ends has given back its leases.
  static let leases = Touch("hub.leases")
  /// There are rings to be delivered.
  static let outbox = Touch("hub.outbox")
}
