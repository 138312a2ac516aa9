import CivilTime
import Delivery
import Lifecycle
import Store
import World

extension Simulation {
  // MARK: Invariants

  func check() async throws {
    for device in devices {
      if let id = device.responses.keys.first { throw Fault("the answer to \(id) was never taken") }
      if device.unconfirmed > 0 { throw Fault("\(device.secret) still has receipts") }
      let now = time.now
      let pending = try await hub.store.read { [id = device.id] database throws(StoreError) in
        try database.pending(device: id, channel: .gateway, now: now, limit: 10).map(\.message.id)
      }
      if !pending.isEmpty { throw Fault("\(pending) are still pending for \(device.secret)") }
    }
    try await checkQueues()
    for (id, truth) in truth.sorted(by: { $0.key < $1.key }) {
      let trace = try await hub.store.read { database throws(StoreError) in try database.trace(id) }
      guard let trace else { throw Fault("the notification \(id) is lost") }
      // It was cancelled before its time.
      if truth.isScheduled, truth.isWithdrawn, trace.devices.isEmpty { continue }
      try checkDevices(id, truth, trace)
      // One answer counts.
      let counted = trace.devices.flatMap(\.events).filter {
        $0.what == .acted && $0.reason == nil && !["default", "dismiss"].contains($0.detail)
      }
      if counted.contains(where: { $0.detail != trace.notification.answer?.action }) {
        throw Fault("\(id): \(counted) count, and \(String(describing: trace.notification.answer)) is the answer")
      }
      for own in trace.devices {
        if let device = devices.first(where: { $0.id == own.device }) {
          try check(id, truth, trace.notification, own, device)
        } else if let browser = browsers.first(where: { $0.id == own.device }) {
          try check(id, truth, trace.notification, own, browser)
        }
      }
    }
  }

  private func check(
    _ id: Int, _ truth: Truth, _ notification: SentNotification, _ trace: DeliveryTrace, _ device: SimulatedDevice
  ) throws {
    func fault(_ text: String) -> Fault {
      let events = trace.events.map { "\($0.what) v\($0.version) \($0.reason?.rawValue ?? "") \($0.detail ?? "")" }
      return Fault(
        "\(id) on \(device.secret): \(text); \(events); rings \(device.rings[id] ?? []); "
          + "\(String(describing: device.records[id])); \(notification.state); \(truth)")
    }
    let rings = device.rings[id] ?? []
    let unmarked = rings.filter { !$0.isRepeat }
    if Set(unmarked.map(\.version)).count < unmarked.count { throw fault("it rang twice unmarked") }
    if unmarked.dropFirst().contains(where: { !$0.isAgain }) { throw fault("it rang again, and was not to") }
    try checkRepetition(unmarked.count, truth, trace, fault)
    try checkLocalTime(truth, trace, device, fault)
    let whats = Set(trace.events.map(\.what))
    // The trace tells nothing that did not happen.
    if whats.contains(.shown), rings.isEmpty { throw fault("the trace shows it, and nobody saw it") }
    if device.isCareful, !rings.isEmpty, !whats.contains(.shown), !device.untold.contains(id) {
      throw fault("it was seen, and the trace does not say so")
    }
    for event in trace.events where event.what == .acted {
      if device.answered[id]?.contains(event.detail ?? "") != true { throw fault("nobody answered that") }
    }
    for event in trace.events { try checkReason(event, id, truth, notification, device, fault) }
    // Nothing is lost: it was seen, or the trace says why not.
    let excuses: Set<TraceEvent.What> = [.suppressed, .withdrawn, .expired, .gone, .failed]
    if rings.isEmpty, whats.isDisjoint(with: excuses), device.records[id]?.state != .failed {
      throw fault("it was lost")
    }
    try checkDisplay(id, truth, notification, trace, device, fault)
    for taken in device.taken where taken.id == id && taken.counts && !["default", "dismiss"].contains(taken.action) {
      guard notification.answer?.action == taken.action, notification.answer?.device == device.id else {
        throw fault("it was told that \(taken.action) counts, and \(String(describing: notification.answer)) does")
      }
    }
  }

  /// The people who got it: those to whom it was sent, and where nobody acted, those who come next.
  private func checkDevices(_ id: Int, _ truth: Truth, _ trace: Trace) throws {
    let (has, notification) = (Set(trace.devices.map(\.device)), trace.notification)
    func fault(_ text: String) -> Fault { Fault("\(id) went to \(has): \(text); \(notification.state); \(truth)") }
    let isCancelled = truth.local != nil && truth.isWithdrawn
    // A browser that had no subscription at that moment was not reached by anything.
    let away = Set(browsers.filter(\.hasBeenAway).map(\.id))
    if !isCancelled, !has.union(away).isSuperset(of: truth.to) { throw fault("not to all") }
    if !has.isSubset(of: truth.to.union(truth.others)) { throw fault("to others") }
    let isReplaced = trace.devices.contains { $0.events.contains { $0.reason == .collapsed } }
    let mustHandOver = notification.state == .active && truth.expiresAt == nil && !truth.isTapped && !isReplaced
    // At nobody's local time, it never rang.
    let hasRung = trace.devices.contains { !$0.events.contains { $0.reason == .timeOver } }
    if mustHandOver, hasRung, !has.union(away).isSuperset(of: truth.others) {
      throw fault("nobody acted, and others did not ring")
    }
  }

