import Delivery
import EventLoop
import Observe
import Store
import Testing
import Wire
import World

struct SilentTests {
  static let hour = 3_600.0
  static let now = 1_795_200_000.0

  static func budget(_ pushes: [(minutes: Double, outcome: SilentBudget.Outcome)]) -> SilentBudget {
    SilentBudget(pushes.map { SilentBudget.Push(at: now - $0.minutes * 60, $0.outcome) })
  }

  /// Minutes until the next one may go.
  static func wait(_ pushes: [(minutes: Double, outcome: SilentBudget.Outcome)]) -> Double {
    (budget(pushes).next(now: now) - now) / 60
  }

  @Test func `three go in an hour, and the fourth waits for the first to be an hour old`() {
    #expect(Self.wait([]) == 0)
    #expect(Self.wait([(59, .answered), (1, .answered)]) == 0)
    #expect(Self.wait([(59, .answered), (30, .answered), (1, .answered)]) == 1)
    #expect(Self.wait([(60, .answered), (30, .answered), (1, .answered)]) == 0)
    #expect(Self.wait([(90, .answered), (40, .unanswered), (30, .answered), (1, .answered)]) == 20)
  }

  @Test func `whoever did not answer three times gets one an hour, until it answers again`() {
    #expect(Self.wait([(200, .unanswered), (190, .unanswered), (59, .answered)]) == 0)
    #expect(Self.wait([(200, .unanswered), (190, .unanswered), (59, .unanswered)]) == 1)
    #expect(Self.wait([(200, .unanswered), (190, .unanswered), (60, .unanswered)]) == 0)
    #expect(Self.wait([(200, .unanswered), (190, .unanswered), (90, .unanswered), (1, .answered)]) == 0)
    #expect(Self.budget([(3, .unanswered), (2, .unanswered), (1, .open)]).allowance == 3)
  }

  @Test func `a device that is away does not get a heap of them`() {
    let open: [(minutes: Double, outcome: SilentBudget.Outcome)] = [(300, .open), (200, .open), (100, .open)]
    #expect(Self.wait(open) == 20)
    #expect(Self.wait(Array(open.dropFirst())) == 0)
  }

  @Test func `times that a clock wrote while it was ahead count as now`() {
    #expect(Self.wait([(-500, .answered), (-400, .answered), (-300, .answered)]) == 60)
  }

  // MARK: In the store

  struct Device {
    let world: DeliveryWorld
    let id: Int

    init() async throws {
      world = try await DeliveryWorld()
      id = try await world.device(person: 7)
    }

