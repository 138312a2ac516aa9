public import Store

/// A delivery that is to be sent.
public struct PendingDelivery: Sendable {
  public let device: Int
  public let message: Outgoing
  /// The attempts so far.
  public let attempts: Int
  /// True if some version of it was taken by the channel before.
  public let wasSent: Bool
  /// True if the device may show an older one with the same collapse id.
  public let replaces: Bool
  /// Its place among those with its collapse id; nil if that is its notification's id.
  public let sequence: Int?
}

/// Queries for deliveries that are to be sent.
extension Database {
  /// The number of pending deliveries, of all devices.
  public func pendingCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_deliveries WHERE acknowledged < wanted", read: { $0.int(0) }) ?? 0
  }

  /// True if it is a quiet time for the device, so that `hold` is to come before `pending`.
  public func isQuiet(device: Int, now: Double) throws(StoreError) -> Bool {
    guard let target = try target(device) else { return false }
    return target.quiet?.end(at: now, deviceZone: target.zone) != nil
  }

  /// Holds back what would ring in quiet hours: it was sent before they began, and the device, or its push service, was
  /// not there. It waits until they end. What only changes or removes something on the screen passes, and so does a
  /// wake (`waits` is 2), since nothing rings.
  public func hold(device: Int, channel: ChannelKind, now: Double) throws(StoreError) {
    guard let target = try target(device) else { return }
    let waiting = try rows(
      """
      \(Delivered.select) WHERE device = ? AND channel = ? AND acknowledged < wanted AND state = 0
        AND acknowledged < rung AND (next_at IS NULL OR next_at <= ? OR next_at > ?)
        AND NOT EXISTS (SELECT 1 FROM push_silent s WHERE s.device = push_deliveries.device
          AND s.notification = push_deliveries.notification AND s.waits = 2)
      """, .int(device), .int(channel.rawValue), .double(now), .double(now + DeliveryLimits.longestWait),
      read: Delivered.init)
    for var delivery in waiting {
      let isCritical = try notification(delivery.notification)?.isCritical ?? false
      guard let quiet = target.quietNow(delivery.wanted, isCritical: isCritical, now: now) else { continue }
      delivery.events.append(quiet)
      delivery.nextAt = now + (target.quiet?.secondsLeft(at: now, deviceZone: target.zone) ?? 0)
      try save(delivery)
    }
  }

  /// Sends what `hold` has kept from devices that fetch by themselves, as soon as it is not quiet for them any more:
  /// those that are connected would not ask again. At most `DeliveryLimits.duePerCommit` at a time.
  func release(channel: ChannelKind, now: Double) throws(StoreError) -> [Wake] {
    let held = try rows(
      """
      \(PendingDelivery.select) WHERE l.channel = ? AND l.acknowledged < l.wanted AND l.next_at IS NOT NULL
        AND (l.next_at <= ? OR l.next_at > ?) ORDER BY l.next_at LIMIT ?
      """, .int(channel.rawValue), .double(now), .double(now + DeliveryLimits.longestWait),
      .int(DeliveryLimits.duePerCommit), read: PendingDelivery.init)
    var wakes: [Wake] = []
    for one in held {
      guard var delivery = try delivery(one.message.id, one.device, channel) else { continue }
      // The person may have put the end off meanwhile.
      if let target = try target(one.device), target.quiet?.end(at: now, deviceZone: target.zone) != nil {
        delivery.nextAt = now + (target.quiet?.secondsLeft(at: now, deviceZone: target.zone) ?? 0)
      } else if let wait = try releaseSilent(one.message.id, one.device, now: now) {
        delivery.nextAt = wait
      } else {
        delivery.nextAt = nil
        wakes.append(Wake(channel: channel, devices: [one.device], message: one.message))
      }
      try save(delivery)
    }
    return wakes
  }

  /// When a delivery was written, or first rang after quiet hours that had held it back, in seconds since 1970; nil for
  /// one that is not there, or is held back.
  public func queuedAt(_ notification: Int, device: Int, _ channel: ChannelKind) throws(StoreError) -> Double? {
    let events = try delivery(notification, device, channel)?.events.events ?? []
    let held = events.lastIndex { $0.reason == .quietHours } ?? 0
    return events[held...].first { $0.what == .queued }?.at
  }

  /// The pending deliveries of a device by a channel: high priority first, then the oldest. What has expired is left
  /// out, and what is tried again later.
  public func pending(
    device: Int, channel: ChannelKind, now: Double, limit: Int
  ) throws(StoreError) -> [PendingDelivery] {
    var all: [PendingDelivery] = []
    for priority in [Priority.high, .normal] where all.count < limit {
      all += try rows(
        """
        \(PendingDelivery.select) WHERE l.device = ? AND l.channel = ? AND l.acknowledged < l.wanted AND l.priority = ?
          AND (l.state = 1 OR n.expires_at IS NULL OR n.expires_at > ?)
          AND (l.next_at IS NULL OR l.next_at <= ? OR l.next_at > ?)
        ORDER BY l.notification LIMIT ?
        """, .int(device), .int(channel.rawValue), .int(priority.rawValue), .double(now),
        .double(now), .double(now + DeliveryLimits.longestWait), .int(limit - all.count),
        read: PendingDelivery.init)
    }
    return all
  }
}

extension PendingDelivery {
  static let select = """
    SELECT l.device, l.notification, l.wanted, l.acknowledged, l.state, l.reason, l.attempts, n.content, n.collapse,
      n.expires_at, n.priority, n.at, n.topic, l.rung, l.replaces, n.stays, l.sequence
    FROM push_deliveries l JOIN push_notifications n ON n.id = l.notification
    """

  init(_ row: Row) {
    device = row.int(0)
    attempts = row.int(6)
    wasSent = row.int(3) > 0
    replaces = row.bool(14)
    sequence = row.optionalInt(16)
    let isWithdrawal = row.int(4) == DeliveryState.withdraw.rawValue
    message = Outgoing(
      id: row.int(1), version: row.int(2),
      work: isWithdrawal
        ? .withdraw(row.optionalText(5).flatMap(DeliveryReason.init) ?? .takenBack) : .show(content: row.text(7)),
      collapseID: row.optionalText(8), sequence: isWithdrawal ? sequence : nil,
      expiresAt: row.optionalDouble(9), stays: row.bool(15),
      priority: Priority(rawValue: row.int(10)) ?? .normal, sentAt: row.double(11), topic: row.optionalText(12),
      ringsAgain: wasSent && row.int(3) < row.int(13), withdrawn: isWithdrawal ? row.text(7) : nil)
  }
}
