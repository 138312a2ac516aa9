public import Delivery
public import EventLoop
import Lifecycle
public import Observe
public import Store
import Synchronization

/// Webhooks as a channel of `Delivery`: posts what its queue in the store has for them.
///
/// A message that was posted just before the process was killed is posted once more; its `webhook-id` tells.
public final class WebhookChannel: PushChannel {
  public let kind = ChannelKind.webhook
  private let store: Store
  private let sender: WebhookSender
  private let loop: EventLoop
  private let log: Log
  private let worker: ChannelWorker
  private let counted = Mutex(WebhookCounts())
  private let noticeIsDue: @Sendable () -> Void

  /// - Parameter noticeIsDue: called when owners are to be told of a webhook (`Database.webhooksToTell`).
  public init(
    store: Store, sender: WebhookSender, loop: EventLoop, log: Log, noticeIsDue: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.sender = sender
    self.loop = loop
    self.log = log
    self.noticeIsDue = noticeIsDue
    worker = ChannelWorker(
      .webhook, store: store, loop: loop, log: log, shares: DeviceShares(WebhookLimits.sending),
      tidy: { database throws(StoreError) in try database.forgetRemovedWebhooks() })
  }

  /// The outcomes of all attempts so far.
  public var counts: WebhookCounts { counted.withLock { $0 } }

  public func wake(_ wakes: [Wake]) { worker.wake() }

  public func removed(_ devices: [Int]) { worker.removed() }

  /// Sends what is due until the task is cancelled.
  public func run() async throws {
    try await worker.run { [self] device in try await serve(device) }
  }

  private func serve(_ device: Int) async throws {
    while true {
      let now = loop.time.now
      let (webhook, due) = try await store.read { database throws(StoreError) in
        (
          try database.webhook(device),
          try database.pending(device: device, channel: .webhook, now: now, limit: WebhookLimits.read)
        )
      }
      if due.isEmpty { return }
      for one in due {
        let outcome = try await attempt(one, webhook)
        counted.withLock { $0.add(outcome) }
        try await write(outcome, of: one)
        switch outcome {
        // The next messages would hardly fare better now; they are still due when `Delivery` looks again.
        case .retry, .gone: return
        default: continue
        }
      }
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

  /// Writes what came of an attempt, and does not give up: what was sent but not written would be sent again.
  private func write(_ outcome: Outcome, of pending: PendingDelivery) async throws {
    let jitter = Double.random(in: 0..<1)
    while true {
      let now = loop.time.now
      do {
        let isNoticeDue = try await store.write { database throws(StoreError) in
          try database.finish(pending, channel: .webhook, with: outcome, jitter: jitter, now: now)
          if case .sent = outcome, case .show = pending.message.work {
            // Its server has it, and nothing more will be heard.
            let receipt = Receipt(
              notification: pending.message.id, version: pending.message.version, what: .delivered)
            _ = try database.record(receipt, device: pending.device, channel: .webhook, now: now)
          }
          return try database.note(outcome, ofWebhook: pending.device, now: now)
        }
        if isNoticeDue { noticeIsDue() }
        return
      } catch {
        log.error("what came of a webhook cannot be written", ["error": "\(error)"])
        try await loop.pause(for: WebhookLimits.rewriteSeconds)
      }
    }
  }
}

/// How many attempts came to what since the start.
public struct WebhookCounts: Equatable, Sendable {
  /// Taken by a receiver.
  public var sent = 0
  /// Refused, or without an answer; most are tried again.
  public var failed = 0

  mutating func add(_ outcome: Outcome) {
    switch outcome {
    case .sent: sent += 1
    case .retry, .failed, .gone: failed += 1
    case .suppressed, .later: break
    }
  }
}
