import CivilTime
import Delivery
import EventLoop
import Hub
import Lifecycle
import Observe
import Server
import SpeakingClock
import Store
import Synchronization
import Wire

/// Wakes agents ahead of each announcement, and notices those that have fallen silent.
///
/// There is one plan for all devices and one alarm for its next moment, however many they are. Nothing that was missed
/// is made up for: after a pause the next announcement is the next.
final class ClockWatch: Sendable {
  private struct State {
    var plan = WakePlan()
    /// Seconds by which each device is woken ahead, judged anew after each wake.
    var leads: [Int: Double] = [:]
    var isStale = true
    /// Times of the wall clock, in seconds since 1970.
    var plannedAt = 0.0
    var checkedAt = 0.0
    var tidiedAt = 0.0
    /// Seconds by which the wall clock is ahead of uptime, to notice when it is set.
    var difference: Double?
    /// Since when reports are awaited: the hub has begun, or its clock was set.
    var listeningSince = 0.0
  }

  private let hub: Hub
  private let poller: Poller
  private let alarm: Alarm
  private let state: Mutex<State>

  init(_ hub: Hub) {
    self.hub = hub
    poller = Poller(hub.loop)
    alarm = Alarm(hub.loop)
    state = Mutex(State(listeningSince: hub.time.now))
  }

  /// To be called when somebody has changed a clock or a device.
  func wake() {
    state.withLock { $0.isStale = true }
    poller.wake()
  }

  /// The same on all hubs, once a change is on the disk.
  func wake(in change: Change) {
    change.database.touch(.clock)
    change.then { [self] in wake() }
  }

  func run() async throws {
    defer { alarm.set(at: nil) {} }
    try await poller.run { [self] in
      let next: Double
      do { next = try await look() } catch {
        // What was due is not in the plan any more, and was not sent: the next look makes the plan anew.
        state.withLock { $0.isStale = true }
        throw error
      }
      alarm.set(at: next) { [weak self] in self?.poller.wake() }
      return nil
    }
  }

  /// Does all that is due.
  /// - Returns: when to look again, in seconds since 1970.
  private func look() async throws -> Double {
    noticeSetClock()
    let now = hub.time.now
    let isStale = state.withLock { state in
      let isStale = state.isStale || abs(now - state.plannedAt) >= ClockLimits.planSeconds
      if isStale { (state.isStale, state.plannedAt) = (false, now) }
      return isStale
    }
    if isStale {
      let wakes = try await plan(nil)
      state.withLock { state in
        state.plan = WakePlan(wakes)
        state.leads = Dictionary(wakes.map { ($0.device, $0.lead) }) { first, _ in first }
      }
    }
    let due = state.withLock { $0.plan.takeDue(now: now) }
    if !due.isEmpty {
      for start in stride(from: 0, to: due.count, by: ClockLimits.wokenPerCommit) {
        try await send(Array(due[start..<min(start + ClockLimits.wokenPerCommit, due.count)]))
      }
      let more = try await plan(Set(due.map(\.device)))
      state.withLock { state in
        state.plan.add(more)
        for wake in more { state.leads[wake.device] = wake.lead }
      }
    }
    if isDue(\.checkedAt, every: ClockLimits.checkSeconds) { try await check() }
    if isDue(\.tidiedAt, every: ClockLimits.tidySeconds) { try await tidy() }
    return state.withLock { state in
      let others = min(state.plannedAt + ClockLimits.planSeconds, state.checkedAt + ClockLimits.checkSeconds)
      return min(state.plan.next ?? others, others)
    }
  }

  private func isDue(_ last: WritableKeyPath<State, Double>, every seconds: Double) -> Bool {
    let now = hub.time.now
    return state.withLock { state in
      guard abs(now - state[keyPath: last]) >= seconds else { return false }
      state[keyPath: last] = now
      return true
    }
  }

  /// If the clock was set, nothing that was heard before says how long a device has been silent.
  private func noticeSetClock() {
    let (now, uptime) = (hub.time.now, hub.time.uptime)
    state.withLock { state in
      let difference = now - uptime
      if let before = state.difference, abs(difference - before) > ClockLimits.jump {
        (state.listeningSince, state.isStale) = (now, true)
      }
      state.difference = difference
    }
  }

  // MARK: Waking

  /// The next wakes of all devices that are on, or of some of them, which have just been woken.
  private func plan(_ devices: Set<Int>?) async throws(StoreError) -> [PlannedWake] {
    let (now, zone) = (hub.time.now, hub.place.zone)
    let leads = devices == nil ? state.withLock { $0.leads } : [:]
    return try await hub.store.read { database throws(StoreError) in
      var wakes: [PlannedWake] = []
      for (device, state, clock) in try Self.agents(in: database, where: { id, _ in devices?.contains(id) ?? true }) {
        // One that was woken for is not woken for again, unless the clock was set back.
        let woken = state.wokenAt.flatMap { $0 <= Int(now) + ClockLimits.setBack ? $0 : nil } ?? 0
        let soonest = Int(now + ClockLimits.tooLate)
        guard let next = clock.next(after: max(soonest, woken), in: clock.zone(ofDevice: device.zone, house: zone))
        else { continue }
        var wake = PlannedWake(device: device.id, at: next.at, lead: leads[device.id] ?? 0)
        if leads[device.id] == nil { wake.lead = Lead.seconds(try database.wakeTimes(ofDevice: device.id)) }
        wakes.append(wake)
      }
      return wakes
    }
  }

