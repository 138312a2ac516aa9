public import Store

/// Receipts of devices, and answers.
extension Database {
  /// Writes what a device tells. A receipt that comes again changes nothing; one for a notification that is gone, or
  /// that was never for this device, neither.
  public func record(
    _ receipt: Receipt, device: Int, channel: ChannelKind, now: Double
  ) throws(StoreError) -> Recorded {
    guard var delivery = try delivery(receipt.notification, device, channel) else {
      guard case .acted(let action, _) = receipt.what else { return Recorded() }
      // The device repeats an answer until it is taken: this one's notification is gone, and so is the question.
      return Recorded(taken: action)
    }
    delivery.note(receipt, now: now)
    try save(delivery)
    guard case .acted(let action, let text) = receipt.what else { return Recorded() }
    return try answer(
      receipt.notification, by: .device(device), action: action, text: text, at: receipt.at, now: now)
  }
}

extension Delivered {
  /// Adds the event of a receipt, and settles the version that it names.
  mutating func note(_ receipt: Receipt, now: Double) {
    let what: TraceEvent.What
    var (reason, detail): (DeliveryReason?, String?) = (nil, nil)
    switch receipt.what {
    case .delivered: what = .delivered
    case .shown: what = .shown
    case .withdrawn: (what, reason) = (.withdrawn, self.reason)
    case .failed: (what, reason, detail) = (.failed, .deviceFailed, receipt.detail)
    case .acted(let action, _): (what, detail) = (.acted, action)
    }
    // Devices count versions as we tell them; a greater one would hide later changes.
    let version = min(max(receipt.version, 1), wanted)
    // The device's clock may be wrong: nothing happens before it was queued or after now.
    let start = events.events.first?.at ?? now
    let at = min(max(receipt.at ?? now, start), now)
    if !receipt.isRepeat, events.contains(what, version: version) {
      if receipt.what != .withdrawn { acknowledged = max(acknowledged, version) }
    } else {
      if let sentAt = receipt.sentAt, !events.contains(.sent, version: version) {
        events.append(TraceEvent(.sent, at: sentAt, version: version))
      }
      events.append(
        TraceEvent(what, at: at, version: version, reason: reason, detail: detail, isRepeat: receipt.isRepeat))
      acknowledged = max(acknowledged, version)
    }
    if receipt.what == .withdrawn, state == .withdraw { state = .closed }
    if !isPending { nextAt = nil }
    if state == .closed { collapse = nil }
  }
}
