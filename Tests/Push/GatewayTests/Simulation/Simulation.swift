import CivilTime
import Crypto
import Delivery
import Lifecycle
import Store
import Wire
import World

/// Some days of a hub and its devices, with everything that goes wrong, from one seed: what is sent, taken back and
/// answered; networks that lose what is on its way; kills of both sides at the worst moments; clocks that are set.
final class Simulation {
  /// The facts about a notification that its sender knows for certain.
  struct Truth {
    var to: Set<Int>
    var title: String
    var collapse: String?
    var expiresAt: Double?
    var isCritical: Bool
    var isScheduled: Bool
    var isWithdrawn = false
    var local: LocalTime?
    var repetition: Repetition?
    /// The devices that are rung when nobody acts.
    var others: Set<Int> = []
    /// True if somebody may have tapped on it, which ends its ringing.
    var isTapped = false
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
  private static let offered: JSON = [["id": "open", "title": "Open"], ["id": "no", "title": "No"]]
  private static let quietPerson = 2
  /// None of their clocks is set in these days.
  private static let zones = [nil, "UTC", "Europe/Berlin", "Asia/Kathmandu", "Asia/Tokyo", "Pacific/Honolulu"]

  init(seed: UInt64, _ disk: SimulatedDisk) async throws {
    random = SeededGenerator(state: seed)
    try await disk.clear()
    hub = SimulatedHub(disk, time: time)
    for number in 0..<Int.random(in: 2...4, using: &random) {
      let person = [nil, 1, 1, Self.quietPerson].randomElement(using: &random)!
      let device = SimulatedDevice(
        number, person: person, zone: any(Self.zones)!, isCareful: Bool.random(using: &random), isSlow: chance(30))
      let (secret, now, zone) = (device.secret, time.now, device.zone)
      device.id = try await hub.store.write { database throws(StoreError) in
        let id = try database.addPushDevice(
          PushDevice(name: secret, kind: .agent, person: person, zone: zone, channels: [.gateway], createdAt: now),
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
    var content: [JSON.Member] = [JSON.Member("title", .string(title)), JSON.Member("actions", Self.offered)]
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
    let local = chance(15) ? localTime() : nil
    let repetition = chance(20) ? repetition() : nil
    let submission = Submission(
      to: to, content: .object(content), collapseID: collapse, expiresAt: expires,
      priority: chance(50) ? .high : .normal, at: at, local: local, repetition: repetition, sender: "person 1",
      room: "kettle")
    let sent = try await hub.commit(fate()) { database, now in
      let sent = try database.submit(submission, now: now)
      return (sent, sent.wakes)
    }
    guard let sent else { return }
    if truth[sent.id] != nil { throw Fault("the id \(sent.id) was given twice") }
    truth[sent.id] = Truth(
      to: targets, title: title, collapse: collapse, expiresAt: expires, isCritical: isCritical,
      // A day that is over everywhere is sent at once, as what has an instant that has passed.
      isScheduled: sent.isScheduled, local: sent.isScheduled ? local : nil, repetition: repetition)
    for case .device(let other) in repetition?.then ?? [] { truth[sent.id]!.others.insert(other) }
  }

  /// Today, tomorrow or whenever it comes next, by each device's own clock.
  private func localTime() -> LocalTime {
    let today = Int(time.now / 86_400)
    return LocalTime(
      minute: Int.random(in: 0..<1_440, using: &random), day: any([nil, today, today + 1])!, since: time.now,
      zone: "Europe/Berlin")
  }

  private func repetition() -> Repetition {
    Repetition(
      every: Double.random(in: 30...3_000, using: &random), limit: Int.random(in: 1...3, using: &random),
      then: chance(50) ? [.device(any(devices)!.id)] : [])
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
        ? ["title": .string(title), "actions": Self.offered, "interruption_level": "critical"]
        : ["title": .string(title), "actions": Self.offered]
      let changed = try await hub.commit(fate()) { database, now in
        let changed = try database.update(notification: id, content: content, now: now)
        return (changed != nil, changed?.wakes ?? [])
      }
      if changed == true { truth[id]!.title = title }
    }
  }

  private func answerOnPage() async throws {
    guard let id = any(truth.keys.sorted()), let action = any(Self.actions) else { return }
    if action == Answer.tap { truth[id]!.isTapped = true }
    _ = try await hub.commit(fate()) { database, now in
      let recorded = try database.answer(id, by: .person(1), action: action, now: now)
      return (true, recorded.changed.wakes)
    }
  }

  private func sendDue(_ fate: SimulatedHub.Fate) async throws {
    _ = try await hub.commit(fate) { database, now in
      let due = try database.sendDue(now: now)
      let ended = try database.expire(now: now)
      return (true, due.flatMap(\.wakes) + ended + (try database.ringAgain(now: now)))
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
    let action = any(Self.actions)!
    if action == Answer.tap { truth[id]!.isTapped = true }
    let messages = device.respond(id, action)
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
    waitForDay()
    // Ten days pass, so that everything scheduled is sent, and everything that ends has ended.
    for _ in 0..<2 {
      try await reconnectAll()
      advance(10 * 86_400)
    }
    // What rings until somebody acts rings to its end, by day and by night.
    for _ in 0..<8 {
      try await sendDue(.committed)
      try await settle()
      advance(30_000)
    }
    waitForDay()
    try await reconnectAll()
  }

  /// What waits for the end of quiet hours comes after it.
  private func waitForDay() {
    while Int(time.now / 3_600) % 24 >= 22 || Int(time.now / 3_600) % 24 < 7 { advance(1_800) }
  }

  private func reconnectAll() async throws {
    for device in devices {
      for link in links where link.device === device { drop(link) }
      links.append(SimulatedLink(device))
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

  // MARK: Invariants

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
      try checkDevices(id, truth, trace)
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

  /// Who got it: those to whom it was sent, and where nobody acted, those who come next.
  private func checkDevices(_ id: Int, _ truth: Truth, _ trace: Trace) throws {
    let (has, notification) = (Set(trace.devices.map(\.device)), trace.notification)
    func fault(_ text: String) -> Fault { Fault("\(id) went to \(has): \(text); \(notification.state); \(truth)") }
    let isCancelled = truth.local != nil && truth.isWithdrawn
    if !isCancelled, !has.isSuperset(of: truth.to) { throw fault("not to all") }
    if !has.isSubset(of: truth.to.union(truth.others)) { throw fault("to others") }
    let mustHandOver = notification.state == .active && truth.expiresAt == nil && !truth.isTapped
    // At nobody's local time, it never rang.
    let hasRung = trace.devices.contains { !$0.events.contains { $0.reason == .timeOver } }
    if mustHandOver, hasRung, !has.isSuperset(of: truth.others) { throw fault("nobody acted, and others did not ring") }
  }

  /// It rang again as often as the trace says, and not after its end.
  private func checkRepetition(
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
  private func checkLocalTime(
    _ truth: Truth, _ trace: DeliveryTrace, _ device: SimulatedDevice, _ fault: (String) -> Fault
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
  private static func instant(_ local: LocalTime, _ device: SimulatedDevice) -> Double {
    let zone = try! systemZone(device.zone ?? local.zone)
    let offset = Double(zone.offset(at: EpochSeconds(local.since)))
    let time = Double(local.minute * 60) - offset
    if let day = local.day { return Double(day) * 86_400 + time }
    let days = ((local.since - time) / 86_400).rounded(.down)
    return (days + 1) * 86_400 + time
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
            $0.key != id && $0.value.collapse == truth.collapse
              && $0.value.to.union($0.value.others).contains(device.id)
          }
      case .takenBack: truth.isWithdrawn
      case .expired: truth.expiresAt != nil
      // By another device, or by the person on the page.
      case .answeredElsewhere: notification.answer != nil || device.person != nil
      case .timeOver: truth.local.map { Self.instant($0, device) <= $0.since } ?? false
      case .ringsAgain:
        truth.repetition.map { repetition in
          (1...repetition.limit).contains { event.detail == "\($0)/\(repetition.limit)" }
        } ?? false
      case .nobodyActed: truth.others.contains(device.id) && (truth.local != nil || !truth.to.contains(device.id))
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
