public import Store

/// A delivery that is to be sent.
public struct PendingDelivery: Sendable {
  public let device: Int
  public let message: Outgoing
  /// The attempts so far.
  public let attempts: Int
  /// True if some version of it was taken by the channel before.
  public let wasSent: Bool
}

/// What is to be sent.
extension Database {
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
          AND (l.state = 1 OR n.expires_at IS NULL OR n.expires_at > ?) AND (l.next_at IS NULL OR l.next_at <= ?)
        ORDER BY l.notification LIMIT ?
        """, .int(device), .int(channel.rawValue), .int(priority.rawValue), .double(now),
        .double(now), .int(limit - all.count),
        read: PendingDelivery.init)
    }
    return all
  }

  /// The deliveries of a channel whose attempt is due, the longest waiting first.
  public func due(channel: ChannelKind, now: Double, limit: Int) throws(StoreError) -> [PendingDelivery] {
    try rows(
      """
      \(PendingDelivery.select) WHERE l.channel = ? AND l.acknowledged < l.wanted AND l.next_at IS NOT NULL
        AND l.next_at <= ? ORDER BY l.next_at LIMIT ?
      """, .int(channel.rawValue), .double(now), .int(limit), read: PendingDelivery.init)
  }
}

extension PendingDelivery {
  static let select = """
    SELECT l.device, l.notification, l.wanted, l.acknowledged, l.state, l.reason, l.attempts, n.content, n.collapse,
      n.expires_at, n.priority, n.at, n.topic
    FROM push_deliveries l JOIN push_notifications n ON n.id = l.notification
    """

  init(_ row: Row) {
    device = row.int(0)
    attempts = row.int(6)
    wasSent = row.int(3) > 0
    let isWithdrawal = row.int(4) == DeliveryState.withdraw.rawValue
    message = Outgoing(
      id: row.int(1), version: row.int(2),
      work: isWithdrawal
        ? .withdraw(row.optionalText(5).flatMap(DeliveryReason.init) ?? .takenBack) : .show(content: row.text(7)),
      collapseID: row.optionalText(8), expiresAt: row.isNull(9) ? nil : row.double(9),
      priority: Priority(rawValue: row.int(10)) ?? .normal, sentAt: row.double(11), topic: row.optionalText(12))
  }
}
