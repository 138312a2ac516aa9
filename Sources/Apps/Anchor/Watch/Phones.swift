import Crypto
import EventLoop
import Hub
import Lifecycle
import Positions
import Server
import Store
import Synchronization
import Wire

/// The phones that report, in memory: ten thousand of them, each once a minute, must not keep the hub busy. When they
/// were heard is written once a minute.
final class Phones: Sendable {
  /// Takes what a phone on the boat has told into the watch.
  typealias Take = @Sendable (_ phone: Phone, _ report: PhoneReport, _ change: Change) throws -> Void

  private struct State {
    var phones: [Int: Phone] = [:]
    var byDigest: [[UInt8]: Int] = [:]
    var byName: [String: Int] = [:]
    /// Those whose last report is not written yet.
    var heard: Set<Int> = []

    mutating func add(_ phone: Phone, digest: [UInt8]) {
      phones[phone.id] = phone
      byDigest[digest] = phone.id
      byName[phone.name] = phone.id
    }
  }

  private let hub: Hub
  private let poller: Poller
  private let state: Mutex<State>
  private let rates: TokenBuckets<Int>
  private let take: Take
  private let situation: @Sendable () -> PhoneMode.Situation

  /// - Parameter situation: the state of the watch, by which phones are asked to report seldom or often.
  init(_ hub: Hub, situation: @escaping @Sendable () -> PhoneMode.Situation, take: @escaping Take)
    async throws(StoreError)
  {
    self.hub = hub
    (self.take, self.situation) = (take, situation)
    poller = Poller(hub.loop)
    rates = TokenBuckets(most: PhoneLimits.phones, for: PhoneLimits.rateSeconds, time: hub.time)
    let kept = try await hub.store.read { database throws(StoreError) in try database.anchorPhones() }
    state = Mutex(Self.state(kept))
    hub.hearOthers(Self.topic) { [self] heard in noteElsewhere(heard) }
  }

  // MARK: Other hubs

  private static let topic = "anchor.phone"

  /// A phone has reported to another hub, which writes down when.
  private func noteElsewhere(_ heard: JSON) {
    guard let id = heard["phone"]?.int, let last = heard["last"]?.number else { return }
    state.withLock { state in
      guard var phone = state.phones[id], phone.last ?? 0 <= last else { return }
      phone.last = last
      phone.battery = heard["battery"]?.number ?? phone.battery
      phone.isCharging = heard["charging"]?.bool ?? phone.isCharging
      phone.mode = heard["mode"]?.string.flatMap(PhoneMode.init) ?? phone.mode
      if let times = heard["asked"]?.int, let at = heard["asked_at"]?.number {
        phone.asked = PhoneMode.Asked(
          mode: heard["asked_for"]?.string.flatMap(PhoneMode.init), at: at, times: times)
      }
      state.phones[id] = phone
    }
  }

  private func tellOthers(_ phone: Phone) {
    hub.tellOthers(
      Self.topic,
      [
        "phone": .int(phone.id), "last": JSON(phone.last), "battery": JSON(phone.battery),
        "charging": JSON(phone.isCharging), "mode": JSON(phone.mode?.rawValue), "asked": .int(phone.asked.times),
        "asked_for": JSON(phone.asked.mode?.rawValue), "asked_at": JSON(phone.asked.at.isFinite ? phone.asked.at : 0),
      ])
  }

  private static func state(_ kept: [(digest: [UInt8], phone: Phone)]) -> State {
    var state = State()
    for (digest, phone) in kept { state.add(phone, digest: digest) }
    return state
  }

  /// Another hub has added or removed some; what was heard of the others here stays.
  func refresh(from database: Database) throws(StoreError) {
    let kept = Self.state(try database.anchorPhones())
    state.withLock { state in
      var fresh = kept
      for id in fresh.phones.keys { fresh.phones[id] = state.phones[id] ?? fresh.phones[id] }
      fresh.heard = state.heard.intersection(fresh.phones.keys)
      state = fresh
    }
  }

  // MARK: Looking

  /// The phone with this secret.
  func phone(secret: String) -> Phone? {
    let digest = Digest.sha256(secret.utf8)
    return state.withLock { state in state.byDigest[digest].flatMap { state.phones[$0] } }
  }

  func phone(named name: String) -> Phone? {
    state.withLock { state in state.byName[name].flatMap { state.phones[$0] } }
  }

  subscript(_ id: Int) -> Phone? { state.withLock { $0.phones[id] } }

  /// - Parameter person: nil for those of all.
  func all(of person: Int?) -> [Phone] {
    state.withLock { state in
      state.phones.values.filter { person == nil || $0.person == person }.sorted { $0.id < $1.id }
    }
  }

