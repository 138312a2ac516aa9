public import Store

/// The removal of what has grown old: expired and old notifications, and devices that nobody uses any more.
extension Database {
  /// Closes what has expired, at most `DeliveryLimits.expiredPerCommit` notifications, and has it removed where it is
  /// shown.
  public func expire(now: Double) throws(StoreError) -> [Wake] {
    let ended = try rows(
      "SELECT id FROM push_notifications WHERE expires_at IS NOT NULL AND state = 0 AND expires_at <= ? LIMIT ?",
      .double(now), .int(DeliveryLimits.expiredPerCommit), read: { $0.int(0) })
    var wakes: [Wake] = []
    for id in ended {
      if try endDelivery(of: id, now: now) { continue }
      try run(
        "UPDATE push_notifications SET state = ?, version = version + 1 WHERE id = ?",
        .int(SentNotification.State.expired.rawValue), .int(id))
      guard let notification = try notification(id) else { continue }
      var shown: [Delivered] = []
      for var delivery in try openDeliveries(id) {
        guard delivery.isUnseen else {
          shown.append(delivery)
          continue
        }
        delivery.events.append(TraceEvent(.expired, at: now, version: delivery.wanted, reason: .expired))
        try close(&delivery)
      }
      wakes += try remove(notification, version: notification.version, from: shown, reason: .expired, now: now)
    }
    return wakes
  }

  /// Ends the delivery of a notification that stays where it is shown.
  /// - Returns: false if it does not stay or is shown nowhere: then it is over.
  private func endDelivery(of id: Int, now: Double) throws(StoreError) -> Bool {
    let stays = try first(
      "SELECT 1 FROM push_notifications WHERE id = ? AND stays = 1", .int(id), read: { _ in true })
    guard stays != nil else { return false }
    var isShown = false
    for var delivery in try openDeliveries(id) {
      guard delivery.acknowledged == 0 else {
        isShown = true
        continue
      }
      delivery.events.append(TraceEvent(.expired, at: now, version: delivery.wanted, reason: .expired))
      try close(&delivery)
    }
    if isShown { try run("UPDATE push_notifications SET expires_at = NULL WHERE id = ?", .int(id)) }
    return isShown
  }

  /// Forgets the oldest tokens of removed devices above `DeliveryLimits.goneTokens`.
  func tidyGoneTokens() throws(StoreError) {
    let count = try first("SELECT count(*) FROM push_gone_tokens", read: { $0.int(0) }) ?? 0
    guard count > DeliveryLimits.goneTokens else { return }
    try run(
      "DELETE FROM push_gone_tokens WHERE token IN (SELECT token FROM push_gone_tokens ORDER BY at LIMIT ?)",
      .int(count - DeliveryLimits.goneTokens))
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
  /// `DeliveryLimits.removedPerCommit`: those older than `keptDays` that are over or have no end, and while more than
  /// `DeliveryLimits.kept` are there, of the others those that are settled, at last also such as are not over.
  /// - Parameter surplus: the number of notifications above the limit.
  /// - Returns: the number of notifications that were removed.
  public func tidyNotifications(surplus: Int, now: Double) throws(StoreError) -> Int {
    let old = now - DeliveryLimits.keptDays * 86_400
    let isOver = "(state <> 0 OR expires_at IS NULL OR expires_at <= ?)"
    let isSettled = """
      NOT EXISTS (SELECT 1 FROM push_deliveries l WHERE l.notification = n.id AND l.acknowledged < l.wanted)
      """
    var gone = 0
    for (condition, time, most) in [
      ("at < ? AND \(isOver)", old, Int.max), ("at >= ? AND \(isOver) AND \(isSettled)", old, surplus),
      ("at >= ? AND NOT \(isOver) AND \(isSettled)", 0, surplus),
    ] where gone < min(most, DeliveryLimits.removedPerCommit) {
      // The newest stays: the next id is counted from it.
      let found = try rows(
        """
        SELECT id FROM push_notifications n WHERE \(condition) AND id < (SELECT max(id) FROM push_notifications)
        ORDER BY at LIMIT ?
        """, .double(time), .double(now), .int(min(most, DeliveryLimits.removedPerCommit) - gone),
        read: { $0.int(0) })
      for id in found { try run("DELETE FROM push_notifications WHERE id = ?", .int(id)) }
      // Some may have been pending.
      if !found.isEmpty { remembered = [:] }
      gone += found.count
    }
    return gone
  }

  /// The number of notifications kept.
  public func notificationCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_notifications", read: { $0.int(0) }) ?? 0
  }

  /// Removes strangers' devices that were not seen for long, and the rows of removed devices that no trace names any
  /// more, at most `DeliveryLimits.removedPerCommit` of each.
  /// - Returns: the removed strangers' devices, and true if there may be more to do.
  public func tidyDevices(now: Double) throws(StoreError) -> (removed: [Int], hasMore: Bool) {
    let unseen = try rows(
      "SELECT id FROM push_devices WHERE kind = 'stranger' AND removed_at IS NULL AND seen_at < ? LIMIT ?",
      .double(now - DeliveryLimits.strangerDays * 86_400), .int(DeliveryLimits.removedPerCommit), read: { $0.int(0) })
    for id in unseen { try removePushDevice(id, now: now) }
    // Its last notification was sent before it was removed.
    let gone = try rows(
      """
      DELETE FROM push_devices WHERE id IN (
        SELECT id FROM push_devices WHERE removed_at IS NOT NULL AND removed_at < ? ORDER BY removed_at LIMIT ?)
      RETURNING id
      """, .double(now - DeliveryLimits.keptDays * 86_400), .int(DeliveryLimits.removedPerCommit),
      read: { $0.int(0) })
    return (unseen, max(unseen.count, gone.count) == DeliveryLimits.removedPerCommit)
  }
}
