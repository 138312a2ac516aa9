import Crypto
import Delivery
import Lifecycle
import Store
import Wire
import World

/// Some days of a hub and its devices, with everything that goes wrong, from one seed: what is sent, taken back and
/// answered; networks that lose what is on its way; kills of both sides at the worst moments; clocks that are set.
final class Simulation {
  /// What senders know for certain.
  struct Truth {
    var to: Set<Int>
    var title: String
    var collapse: String?
    var expiresAt: Double?
    var isCritical: Bool
    var isScheduled: Bool
    var isWithdrawn = false
  }
  struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private var random: SeededGenerator
  let time = VirtualTime()
  private let hub: SimulatedHub
  private var devices: [SimulatedDevice] = []
  private var links: [SimulatedLink] = []
  private var truth: [Int: Truth] = [:]
  private var isQuiet = true
  private var count = 0
  private var seconds = 0.0
  /// The days that passed before everything healed, for each device.
  private(set) var deviceDays = 0.0

  private static let actions = ["open", "no", Answer.tap, Answer.dismiss]
  private static let quietPerson = 2

  init(seed: UInt64, _ disk: SimulatedDisk) async throws {
    random = SeededGenerator(state: seed)
    try await disk.clear()
    hub = SimulatedHub(disk, time: time)
    for number in 0..<Int.random(in: 2...4, using: &random) {
      let person = [nil, 1, 1, Self.quietPerson].randomElement(using: &random)!
      let device = SimulatedDevice(number, person: person, isCareful: Bool.random(using: &random), isSlow: chance(30))
      let (secret, now) = (device.secret, time.now)
      device.id = try await hub.store.write { database throws(StoreError) in
        let id = try database.addPushDevice(
          PushDevice(name: secret, kind: .agent, person: person, channels: [.gateway], createdAt: now),
          secretDigest: Digest.sha256(secret.utf8))!
        if number == 0 {
          try database.saveTopic(Topic(id: "space", name: "Space", subscribers: .everybody, senders: .members))
          try database.setQuietHours(
            ofPerson: Self.quietPerson, QuietHours(from: 23 * 60, to: 7 * 60, zone: "UTC"))
        }
        try database.subscribe(.device(id), to: "space")
        return id
      }
      devices.append(device)
    }
  }

  // MARK: Chance

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  private func any<T>(_ all: [T]) -> T? { all.randomElement(using: &random) }
  private func fate(_ percent: Int = 3) -> SimulatedHub.Fate {
    chance(percent) ? (chance(50) ? .cut : .untold) : .committed
  }

  // MARK: The days

  func run(steps: Int) async throws {
    for _ in 0..<steps { try await step() }
    deviceDays = Double(devices.count) * seconds / 86_400
    try await heal()
    try await check()
  }