  func wanted(_ phone: Phone) -> PhoneMode? {
    phone.isAboard ? PhoneMode.wanted(in: situation(), isCharging: phone.isCharging) : nil
  }

  // MARK: Changing

  /// Adds a phone in this change.
  /// - Returns: the phone and its secret, which is not kept.
  func add(_ phone: Phone, in change: Change) throws -> (Phone, secret: String) {
    guard try change.database.anchorPhoneCount(ofPerson: phone.person) < PhoneLimits.ofOne,
      try change.database.anchorPhoneCount() < PhoneLimits.phones
    else {
      throw HTTPError(
        .tooManyPhones, "You have \(PhoneLimits.ofOne) phones that report, or the hub has \(PhoneLimits.phones).",
        help: "Remove one that reports no more: DELETE /api/v1/anchor/phones/ID.")
    }
    let secret = Hub.deviceSecretPrefix + Digest.base64URL(Digest.random(24))
    let digest = Digest.sha256(secret.utf8)
    var phone = phone
    // The watch knows devices by their names.
    var number = 2
    let name = phone.name
    while self.phone(named: phone.name) != nil {
      phone.name = "\(name) \(number)"
      number += 1
    }
    phone.id = try change.database.add(phone, secretDigest: digest)
    change.database.touch(.phones, phone.id)
    change.then { [self, phone] in state.withLock { $0.add(phone, digest: digest) } }
    return (phone, secret)
  }

  func remove(_ phone: Phone, in change: Change) throws {
    let id = phone.id
    guard try change.database.removeAnchorPhone(id) else { return }
    try hub.offers[.locationTriggers]?.reporterRemoved(id, in: change)
    change.database.touch(.phones, id)
    change.then { [self] in
      state.withLock { state in
        state.phones[id] = nil
        state.byName[phone.name] = nil
        state.heard.remove(id)
        state.byDigest = state.byDigest.filter { $0.value != id }
      }
    }
  }

  // MARK: Reports

  /// Takes a report: what waits for its person at places rings, and where a boat lies is told to the watch.
  /// - Returns: the mode that it is to be asked for now; nil for none.
  func take(_ report: PhoneReport, of phone: Phone) async throws(HTTPError) -> PhoneMode? {
    if let seconds = rates.take(phone.id, PhoneLimits.rate) { throw .phoneTooFast(seconds) }
    let now = hub.time.now
    let (before, current) = state.withLock { state -> (Double?, Phone) in
      guard var one = state.phones[phone.id] else { return (nil, phone) }
      let before = one.last
      one.note(report, now: now)
      state.phones[one.id] = one
      state.heard.insert(one.id)
      return (before, one)
    }
    tellOthers(current)
    try await RungPlaces(hub: hub).moved(
      report.fixes, reporter: current.id, person: current.person, before: before, now: now)
    guard current.isAboard else { return nil }
    try await hub.commit(as: .room(AnchorRoom.id)) { [take] change in try take(current, report, change) }
    // A message without a position is a farewell or a mere word: nobody listens to an answer.
    return current.app == .owntracks && !report.fixes.isEmpty ? ask(current.id, now: now) : nil
  }

  /// The mode that a phone is to be asked for, now that the watch knows where it is.
  private func ask(_ id: Int, now: Double) -> PhoneMode? {
    let situation = situation()
    let (phone, wanted) = state.withLock { state -> (Phone?, PhoneMode?) in
      guard var one = state.phones[id] else { return (nil, nil) }
      let wanted = PhoneMode.wanted(in: situation, isCharging: one.isCharging)
      let isAsked = one.asked.ask(for: wanted, now: one.mode, at: now)
      state.phones[id] = one
      return (one, isAsked ? wanted : nil)
    }
    if let phone { tellOthers(phone) }
    return wanted
  }

  // MARK: Time

  func run() async throws {
    do {
      try await poller.run { [self] in
        try await flush()
        return PhoneLimits.flushSeconds
      }
    } catch {
      // The hub ends.
      try await flush()
      throw error
    }
  }

  /// Writes when phones were heard last.
  func flush() async throws(StoreError) {
    let heard = state.withLock { state in
      defer { state.heard = [] }
      return state.heard.compactMap { state.phones[$0] }
    }
    guard !heard.isEmpty else { return }
    try await hub.store.write { database throws(StoreError) in for phone in heard { try database.saveHeard(phone) } }
  }
}

extension Touch {
  static let phones = Touch("anchor.phones")
}

extension HTTPError {
  static func phoneTooFast(_ seconds: Double) -> HTTPError {
    tooOften("This phone reports more often than five times a second.", wait: seconds, ", then send it again.")
  }
}