    func send(_ content: JSON = ["silent": true], isWake: Bool = false) async throws -> Submitted {
      let submission = Submission(
        to: [.device(id)], content: content, priority: .normal, sender: "person 1", isWake: isWake)
      return try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now) }
    }

    /// Does what is due.
    func work() async throws {
      let delivery = Delivery(
        store: world.store, loop: EventLoop(time: world.time), time: world.time,
        log: Log(time: world.time, sink: { _ in }))
      _ = try await delivery.work()
    }

    func answer(_ sent: Int, _ note: String?) async throws {
      let receipt = Receipt(notification: sent, version: 1, what: .shown, note: note.flatMap { DeviceNote($0) })
      let id = id
      try await world.write { database, now throws(StoreError) in
        _ = try database.record(receipt, device: id, channel: .gateway, now: now)
      }
    }

    func events(_ sent: Submitted) async throws -> [String] {
      let trace = try await world.store.read { database throws(StoreError) in try database.trace(sent.id) }
      return (trace?.devices.first?.events ?? []).map {
        "\($0.what.rawValue) \($0.reason?.rawValue ?? "") \($0.detail ?? "")"
      }
    }

    /// The ids of those that go to the device now.
    func pending() async throws -> [Int] {
      let (id, now) = (id, world.time.now)
      return try await world.store.read { database throws(StoreError) in
        try database.pending(device: id, channel: .gateway, now: now, limit: 10).map(\.message.id)
      }
    }
  }

  @Test func `what is too much waits, a newer one takes its place, and it goes when its time has come`() async throws {
    let device = try await Device()
    for _ in 0..<3 {
      let sent = try await device.send()
      #expect(sent.wakes.count == 1)
      try await device.answer(sent.id, "new_data:1.2/30")
      #expect(try await device.events(sent) == ["queued  ", "shown new_data 1.2/30"])
    }
    let (fourth, fifth) = (try await device.send(), try await device.send())
    #expect(fourth.wakes.isEmpty && fifth.wakes.isEmpty)
    #expect(
      try await device.events(fourth) == [
        "queued  ", "suppressed silent_budget 60 min", "suppressed silent_budget ",
      ])
    #expect(try await device.events(fifth) == ["queued  ", "suppressed silent_budget 60 min"])
    // A notification that shows something is not held up.
    let shown = try await device.send(["title": "Open", "user_info": ["silent": true]])
    #expect(shown.wakes.count == 1)
    #expect(try await device.pending() == [shown.id])
    device.world.time.advance(by: Self.hour - 1)
    try await device.work()
    #expect(try await device.pending() == [shown.id])
    device.world.time.advance(by: 2)
    try await device.work()
    #expect(try await device.pending() == [fifth.id, shown.id])
  }

  @Test func `a device that never answers gets one an hour, and three again once it answers`() async throws {
    let device = try await Device()
    for _ in 0..<3 { try await device.answer(try await device.send().id, nil) }
    device.world.time.advance(by: Self.hour + 1)
    let fourth = try await device.send()
    #expect(fourth.wakes.count == 1)
    try await device.answer(fourth.id, "no_answer:30.0/30")
    #expect(try await device.send().wakes.isEmpty, "one an hour")
    device.world.time.advance(by: Self.hour + 1)
    try await device.work()
    let waited = try #require(try await device.pending().first)
    try await device.answer(waited, "no_data:0.1/30")
    #expect(try await device.send().wakes.count == 1)
    #expect(try await device.send().wakes.count == 1)
    #expect(try await device.send().wakes.isEmpty)
  }

  // MARK: Wakes

  @Test func `wakes have a budget of their own, never wait, and take nothing from the others`() async throws {
    let device = try await Device()
    for _ in 0..<DeliveryLimits.wakes {
      let sent = try await device.send(isWake: true)
      #expect(sent.wakes.count == 1)
    }
    let late = try await device.send(isWake: true)
    #expect(late.wakes.isEmpty)
    #expect(try await device.events(late) == ["queued  ", "suppressed silent_budget "])
    for _ in 0..<3 { #expect(try await device.send().wakes.count == 1) }
    #expect(try await device.send().wakes.isEmpty)
    device.world.time.advance(by: Self.hour)
    #expect(try await device.send(isWake: true).wakes.count == 1)
  }

  @Test func `a wake goes to a device that comes back in quiet hours, and what would ring waits`() async throws {
    let device = try await Device()
    let id = device.id
    let wake = try await device.send(isWake: true)
    let silent = try await device.send()
    let ring = try await device.send(["title": "Open"])
    // It is 18:40 in UTC.
    try await device.world.write { database, _ throws(StoreError) in
      try database.setQuietHours(ofPerson: 7, QuietHours(from: 18 * 60, to: 7 * 60, zone: "UTC"))
    }
    try await device.world.write { database, now throws(StoreError) in
      try database.hold(device: id, channel: .gateway, now: now)
    }
    #expect(try await device.pending() == [wake.id])
    #expect(try await device.events(wake) == ["queued  "])
    for held in [silent, ring] {
      #expect(try await device.events(held) == ["queued  ", "suppressed quiet_hours 07:00"])
    }
  }

  @Test func `the last hundred wakes are kept with the times that they took`() async throws {
    let device = try await Device()
    for number in 0..<130 {
      let sent = try await device.send(isWake: true)
      device.world.time.advance(by: Double(number % 4) + 1)
      if number % 10 != 9 { try await device.answer(sent.id, "no_data:1/30") }
      device.world.time.advance(by: 60)
    }
    let id = device.id
    let (times, kept) = try await device.world.store.read { database throws(StoreError) in
      (try database.wakeTimes(ofDevice: id), try database.notificationCount())
    }
    #expect(times.count == 90 && times.prefix(3) == [1, 4, 3])
    // Those that were never answered are still on their way.
    #expect(kept == 103)
  }
}
