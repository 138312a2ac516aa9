import Testing
import WebPush
import World

/// The next device, for a comparison.
private func next(_ schedule: inout PushSchedule) -> Int? { schedule.next() }

struct PushScheduleTests {
  @Test func `a device is sent to by one task at a time, and again for what came meanwhile`() {
    var schedule = PushSchedule()
    #expect(next(&schedule) == nil)
    for _ in 0..<2 { schedule.add(1, origin: "a", isStranger: false) }
    #expect(next(&schedule) == 1)
    #expect(next(&schedule) == nil)
    schedule.add(1, origin: "a", isStranger: false)
    #expect(next(&schedule) == nil)
    schedule.finish(1)
    #expect(next(&schedule) == 1)
    schedule.finish(1)
    schedule.finish(1)
    #expect(next(&schedule) == nil && schedule.count == 0 && schedule.runningCount == 0)
  }

  @Test func `strangers and one push service take no more than their shares`() {
    func started(_ devices: [(origin: String, isStranger: Bool)]) -> Int {
      var schedule = PushSchedule()
      for (number, device) in devices.enumerated() {
        schedule.add(number, origin: device.origin, isStranger: device.isStranger)
      }
      var count = 0
      while schedule.next() != nil { count += 1 }
      return count
    }
    #expect(started((0..<100).map { _ in ("a", false) }) == WebPushLimits.sendingToOne)
    #expect(started((0..<100).map { _ in ("a", true) }) == WebPushLimits.sendingToStrangersOfOne)
    #expect(started((0..<100).map { ("\($0)", true) }) == WebPushLimits.sendingToStrangers)
    #expect(started((0..<100).map { ("\($0)", false) }) == WebPushLimits.sending)
    #expect(started((0..<100).map { ("a", $0 < 50) }) == WebPushLimits.sendingToOne)
    // A thousand names of one stranger do not keep a member waiting.
    #expect(started((0..<1000).map { ("\($0)", true) } + [("a", false)]) == WebPushLimits.sendingToStrangers + 1)
  }

  @Test func `push services take turns`() {
    var schedule = PushSchedule()
    for device in 0..<10 { schedule.add(device, origin: "busy", isStranger: false) }
    schedule.add(10, origin: "quiet", isStranger: false)
    let devices = [next(&schedule), next(&schedule)]
    #expect(devices == [0, 10])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `whatever happens, nobody is forgotten and no limit is passed`(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var schedule = PushSchedule()
    func origin(_ device: Int) -> String { "\(device % 7)" }
    func isStranger(_ device: Int) -> Bool { device % 3 == 0 }
    var wanted: Set<Int> = []
    var running: Set<Int> = []
    func start() {
      while let device = schedule.next() {
        #expect(running.insert(device).inserted, "seed \(seed)")
        wanted.remove(device)
      }
      let strangers = running.filter(isStranger)
      #expect(running.count <= WebPushLimits.sending && strangers.count <= WebPushLimits.sendingToStrangers)
      for number in 0..<7 {
        #expect(running.count { $0 % 7 == number } <= WebPushLimits.sendingToOne, "seed \(seed)")
        #expect(strangers.count { $0 % 7 == number } <= WebPushLimits.sendingToStrangersOfOne, "seed \(seed)")
      }
    }
    for _ in 0..<2_000 {
      let device = Int.random(in: 0..<300, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        schedule.add(device, origin: origin(device), isStranger: isStranger(device))
        wanted.insert(device)
      case 2: start()
      default:
        guard let one = running.randomElement(using: &random) else { continue }
        running.remove(one)
        schedule.finish(one)
      }
    }
    repeat {
      for one in running { schedule.finish(one) }
      running = []
      start()
    } while !running.isEmpty
    #expect(wanted.isEmpty && schedule.count == 0, "seed \(seed): \(wanted) were forgotten")
  }
}
