public import Delivery
public import EventLoop
import Lifecycle
public import Observe
public import Store
import Synchronization

/// Web Push as a channel of `Delivery`: sends what its queue in the store has for browsers.
///
/// The queue, the number of attempts and the time of the next one are in the store, so nothing is lost with the
/// process. A message sent just before the process was killed is sent once more; the browser knows it by its id and
/// version.
public final class WebPushChannel: PushChannel {
  public let kind = ChannelKind.webPush
  private let counted = Mutex(PushCounts())
  private let store: Store
  private let sender: PushSender
  private let receipts: PushReceipts
  private let loop: EventLoop
  private let log: Log
  private let worker: ChannelWorker
  private var time: any TimeSource { loop.time }

  /// - Parameter receipts: made of the key that `Database.webPushKeys` has.
  public init(store: Store, sender: PushSender, receipts: PushReceipts, loop: EventLoop, log: Log) {
    self.store = store
    self.sender = sender
    self.receipts = receipts
    self.loop = loop
    self.log = log
    worker = ChannelWorker(
      .webPush, store: store, loop: loop, log: log, shares: WebPushLimits.shares,
      due: { database, now throws(StoreError) in try database.devicesDue(now: now) },
      tidy: { database throws(StoreError) in try database.forgetSubscriptionsOfRemovedDevices() })
  }

  /// The outcomes of all attempts so far.
  public var counts: PushCounts { counted.withLock { $0 } }

  public func wake(_ wakes: [Wake]) { worker.wake() }

  public func removed(_ devices: [Int]) { worker.removed() }

  /// Sends what is due until the task is cancelled.
  public func run() async throws {
    try await worker.run { [self] device in try await serve(device) }
  }

  /// Sends what is due for a device, one message after the other.
  private func serve(_ device: Int) async throws {
    while true {
      let now = time.now
      let isQuiet = try await store.read { database throws(StoreError) in
        try database.isQuiet(device: device, now: now)
      }
      if isQuiet {
        try await store.write { database throws(StoreError) in
          try database.hold(device: device, channel: .webPush, now: now)
        }
      }
      let (subscription, due, unread) = try await store.read { database throws(StoreError) in
        (
          try database.subscription(ofDevice: device),
          try database.pending(device: device, channel: .webPush, now: now, limit: WebPushLimits.read),
          try database.unreadCount(ofDevice: device)
        )
      }
      if due.isEmpty { return }
      for one in due {
        let outcome = try await attempt(one, to: subscription, unread: unread)
        count(outcome)
        try await write(outcome, of: one, to: subscription)
        switch outcome {
        // The next messages would hardly fare better now; they are still due when `Delivery` looks again.
        case .retry, .gone: return
        default: continue
        }
      }
    }
  }

  private func attempt(
    _ pending: PendingDelivery, to subscription: PushSubscription?, unread: Int?
  ) async throws -> Outcome {
    guard let subscription else { return .gone(.channelRemoved) }
    let receipt = receipts.receipt(notification: pending.message.id, device: pending.device)
    switch PushAttempt(pending, receipt: receipt, unread: unread, now: time.now) {
    case .over(let outcome): return outcome
    case .send(let push, let isCut): return Outcome(try await sender.send(push, to: subscription), isCut: isCut)
    }
  }

  private func count(_ outcome: Outcome) {
    counted.withLock { counts in
      switch outcome {
      case .sent: counts.sent += 1
      case .retry, .failed: counts.failed += 1
      case .gone(.subscriptionGone): counts.gone += 1
      // No push service was asked.
      case .gone, .suppressed, .later: break
      }
    }
  }

  /// Writes what came of an attempt, and does not give up: what was sent but not written would be sent again.
  /// - Parameter subscription: the one that it was sent to.
  private func write(
    _ outcome: Outcome, of pending: PendingDelivery, to subscription: PushSubscription?
  ) async throws {
    let jitter = Double.random(in: 0..<1)
    while true {
      let now = time.now
      do {
        return try await store.write { database throws(StoreError) in
          try database.finish(pending, sentTo: subscription, with: outcome, jitter: jitter, now: now)
        }
      } catch {
        log.error("what came of a push cannot be written", ["error": "\(error)"])
        try await loop.pause(for: WebPushLimits.rewriteSeconds)
      }
    }
  }
}

/// How many attempts came to what since the start.
public struct PushCounts: Equatable, Sendable {
  /// Taken by a push service.
  public var sent = 0
  /// Refused, or without an answer; some are tried again.
  public var failed = 0
  /// The subscription had ended.
  public var gone = 0
}