  /// The agents that are on, as far as they are wanted, each with the clock that it follows.
  private static func agents(
    in database: Database, where isWanted: (Int, ClockState) -> Bool
  ) throws(StoreError) -> [(device: PushDevice, state: ClockState, clock: PersonClock)] {
    let states = try database.clockStates().filter { $0.value.isOn && isWanted($0.key, $0.value) }
    guard !states.isEmpty else { return [] }
    let house = try House(database)
    // Each person's is read once.
    var clocks: [Int?: PersonClock] = [:]
    var agents: [(device: PushDevice, state: ClockState, clock: PersonClock)] = []
    for device in try database.pushDevices(of: .agent) {
      guard let state = states[device.id] else { continue }
      let owner = house.owner(of: device)
      let clock = if let read = clocks[owner] { read } else { try database.clock(ofPerson: owner) }
      clocks[owner] = clock
      agents.append((device, state, clock))
    }
    return agents
  }

  /// Wakes devices, with what the store says now: somebody may have switched one off just before.
  private func send(_ wakes: [PlannedWake]) async throws(HTTPError) {
    let zone = hub.place.zone
    let late = try await hub.commit(as: .room(TalkingClockRoom.id)) { change in
      let house = try House(change.database)
      var pushes: [Int?: ClockWake] = [:]
      var groups: [Int: WakeGroups] = [:]
      var late = 0
      for wake in wakes {
        guard let device = try change.database.pushDevice(wake.device),
          let state = try change.database.clockState(ofDevice: wake.device), state.isOn, state.wokenAt != wake.at
        else { continue }
        let owner = house.owner(of: device)
        let push = try pushes[owner] ?? ClockWake(change.database.clock(ofPerson: owner), in: change.database)
        pushes[owner] = push
        guard
          let next = push.clock.next(
            after: wake.at - 1, in: push.clock.zone(ofDevice: device.zone, house: zone)), next.at == wake.at
        else { continue }
        guard Double(wake.at) - change.now >= ClockLimits.tooLate else {
          late += 1
          continue
        }
        let ahead = Int((Double(wake.at) - change.now).rounded())
        try change.database.noteWake(ofDevice: device.id, at: wake.at, lead: ahead)
        groups[wake.at, default: WakeGroups()].add(device.id, push.content(.announcement(next), for: state))
      }
      for (at, group) in groups.sorted(by: { $0.key < $1.key }) {
        try group.ring("clock.announcement", lifetime: Double(at) - change.now, in: change)
      }
      return late
    }
    if late > 0 { hub.log.info("announcements were too near to wake devices for them", ["count": "\(late)"]) }
  }

  // MARK: Silence

  /// Looks for devices that should have spoken.
  private func check() async throws {
    let (now, zone, since) = (hub.time.now, hub.place.zone, state.withLock { $0.listeningSince })
    let silent = try await hub.store.read { database throws(StoreError) in
      try Self.agents(in: database, where: { $1.silentSince == nil })
        .filter { Self.isSilent($0.device, $0.state, $0.clock, since: since, now: now, zone: zone) }.map(\.device.id)
    }
    guard !silent.isEmpty else { return }
    try await hub.commit(as: .room(TalkingClockRoom.id)) { change in
      let house = try House(change.database)
      for id in silent {
        guard let device = try change.database.pushDevice(id),
          var state = try change.database.clockState(ofDevice: id), state.isOn, state.silentSince == nil,
          Self.isSilent(
            device, state, try change.database.clock(ofPerson: house.owner(of: device)), since: since, now: change.now,
            zone: zone)
        else { continue }
        state.silentSince = change.now
        try change.database.save(state, ofDevice: id)
        let bell = try SilenceBell(device, in: change.database)
        try change.ring("clock.silent", bell.silent(since: state.heardAt, now: Int(change.now), zone: zone).json)
        change.tellPage(of: house.owner(of: device))
      }
    }
  }

  private static func isSilent(
    _ device: PushDevice, _ state: ClockState, _ clock: PersonClock, since: Double, now: Double, zone: Zone
  ) -> Bool {
    Silence.isOverdue(
      clock, in: clock.zone(ofDevice: device.zone, house: zone), heard: state.heardAt,
      since: max(since, state.watchedFrom), now: now)
  }

  // MARK: Tidying

  private func tidy() async throws(StoreError) {
    let now = hub.time.now
    try await hub.store.write { database throws(StoreError) in
      for device in try database.clockStates().keys where try database.pushDevice(device) == nil {
        try database.removeClock(ofDevice: device)
      }
    }
    while try await hub.store.write({ database throws(StoreError) in try database.tidyHistory(now: now) }) {}
  }
}

extension Change {
  /// Has the open pages of a person look again.
  func tellPage(of person: Int?) {
    if let person { publish("clock", on: .person(person), [:]) }
  }
}
