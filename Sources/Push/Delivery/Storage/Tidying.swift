public import Store

/// What goes by itself: expired and old notifications, and devices that nobody uses any more.
extension Database {
  /// Closes what has expired, at most `DeliveryLimits.expiredPerCommit` notifications.
  /// - Returns: true if there may be more.
  public func expire(now: Double) throws(StoreError) -> Bool {
    let ended = try rows(
      "SELECT id FROM push_notifications WHERE expires_at IS NOT NULL AND state = 0 AND expires_at <= ? LIMIT ?",
      .double(now), .int(DeliveryLimits.expiredPerCommit), read: { $0.int(0) })
    for id in ended {
      try run(
        "UPDATE push_notifications SET state = ? WHERE id = ?", .int(SentNotification.State.expired.rawValue), .int(id))
      let open = try rows(
        "\(Delivered.select) WHERE notification = ? AND state = 0", .int(id), read: Delivered.init)
      for var delivery in open {
        // A device removes what it has by itself when the time comes, also without a network.
        if delivery.isPending {
          delivery.events.append(TraceEvent(.expired, at: now, version: delivery.wanted, reason: .expired))
        }
        try close(&delivery)
      }
    }
    return ended.count == DeliveryLimits.expiredPerCommit
  }

  /// The soonest end of a notification that is open.
  func nextExpiry() throws(StoreError) -> Double? {
    try first(
      """
      SELECT expires_at FROM push_notifications WHERE expires_at IS NOT NULL AND state = 0
      ORDER BY expires_at LIMIT 1
      """, read: { $0.double(0) })
  }

  /// Removes the oldest notifications with their deliveries and entries in lists, at most
  /// `DeliveryLimits.removedPerCommit`: those older than `keptDays`, and of the others those that are settled, while
  /// more than `DeliveryLimits.kept` are there.
  /// - Parameter surplus: how many are there above the limit.
  /// - Returns: how many were removed.
  public func tidyNotifications(surplus: Int, now: Double) throws(StoreError) -> Int {
    let old = now - DeliveryLimits.keptDays * 86_400
    // The newest stays: the next id is counted from it.
    var gone = try rows(
      """
      SELECT id FROM push_notifications WHERE at < ? AND id < (SELECT max(id) FROM push_notifications)
      ORDER BY at LIMIT ?
      """, .double(old), .int(DeliveryLimits.removedPerCommit), read: { $0.int(0) })
    if gone.count < DeliveryLimits.removedPerCommit, surplus > gone.count {
      gone += try rows(
        """
        SELECT id FROM push_notifications n WHERE at >= ? AND id < (SELECT max(id) FROM push_notifications)
          AND NOT EXISTS (SELECT 1 FROM push_deliveries l WHERE l.notification = n.id AND l.acknowledged < l.wanted)
        ORDER BY at LIMIT ?
        """, .double(old), .int(min(surplus, DeliveryLimits.removedPerCommit) - gone.count), read: { $0.int(0) })
    }
    for id in gone { try run("DELETE FROM push_notifications WHERE id = ?", .int(id)) }
    return gone.count
  }

  /// The number of notifications kept.
  public func notificationCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_notifications", read: { $0.int(0) }) ?? 0
  }

  /// Removes strangers' devices that were not seen for long, and the rows of removed devices that no trace names any
  /// more.
  /// - Returns: the removed strangers' devices.
  public func tidyDevices(now: Double) throws(StoreError) -> [Int] {
    let unseen = try rows(
      "SELECT id FROM push_devices WHERE kind = 'stranger' AND removed_at IS NULL AND seen_at < ? LIMIT ?",
      .double(now - DeliveryLimits.strangerDays * 86_400), .int(DeliveryLimits.removedPerCommit), read: { $0.int(0) })
    for id in unseen { try removePushDevice(id, now: now) }
    // Its last notification was sent before it was removed.
    try run(
      "DELETE FROM push_devices WHERE removed_at IS NOT NULL AND removed_at < ?",
      .double(now - DeliveryLimits.keptDays * 86_400))
    return unseen
  }
}