  private func step() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<9: try await submit()
    case 9..<12: try await change()
    case 12..<14: try await answerOnPage()
    case 14..<18: respond()
    case 18..<21: present(any(devices), mayKill: true)
    case 21..<25: connect()
    case 25..<27: if let link = any(links) { drop(link) }
    case 27..<28: if let device = any(devices) { kill(device) }
    case 28..<29: try await hub.kill()
    case 29..<30: time.setClock(by: Double.random(in: -7_200...7_200, using: &random))
    case 30..<35: advance(Double.random(in: 0...20_000, using: &random))
    case 35..<40: try await sendDue(fate())
    case 40..<70: try await hub.step(Int.random(in: 0..<1_000, using: &random), fate())
    default: carry(any(links), mayKill: true)
    }
  }

  private func advance(_ seconds: Double) {
    time.advance(by: seconds)
    self.seconds += seconds
  }

  private func submit() async throws {
    count += 1
    let title = "number \(count)"
    let isCritical = chance(20)
    var content: [JSON.Member] = [JSON.Member("title", .string(title))]
    if isCritical { content.append(JSON.Member("interruption_level", "critical")) }
    var (to, targets): ([Recipient], Set<Int>) = ([], [])
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let device = any(devices)!
      if chance(40) {
        to.append(.topic("space"))
        targets.formUnion(devices.map(\.id))
      } else if let person = device.person, chance(50) {
        to.append(.person(person))
        targets.formUnion(devices.filter { $0.person == person }.map(\.id))
      } else {
        to.append(.device(device.id))
        targets.insert(device.id)
      }
    }
    let collapse = chance(30) ? any(["sign", "door"]) : nil
    let expires = chance(25) ? time.now + Double.random(in: 60...20_000, using: &random) : nil
    let at = chance(15) ? time.now + Double.random(in: 60...10_000, using: &random) : nil
    let submission = Submission(
      to: to, content: .object(content), collapseID: collapse, expiresAt: expires,
      priority: chance(50) ? .high : .normal, at: at, sender: "person 1", room: "kettle")
    let sent = try await hub.commit(fate()) { database, now in
      let sent = try database.submit(submission, now: now)
      return (sent, sent.wakes)
    }
    guard let sent else { return }
    if truth[sent.id] != nil { throw Fault("the id \(sent.id) was given twice") }
    truth[sent.id] = Truth(
      to: targets, title: title, collapse: collapse, expiresAt: expires, isCritical: isCritical,
      isScheduled: sent.isScheduled)
  }

  private func change() async throws {
    guard let id = any(truth.keys.sorted()) else { return }
    if chance(50) {
      let changed = try await hub.commit(fate()) { database, now in
        let changed = try database.withdraw(notification: id, now: now)
        return (changed != nil, changed?.wakes ?? [])
      }
      if changed == true { truth[id]!.isWithdrawn = true }
    } else {
      count += 1
      let title = "number \(count)"
      let content: JSON =
        truth[id]!.isCritical
        ? ["title": .string(title), "interruption_level": "critical"] : ["title": .string(title)]
      let changed = try await hub.commit(fate()) { database, now in
        let changed = try database.update(notification: id, content: content, now: now)
        return (changed != nil, changed?.wakes ?? [])
      }
      if changed == true { truth[id]!.title = title }
    }
  }

  private func answerOnPage() async throws {
    guard let id = any(truth.keys.sorted()), let action = any(Self.actions) else { return }
    _ = try await hub.commit(fate()) { database, now in
      let recorded = try database.answer(id, by: .person(1), action: action, now: now)
      return (true, recorded.changed.wakes)
    }
  }

  private func sendDue(_ fate: SimulatedHub.Fate) async throws {
    _ = try await hub.commit(fate) { database, now in
      let due = try database.sendDue(now: now)
      _ = try database.expire(now: now)
      return (true, due.sent.flatMap(\.wakes))
    }
  }

  // MARK: Devices and networks

  private func connect() {
    guard let device = any(devices) else { return }
    // Sometimes the device knows that the old connection is gone and the hub does not, or two have one secret.
    for link in links where link.device === device { if chance(50) { drop(link) } else { forget(link) } }
    links.append(SimulatedLink(device))
  }

  /// The connection breaks, and both sides know.
  private func drop(_ link: SimulatedLink) {
    forget(link)
    hub.close(link)
  }

  /// The device hears and says no more on it; what it has said may still arrive.
  private func forget(_ link: SimulatedLink) {
    link.down = []
    link.up = chance(50) ? link.up : []
    links.removeAll { $0 === link }
    for text in link.up where link.isOpen { hub.receive(text, link) }
  }

  private func kill(_ device: SimulatedDevice) {
    device.kill()
    for link in links where link.device === device { drop(link) }
  }

  private func respond() {
    guard let device = any(devices), let id = any(device.displayed) else { return }
    // Those whose phones ring together press at the same time.
    for other in devices where other !== device && other.displayed.contains(id) && chance(50) { respond(other, id) }
    respond(device, id)
  }

  private func respond(_ device: SimulatedDevice, _ id: Int) {
    let messages = device.respond(id, any(Self.actions)!)
    if let link = links.first(where: { $0.device === device }) {
      link.up += messages.map(\.text)
      // Devices repeat what they are not sure of.
      if chance(20) { link.up += messages.map(\.text) }
    }
  }

  /// One message arrives.
  private func carry(_ link: SimulatedLink?, mayKill: Bool) {
    guard let link else { return }
    if !link.isOpen && link.down.isEmpty { return drop(link) }
    if !link.up.isEmpty, link.isOpen, link.down.isEmpty || chance(50) {
      return hub.receive(link.up.removeFirst(), link)
    }
    guard !link.down.isEmpty else { return }
    let message = link.down.removeFirst()
    let answers = link.device.receive(message) { mayKill && chance(3) }
    guard let answers else { return kill(link.device) }
    link.up += answers.map(\.text)
  }

  /// A slow device shows something.
  private func present(_ device: SimulatedDevice?, mayKill: Bool) {
    guard let device, device.isWaiting else { return }
    guard let answers = device.present(kill: { mayKill && chance(3) }) else { return kill(device) }
    links.first { $0.device === device }?.up += answers.map(\.text)
  }

  /// Everything works from now on, until nothing is left to do.
  private func heal() async throws {
    // Ten days pass, so that everything scheduled is sent, and everything that ends has ended.
    for _ in 0..<2 {
      for device in devices {
        for link in links where link.device === device { drop(link) }
        links.append(SimulatedLink(device))
      }
      try await sendDue(.committed)
      try await settle()
      advance(10 * 86_400)
    }
    try await sendDue(.committed)
    try await settle()
  }

  private func settle() async throws {
    for _ in 0..<20_000 {
      if !hub.isIdle { try await hub.step(Int.random(in: 0..<1_000, using: &random), .committed) }
      let busy = links.filter { !$0.up.isEmpty || !$0.down.isEmpty }
      carry(any(busy), mayKill: false)
      let slow = devices.filter(\.isWaiting)
      present(any(slow), mayKill: false)
      if hub.isIdle, busy.isEmpty, slow.isEmpty { return }
    }
    throw Fault("hub and devices do not come to rest")
  }

  // MARK: What must be so

  private func check() async throws {
    for device in devices {
      if let id = device.responses.keys.first { throw Fault("the answer to \(id) was never taken") }
      if device.unconfirmed > 0 { throw Fault("\(device.secret) still has receipts") }
      let now = time.now
      let pending = try await hub.store.read { [id = device.id] database throws(StoreError) in
        try database.pending(device: id, channel: .gateway, now: now, limit: 10).map(\.message.id)
      }
      if !pending.isEmpty { throw Fault("\(pending) are still pending for \(device.secret)") }
    }
    for (id, truth) in truth.sorted(by: { $0.key < $1.key }) {
      let trace = try await hub.store.read { database throws(StoreError) in try database.trace(id) }
      guard let trace else { throw Fault("the notification \(id) is lost") }
      // It was cancelled before its time.
      if truth.isScheduled, truth.isWithdrawn, trace.devices.isEmpty { continue }
      if Set(trace.devices.map(\.device)) != truth.to { throw Fault("\(id) went to \(trace.devices.map(\.device))") }
      // One answer counts.
      let counted = trace.devices.flatMap(\.events).filter {
        $0.what == .acted && $0.reason == nil && !["default", "dismiss"].contains($0.detail)
      }
      if counted.contains(where: { $0.detail != trace.notification.answer?.action }) {
        throw Fault("\(id): \(counted) count, and \(String(describing: trace.notification.answer)) is the answer")
      }
      for own in trace.devices {
        try check(id, truth, trace.notification, own, devices.first { $0.id == own.device }!)
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
    if rings.filter({ !$0.isRepeat }).count > 1 { throw fault("it rang twice unmarked") }
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

  private func checkReason(
    _ event: TraceEvent, _ id: Int, _ truth: Truth, _ notification: SentNotification, _ device: SimulatedDevice,
    _ fault: (String) -> Fault
  ) throws {
    let isTrue: Bool =
      switch event.reason {
      case nil: true
      case .quietHours: device.person == Self.quietPerson && !truth.isCritical && event.detail == "07:00"
      case .collapsed:
        truth.collapse != nil
          && self.truth.contains {
            $0.key != id && $0.value.collapse == truth.collapse && $0.value.to.contains(device.id)
          }
      case .takenBack: truth.isWithdrawn
      case .expired: truth.expiresAt != nil
      // By another device, or by the person on the page.
      case .answeredElsewhere: notification.answer != nil || device.person != nil
      default: false
      }
    if !isTrue { throw fault("\(event.reason!.rawValue) is not true") }
  }

  /// What the device shows at the end is what it should.
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
