public import Store

/// The result of an attempt to hand a message to a channel's service.
public enum Outcome: Equatable, Sendable {
  /// The service has taken it; with a note, such as `cut`.
  case sent(DeliveryReason? = nil)
  /// It is tried again, after at least so many seconds if the service named them.
  case retry(after: Double? = nil, DeliveryReason, detail: String? = nil)
  /// It is not time yet: it waits until then (seconds since 1970), which is no attempt.
  case later(Double)
  /// Not sent on purpose.
  case suppressed(DeliveryReason)
  /// Trying again would not help.
  case failed(DeliveryReason, detail: String? = nil)
  /// The device cannot be reached by this channel any more; the caller removes the channel from it.
  case gone(DeliveryReason)
}

/// Attempts to send, for channels where the hub calls a service, such as Web Push.
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
    guard var delivery = try delivery(id, pending.device, channel) else { return nil }
    guard delivery.state != .closed else {
      switch outcome {
      case .sent: return try takeBack(&delivery, pending.message, TraceEvent(.sent, at: now, version: version), now)
      // The device may have got it.
      case .retry(_, .unanswered, let detail):
        let event = TraceEvent(.failed, at: now, version: version, reason: .unanswered, detail: detail)
        return try takeBack(&delivery, pending.message, event, now)
      default: return nil
      }
    }
    switch outcome {
    case .sent(let note):
      delivery.acknowledged = max(delivery.acknowledged, version)
      if case .withdraw(let reason) = pending.message.work {
        let isReplaced = channel == .webPush && pending.message.collapseID != nil
        let replaced = isReplaced ? DeliveryReason.topicReplaced : nil
        delivery.events.append(TraceEvent(.sent, at: now, version: version, reason: replaced))
        delivery.events.append(TraceEvent(.withdrawn, at: now, version: version, reason: reason))
        if !delivery.isPending { delivery.state = .closed }
      } else {
        delivery.events.append(TraceEvent(.sent, at: now, version: version, reason: note))
      }
      delivery.attempts = 0
      // A newer version that came meanwhile has its own attempt.
      delivery.nextAt = delivery.isPending ? now : nil
      try save(delivery)
    case .later(let time):
      delivery.nextAt = time
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

  /// Has a notification removed from a device that was closed while the message was on its way to the service: at that
  /// time it looked as if the device would not get it.
  /// - Parameter attempt: what came of it.
  private func takeBack(
    _ delivery: inout Delivered, _ message: Outgoing, _ attempt: TraceEvent, _ now: Double
  ) throws(StoreError) -> Double? {
    // Only what is removed has a reason; the device itself may have asked meanwhile, and shown nothing.
    guard case .show = message.work, delivery.reason != nil, message.version < delivery.wanted,
      !delivery.events.contains(.withdrawn, version: message.version)
    else { return nil }
    delivery.events.append(attempt)
    delivery.acknowledged = message.version
    delivery.state = .withdraw
    delivery.nextAt = now
    try save(delivery)
    return now
  }

  /// Ends one version; a newer one that came meanwhile may still be sent. What the device shows of an older one can
  /// still be changed and removed.
  private func end(_ delivery: inout Delivered, _ version: Int) throws(StoreError) {
    if delivery.wanted == version {
      guard delivery.acknowledged > 0, delivery.state == .show else { return try close(&delivery) }
      delivery.acknowledged = version
      delivery.nextAt = nil
    }
    delivery.attempts = 0
    try save(delivery)
  }

  private func retry(
    _ delivery: inout Delivered, _ pending: PendingDelivery, after pause: Double?, _ reason: DeliveryReason,
    _ detail: String?, _ jitter: Double, _ now: Double
  ) throws(StoreError) -> Double? {
    let version = pending.message.version
    // A line that is back is to be noticed soon by what rings, and attempts that reach nobody burden nobody.
    let isAway = [.unreachable, .mailUnreachable].contains(reason) && delivery.state == .show
    let longest = isAway ? DeliveryLimits.longestUnreachable : DeliveryLimits.longestRetry
    let next = now + Backoff.seconds(after: delivery.attempts, atLeast: pause, jitter: jitter, longest: longest)
    var last = pending.message.expiresAt ?? pending.message.sentAt + DeliveryLimits.retryDays * 86_400
    // A withdrawal comes when the notification is old, or over.
    if delivery.state == .withdraw { last = delivery.attempts < DeliveryLimits.withdrawalAttempts ? .infinity : 0 }
    delivery.events.append(TraceEvent(.failed, at: now, version: version, reason: reason, detail: detail))
    guard next < last else {
      delivery.events.append(TraceEvent(.expired, at: now, version: version, reason: .expired))
      try end(&delivery, version)
      return delivery.isPending ? delivery.nextAt : nil
    }
    delivery.attempts += 1
    // A newer version does not jump the pause: it is the same service that has trouble.
    delivery.nextAt = next
    try save(delivery)
    return next
  }

  /// The devices of a channel to which something is to be sent now, those first for which it has waited longest.
  public func devicesDue(channel: ChannelKind, now: Double) throws(StoreError) -> [Int] {
    try rows(
      """
      SELECT device FROM push_deliveries WHERE channel = ? AND acknowledged < wanted AND next_at IS NOT NULL
        AND (next_at <= ? OR next_at > ?) GROUP BY device ORDER BY min(next_at), device
      """, .int(channel.rawValue), .double(now), .double(now + DeliveryLimits.longestWait), read: { $0.int(0) })
  }

  /// The time of a channel's next attempt; nil if nothing waits.
  public func nextAttempt(channel: ChannelKind, now: Double) throws(StoreError) -> Double? {
    func time(_ order: String) throws(StoreError) -> Double? {
      try first(
        """
        SELECT next_at FROM push_deliveries WHERE channel = ? AND acknowledged < wanted AND next_at IS NOT NULL
        ORDER BY next_at \(order) LIMIT 1
        """, .int(channel.rawValue), read: { $0.double(0) })
    }
    guard let soonest = try time("ASC"), let last = try time("DESC") else { return nil }
    return last > now + DeliveryLimits.longestWait ? min(soonest, now) : soonest
  }
}
