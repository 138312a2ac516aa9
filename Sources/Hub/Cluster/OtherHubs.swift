import Synchronization
public import Wire

/// Messages of rooms to the same rooms of other hubs by the bus, which come at most once: for what is in memory alone,
/// and soon told again.
extension Hub {
  /// Tells the others something.
  /// - Parameter topic: letters, digits and points, such as "kettle.heat".
  public func tellOthers(_ topic: String, _ body: @autoclosure () -> JSON) {
    guard let bus = cluster?.bus, !(bus is NoBus) else { return }
    bus.send(body().bytes, to: topic)
  }

  /// Takes what others tell, on the bus's loop. To be called while the room is opened.
  public func hearOthers(_ topic: String, _ take: @escaping @Sendable (JSON) -> Void) {
    hears.withLock { $0[topic] = take }
  }
}

extension Cluster {
  /// Begins to hear what rooms of other hubs tell.
  func hearRooms() {
    for (topic, take) in hub.hears.withLock({ $0 }) {
      bus.listen(to: topic) { bytes in
        if let body = try? JSON(parsing: bytes) { take(body) }
      }
    }
  }
}
