public import Delivery
public import EventLoop
import Lifecycle
public import Observe
public import Store

/// Webhooks as a channel of `Delivery`: posts what its queue in the store has for them.
///
/// A message that was posted just before the process was killed is posted once more; its `webhook-id` tells.
public final class WebhookChannel: WorkedChannel {
  private let sender: WebhookSender
  private let time: any TimeSource
  public let worker: ChannelWorker
  private let noticeIsDue: @Sendable () -> Void

  /// - Parameter noticeIsDue: called when owners are to be told of a webhook (`Database.webhooksToTell`).
  public init(
    store: Store, sender: WebhookSender, loop: EventLoop, log: Log, noticeIsDue: @escaping @Sendable () -> Void
  ) {
    self.sender = sender
    time = loop.time
    self.noticeIsDue = noticeIsDue
    worker = ChannelWorker(
      .webhook, store: store, loop: loop, log: log, shares: WebhookLimits.shares,
      due: { database, now throws(StoreError) in
        // Those that failed last do not hold up the others.
        let failing = try database.failingWebhooks()
        return try database.devicesDue(channel: .webhook, now: now).map {
          DueDevice($0, service: "\($0)", isStranger: failing.contains($0))
        }
      }, table: "webhook_targets")
  }

  public func serve(_ device: Int) async throws {
    try await worker.attempts(for: device, with: { database throws(StoreError) in try database.webhook(device) }) {
      [worker] one, webhook in
      let began = time.uptime
      let outcome = try await attempt(one, webhook)
      worker.count(outcome, of: device, took: time.uptime - began)
      let isNoticeDue = try await worker.write { database, now, jitter throws(StoreError) in
        try database.finish(one, channel: .webhook, with: outcome, jitter: jitter, now: now)
        if case .sent = outcome, case .show = one.message.work {
          // Its server has it, and nothing more will be heard.
          let receipt = Receipt(notification: one.message.id, version: one.message.version, what: .delivered)
          _ = try database.record(receipt, device: device, channel: .webhook, now: now)
        }
        return try database.note(outcome, ofWebhook: device, now: now)
      }
      if isNoticeDue { noticeIsDue() }
      return outcome
    }
  }

  private func attempt(_ pending: PendingDelivery, _ webhook: Webhook?) async throws -> Outcome {
    guard let webhook else { return .gone(.channelRemoved) }
    // The receiver was told when it ends.
    if case .withdraw(.expired) = pending.message.work { return .suppressed(.expired) }
    let outcome = try await sender.send(pending.message, to: webhook)
    guard case .retry(_, _, let detail) = outcome, pending.attempts + 1 >= WebhookLimits.attempts else {
      return outcome
    }
    return .failed(.webhookDead, detail: detail)
  }
}
