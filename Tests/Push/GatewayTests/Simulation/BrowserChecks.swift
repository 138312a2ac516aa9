import Delivery
import Store
import World

/// The invariants of browsers. What the push service has forgotten, and what the hub could not know, excuses some of
/// what may not happen to other devices; it never excuses an untrue trace.
extension Simulation {
  func checkQueues() async throws {
    for browser in browsers {
      let now = time.now
      let pending = try await hub.store.read { [id = browser.id] database throws(StoreError) in
        try database.pending(device: id, channel: .webPush, now: now, limit: 10).map(\.message.id)
      }
      if !pending.isEmpty { throw Fault("\(pending) are still pending for \(browser.name)") }
    }
  }

  func check(
    _ id: Int, _ truth: Truth, _ notification: SentNotification, _ trace: DeliveryTrace, _ browser: SimulatedBrowser
  ) throws {
    func fault(_ text: String) -> Fault {
      let events = trace.events.map { "\($0.what) v\($0.version) \($0.reason?.rawValue ?? "") \($0.detail ?? "")" }
      return Fault(
        "\(id) on \(browser.name): \(text); \(events); rings \(browser.rings[id] ?? []); "
          + "\(String(describing: browser.screen[id])); \(notification.state); \(truth)")
    }
    let rings = browser.rings[id] ?? []
    let whats = Set(trace.events.map(\.what))
    if whats.contains(.shown), rings.isEmpty { throw fault("the trace shows it, and nobody saw it") }
    for event in trace.events {
      switch event.what {
      case .acted where browser.answered[id]?.contains(event.detail ?? "") != true:
        throw fault("nobody answered that")
      case .sent where !service.accepted.contains(.init(device: browser.id, id: id, version: event.version)):
        throw fault("the push service has not taken that")
      default: try checkReason(event, id, truth, notification, browser, fault)
      }
    }
    try checkLocalTime(truth, trace, browser, fault)
    for taken in browser.taken where taken.id == id && taken.counts && !["default", "dismiss"].contains(taken.action) {
      guard notification.answer?.action == taken.action, notification.answer?.device == browser.id else {
        throw fault("it was told that \(taken.action) counts, and \(String(describing: notification.answer)) does")
      }
    }
    if !browser.unknown.contains(id), rings.allSatisfy(\.isChecked) {
      try checkRepetition(rings.count, truth, trace, fault)
      if !rings.isEmpty, !whats.contains(.shown) { throw fault("it was seen, and the trace does not say so") }
    }
    let isExcused = browser.hasBeenAway || service.hasLost(id, of: browser.id) || browser.missed.contains(id)
    if isExcused { return }
    let excuses: Set<TraceEvent.What> = [.suppressed, .withdrawn, .expired, .gone, .failed]
    if rings.isEmpty, whats.isDisjoint(with: excuses) { throw fault("it was lost") }
    guard !browser.unknown.contains(id), let shown = browser.screen[id] else { return }
    if !whats.isDisjoint(with: [.suppressed, .expired]) { return }
    switch notification.state {
    case .active where shown.title != truth.title: throw fault("it shows \(shown.title) instead of \(truth.title)")
    case .withdrawn, .expired: throw fault("it is over and is still shown")
    case .acted where notification.answer?.device != browser.id:
      throw fault("it was answered elsewhere and is still shown")
    default: break
    }
  }
}
