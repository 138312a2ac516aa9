public import Store

/// The result of an attempt to hand a message to a channel's service.
public enum Outcome: Equatable, Sendable {
  /// The service has taken it; with a note, such as `cut`.
  case sent(DeliveryReason? = nil)
  /// To be tried again, after so many seconds at least if the service named them.
  case retry(after: Double? = nil, DeliveryReason, detail: String? = nil)
  /// Not sent on purpose.
  case suppressed(DeliveryReason)
  /// Will never succeed.
  case failed(DeliveryReason, detail: String? = nil)
  /// The device cannot be reached by this channel any more; the caller removes the channel from it.
  case gone(DeliveryReason)
}

/// Attempts of channels that send by themselves.
extension Database {
  /// Writes the outcome of an attempt.
  /// - Parameters:
  ///   - jitter: 0 to 1, random, so that what failed together is not tried again together.
  ///   - now: the time after the attempt.
  /// - Returns: the time of the next attempt, if there is to be one.
  @discardableResult
  public func finish(
    _ pending: PendingDelivery, channel: ChannelKind, with outcome: Outcome, jitter: Double, now: Double
  ) throws(StoreError) -> Double? {
    let (id, version) = (pending.message.id, pending.message.version)
    guard var delivery = try delivery(id, pending.device, channel), delivery.state != .closed else { return nil }
    switch outcome {
    case .sent(let note):
      delivery.acknowledged = max(delivery.acknowledged, version)
      if case .withdraw(let reason) = pending.message.work {
        delivery.events.append(TraceEvent(.sent, at: now, version: version, reason: .topicReplaced))
        delivery.events.append(TraceEvent(.withdrawn, at: now, version: version, reason: reason))
        if !delivery.isPending { delivery.state = .closed }
      } else {
        delivery.events.append(TraceEvent(.sent, at: now, version: version, reason: note))
      }
      delivery.attempts = 0
      // A newer version that came meanwhile has its own attempt.
      delivery.nextAt = delivery.isPending ? now : nil
      try save(delivery)
    case .retry(let pause, let reason, let detail):
      return try retry(&delivery, pending, after: pause, reason, detail, jitter, now)
    case .suppressed(let reason):
      delivery.events.append(TraceEvent(.suppressed, at: now, version: version, reason: reason))
      try end(&delivery, version)
    case .failed(let reason, let detail):
      delivery.events.append(TraceEvent(.failed, at: now, version: version, reason: reason, detail: detail))
      try end(&delivery, version)
    case .gone(let reason):
      delivery.events.append(TraceEvent(.gone, at: now, version: version, reason: reason))
      try close(&delivery)
    }
    return delivery.isPending ? delivery.nextAt : nil
  }

  /// Ends one version; a newer one that came meanwhile may still be sent.
  private func end(_ delivery: inout Delivered, _ version: Int) throws(StoreError) {
    if delivery.wanted == version { return try close(&delivery) }
    delivery.attempts = 0
    try save(delivery)
  }

  private func retry(
    _ delivery: inout Delivered, _ pending: PendingDelivery, after pause: Double?, _ reason: DeliveryReason,
    _ detail: String?, _ jitter: Double, _ now: Double
  ) throws(StoreError) -> Double? {
    let version = pending.message.version
    let next = now + Backoff.seconds(after: delivery.attempts, atLeast: pause, jitter: jitter)
    let end = pending.message.expiresAt ?? pending.message.sentAt + DeliveryLimits.retryDays * 86_400
    delivery.events.append(TraceEvent(.failed, at: now, version: version, reason: reason, detail: detail))
    guard next < end else {
      delivery.events.append(TraceEvent(.expired, at: now, version: version, reason: .expired))
      try close(&delivery)
      return nil
    }
    delivery.attempts += 1
    // A newer version does not jump the pause: it is the same service that has trouble.
    delivery.nextAt = next
    try save(delivery)
    return next
  }

  /// The time of a channel's next attempt; nil if nothing waits.
  public func nextAttempt(channel: ChannelKind) throws(StoreError) -> Double? {
    try first(
      """
      SELECT next_at FROM push_deliveries WHERE channel = ? AND acknowledged < wanted AND next_at IS NOT NULL
      ORDER BY next_at LIMIT 1
      """, .int(channel.rawValue), read: { $0.double(0) })
  }
}
