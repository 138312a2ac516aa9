public import Store

/// Receipts of devices, and answers.
extension Database {
  /// Writes what devices of a channel tell, as `record` does for one; several about one delivery cost one row.
  /// - Returns: the results of those receipts that are answers, each with the receipt's index.
  public func record(
    _ receipts: [(device: Int, receipt: Receipt)], channel: ChannelKind, now: Double
  ) throws(StoreError) -> [(index: Int, recorded: Recorded)] {
    var answers: [(index: Int, recorded: Recorded)] = []
    var open: Delivered?
    for (index, (device, receipt)) in receipts.enumerated() {
      if case .acted = receipt.what {
        if let delivery = open { try save(delivery) }
        open = nil
        answers.append((index, try record(receipt, device: device, channel: channel, now: now)))
        continue
      }
      if open?.notification != receipt.notification || open?.device != device {
        if let delivery = open { try save(delivery) }
        open = try delivery(receipt.notification, device, channel)
      }
      open?.note(receipt, now: now)
    }
    if let delivery = open { try save(delivery) }
    return answers
  }

  /// Writes what a device tells. A receipt that comes again changes nothing, nor does one for a notification that is
  /// gone or was never for this device.
  public func record(
    _ receipt: Receipt, device: Int, channel: ChannelKind, now: Double
  ) throws(StoreError) -> Recorded {
    guard case .acted(let action, let text) = receipt.what else {
      guard var delivery = try delivery(receipt.notification, device, channel) else { return Recorded(isOver: true) }
      delivery.note(receipt, now: now)
      try save(delivery)
      let isActive = try notification(receipt.notification)?.state == .active
      return Recorded(isOver: delivery.state != .show || !isActive)
    }
    // A device repeats its answer until it is taken, also when the notification is gone. One that was removed has no
    // say any more.
    guard try pushDevice(device) != nil, try delivery(receipt.notification, device, channel) != nil,
      let notification = try notification(receipt.notification)
    else { return Recorded(taken: Recorded.Taken(action: action, counts: false)) }
    let answering = try answering(.device(device), action, to: notification, channel: channel)
    let recorded = try answer(notification, answering, text: text, at: receipt.at, now: now)
    if var delivery = try delivery(receipt.notification, device, channel) {
      var receipt = receipt
      receipt.what = .acted(action: answering.action, text: text)
      delivery.note(receipt, refusal: recorded.refusal, now: now)
      try save(delivery)
    }
    return recorded
  }
}

extension Delivered {
  /// Adds the event of a receipt, and settles the version that it names.
  /// - Parameter refusal: why an answer does not count.
  mutating func note(_ receipt: Receipt, refusal: DeliveryReason? = nil, now: Double) {
    let what: TraceEvent.What
    var (reason, detail): (DeliveryReason?, String?) = (nil, nil)
    switch receipt.what {
    case .delivered: what = .delivered
    case .shown: what = .shown
    case .withdrawn: (what, reason) = (.withdrawn, self.reason)
    case .failed: (what, reason, detail) = (.failed, .deviceFailed, receipt.detail)
    case .acted(let action, _): (what, reason, detail) = (.acted, refusal, action)
    }
    if let note = receipt.note, what == .shown || what == .failed { (reason, detail) = (note.reason, note.detail) }
    // Devices count versions as we tell them; a greater one would hide later changes.
    let version = min(max(receipt.version, 1), wanted)
    // The device's clock may be wrong: nothing happens before it was queued or after now.
    let start = events.start ?? now
    let at = min(max(receipt.at ?? now, start), now)
    // It was taken back as one that nobody had seen, and the device has shown it meanwhile.
    let isSeenMeanwhile = what == .withdrawn && version > acknowledged && events.events.last?.what != .withdrawn
    if receipt.isRepeat || isSeenMeanwhile || !events.contains(what, version: version) {
      if let sentAt = receipt.sentAt, !events.contains(.sent, version: version) {
        events.append(TraceEvent(.sent, at: sentAt, version: version))
      }
      events.append(
        TraceEvent(what, at: at, version: version, reason: reason, detail: detail, isRepeat: receipt.isRepeat))
    }
    // A notification that has arrived but was not shown is sent again on the next connection, and the device reports
    // again.
    if receipt.what != .delivered { acknowledged = max(acknowledged, version) }
    if state == .withdraw, !isPending { state = .closed }
    if !isPending { nextAt = nil }
    if state == .closed { collapse = nil }
  }
}
