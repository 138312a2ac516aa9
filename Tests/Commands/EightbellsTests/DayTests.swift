import Foundation
import Server
import Testing
import Wire
import World

/// Hours of all rooms in virtual time: the sign turns, a boat lies at anchor and drags once, clocks speak each quarter,
/// an app writes and a live query hears it, a guest sends pictures, devices are away for a while, the disk is full, and
/// the hub is ended and begun. `bin/trial day` lasts 24 hours.
@Suite(.timeLimit(.minutes(15)))
struct DayTests {
  /// 2026-11-20T18:40:00Z.
  private static let start = 1_795_200_000.0
  private static let hours = ProcessInfo.processInfo.environment["EIGHTBELLS_DAY_HOURS"].flatMap(Double.init) ?? 2.5
  /// The seconds of what happens once an hour, from its beginning.
  private enum Minute {
    static let drags = 600
    static let acknowledged = 900
    static let isBack = 1_200
    static let ends = 2_220
    static let fills = 2_700
    static let turns = [300, 2_100]
  }

  @Test func `nothing is lost, late or told twice while all rooms are busy`() async throws {
    let world = try await DayWorld(at: Self.start)
    var random = SeededGenerator(state: 21)
    try await drop(world)
    var (turns, objects, dragged): ([Double], Int, [Double]) = ([], 0, [])
    var fills = 0
    let steps = Int(Self.hours * 3_600) / DayWorld.step
    for number in 1...steps {
      try await world.pass()
      let second = number * DayWorld.step
      let ofHour = second % 3_600
      let isOut = (Minute.drags..<Minute.isBack).contains(ofHour)
      if second % 60 == 0 { try await world.report(isOut ? 90 + Double(ofHour - Minute.drags) / 60 : 20) }
      if ofHour == Minute.drags { dragged.append(world.time.now) }
      if ofHour == Minute.acknowledged { try await world.ask(.post, "/api/v1/anchor/acknowledge", [:]) }
      if second % 600 == 30 { for phone in 1...10 { try await world.reportPhone(phone, isOut ? 95 : 22) } }
      if Minute.turns.contains(ofHour) {
        try await world.ask(.post, "/api/v1/space/state", ["open": .bool(turns.count % 2 == 0)])
        turns.append(world.time.now)
      }
      if second % 60 == 45 {
        try await world.addObject(objects)
        objects += 1
      }
      if second % 900 == 90 { #expect(try world.sendPicture() == 201) }
      // Not while clocks are woken: what they are told of must be written.
      if ofHour == Minute.fills, (60..<780).contains(Int(world.time.now) % 900) {
        try await world.fullDisk(steps: 10, object: objects)
        fills += 1
      }
      // One is away now and then, longer than anything that it misses is worth, or shorter.
      if second % 300 == 0, let device = world.devices.randomElement(using: &random) {
        world.away[device] = world.time.now + Double.random(in: 30...1_500, using: &random)
      }
      // Once in the middle of an alarm, and once when it is quiet.
      if ofHour == Minute.ends || ofHour == Minute.drags + 120 {
        try await world.restart(after: Double.random(in: 5...40, using: &random))
      }
      try await world.fetch()
    }
    world.away = [:]
    for _ in 0..<(1_200 / DayWorld.step) { try await world.pass() }
    #expect(try await world.pending() == 0)
    #expect(Set(world.taken.map { [$0.device, $0.notification, $0.version] }).count == world.taken.count, "told twice")
    #expect(try await world.objects() == Array(0..<objects))
    #expect(try world.lostPictures() == [] && world.pictures.count >= steps * DayWorld.step / 900)
    #expect(fills > 0)
    try signs(world, turns)
    try alarms(world, dragged)
    try clocks(world, until: Self.start + Self.hours * 3_600)
    await world.end()
  }

  private func drop(_ world: DayWorld) async throws {
    try await world.report(20)
    try await world.ask(.post, "/api/v1/anchor/drop", ["lat": 54.1, "lon": 10.2])
    try await world.ask(
      .patch, "/api/v1/anchor", ["zone": ["shape": "circle", "radius_m": 40], "grace_s": 30])
    try await world.ask(.post, "/api/v1/anchor/arm", [:])
    for phone in 1...10 { try await world.reportPhone(phone, 22) }
  }

  /// Each turn is on each device that was there within a step, and on no other before it is back.
  private func signs(_ world: DayWorld, _ turns: [Double]) throws {
    let shown = world.taken.filter { $0.topic == "space" && $0.isShown }
    let rung = Set(shown.map(\.notification))
    #expect(rung.count == turns.count)
    for notification in rung {
      let one = shown.filter { $0.notification == notification }
      let soon = one.filter { $0.at - $0.sentAt <= Double(DayWorld.step) }
      #expect(soon.count >= world.devices.count / 2, "\(soon.count) of \(world.devices.count) had it at once")
    }
    // Whoever was away has the newest alone, and so everybody has the last one.
    let last = shown.filter { $0.notification == rung.max() }
    #expect(Set(last.map(\.device)) == Set(world.devices))
  }

  /// An alarm rings within the grace, the next fix and a look; again each half minute; and the second person after the
  /// third ring, over an end of the hub.
  private func alarms(_ world: DayWorld, _ dragged: [Double]) throws {
    let alarms = world.taken.filter { $0.title?.contains("drags") == true }
    for began in dragged {
      let rings = alarms.filter { $0.at >= began && $0.at < began + 300 }
      let first = try #require(rings.map(\.at).min())
      #expect(first - began <= 30 + 60 + 2 * Double(DayWorld.step), "\(first - began) s after she began to drag")
      #expect(Set(rings.map(\.notification)).count >= 4)
      let persons = Set(rings.compactMap { world.persons[$0.device] })
      #expect(persons == [1, 2], "one person after the other is rung")
      // The hub was off for up to 40 s meanwhile.
      let late = alarms.filter { $0.at >= began + 355 && $0.at < began + 480 }
      #expect(late.isEmpty, "somebody is on it")
    }
  }

  /// Each device that was there is woken once for each quarter, before it, unless the hub was off in its last seconds.
  private func clocks(_ world: DayWorld, until end: Double) throws {
    let wakes = world.taken.filter { $0.wake != nil }
    for one in wakes { #expect(one.at <= Double(one.wake ?? 0), "woken after its time") }
    let told = Set(wakes.map { [$0.device, $0.wake ?? 0] })
    #expect(told.count == wakes.count, "woken twice for one time")
    let first = Int(Self.start / 900) * 900 + 900
    let quarters = stride(from: first, through: Int(end), by: 900).filter { quarter in
      !world.offs.contains { $0.overlaps(Double(quarter - 2 * DayWorld.step)...Double(quarter)) }
    }
    let woken = Set(wakes.compactMap(\.wake)).filter { $0 <= Int(end) }
    #expect(woken.isSuperset(of: quarters), "\(Set(quarters).subtracting(woken)) were left out")
    #expect(woken.allSatisfy { $0 % 900 == 0 })
    let missed = quarters.map { quarter in world.devices.count - told.count { $0[1] == quarter } }
    #expect(missed.reduce(0, +) * 2 < quarters.count * world.devices.count, "\(missed) were away")
  }
}
