import Store

/// The bound of a device's queue. How much room there is at least is remembered, so that the queue is counted again
/// only once that is used up, and no more while it is full and nothing of it has changed.
extension Database {
  private static func room(_ device: Int, _ channel: ChannelKind) -> Remembered {
    Remembered("push_room", device, part: channel.rawValue)
  }

  /// Makes room for a delivery in a full queue.
  /// - Returns: false if everything that waits is more important than this one.
  func makeRoom(
    for priority: Priority, _ device: Int, _ channel: ChannelKind, now: Double
  ) throws(StoreError) -> Bool {
    let place = Self.room(device, channel)
    let room = try remember(place) { () throws(StoreError) in try countRoom(device, channel) }
    guard room == 0 else { return true }
    guard var victim = try victim(priority, device, channel) else { return false }
    victim.events.append(TraceEvent(.suppressed, at: now, version: victim.wanted, reason: .queueFull))
    try close(&victim)
    remembered[place] = 1
    return true
  }

  /// To be called for each new delivery that is pending.
  func takeRoom(_ device: Int, _ channel: ChannelKind) {
    let place = Self.room(device, channel)
    if let room = remembered[place] { remembered[place] = max(0, room - 1) }
  }

  /// To be called for each delivery that is changed: it may have become pending, or have made room in a full queue.
  func lookAgain(_ delivery: Delivered) {
    let place = Self.room(delivery.device, delivery.channel)
    if delivery.isPending || remembered[place] == 0 { remembered[place] = nil }
  }

  private func countRoom(_ device: Int, _ channel: ChannelKind) throws(StoreError) -> Int {
    let pending = try first(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM push_deliveries WHERE device = ? AND channel = ? AND acknowledged < wanted LIMIT ?) AS found
      """, .int(device), .int(channel.rawValue), .int(DeliveryLimits.pending), read: { $0.int(0) })
    return DeliveryLimits.pending - (pending ?? 0)
  }

  /// The delivery that goes first. A withdrawal or an update is not dropped: the device would go on showing what is not
  /// true. What is only over is dropped before all others: its time stands in it. Next goes what was taken back before
  /// it was sent, as far as is known.
  private func victim(
    _ priority: Priority, _ device: Int, _ channel: ChannelKind
  ) throws(StoreError) -> Delivered? {
    let over = try first(
      """
      \(Delivered.select) WHERE device = ? AND channel = ? AND acknowledged < wanted AND state = 1 AND reason = ?
      ORDER BY priority, notification LIMIT 1
      """, .int(device), .int(channel.rawValue), .text(DeliveryReason.expired.rawValue), read: Delivered.init)
    if let over { return over }
    let unseen = try first(
      """
      \(Delivered.select) WHERE device = ? AND channel = ? AND acknowledged < wanted AND state = 1 AND acknowledged = 0
        AND replaces = 0
      ORDER BY priority, notification LIMIT 1
      """, .int(device), .int(channel.rawValue), read: Delivered.init)
    if let unseen { return unseen }
    return try first(
      """
      \(Delivered.select) WHERE device = ? AND channel = ? AND acknowledged < wanted AND state = 0
        AND acknowledged = 0 AND priority <= ?
      ORDER BY priority, notification LIMIT 1
      """, .int(device), .int(channel.rawValue), .int(priority.rawValue), read: Delivered.init)
  }
}
