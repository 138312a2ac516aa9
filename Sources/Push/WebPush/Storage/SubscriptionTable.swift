import Crypto
public import Delivery
public import Store

/// The subscriptions of browsers: one for each device.
extension Database {
  /// Keeps the subscription of a device, instead of an earlier one, and has the device rung by Web Push from now on. A
  /// browser that has become another device, by signing in, takes its subscription along.
  public func saveSubscription(
    _ subscription: PushSubscription, ofDevice device: Int, platform: BrowserPlatform? = nil, now: Double
  ) throws(StoreError) {
    let other = try first(
      "SELECT device FROM webpush_subscriptions WHERE endpoint = ? AND device <> ?", .text(subscription.endpoint.url),
      .int(device), read: { $0.int(0) })
    if let other { try endSubscription(ofDevice: other, reason: .channelRemoved, now: now) }
    try run(
      """
      INSERT INTO webpush_subscriptions (device, endpoint, origin, public_key, auth_secret, platform, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device) DO UPDATE SET endpoint = excluded.endpoint,
        origin = excluded.origin, public_key = excluded.public_key, auth_secret = excluded.auth_secret,
        platform = excluded.platform, created_at = excluded.created_at
      """, .int(device), .text(subscription.endpoint.url), .text(subscription.endpoint.origin),
      .blob(subscription.publicKey.bytes), .blob(subscription.authSecret), Value(platform?.rawValue), .double(now))
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

  /// The device that has the subscription with this address.
  public func device(ofEndpoint endpoint: PushEndpoint) throws(StoreError) -> Int? {
    try first("SELECT device FROM webpush_subscriptions WHERE endpoint = ?", .text(endpoint.url), read: { $0.int(0) })
  }

  public func subscription(ofDevice device: Int) throws(StoreError) -> PushSubscription? {
    let row = try first(
      "SELECT endpoint, origin, public_key, auth_secret FROM webpush_subscriptions WHERE device = ?", .int(device),
      read: { (url: $0.text(0), origin: $0.text(1), key: $0.blob(2), secret: $0.blob(3)) })
    guard let row, let key = P256PublicKey(row.key) else { return nil }
    return PushSubscription(
      endpoint: PushEndpoint(kept: row.url, origin: row.origin), publicKey: key, authSecret: row.secret)
  }

  /// The systems of the browsers that are rung, by their devices' numbers.
  /// - Parameter person: only those of this person; nil for all.
  public func browserPlatforms(ofPerson person: Int?) throws(StoreError) -> [Int: BrowserPlatform] {
    let known = try rows(
      """
      SELECT s.device, s.platform FROM webpush_subscriptions s JOIN push_devices d ON d.id = s.device
        WHERE s.platform IS NOT NULL AND (CAST(? AS INTEGER) IS NULL OR d.person = ?)
      """, Value(person), Value(person), read: { ($0.int(0), BrowserPlatform(rawValue: $0.text(1))) })
    return Dictionary(uniqueKeysWithValues: known).compactMapValues { $0 }
  }

  /// The devices to which a message is to be sent now, with the push service and the kind that decide on their turns.
  func devicesDue(now: Double) throws(StoreError) -> [DueDevice] {
    try rows(
      """
      SELECT DISTINCT l.device, coalesce(s.origin, ''), d.kind FROM push_deliveries l
        JOIN push_devices d ON d.id = l.device LEFT JOIN webpush_subscriptions s ON s.device = l.device
        WHERE l.channel = ? AND l.acknowledged < l.wanted AND l.next_at IS NOT NULL
          AND (l.next_at <= ? OR l.next_at > ?)
      """, .int(ChannelKind.webPush.rawValue), .double(now), .double(now + DeliveryLimits.longestWait),
      read: {
        DueDevice($0.int(0), service: $0.text(1), isStranger: $0.text(2) == PushDevice.Kind.stranger.rawValue)
      })
  }
}