  /// It rang again as often as the trace says, and not after its end.
  func checkRepetition(
    _ rings: Int, _ truth: Truth, _ trace: DeliveryTrace, _ fault: (String) -> Fault
  ) throws {
    let limit = truth.repetition?.limit ?? 0
    // At local times it begins anew wherever its time comes.
    let most = truth.local == nil ? limit : limit * Self.zones.count
    let told = trace.events.filter { $0.reason == .ringsAgain }.count
    if told > most { throw fault("it was to ring again \(told) times, of \(most)") }
    if rings > told + 1 { throw fault("it rang \(rings) times, and was told \(told) times to ring again") }
    let end = trace.events.firstIndex { $0.what == .withdrawn || $0.what == .acted && $0.reason == nil }
    if let end, trace.events[end...].contains(where: { $0.reason == .ringsAgain }) {
      throw fault("it was to ring after its end")
    }
  }

  /// It came when the device's own clock showed the time, and not before.
  func checkLocalTime(
    _ truth: Truth, _ trace: DeliveryTrace, _ device: any SimulatedReceiver, _ fault: (String) -> Fault
  ) throws {
    guard let local = truth.local, let queued = trace.events.first, queued.reason != .nobodyActed else { return }
    let instant = Self.instant(local, device)
    let isMissed = trace.events.contains { $0.reason == .timeOver }
    let isOver = trace.events.count > 1 && [.suppressed, .expired].contains(trace.events[1].what)
    if !isMissed, !isOver, queued.at < instant {
      throw fault("it came \(instant - queued.at) s before its local time")
    }
    if !isMissed, instant <= local.since, trace.events.contains(where: { $0.what == .shown }) {
      throw fault("it came although its local time was over when it was sent")
    }
  }

  /// The instant at which a device's clock shows a local time; none of them is set meanwhile.
  private static func instant(_ local: LocalTime, _ device: any SimulatedReceiver) -> Double {
    let zone = try! systemZone(device.zone ?? local.zone)
    let offset = Double(zone.offset(at: EpochSeconds(local.since)))
    let time = Double(local.minute * 60) - offset
    if let day = local.day { return Double(day) * 86_400 + time }
    let days = ((local.since - time) / 86_400).rounded(.down)
    return (days + 1) * 86_400 + time
  }

  func checkReason(
    _ event: TraceEvent, _ id: Int, _ truth: Truth, _ notification: SentNotification, _ device: any SimulatedReceiver,
    _ fault: (String) -> Fault
  ) throws {
    // It had no subscription, perhaps when this was sent.
    let wasAway = (device as? SimulatedBrowser)?.hasBeenAway == true
    let isTrue: Bool =
      switch event.reason {
      case nil: true
      case .quietHours: device.person == Self.quietPerson && !truth.isCritical && event.detail == "07:00"
      case .collapsed:
        truth.collapse != nil
          && self.truth.contains {
            $0.key != id && $0.value.collapse == truth.collapse
              && $0.value.to.union($0.value.others).contains(device.id)
          }
      case .takenBack: truth.isWithdrawn
      // Or it was tried for as long as that makes sense.
      case .expired: truth.expiresAt != nil || wasAway || !service.answers(for: device.id).isEmpty
      case .topicReplaced: event.what == .sent && device is SimulatedBrowser
      case .pushService: service.answers(for: device.id).contains(event.detail ?? "")
      case .unreachable: service.answers(for: device.id).contains(SimulatedPushService.none)
      case .subscriptionGone, .channelRemoved: wasAway
      // By another device, or by the person on the page.
      case .answeredElsewhere: notification.answer != nil || device.person != nil
      case .timeOver: truth.local.map { wasAway || Self.instant($0, device) <= $0.since } ?? false
      case .ringsAgain:
        truth.repetition.map { repetition in
          (1...repetition.limit).contains { event.detail == "\($0)/\(repetition.limit)" }
        } ?? false
      case .nobodyActed:
        truth.others.contains(device.id) && (truth.local != nil || wasAway || !truth.to.contains(device.id))
      default: false
      }
    if !isTrue { throw fault("\(event.reason!.rawValue) is not true") }
  }

  /// Checks that the device shows at the end what it should.
  private func checkDisplay(
    _ id: Int, _ truth: Truth, _ notification: SentNotification, _ trace: DeliveryTrace, _ device: SimulatedDevice,
    _ fault: (String) -> Fault
  ) throws {
    guard let record = device.records[id], record.isDisplayed else { return }
    if truth.isWithdrawn, notification.state == .withdrawn, !trace.events.contains(where: { $0.what == .suppressed }) {
      throw fault("it was taken back and is still shown")
    }
    if notification.state == .acted, notification.answer?.device != device.id,
      !trace.events.contains(where: { $0.what == .suppressed })
    {
      throw fault("it was answered elsewhere and is still shown")
    }
    let isOver = trace.events.contains { [.suppressed, .expired].contains($0.what) } || notification.state == .expired
    if notification.state == .active, !isOver, record.title != truth.title {
      throw fault("it shows \(record.title) instead of \(truth.title)")
    }
  }
}
