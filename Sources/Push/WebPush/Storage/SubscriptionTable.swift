import Crypto
public import Delivery
public import Store

/// The subscriptions of browsers: one for each device.
extension Database {
  /// Keeps the subscription of a device, instead of an earlier one, and has the device rung by Web Push from now on. A
  /// browser that has become another device, by signing in, takes its subscription along.
  public func saveSubscription(
    _ subscription: PushSubscription, ofDevice device: Int, now: Double
  ) throws(StoreError) {
    let other = try first(
      "SELECT device FROM webpush_subscriptions WHERE endpoint = ? AND device <> ?", .text(subscription.endpoint.url),
      .int(device), read: { $0.int(0) })
    if let other { try endSubscription(ofDevice: other, reason: .channelRemoved, now: now) }
    try run(
      """
      INSERT INTO webpush_subscriptions (device, endpoint, origin, public_key, auth_secret, created_at)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (device) DO UPDATE SET endpoint = excluded.endpoint,
        origin = excluded.origin, public_key = excluded.public_key, auth_secret = excluded.auth_secret,
        created_at = excluded.created_at
      """, .int(device), .text(subscription.endpoint.url), .text(subscription.endpoint.origin),
      .blob(subscription.publicKey.bytes), .blob(subscription.authSecret), .double(now))
    try setChannel(.webPush, ofDevice: device, isOn: true, now: now)
  }

  /// Ends the subscription of a device. A stranger's device is nothing without it and goes, too.
  /// - Parameter reason: for the traces of what was still to be sent.
  public func endSubscription(ofDevice device: Int, reason: DeliveryReason, now: Double) throws(StoreError) {
    try run("DELETE FROM webpush_subscriptions WHERE device = ?", .int(device))
    try setChannel(.webPush, ofDevice: device, isOn: false, reason: reason, now: now)
    guard let kept = try pushDevice(device), kept.kind == .stranger, kept.channels.isEmpty else { return }
    try removePushDevice(device, now: now)
  }

  public func subscription(ofDevice device: Int) throws(StoreError) -> PushSubscription? {
    let row = try first(
      "SELECT endpoint, origin, public_key, auth_secret FROM webpush_subscriptions WHERE device = ?", .int(device),
      read: { (url: $0.text(0), origin: $0.text(1), key: $0.blob(2), secret: $0.blob(3)) })
    guard let row, let key = P256PublicKey(row.key) else { return nil }
    return PushSubscription(
      endpoint: PushEndpoint(kept: row.url, origin: row.origin), publicKey: key, authSecret: row.secret)
  }

  /// Removes the secrets of devices that were removed: their rows stay for a while, for traces.
  func forgetSubscriptionsOfRemovedDevices() throws(StoreError) {
    try run(
      """
      DELETE FROM webpush_subscriptions
        WHERE device IN (SELECT id FROM push_devices WHERE removed_at IS NOT NULL)
      """)
  }

  /// The devices for which a message is to be sent now, with what decides on their turns.
  func devicesDue(now: Double) throws(StoreError) -> [(device: Int, origin: String, isStranger: Bool)] {
    try rows(
      """
      SELECT DISTINCT l.device, coalesce(s.origin, ''), d.kind FROM push_deliveries l
        JOIN push_devices d ON d.id = l.device LEFT JOIN webpush_subscriptions s ON s.device = l.device
        WHERE l.channel = ? AND l.acknowledged < l.wanted AND l.next_at IS NOT NULL AND l.next_at <= ?
      """, .int(ChannelKind.webPush.rawValue), .double(now),
      read: { ($0.int(0), $0.text(1), $0.text(2) == PushDevice.Kind.stranger.rawValue) })
  }
}
