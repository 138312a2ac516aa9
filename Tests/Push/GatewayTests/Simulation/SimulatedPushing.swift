import Delivery
import Store
import WebPush
import World

/// The messages that the hub has read for one browser, and sends one after the other.
final class PushTurn {
  let device: Int
  let subscription: PushSubscription?
  let unread: Int?
  var due: [PendingDelivery]
  /// The outcome of the first one in `due`, before it is written.
  var outcome: Outcome?

  init(_ device: Int, _ subscription: PushSubscription?, unread: Int?, _ due: [PendingDelivery]) {
    self.device = device
    self.subscription = subscription
    self.unread = unread
    self.due = due
  }
}

/// Web Push, as `WebPushChannel` does it; what happens between two of its steps is the simulation's choice.
extension SimulatedHub {
  typealias Sending = (PushMessage, _ device: Int, _ endpoint: String) throws -> PushOutcome

  static let pushReceipts = PushReceipts(key: Array(repeating: 7, count: PushReceipts.keyBytes))

  /// - Returns: false if there is nothing to do.
  func push(_ choice: Int, _ fate: Fate, _ send: Sending) async throws -> Bool {
    if turns.isEmpty || choice % 3 == 0, try await beginTurn(choice / 3) { return true }
    guard !turns.isEmpty else { return false }
    let turn = turns[choice / 3 % turns.count]
    guard let first = turn.due.first else {
      turns.removeAll { $0 === turn }
      return true
    }
    guard let outcome = turn.outcome else {
      turn.outcome = try attempt(first, turn, send)
      return true
    }
    let (subscription, jitter) = (turn.subscription, Double(choice % 100) / 100)
    turn.outcome = nil
    turn.due.removeFirst()
    switch outcome {
    case .retry, .gone: turns.removeAll { $0 === turn }
    default: break
    }
    _ = try await commit(fate) { database, now in
      try database.finish(first, sentTo: subscription, with: outcome, jitter: jitter, now: now)
      return (true, [])
    }
    return true
  }

  private func beginTurn(_ choice: Int) async throws -> Bool {
    let (now, busy) = (time.now, Set(turns.map(\.device)))
    let devices = try await store.read { database throws(StoreError) in
      try database.devicesDue(channel: .webPush, now: now)
    }.filter { !busy.contains($0) }
    if devices.isEmpty { return false }
    let device = devices[choice % devices.count]
    if try await store.read({ database throws(StoreError) in try database.isQuiet(device: device, now: now) }) {
      try await store.write { database throws(StoreError) in
        try database.hold(device: device, channel: .webPush, now: now)
      }
    }
    let (subscription, due, unread) = try await store.read { database throws(StoreError) in
      (
        try database.subscription(ofDevice: device),
        try database.pending(device: device, channel: .webPush, now: now, limit: DeliveryLimits.readAtOnce),
        try database.unreadCount(ofDevice: device)
      )
    }
    if due.isEmpty { return false }
    turns.append(PushTurn(device, subscription, unread: unread, due))
    return true
  }

  private func attempt(_ pending: PendingDelivery, _ turn: PushTurn, _ send: Sending) throws -> Outcome {
    guard let subscription = turn.subscription else { return .gone(.channelRemoved) }
    let receipt = Self.pushReceipts.receipt(notification: pending.message.id, device: turn.device)
    switch PushAttempt(pending, receipt: receipt, unread: turn.unread, now: time.now) {
    case .over(let outcome): return outcome
    case .send(let push, let isCut):
      return Outcome(try send(push, turn.device, subscription.endpoint.url), isCut: isCut)
    }
  }
}
