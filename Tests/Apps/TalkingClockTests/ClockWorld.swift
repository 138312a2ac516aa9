import Bells
import Crypto
import Delivery
import Hub
import HubWorld
import Server
import Store
import Synchronization
import Testing
import Wire
import World

@testable import TalkingClock

/// Collects what rings.
final class Heard: OutboxReceiver {
  let name = "test"
  private let all = Mutex<(wakes: [JSON], bells: [Bell])>(([], []))
  /// The `clock` of each silent push, with the devices it went to.
  var wakes: [JSON] { all.withLock { $0.wakes } }
  var bells: [Bell] { all.withLock { $0.bells } }

  func receive(_ ring: Ring, in change: Change) throws {
    if let bell = SilentBell(ring.content), let clock = bell.userInfo["clock"] {
      let members = (clock.members ?? []) + [.init("to", bell.to)]
      change.then { [self] in all.withLock { $0.wakes.append(.object(members)) } }
    } else if let bell = Bell(ring.content) {
      change.then { [self] in all.withLock { $0.bells.append(bell) } }
    }
  }
}

/// A hub with a clock, in virtual time: it is 2026-11-20T18:40:00Z unless said otherwise, and Ada is its owner.
struct ClockWorld {
  let test: TestHub
  let heard = Heard()
  var time: VirtualTime { test.time }

  static let start = 1_795_200_000

  init(at: Double = Double(start), folder: TemporaryFolder = TemporaryFolder()) async throws {
    try await self.init(time: VirtualTime(at), folder: folder)
  }

  init(time: VirtualTime, folder: TemporaryFolder) async throws {
    test = try await TestHub(time: time, rooms: [BellsRoom.self, TalkingClockRoom.self], folder: folder)
    try await test.store.write { database throws(StoreError) in
      try database.run(
        "INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'owner', 0) ON CONFLICT (id) DO NOTHING")
    }
    try await test.openRooms()
  }

  func run() { test.hub.run(test.hub.rooms.flatMap(\.receivers) + [heard]) }

  /// The same hub after a restart, in the same folder and time.
  func restarted(after seconds: Double = 0) async throws -> ClockWorld {
    await test.end()
    time.advance(by: seconds)
    let world = try await ClockWorld(time: time, folder: test.folder)
    world.run()
    return world
  }

  /// Makes an agent, whose secret is `ebd_NAME`.
  @discardableResult
  func agent(
    _ name: String = "kitchen", of person: Int? = 1, zone: String? = "Europe/Berlin", isOn: Bool = true,
    volume: Int = 80
  ) async throws -> Int {
    let now = time.now
    return try await test.store.write { database throws(StoreError) in
      let device = PushDevice(
        name: name, kind: .agent, person: person, zone: zone, channels: [.gateway], createdAt: now)
      let digest = Digest.sha256("ebd_\(name)".utf8)
      guard let id = try database.addPushDevice(device, secretDigest: digest) else { return 0 }
      try database.save(ClockState(isOn: isOn, volume: volume, watchedFrom: now), ofDevice: id)
      return id
    }
  }

  /// Changes Ada's clock, as a command beside the hub would.
  func change(_ change: @escaping @Sendable (inout PersonClock) -> Void) async throws {
    let now = time.now
    try await test.store.write { database throws(StoreError) in
      var clock = try database.clock(ofPerson: 1)
      change(&clock)
      clock.changedAt = now
      try database.save(clock, ofPerson: 1)
    }
    for room in test.hub.rooms { room.commandEnded() }
    await test.settle()
  }

  func report(_ name: String = "kitchen", _ what: String = "spoke", at: Int, late: JSON = 4) async throws -> JSON {
    let report: JSON = ["announcements": [["at": .int(at), "what": .string(what), "late_ms": late, "by": "push"]]]
    let answer = try await test.ask(.post, "/api/v1/clock/reports", token: "ebd_\(name)", report)
    guard case .bytes(let bytes) = answer.body else { return .null }
    return try JSON(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// Lets so many seconds pass, one by one, so that each alarm rings on time.
  func pass(_ seconds: Int) async throws {
    await test.settle()
    for _ in 0..<seconds {
      time.advance(by: 1)
      await test.settle(turns: 4)
    }
    await test.settle()
  }

  /// Lets a time pass in one leap.
  func leap(_ seconds: Double) async {
    time.advance(by: seconds)
    await test.settle()
  }

  /// Waits until a condition holds, while no time passes; a test that waits in vain ends.
  func until(_ isSo: () async throws -> Bool) async throws {
    for _ in 0..<5_000 {
      if try await isSo() { return }
      await test.turn()
    }
    Issue.record("what was waited for did not come")
  }

  /// The instants that were woken for, in the order of the pushes.
  var woken: [Int] { heard.wakes.compactMap { $0["at"]?.int } }

  func devices(_ wake: JSON) -> [String] { (wake["to"]?.array ?? []).compactMap { $0["device"]?.string } }
}
