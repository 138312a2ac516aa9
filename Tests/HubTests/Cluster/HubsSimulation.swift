import Hub
import World

/// Three hubs on one database server in virtual time, with hubs that are killed, stand still or are cut off, news that
/// are lost or late, a replica that takes over, and a server that goes on from an earlier moment. What happens depends
/// on the seed alone.
final class HubsSimulation {
  static let hubs = 3
  /// Seconds with faults, and afterwards without.
  static let (wild, calm) = (40.0, 12.0)

  private var chance: SeededGenerator
  private let server = SimulatedServer()
  private var now = 0.0
  private var hubs: [SimulatedHub?] = Array(repeating: nil, count: HubsSimulation.hubs)
  private var starts = 0
  /// Of each hub: until when it stands still, and is cut off from the server; since when it is well; and until when it
  /// waits for the server, which it asks one thing after the other.
  private var pausedUntil = Array(repeating: 0.0, count: HubsSimulation.hubs)
  private var cutUntil = Array(repeating: 0.0, count: HubsSimulation.hubs)
  private var wellSince = Array(repeating: 0.0, count: HubsSimulation.hubs)
  private var busyUntil = Array(repeating: 0.0, count: HubsSimulation.hubs)
  private var busIsDownUntil = 0.0
  private var failedOverAt = -100.0
  private(set) var takeovers = 0, writes = 0, failovers = 0

  private struct Event {
    var at: Double
    var action: () throws -> Void
  }
  /// The next one is the last of the list.
  private var events: [Event] = []

  init(seed: UInt64) { chance = SeededGenerator(state: seed) }

  func run() throws {
    for index in hubs.indices { start(index) }
    after(1) { try self.fault() }
    while let event = events.popLast(), event.at < Self.wild + Self.calm {
      now = event.at
      try event.action()
    }
    try look()
  }

  private func after(_ seconds: Double, _ action: @escaping () throws -> Void) {
    let at = now + seconds
    var index = events.endIndex
    while index > 0, events[index - 1].at <= at { index -= 1 }
    events.insert(Event(at: at, action: action), at: index)
  }

  private func random(_ most: Double) -> Double { Double.random(in: 0..<most, using: &chance) }
  private func oneOf(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }

  // MARK: Hubs

  private func start(_ index: Int) {
    starts += 1
    let hub = SimulatedHub(id: "hub \(starts)", server, pace: 0.999 + random(0.002), at: now)
    hubs[index] = hub
    (wellSince[index], busyUntil[index], cutUntil[index], pausedUntil[index]) = (now, now, 0, 0)
    every(index, hub, LeaseTimes.renewSeconds) { try self.renew(index, hub) }
    every(index, hub, LeaseTimes.watchSeconds) { hub.watch(at: self.now) }
    every(index, hub, 0.5) { try self.work(index, hub) }
    every(index, hub, 0.6) { try self.write(index, hub) }
    every(index, hub, 0.5) { try self.lookAtOthers(index, hub) }
    every(index, hub, 0.1) { try hub.deliver(at: self.now, isUp: self.busIsDownUntil <= self.now) }
  }

  /// Repeats something while the hub lives; what came due while it stood still is done when it goes on.
  private func every(_ index: Int, _ hub: SimulatedHub, _ seconds: Double, _ action: @escaping () throws -> Void) {
    after(seconds * (0.5 + random(0.5))) {
      guard self.hubs[index] === hub else { return }
      if self.pausedUntil[index] > self.now {
        let left = self.pausedUntil[index] - self.now
        return self.after(left + self.random(0.01)) {
          self.every(index, hub, seconds, action)
          if self.hubs[index] === hub { try action() }
        }
      }
      try action()
      self.every(index, hub, seconds, action)
    }
  }

  /// Asks the server, once what was asked before is answered.
  /// - Parameters:
  ///   - work: the transaction.
  ///   - answer: what the hub does once it has heard that it is committed.
  private func ask<T>(
    _ index: Int, _ hub: SimulatedHub, _ work: @escaping () throws -> T, then answer: @escaping (T) throws -> Void
  ) {
    guard hubs[index] === hub else { return }
    guard busyUntil[index] <= now else {
      return after(busyUntil[index] - now + 0.001) { self.ask(index, hub, work, then: answer) }
    }
    let there = oneOf(30) == 0 ? random(0.4) : random(0.02)
    let back = there / 2
    busyUntil[index] = now + there + back + 0.001
    after(there) {
      // A server that is cut off has not heard it; one that stands still does not go on with it.
      let isHeard = self.cutUntil[index] <= self.now && self.pausedUntil[index] <= self.now
      guard self.hubs[index] === hub else { return }
      guard isHeard else {
        self.busyUntil[index] = max(self.cutUntil[index], self.pausedUntil[index])
        return
      }
      let result = try work()
      self.after(back) {
        guard self.hubs[index] === hub, self.cutUntil[index] <= self.now, self.pausedUntil[index] <= self.now,
          self.failedOverAt < self.now - there - back
        else { return }
        try answer(result)
      }
    }
  }

