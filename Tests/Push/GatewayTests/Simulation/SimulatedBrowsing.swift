import Delivery
import Store
import WebPush
import Wire
import World

/// The events between the hub, the push service, the browsers and their people.
extension Simulation {
  func stepOfBrowsers() async throws {
    guard let browser = any(browsers) else { return }
    switch Int.random(in: 0..<30, using: &random) {
    case 0..<14: _ = try await push()
    case 14..<20: try await deliver(to: browser)
    case 20..<25: try await present(on: browser)
    case 25..<28: try await respond(on: browser)
    case 28: browser.kill()
    default:
      guard chance(15) else { return }
      // It ends without a word, or the browser takes another one.
      if chance(50) { end(browser) } else { try await subscribe(browser, fate()) }
    }
  }

  /// - Returns: false if all are at rest.
  func settleBrowsers() async throws -> Bool {
    for browser in browsers {
      if service.count(at: browser.endpoint) > 0 {
        try await deliver(to: browser)
        return true
      }
      if !browser.preparing.isEmpty {
        try await present(on: browser)
        return true
      }
    }
    return try await push()
  }

  private func fault(_ percent: Int) -> Bool { !isHealed && chance(percent) }

  private func push() async throws -> Bool {
    try await hub.push(Int.random(in: 0..<1_000, using: &random), fate()) { message, device, endpoint in
      let mood: SimulatedPushService.Mood =
        !fault(20) ? .well : any([.busy, .failing, .silent(taken: false), .silent(taken: true)])!
      return try service.take(
        message, for: device, at: endpoint, mood, copies: fault(4) ? 0 : fault(6) ? 2 : 1, now: time.now)
    }
  }

  private func end(_ browser: SimulatedBrowser) {
    service.end(browser.endpoint, of: browser.id)
    browser.hasBeenAway = true
  }

  /// The browser gets a new subscription and tells the hub, which may not hear it.
  func subscribe(_ browser: SimulatedBrowser, _ fate: SimulatedHub.Fate) async throws {
    if !browser.endpoint.isEmpty { end(browser) }
    browser.endpoint = "https://push.example/\(Int.random(in: 0..<Int.max, using: &random))"
    service.subscribe(browser.endpoint)
    // The keys are the RFC's example: nothing is encrypted here.
    let subscription = try PushSubscription(
      endpoint: PushEndpoint(browser.endpoint),
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg")
    _ = try await hub.commit(fate) { [id = browser.id] database, now in
      try database.saveSubscription(subscription, ofDevice: id, now: now)
      return (true, [])
    }
  }

  // MARK: The service worker

  private func deliver(to browser: SimulatedBrowser) async throws {
    let choice = Int.random(in: 0..<100, using: &random)
    guard
      let message = service.deliver(choice, at: browser.endpoint, of: browser.id, now: time.now)
    else { return }
    if message.json["withdraw"]?.bool == true {
      return try await takeBack(message, on: browser)
    }
    let check = try await tell(.delivered, message, browser)
    if check?.isOver == true { return try await takeBack(message, on: browser) }
    browser.prepare(message, isChecked: check != nil)
  }

  private func present(on browser: SimulatedBrowser) async throws {
    guard let (message, isChecked) = browser.nextPrepared() else { return }
    if browser.isOver(message) { return try await takeBack(message, on: browser) }
    guard browser.show(message, isChecked: isChecked) else {
      let trace = try await hub.store.read { database throws(StoreError) in try database.trace(message.id) }
      throw Fault("\(message.json.text) rang twice: \(browser.rings[message.id] ?? []); \(String(describing: trace))")
    }
    if fault(4) {
      browser.unknown.insert(message.id)
      return browser.kill()
    }
    guard let answer = try await tell(.shown, message, browser) else { return }
    if answer.isOver, browser.screen[message.id] != nil { try await takeBack(message, on: browser) }
  }

  private func takeBack(_ message: SimulatedPushService.Message, on browser: SimulatedBrowser) async throws {
    browser.remember(message.id, version: message.version)
    browser.takeAway(message)
    _ = try await tell(.withdrawn, message, browser)
  }

  private func respond(on browser: SimulatedBrowser) async throws {
    guard let id = any(browser.screen.keys.sorted()), let shown = browser.screen[id] else { return }
    let action = any(Self.actions)!
    if action == Answer.tap { truth[id]!.isTapped = true }
    browser.answer(id, action)
    let told = try await tell(.acted(action: action, text: nil), id, version: shown.version, browser)
    if let taken = told?.taken { browser.taken.append((id, taken.action, taken.counts)) }
  }

  private func tell(
    _ what: Receipt.What, _ message: SimulatedPushService.Message, _ browser: SimulatedBrowser
  ) async throws -> Recorded? {
    let receipt = message.json["receipt"]?.string ?? ""
    guard SimulatedHub.pushReceipts.device(of: receipt, notification: message.id) == browser.id else {
      throw Fault("\(browser.name) has got a message of another one")
    }
    return try await tell(what, message.id, version: message.version, browser)
  }

  /// A request to the hub.
  /// - Returns: nil if it did not arrive, or no answer came back.
  private func tell(
    _ what: Receipt.What, _ id: Int, version: Int, _ browser: SimulatedBrowser
  ) async throws -> Recorded? {
    var recorded: Recorded?
    let fate = fate()
    if !fault(8) {
      let receipt = Receipt(notification: id, version: version, what: what)
      recorded = try await hub.commit(fate) { [device = browser.id] database, now in
        let recorded = try database.record(receipt, device: device, channel: .webPush, now: now)
        return (recorded, recorded.changed.wakes)
      }
    }
    if fate != .committed || fault(4) { recorded = nil }
    if recorded == nil, what != .delivered { browser.unknown.insert(id) }
    return recorded
  }
}
