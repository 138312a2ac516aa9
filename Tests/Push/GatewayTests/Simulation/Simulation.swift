import Crypto
import Delivery
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

  var random: SeededGenerator
  let time = VirtualTime()
  let hub: SimulatedHub
  let service = SimulatedPushService()
  private(set) var devices: [SimulatedDevice] = []
  private(set) var browsers: [SimulatedBrowser] = []
  private var links: [SimulatedLink] = []
  var truth: [Int: Truth] = [:]
  private var count = 0
  private var seconds = 0.0
  /// True once nothing fails any more.
  private(set) var isHealed = false
  /// The days that passed before everything healed, for each device.
  private(set) var deviceDays = 0.0

  static let actions = ["open", "no", Answer.tap, Answer.dismiss]
  private static let offered: JSON = [["id": "open", "title": "Open"], ["id": "no", "title": "No"]]
  static let quietPerson = 2
  /// None of their clocks is set in these days.
  static let zones = [nil, "UTC", "Europe/Berlin", "Asia/Kathmandu", "Asia/Tokyo", "Pacific/Honolulu"]

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
    for number in 0..<Int.random(in: 1...2, using: &random) {
      let person = [1, 1, Self.quietPerson].randomElement(using: &random)!
      let browser = SimulatedBrowser(number, person: person, zone: any(Self.zones)!)
      let (name, now, zone) = (browser.name, time.now, browser.zone)
      browser.id = try await hub.store.write { database throws(StoreError) in
        let id = try database.addPushDevice(
          PushDevice(name: name, kind: .browser, person: person, zone: zone, channels: [], createdAt: now))!
        try database.subscribe(.device(id), to: "space")
        return id
      }
      browsers.append(browser)
      try await subscribe(browser, .committed)
    }
  }

  var receivers: [any SimulatedReceiver] { devices + browsers }

  // MARK: Chance

  func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  func any<T>(_ all: [T]) -> T? { all.randomElement(using: &random) }
  func fate(_ percent: Int = 3) -> SimulatedHub.Fate {
    isHealed ? .committed : chance(percent) ? (chance(50) ? .cut : .untold) : .committed
  }

  // MARK: The days

  func run(steps: Int) async throws {
    for _ in 0..<steps { try await step() }
    deviceDays = Double(receivers.count) * seconds / 86_400
    try await heal()
    try await check()
  }

  private func step() async throws {
    switch Int.random(in: 0..<130, using: &random) {
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
    case 70..<100: carry(any(links), mayKill: true)
    default: try await stepOfBrowsers()
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
      let device = any(receivers)!
      if chance(40) {
        to.append(.topic("space"))
        targets.formUnion(receivers.map(\.id))
      } else if let person = device.person, chance(50) {
        to.append(.person(person))
        targets.formUnion(receivers.filter { $0.person == person }.map(\.id))
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
      then: chance(50) ? [.device(any(receivers)!.id)] : [])
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
    isHealed = true
    for browser in browsers where browser.hasBeenAway { try await subscribe(browser, .committed) }
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
      if hub.isIdle, busy.isEmpty, slow.isEmpty, try await !settleBrowsers() { return }
    }
    throw Fault("hub and devices do not come to rest")
  }
}
