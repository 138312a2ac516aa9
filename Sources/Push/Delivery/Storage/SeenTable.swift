public import Store

/// Looks up whether a person has seen a notification, for channels that are used only if the others did not reach them.
extension Database {
  /// True if a person has seen a notification: in their list, or on one of their devices.
  public func hasSeen(notification id: Int, person: Int) throws(StoreError) -> Bool {
    let state = try first(
      "SELECT state FROM push_inbox WHERE notification = ? AND person = ?", .int(id), .int(person), read: { $0.int(0) })
    if state ?? 0 > 0 { return true }
    let traces = try rows(
      """
      SELECT l.events FROM push_deliveries l JOIN push_devices d ON d.id = l.device
        WHERE l.notification = ? AND d.person = ?
      """, .int(id), .int(person), read: { EventLines($0.text(0)) })
    return traces.contains { trace in trace.events.contains { $0.what == .shown || $0.what == .acted } }
  }
}
