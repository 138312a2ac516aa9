public import Delivery
public import EventLoop
import Lifecycle
public import Observe
public import Store

/// Apple's push service as a channel of `Delivery`: sends what its queue in the store has for native apps.
///
/// A message whose answer did not come, or that was sent just before the process was killed, is sent once more, with
/// the same id and the same collapse id: it takes the place of the first one on the device.
public final class AppleChannel: WorkedChannel {
  private let service: AppleService
  private let loop: EventLoop
  public let worker: ChannelWorker
  private let deviceGone: @Sendable (Int) -> Void

  /// - Parameter deviceGone: called when a device was removed because its app is gone.
  public init(
    store: Store, service: AppleService, loop: EventLoop, log: Log, deviceGone: @escaping @Sendable (Int) -> Void
  ) {
    self.service = service
    self.loop = loop
    self.deviceGone = deviceGone
    worker = ChannelWorker(
      .apns, store: store, loop: loop, log: log, shares: DeviceShares(APNsSenderLimits.sending),
      holdsInQuietHours: true, table: "apple_registrations")
  }

  /// Sends what is due until the task is cancelled.
  public func run() async throws {
    defer { service.close() }
    try await worker.run { [self] device in try await serve(device) }
  }

  public func serve(_ device: Int) async throws {
    try await worker.attempts(
      for: device,
      with: { database throws(StoreError) in
        let registration = try database.appleRegistration(ofDevice: device)
        let kept: KeptAppleAccount? = if let registration { try database.appleAccount(for: registration) } else { nil }
        return (registration, kept, try database.unreadCount(ofDevice: device))
      }
    ) { [worker] one, context in
      let (registration, kept, unread) = context
      let attempt = try await attempt(one, to: registration, by: kept?.account, unread: unread)
      worker.count(attempt.outcome)
      let isGone = try await worker.write { database, now, jitter throws(StoreError) in
        var outcome = attempt.outcome
        var isGone = false
        if case .gone(.appGone) = outcome, case .answered(let answer) = attempt.sending {
          // The app may have registered again, before or after: only what the service speaks of ends.
          let current = try database.appleRegistration(ofDevice: device)
          let isOlder = answer.since.map { $0 >= (registration?.registeredAt ?? 0) } ?? true
          isGone =
            isOlder && current?.token == registration?.token && current?.topic == registration?.topic
            && current?.registeredAt == registration?.registeredAt
          if !isGone { outcome = .retry(.pushService, detail: answer.detail) }
        }
        try database.finish(one, channel: .apns, with: outcome, jitter: jitter, now: now)
        if isGone { try database.removePushDevice(device, now: now) }
        if let sending = attempt.sending, let registration, let kept {
          try database.note(sending, of: registration, by: kept, now: now)
        }
        return isGone
      }
      if isGone { deviceGone(device) }
      return attempt.outcome
    }
  }

  /// An attempt, and what it says of others than the message.
  private struct Attempt: Sendable {
    var outcome: Outcome
    var sending: AppleService.Sending?
  }

  private func attempt(
    _ pending: PendingDelivery, to registration: AppleRegistration?, by account: AppleAccount?, unread: Int?
  ) async throws -> Attempt {
    guard let registration else { return Attempt(outcome: .gone(.channelRemoved)) }
    guard let account else {
      let app = "\(registration.topic), \(registration.environment.rawValue)"
      return Attempt(outcome: .failed(.appleKeyMissing, detail: app))
    }
    let message = pending.message
    let isChange = pending.wasSent && !message.ringsAgain
    guard let push = ApplePush(message, unread: unread, isChange: isChange, now: loop.time.now) else {
      return Attempt(outcome: .failed(.tooLarge))
    }
    let id = ApplePush.id(message, to: registration)
    let sending = try await service.send(push, id: id, to: registration, by: account)
    return Attempt(outcome: sending.outcome(isCut: push.isCut), sending: sending)
  }
}
