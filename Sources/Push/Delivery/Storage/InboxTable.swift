public import Store

/// One entry of a person's list of notifications.
public struct InboxItem: Equatable, Sendable {
  public enum State: Int, Sendable {
    case new = 0
    case seen = 1
    /// Somebody has answered it.
    case acted = 2
    case withdrawn = 3
    /// A newer one with the same collapse id took its place.
    case collapsed = 4
  }

  public var notification: SentNotification
  public var state: State
}

/// The lists of notifications of persons, and their quiet hours.
extension Database {
  /// A person's newest notifications.
  /// - Parameter before: the id of the last one of the page before; nil for the first page.
  public func inbox(ofPerson person: Int, before: Int? = nil, limit: Int) throws(StoreError) -> [InboxItem] {
    var (at, id) = (Double.infinity, Int.max)
    if let before {
      let known = try first(
        "SELECT at FROM push_inbox WHERE notification = ? AND person = ?", .int(before), .int(person),
        read: { $0.double(0) })
      guard let known else { return [] }
      (at, id) = (known, before)
    }
    return try rows(
      """
      SELECT n.id, n.at, n.content, n.collapse, n.expires_at, n.priority, n.version, n.state, n.sender, n.room,
        n.topic, n.acted_at, n.acted_action, n.acted_text, n.acted_device, n.acted_person, n.stays, i.state
      FROM push_inbox i JOIN push_notifications n ON n.id = i.notification
      WHERE i.person = ? AND i.at <= ? AND (i.at < ? OR i.notification < ?)
      ORDER BY i.at DESC, i.notification DESC LIMIT ?
      """, .int(person), .double(at), .double(at), .int(id), .int(limit)
    ) { InboxItem(notification: SentNotification($0), state: InboxItem.State(rawValue: $0.int(17)) ?? .seen) }
  }

  /// The state of one notification in a person's list; nil if it is not in it.
  public func inboxState(ofPerson person: Int, notification: Int) throws(StoreError) -> InboxItem.State? {
    try first(
      "SELECT state FROM push_inbox WHERE person = ? AND notification = ?", .int(person), .int(notification),
      read: { InboxItem.State(rawValue: $0.int(0)) }) ?? nil
  }

  /// True if a person has seen a notification: in their list, or on one of their devices. For channels that are used
  /// only if the others did not reach them.
  public func hasSeen(notification id: Int, person: Int) throws(StoreError) -> Bool {
    if let state = try inboxState(ofPerson: person, notification: id), state != .new { return true }
    let traces = try rows(
      """
      SELECT l.events FROM push_deliveries l JOIN push_devices d ON d.id = l.device
        WHERE l.notification = ? AND d.person = ?
      """, .int(id), .int(person), read: { EventLines($0.text(0)) })
    return traces.contains { trace in trace.events.contains { $0.what == .shown || $0.what == .acted } }
  }

  /// The number of a person's new ones.
  public func unreadCount(ofPerson person: Int) throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_inbox WHERE person = ? AND state = 0", .int(person), read: { $0.int(0) }) ?? 0
  }

  /// The number of new ones of the person whose device this is; nil for a device of nobody.
  public func unreadCount(ofDevice device: Int) throws(StoreError) -> Int? {
    guard let person = try pushDevice(device)?.person else { return nil }
    return try unreadCount(ofPerson: person)
  }

  /// A person's new ones, the newest first.
  public func unread(ofPerson person: Int) throws(StoreError) -> [Int] {
    try rows(
      "SELECT notification FROM push_inbox WHERE person = ? AND state = 0 ORDER BY at DESC, notification DESC",
      .int(person), read: { $0.int(0) })
  }

  /// Marks new ones as seen.
  /// - Returns: true if one was new.
  public func markSeen(ofPerson person: Int, _ notifications: [Int]) throws(StoreError) -> Bool {
    var hasChanged = false
    for id in notifications {
      let changed = try first(
        "UPDATE push_inbox SET state = 1 WHERE person = ? AND notification = ? AND state = 0 RETURNING notification",
        .int(person), .int(id), read: { _ in true })
      if changed != nil { hasChanged = true }
    }
    return hasChanged
  }

  /// - Returns: nil for none, as for equal times, which older versions accepted.
  public func quietHours(ofPerson person: Int) throws(StoreError) -> QuietHours? {
    try first(
      "SELECT quiet_from, quiet_to, zone FROM push_people WHERE person = ? AND quiet_from <> quiet_to", .int(person),
      read: { QuietHours(from: $0.int(0), to: $0.int(1), zone: $0.text(2)) })
  }

  /// - Parameter quiet: nil for none.
  public func setQuietHours(ofPerson person: Int, _ quiet: QuietHours?) throws(StoreError) {
    try lookAtHeld("IN (SELECT id FROM push_devices WHERE person = ?)", person)
    guard let quiet else { return try run("DELETE FROM push_people WHERE person = ?", .int(person)) }
    try run(
      """
      INSERT INTO push_people (person, quiet_from, quiet_to, zone) VALUES (?, ?, ?, ?)
      ON CONFLICT (person) DO UPDATE SET quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
        zone = excluded.zone
      """, .int(person), .int(quiet.from), .int(quiet.to), .text(quiet.zone))
  }

  /// Has deliveries looked at anew that are held back until quiet hours end, or may be.
  /// - Parameter devices: the condition on their devices, with a place for `id`.
  func lookAtHeld(_ devices: String, _ id: Int) throws(StoreError) {
    try run(
      """
      UPDATE push_deliveries SET next_at = 0 WHERE acknowledged < wanted AND state = 0 AND next_at IS NOT NULL
        AND (attempts = 0 OR events LIKE '%quiet_hours%') AND device \(devices)
      """, .int(id))
  }
}
