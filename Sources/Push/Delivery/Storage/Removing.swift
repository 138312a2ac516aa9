public import Store

/// The removal of devices, channels and persons.
extension Database {
  /// Removes a device: it is not rung any more, its secret is invalid, and what was pending for it is closed with that
  /// reason. Its row stays for the traces that name it, and goes with the last of them.
  public func removePushDevice(_ id: Int, now: Double) throws(StoreError) {
    try endToken(ofDevice: id, now: now)
    try run(
      """
      UPDATE push_devices SET removed_at = ?, secret = NULL, token = NULL, channels = 0
        WHERE id = ? AND removed_at IS NULL
      """, .double(now), .int(id))
    try run("DELETE FROM push_subscriptions WHERE device = ? AND device > 0", .int(id))
    for channel in ChannelKind.allCases {
      try closeAll(device: id, channel, .deviceRemoved, now: now)
    }
  }

  /// Adds a channel to a device, or removes one from it: what was pending for that is closed with the reason.
  public func setChannel(
    _ channel: ChannelKind, ofDevice id: Int, isOn: Bool, reason: DeliveryReason = .channelRemoved, now: Double
  ) throws(StoreError) {
    guard let device = try pushDevice(id) else { return }
    let channels = isOn ? device.channels.union([channel]) : device.channels.subtracting([channel])
    try run("UPDATE push_devices SET channels = ? WHERE id = ?", .int(Self.bits(channels)), .int(id))
    if !isOn { try closeAll(device: id, channel, reason, now: now) }
  }

  /// Has a device rung by one channel instead of another one, by which what was pending for it goes, too.
  public func moveChannel(
    ofDevice id: Int, from old: ChannelKind, to new: ChannelKind, now: Double
  ) throws(StoreError) {
    try setChannel(new, ofDevice: id, isOn: true, now: now)
    for var delivery in try pending(device: id, old) {
      if let collapse = delivery.collapse { _ = try supersede(collapse, id, new, now: now) }
      try run(
        """
        UPDATE push_deliveries SET channel = ? WHERE notification = ? AND device = ? AND channel = ? AND NOT EXISTS (
          SELECT 1 FROM push_deliveries o
          WHERE o.notification = push_deliveries.notification AND o.device = push_deliveries.device AND o.channel = ?)
        """, .int(new.rawValue), .int(delivery.notification), .int(id), .int(old.rawValue), .int(new.rawValue))
      delivery.channel = new
      delivery.nextAt = new.isAttempted ? now : nil
      try save(delivery)
    }
    try setChannel(old, ofDevice: id, isOn: false, now: now)
  }

  private func closeAll(
    device: Int, _ channel: ChannelKind, _ reason: DeliveryReason, now: Double
  ) throws(StoreError) {
    for var delivery in try pending(device: device, channel) {
      delivery.events.append(TraceEvent(.gone, at: now, version: delivery.wanted, reason: reason))
      try close(&delivery)
    }
  }

  /// At most `DeliveryLimits.pending` and the changes to what was shown.
  private func pending(device: Int, _ channel: ChannelKind) throws(StoreError) -> [Delivered] {
    try rows(
      "\(Delivered.select) WHERE device = ? AND channel = ? AND acknowledged < wanted", .int(device),
      .int(channel.rawValue), read: Delivered.init)
  }

  /// Removes the rows of removed devices from a channel's table: addresses and secrets, which no trace needs.
  public func forgetRemovedDevices(in table: String) throws(StoreError) {
    try run("DELETE FROM \(table) WHERE device IN (SELECT id FROM push_devices WHERE removed_at IS NOT NULL)")
  }

  /// Removes a person with their devices, subscriptions, list and quiet hours.
  /// - Returns: the removed devices, for `Delivery.removed`.
  public func removePushPerson(_ person: Int, now: Double) throws(StoreError) -> [Int] {
    let devices = try pushDevices(ofPerson: person).map(\.id)
    for device in devices { try removePushDevice(device, now: now) }
    try run("DELETE FROM push_subscriptions WHERE person = ? AND person > 0", .int(person))
    try run("DELETE FROM push_inbox WHERE person = ?", .int(person))
    try run("DELETE FROM push_people WHERE person = ?", .int(person))
    return devices
  }
}
