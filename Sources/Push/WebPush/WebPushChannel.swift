public import Delivery
public import EventLoop
import Lifecycle
public import Observe
public import Store

/// Web Push as a channel of `Delivery`: sends what its queue in the store has for browsers.
///
/// The queue, the number of attempts and the time of the next one are in the store, so nothing is lost with the
/// process. A message sent just before the process was killed is sent once more; the browser knows it by its id and
/// version.
public final class WebPushChannel: WorkedChannel {
  private let sender: PushSender
  private let receipts: PushReceipts
  private let loop: EventLoop
  private let subscriptionGone: @Sendable (Int) async throws -> Void
  public let worker: ChannelWorker

  /// - Parameters:
  ///   - receipts: made of the key that `Database.webPushKeys` has.
  ///   - subscriptionGone: called with a device whose push service says that its subscription has ended.
  public init(
    store: Store, sender: PushSender, receipts: PushReceipts, loop: EventLoop, log: Log,
    subscriptionGone: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) {
    self.sender = sender
    self.receipts = receipts
    self.loop = loop
    self.subscriptionGone = subscriptionGone
    worker = ChannelWorker(
      .webPush, store: store, loop: loop, log: log, shares: WebPushLimits.shares, holdsInQuietHours: true,
      due: { database, now throws(StoreError) in try database.devicesDue(now: now) },
      table: "webpush_subscriptions")
  }

  public func serve(_ device: Int) async throws {
    try await worker.attempts(
      for: device,
      with: { database throws(StoreError) in
        (try database.subscription(ofDevice: device), try database.unreadCount(ofDevice: device))
      }
    ) { [worker] one, context in
      let (subscription, unread) = context
      let began = loop.time.uptime
      let outcome = try await attempt(one, to: subscription, unread: unread)
      worker.count(outcome, of: device, took: loop.time.uptime - began)
      try await worker.write { database, now, jitter throws(StoreError) in
        try database.finish(one, sentTo: subscription, with: outcome, jitter: jitter, now: now)
      }
      if outcome == .gone(.subscriptionGone) { try await subscriptionGone(device) }
      return outcome
    }
  }

  private func attempt(
    _ pending: PendingDelivery, to subscription: PushSubscription?, unread: Int?
  ) async throws -> Outcome {
    guard let subscription else { return .gone(.channelRemoved) }
    let receipt = receipts.receipt(notification: pending.message.id, device: pending.device)
    switch PushAttempt(pending, receipt: receipt, unread: unread, now: loop.time.now) {
    case .over(let outcome): return outcome
    case .send(let push, let isCut):
      let outcome = try await sender.send(push, to: subscription)
      let most = WebPushLimits.bridgedBytes
      guard outcome == .failed(.tooLarge), push.payload.count > most,
        case .send(let less, _) = PushAttempt(
          pending, receipt: receipt, unread: unread, now: loop.time.now, bytes: most)
      else { return Outcome(outcome, isCut: isCut) }
      return Outcome(try await sender.send(less, to: subscription), isCut: true)
    }
  }
}