  private func renew(_ index: Int, _ hub: SimulatedHub) throws {
    let asked = hub.uptime(now)
    ask(index, hub) {
      try hub.takeOver(at: self.now)
      let count = self.server.taken.count
      let held = self.server.renew(of: hub.id, now: self.now)
      try self.lookAtTaken(from: count)
      return held
    } then: { held in
      hub.apply(held, asked: asked, at: self.now)
    }
  }

  /// Somebody else was there to take it: it was taken as soon as that hub asked next.
  private func lookAtTaken(from count: Int) throws(Failed) {
    for one in server.taken[count...] {
      takeovers += 1
      guard let before = one.before, before.until > 0, now - failedOverAt > 6 else { continue }
      let isLate = now - before.until > LeaseTimes.renewSeconds + 1
      guard isLate, let other = wellSince.indices.first(where: { wellSince[$0] < before.until - 3 && isWell($0) })
      else { continue }
      throw Failed("\(one.work) was free for \(now - before.until) s, though \(hubs[other]?.id ?? "") was well")
    }
  }

  private func isWell(_ index: Int) -> Bool {
    hubs[index] != nil && pausedUntil[index] <= now && cutUntil[index] <= now
  }

  /// Does work whose lease it has: outside, where no token is asked for, and in the database.
  private func work(_ index: Int, _ hub: SimulatedHub) throws {
    for (work, lease) in hub.held {
      // Whoever wakes up has not looked yet; it can do nothing that counts, as its token is looked at.
      if pausedUntil[index] + LeaseTimes.watchSeconds * 2 < now, now - failedOverAt > LeaseTimes.seconds,
        let kept = server.records.leases[work], kept.hub != hub.id
      {
        throw Failed("\(hub.id) does \(work), which \(kept.hub) has")
      }
      ask(index, hub) {
        try self.server.write(work, of: hub.id, token: lease.token)
      } then: { isWritten in
        self.writes += isWritten ? 1 : 0
      }
    }
  }

  private func write(_ index: Int, _ hub: SimulatedHub) throws {
    let row = oneOf(SimulatedServer.rows)
    ask(index, hub) {
      try hub.write(row: row, at: self.now)
    } then: { number in
      try hub.acknowledged(number, row: row, at: self.now)
      try hub.deliver(at: self.now, isUp: self.busIsDownUntil <= self.now)
      self.tellOthers(number, of: hub)
    }
  }

  /// By the bus: one message in five is lost, and they come in any order.
  private func tellOthers(_ number: Int, of hub: SimulatedHub) {
    guard busIsDownUntil <= now else { return }
    for index in hubs.indices where hubs[index] !== hub && oneOf(5) > 0 {
      guard let other = hubs[index] else { continue }
      after(oneOf(10) == 0 ? random(1) : random(0.01)) {
        guard self.hubs[index] === other, self.pausedUntil[index] <= self.now, other.take(number) else { return }
        try self.lookAtOthers(index, other)
      }
    }
  }

  private func lookAtOthers(_ index: Int, _ hub: SimulatedHub) throws {
    ask(index, hub) {
      try hub.takeOver(at: self.now)
      if self.oneOf(10) == 0 { self.server.tidy(now: self.now) }
    } then: { _ in
      try hub.deliver(at: self.now, isUp: self.busIsDownUntil <= self.now)
    }
  }

  // MARK: Faults

  private func fault() throws {
    guard now < Self.wild else { return }
    let index = oneOf(Self.hubs)
    let seconds = random(10)
    switch oneOf(12) {
    case 0...3:
      hubs[index] = nil
      after(random(6)) { if self.hubs[index] == nil { self.start(index) } }
    case 4...6:
      pausedUntil[index] = max(pausedUntil[index], now + seconds)
      wellSince[index] = max(wellSince[index], now + seconds)
    case 7...8:
      cutUntil[index] = max(cutUntil[index], now + seconds)
      wellSince[index] = max(wellSince[index], now + seconds)
    case 9...10: busIsDownUntil = now + seconds
    default:
      failovers += 1
      failedOverAt = now
      server.failOver(lacking: oneOf(5), to: oneOf(2) == 0 ? server.timeline : "0000000\(1 + failovers)")
    }
    after(0.5 + random(3)) { try self.fault() }
  }

  // MARK: At the end

  /// After some quiet seconds all work is done by somebody, and every hub knows and has told everything.
  private func look() throws(Failed) {
    for work in SimulatedServer.works {
      guard let lease = server.records.leases[work], lease.until > now, hubs.contains(where: { $0?.id == lease.hub })
      else { throw Failed("nobody does \(work)") }
    }
    for case let hub? in hubs {
      let told = Set(hub.told)
      for (row, at) in server.records.news where row.hub != "start" && at < now - 3 {
        guard row.number <= max(hub.askedUpTo, hub.bornNumber) || told.contains(row.number) else {
          throw Failed("listeners of \(hub.id) were not told of \(row.number)")
        }
      }
    }
  }
}
