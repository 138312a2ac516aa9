import Delivery
import Testing
import World

/// The next device, for a comparison.
private func next(_ turns: inout DeviceTurns) -> Int? { turns.next() }

struct DeviceTurnsTests {
  private static let shares = DeviceShares(all: 64, ofService: 16, strangers: 32, strangersOfService: 8)

  @Test func `a device is sent to by one task at a time, and again for what came meanwhile`() {
    var turns = DeviceTurns(Self.shares)
    #expect(next(&turns) == nil)
    for _ in 0..<2 { turns.add(DueDevice(1, service: "a", isStranger: false)) }
    #expect(next(&turns) == 1)
    #expect(next(&turns) == nil)
    turns.add(DueDevice(1, service: "a", isStranger: false))
    #expect(next(&turns) == nil)
    turns.finish(1)
    #expect(next(&turns) == 1)
    turns.finish(1)
    turns.finish(1)
    #expect(next(&turns) == nil && turns.count == 0 && turns.runningCount == 0)
  }

  @Test func `what is known of a device meanwhile counts for its next turn`() {
    var turns = DeviceTurns(DeviceShares(all: 2, ofService: 2, strangers: 1, strangersOfService: 1))
    for device in 1...2 { turns.add(DueDevice(device)) }
    #expect(next(&turns) == 1 && next(&turns) == 2)
    for device in 1...2 { turns.add(DueDevice(device, isStranger: true)) }
    turns.finish(1)
    turns.finish(2)
    #expect(next(&turns) == 1 && next(&turns) == nil)
  }

  @Test func `strangers and one service take no more than their shares`() {
    func started(_ devices: [(service: String, isStranger: Bool)]) -> Int {
      var turns = DeviceTurns(Self.shares)
      for (number, device) in devices.enumerated() {
        turns.add(DueDevice(number, service: device.service, isStranger: device.isStranger))
      }
      var count = 0
      while turns.next() != nil { count += 1 }
      return count
    }
    #expect(started((0..<100).map { _ in ("a", false) }) == Self.shares.ofService)
    #expect(started((0..<100).map { _ in ("a", true) }) == Self.shares.strangersOfService)
    #expect(started((0..<100).map { ("\($0)", true) }) == Self.shares.strangers)
    #expect(started((0..<100).map { ("\($0)", false) }) == Self.shares.all)
    #expect(started((0..<100).map { ("a", $0 < 50) }) == Self.shares.ofService)
    // A thousand names of one stranger do not keep a member waiting.
    #expect(started((0..<1000).map { ("\($0)", true) } + [("a", false)]) == Self.shares.strangers + 1)
  }

  @Test func `a slow service has places of strangers, also for devices that were waiting`() {
    var turns = DeviceTurns(DeviceShares(all: 4, ofService: 4, strangers: 2, strangersOfService: 1))
    for device in 0..<6 { turns.add(DueDevice(device, service: "a")) }
    for device in 0..<4 { #expect(next(&turns) == device) }
    turns.note(0, isSlow: true)
    let goesOnLater = turns.lineUpIfSlow(0)
    turns.finish(0)
    #expect(goesOnLater && next(&turns) == nil)
    turns.add(DueDevice(9, service: "b"))
    #expect(next(&turns) == 9)
    for device in 1..<4 { turns.finish(device) }
    #expect(next(&turns) == 4 && next(&turns) == nil)
    turns.note(4, isSlow: false)
    let waits = turns.lineUpIfSlow(4)
    #expect(!waits && next(&turns) == 5 && next(&turns) == 0)
  }

  @Test func `services take turns`() {
    var turns = DeviceTurns(Self.shares)
    for device in 0..<10 { turns.add(DueDevice(device, service: "busy", isStranger: false)) }
    turns.add(DueDevice(10, service: "quiet", isStranger: false))
    let devices = [next(&turns), next(&turns)]
    #expect(devices == [0, 10])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `whatever happens, nobody is forgotten and no limit is passed`(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var turns = DeviceTurns(Self.shares)
    func service(_ device: Int) -> String { "\(device % 7)" }
    func isStranger(_ device: Int) -> Bool { device % 3 == 0 }
    var wanted: Set<Int> = []
    var running: Set<Int> = []
    func start() {
      while let device = turns.next() {
        #expect(running.insert(device).inserted, "seed \(seed)")
        wanted.remove(device)
      }
      let strangers = running.filter(isStranger)
      #expect(running.count <= Self.shares.all && strangers.count <= Self.shares.strangers)
      for number in 0..<7 {
        #expect(running.count { $0 % 7 == number } <= Self.shares.ofService, "seed \(seed)")
        #expect(strangers.count { $0 % 7 == number } <= Self.shares.strangersOfService, "seed \(seed)")
      }
    }
    for _ in 0..<2_000 {
      let device = Int.random(in: 0..<300, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        turns.add(DueDevice(device, service: service(device), isStranger: isStranger(device)))
        wanted.insert(device)
      case 2: start()
      default:
        guard let one = running.randomElement(using: &random) else { continue }
        running.remove(one)
        turns.finish(one)
      }
    }
    repeat {
      for one in running { turns.finish(one) }
      running = []
      start()
    } while !running.isEmpty
    #expect(wanted.isEmpty && turns.count == 0, "seed \(seed): \(wanted) were forgotten")
  }
}
