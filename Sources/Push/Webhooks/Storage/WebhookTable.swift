public import Delivery
public import Store

/// The receivers of notifications. Each is a device of `Delivery` with one channel.
extension Database {
  /// Adds a webhook, which gets what is sent to these topics from now on.
  /// - Parameter maker: whoever makes it, such as "token 7" or "person 3".
  /// - Returns: its device; nil if there are as many as allowed, or a topic does not exist.
  public func addWebhook(
    _ name: String, url: String, secret: WebhookSecret, topics: [String], by maker: String? = nil, now: Double
  ) throws(StoreError) -> Int? {
    guard try webhooks().count < WebhookLimits.webhooks else { return nil }
    let device = PushDevice(name: name, kind: .webhook, channels: [.webhook], address: maker, createdAt: now)
    guard let id = try addPushDevice(device) else { return nil }
    try run(
      "INSERT INTO webhook_targets (device, url, secret, created_at) VALUES (?, ?, ?, ?)", .int(id), .text(url),
      .blob(secret.bytes), .double(now))
    for topic in topics { try subscribe(.device(id), to: topic) }
    return id
  }

  public func webhook(_ device: Int) throws(StoreError) -> Webhook? {
    try first("\(Self.selectWebhooks) AND w.device = ?", .int(device), read: Self.webhook)
  }

  public func webhooks() throws(StoreError) -> [Webhook] {
    try rows("\(Self.selectWebhooks) ORDER BY w.device", read: Self.webhook)
  }

  /// The devices of the webhooks that somebody, or a token, has made.
  public func webhooks(madeBy maker: String) throws(StoreError) -> [PushDevice] {
    try pushDevices(of: .webhook).filter { $0.address == maker }
  }

  /// Removes a webhook: nothing is posted to it any more.
  /// - Returns: false if there is none.
  public func removeWebhook(_ device: Int, now: Double) throws(StoreError) -> Bool {
    guard try webhook(device) != nil else { return false }
    try run("DELETE FROM webhook_targets WHERE device = ?", .int(device))
    try removePushDevice(device, now: now)
    return true
  }

  /// Lets a webhook get notifications again that had said that it wants no more.
  public func reviveWebhook(_ device: Int, now: Double) throws(StoreError) {
    try run(
      "UPDATE webhook_targets SET ended_at = NULL, failing_since = NULL, failure = NULL, notice = 0 WHERE device = ?",
      .int(device))
    try setChannel(.webhook, ofDevice: device, isOn: true, now: now)
  }

  // MARK: Failures

  /// Writes what an attempt says about the webhook itself.
  /// - Returns: true if its owners are to be told now.
  func note(_ outcome: Outcome, ofWebhook device: Int, now: Double) throws(StoreError) -> Bool {
    switch outcome {
    case .sent:
      try run(
        """
        UPDATE webhook_targets SET failing_since = NULL, failure = NULL, notice = 0
          WHERE device = ? AND failing_since IS NOT NULL
        """, .int(device))
      return false
    case .suppressed, .later: return false
    case .retry(_, let reason, let detail): return try noteFailure(reason, detail, device, isLast: false, now: now)
    case .failed(let reason, let detail): return try noteFailure(reason, detail, device, isLast: true, now: now)
    case .gone(let reason):
      // A webhook that was removed meanwhile has no row any more.
      try run("UPDATE webhook_targets SET ended_at = ? WHERE device = ?", .double(now), .int(device))
      try setChannel(.webhook, ofDevice: device, isOn: false, reason: reason, now: now)
      return try noteFailure(reason, nil, device, isLast: true, now: now)
    }
  }

  /// - Parameter isLast: true if the message will not be tried again.
  private func noteFailure(
    _ reason: DeliveryReason, _ detail: String?, _ device: Int, isLast: Bool, now: Double
  ) throws(StoreError) -> Bool {
    let failure = [reason.rawValue, detail].compactMap { $0 }.joined(separator: ": ")
    try run(
      "UPDATE webhook_targets SET failing_since = coalesce(failing_since, ?), failure = ? WHERE device = ?",
      .double(now), .text(failure), .int(device))
    let latest = isLast ? now : now - WebhookLimits.failingSeconds
    return try first(
      """
      UPDATE webhook_targets SET notice = 1 WHERE device = ? AND notice = 0 AND failing_since <= ? RETURNING device
      """, .int(device), .double(latest), read: { _ in true }) ?? false
  }

  /// The webhooks whose last attempt failed.
  func failingWebhooks() throws(StoreError) -> Set<Int> {
    Set(try rows("SELECT device FROM webhook_targets WHERE failing_since IS NOT NULL") { $0.int(0) })
  }

  /// The webhooks of whose failure owners are to be told.
  public func webhooksToTell() throws(StoreError) -> [Webhook] {
    try rows("\(Self.selectWebhooks) AND w.notice = 1 ORDER BY w.device", read: Self.webhook)
  }

  /// Owners were told; they are told again when it fails again after it has worked.
  public func toldOfWebhook(_ device: Int) throws(StoreError) {
    try run("UPDATE webhook_targets SET notice = 2 WHERE device = ?", .int(device))
  }

  private static let selectWebhooks = """
    SELECT w.device, d.name, w.url, w.secret, w.created_at, w.failing_since, w.failure, w.ended_at
    FROM webhook_targets w JOIN push_devices d ON d.id = w.device WHERE d.removed_at IS NULL
    """

  private static func webhook(_ row: Row) -> Webhook {
    Webhook(
      device: row.int(0), name: row.text(1), url: row.text(2), secret: WebhookSecret(row.blob(3)),
      createdAt: row.double(4), failingSince: row.optionalDouble(5), failure: row.optionalText(6),
      endedAt: row.optionalDouble(7))
  }
}
