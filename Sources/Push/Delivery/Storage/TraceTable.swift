public import Store

/// Notifications as they are kept, and their traces.
extension Database {
  public func notification(_ id: Int) throws(StoreError) -> SentNotification? {
    try first("\(SentNotification.select) WHERE id = ?", .int(id), read: SentNotification.init)
  }

  /// The newest notifications, at most so many.
  /// - Parameters:
  ///   - sender: only those of this sender; nil for all.
  ///   - before: the id of the last one of the page before; nil for the first page.
  public func notifications(
    of sender: String? = nil, before: Int? = nil, limit: Int
  ) throws(StoreError) -> [SentNotification] {
    var (at, id) = (Double.infinity, Int.max)
    if let before {
      let known = try first("SELECT at FROM push_notifications WHERE id = ?", .int(before), read: { $0.double(0) })
      guard let known else { return [] }
      (at, id) = (known, before)
    }
    let page = "at <= ? AND (at < ? OR id < ?) ORDER BY at DESC, id DESC LIMIT ?"
    guard let sender else {
      return try rows(
        "\(SentNotification.select) WHERE \(page)", .double(at), .double(at), .int(id), .int(limit),
        read: SentNotification.init)
    }
    return try rows(
      "\(SentNotification.select) WHERE sender = ? AND \(page)", .text(sender), .double(at), .double(at), .int(id),
      .int(limit), read: SentNotification.init)
  }

  /// The trace of a notification, with the events of every device it was for; nil if it is not kept (any more).
  public func trace(_ id: Int) throws(StoreError) -> Trace? {
    guard let notification = try notification(id) else { return nil }
    let devices = try rows(
      """
      SELECT l.device, coalesce(d.name, ''), d.person, l.channel, l.acknowledged < l.wanted, l.events
      FROM push_deliveries l LEFT JOIN push_devices d ON d.id = l.device
      WHERE l.notification = ? ORDER BY l.device, l.channel
      """, .int(id)
    ) { row in
      DeliveryTrace(
        device: row.int(0), name: row.text(1), person: row.optionalInt(2),
        channel: ChannelKind(rawValue: row.int(3)) ?? .gateway, isPending: row.bool(4),
        events: EventLines(row.text(5)).events)
    }
    return Trace(notification: notification, devices: devices)
  }
}

extension SentNotification {
  static let select = """
    SELECT id, at, content, collapse, expires_at, priority, version, state, sender, room, topic, acted_at,
      acted_action, acted_text, acted_device, acted_person, stays FROM push_notifications
    """

  init(_ row: Row) {
    id = row.int(0)
    at = row.double(1)
    content = row.text(2)
    collapseID = row.optionalText(3)
    expiresAt = row.optionalDouble(4)
    stays = row.bool(16)
    priority = Priority(rawValue: row.int(5)) ?? .normal
    version = row.int(6)
    state = State(rawValue: row.int(7)) ?? .active
    sender = row.text(8)
    room = row.optionalText(9)
    topic = row.optionalText(10)
    guard !row.isNull(11) else { return }
    answer = Answer(
      notification: id, action: row.text(12), text: row.optionalText(13), at: row.double(11),
      device: row.optionalInt(14), person: row.optionalInt(15), room: room, topic: topic, collapseID: collapseID)
  }
}
