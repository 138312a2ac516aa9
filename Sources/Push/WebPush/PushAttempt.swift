package import Delivery
package import Store
package import Wire

/// An attempt to send what is due for a browser, without the network: the message, or why there is none.
package enum PushAttempt {
  /// - Parameter isCut: true if the text was shortened.
  case send(PushMessage, isCut: Bool)
  case over(Outcome)

  /// - Parameters:
  ///   - receipt: with which the browser proves that it got the message.
  ///   - unread: how many the person has not seen; nil for a browser of nobody.
  ///   - bytes: the most of what shows something.
  package init(
    _ pending: PendingDelivery, receipt: String, unread: Int?, now: Double, bytes: Int = WebPushLimits.plaintextBytes
  ) {
    let message = pending.message
    var push = PushMessage(
      payload: [], expiresAt: message.expiresAt ?? now + Double(WebPushLimits.timeToLive), urgency: .normal,
      topic: message.replacedID.map(PushMessage.topic))
    switch message.work {
    case .show(let text):
      // The hub itself wrote this text. If it cannot be read, it counts as empty.
      let content = (try? JSON(parsing: text)) ?? [:]
      guard Self.isShown(content) else {
        self = .over(.suppressed(.silentNotSent))
        return
      }
      guard
        let fitted = PushPayload.show(
          id: message.id, version: message.version, receipt: receipt, content: content, collapseID: message.collapseID,
          sequence: pending.sequence, unread: unread, ringsAgain: message.ringsAgain, sentAt: now, bytes: bytes)
      else {
        self = .over(.failed(.tooLarge))
        return
      }
      push.payload = fitted.bytes
      push.urgency = PushUrgency(
        level: content["interruption_level"]?.string ?? "active", isUrgent: message.priority == .high)
      self = .send(push, isCut: fitted.isCut)
    case .withdraw:
      push.payload = PushPayload.withdraw(
        id: message.id, version: message.version, receipt: receipt,
        collapseID: pending.replaces ? message.collapseID : nil, sequence: pending.sequence, unread: unread)
      push.expiresAt = now + WebPushLimits.withdrawalSeconds
      self = .send(push, isCut: false)
    }
  }
}

extension Outgoing {
  /// The text by which push services replace what they still keep for the browser; nil for what stands alone. Google's
  /// keeps messages of four topics for a phone that is off, and drops others.
  fileprivate var replacedID: String? {
    if let collapseID { return collapseID }
    // A notification that rings until somebody acts, or is updated again and again, comes once.
    guard case .show = work, version > 1 else { return nil }
    return "\(id)"
  }
}

extension PushAttempt {
  /// True for a content that browsers are sent, in whichever language it shows something: they demand that something is
  /// shown for each push.
  package static func isShown(_ content: JSON) -> Bool {
    content.isVisible || (content["localized"]?.members ?? []).contains { $0.value.isVisible }
  }
}

extension Database {
  /// Writes what came of an attempt.
  /// - Parameters:
  ///   - subscription: the one that it was sent to.
  ///   - jitter: as for `finish` of any channel.
  package func finish(
    _ pending: PendingDelivery, sentTo subscription: PushSubscription?, with outcome: Outcome, jitter: Double,
    now: Double
  ) throws(StoreError) {
    var outcome = outcome
    var ending: DeliveryReason?
    if case .gone(let reason) = outcome {
      // The browser may have renewed it meanwhile: only the one that is gone ends.
      if try self.subscription(ofDevice: pending.device) == subscription {
        ending = reason
      } else {
        outcome = .retry(reason)
      }
    }
    try finish(pending, channel: .webPush, with: outcome, jitter: jitter, now: now)
    if let ending { try endSubscription(ofDevice: pending.device, reason: ending, now: now) }
  }
}

extension Outcome {
  /// The outcome in the words of traces.
  package init(_ outcome: PushOutcome, isCut: Bool) {
    switch outcome {
    case .sent: self = .sent(isCut ? .cut : nil)
    case .gone: self = .gone(.subscriptionGone)
    case .busy(let status, let seconds): self = .retry(after: seconds, .pushService, detail: "\(status)")
    case .unreachable(let reason): self = .retry(.unreachable, detail: reason.text)
    case .ledInside: self = .retry(.targetRefused)
    case .failed(.tooLarge): self = .failed(.tooLarge)
    case .failed(.targetRefused): self = .failed(.targetRefused)
    case .failed(.refused(let status)): self = .failed(.pushService, detail: "\(status)")
    case .failed(.badAnswer): self = .failed(.pushService, detail: "an answer that cannot be understood")
    case .failed(.expired): self = .failed(.expired)
    }
  }
}
