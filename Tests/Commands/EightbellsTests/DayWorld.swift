import Crypto
import Delivery
import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Eightbells
@testable import TalkingClock

/// A hub with all of its rooms, in virtual time: Ada owns it, Ben belongs here, and boxes hang in the house. Their
/// devices fetch what is for them as the gateway would hand it out, unless they are away for a while.
final class DayWorld {
  private(set) var test: TestHub
  let time: VirtualTime
  private let folder: TemporaryFolder
  let owner: String
  private(set) var devices: [Int] = []
  let persons: [Int: Int]
  private(set) var app = ""
  /// Until when a device is away, in seconds since 1970.
  var away: [Int: Double] = [:]
  private(set) var taken: [Taken] = []

  static let boat = "ebd_boat"
  /// Seconds of one step: a clock is woken at least five seconds ahead, and one second before would be too late.
  static let step = 3

  /// What a device has got.
  struct Taken: Hashable {
    var device: Int
    var notification: Int
    var version: Int
    var topic: String?
    var sentAt: Double
    var at: Double
    /// The instant that a clock is woken for.
    var wake: Int?
    var title: String?
    var isShown: Bool
  }

  init(at start: Double) async throws {
    time = VirtualTime(start)
    folder = TemporaryFolder()
    test = try await Self.open(folder, time)
    owner = try await test.hub.tokens.replace(name: "owner", role: .owner)
    let now = time.now
    persons = try await test.store.write { database throws(StoreError) in
      var persons: [Int: Int] = [:]
      for (id, name, role) in [(1, "Ada", "owner"), (2, "Ben", "member")] {
        try database.run(
          "INSERT INTO people (id, name, role, created_at) VALUES (?, ?, ?, 0)", .int(id), .text(name), .text(role))
        for topic in ["space", "anchor"] { _ = try database.subscribe(.person(id), to: topic) }
        for number in 1...3 {
          let device = PushDevice(
            name: "\(name)'s \(number)", kind: .agent, person: id, zone: "Europe/Berlin", channels: [.gateway],
            createdAt: now)
          guard let added = try database.addPushDevice(device) else { continue }
          persons[added] = id
        }
      }
      for name in ["boat", "hall", "workshop"] {
        let device = PushDevice(
          name: name, kind: .agent, zone: "Europe/Berlin", channels: [.gateway], createdAt: now)
        let digest = Digest.sha256("ebd_\(name)".utf8)
        guard let id = try database.addPushDevice(device, secretDigest: digest) else { continue }
        for topic in ["space", "anchor"] { _ = try database.subscribe(.device(id), to: topic) }
      }
      return persons
    }
    devices = try await test.store.read { database throws(StoreError) in
      try database.pushDevices(of: .agent).map(\.id)
    }
    let all = devices
    try await test.store.write { database throws(StoreError) in
      for id in all { try database.save(ClockState(isOn: true, volume: 80, watchedFrom: now), ofDevice: id) }
    }
    for room in test.hub.rooms { room.commandEnded() }
    app = try await ask(.post, "/api/v1/apps", ["name": "Log book"])["app_id"]?.string ?? ""
  }

  private static func open(_ folder: TemporaryFolder, _ time: VirtualTime) async throws -> TestHub {
    let test = try await TestHub(time: time, rooms: rooms.types, folder: folder)
    try await test.openRooms()
    test.hub.run(test.hub.rooms.flatMap(\.receivers))
    return test
  }

  /// The hub ends, and begins anew after a while.
  func restart(after seconds: Double) async throws {
    await test.end()
    time.advance(by: seconds)
    test = try await Self.open(folder, time)
    await settle()
  }

  func end() async { await test.end() }

  // MARK: Asking

  @discardableResult
  func ask(_ method: Method, _ path: String, _ json: JSON? = nil, token: String? = nil) async throws -> JSON {
    let answer = try await test.ask(method, path, token: token ?? owner, json)
    guard case .bytes(let bytes) = answer.body, !bytes.isEmpty else { return .null }
    return try JSON(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// The boat's agent reports that she lies so many metres north of the anchor.
  func report(_ metres: Double) async throws {
    let fix: JSON = [.double(time.now), .double(54.1 + metres / 111_195), 10.2, 4, nil]
    try await ask(
      .post, "/api/v1/anchor/positions",
      ["source": "gpsd", "kind": "agent", "interval_s": 60, "fixes": [fix]], token: Self.boat)
  }

  /// A phone beside it, which reports more rarely.
  func reportPhone(_ number: Int, _ metres: Double) async throws {
    let fix: JSON = [.double(time.now), .double(54.1 + metres / 111_195), 10.2, 15, nil]
    try await ask(
      .post, "/api/v1/anchor/positions",
      ["source": .string("Phone \(number)"), "kind": "page", "interval_s": 600, "fixes": [fix]])
  }

  func addObject(_ number: Int) async throws {
    try await ask(.post, "/api/v1/apps/\(app)/objects/classes/Turn", ["number": .int(number)])
  }

  /// The numbers of all objects.
  func objects() async throws -> [Int] {
    var numbers: [Int] = []
    while true {
      let page = try await ask(
        .get, "/api/v1/apps/\(app)/objects/classes/Turn?limit=1000&skip=\(numbers.count)&order=number")
      let found = (page["results"]?.array ?? []).compactMap { $0["number"]?.int }
      numbers += found
      if found.count < 1_000 { return numbers }
    }
  }

  func pending() async throws -> Int {
    try await test.store.read { database throws(StoreError) in try database.pendingCount() }
  }

  // MARK: Time

  func isHere(_ device: Int) -> Bool { away[device] ?? 0 <= time.now }

  /// One step of time: what is due is done, and devices fetch it.
  func pass() async throws {
    time.advance(by: Double(Self.step))
    await settle()
    try await fetch()
  }

  func fetch() async throws {
    guard try await pending() > 0 else { return }
    let (now, here) = (time.now, devices.filter(isHere))
    taken += try await test.store.write { database throws(StoreError) in
      var all: [Taken] = []
      for device in here {
        for one in try database.pending(device: device, channel: .gateway, now: now, limit: 50) {
          let message = one.message
          var content = JSON.null
          if case .show(let text) = message.work { content = (try? JSON(parsing: text)) ?? .null }
          let isShown = content != .null
          let receipt = Receipt(
            notification: message.id, version: message.version, what: isShown ? .shown : .withdrawn, at: now)
          _ = try database.record(receipt, device: device, channel: .gateway, now: now)
          all.append(
            Taken(
              device: device, notification: message.id, version: message.version, topic: message.topic,
              sentAt: message.sentAt, at: now, wake: content["user_info"]?["clock"]?["at"]?.int,
              title: content["title"]?.string, isShown: isShown))
        }
      }
      return all
    }
  }

  /// Until nothing is under way any more: the store is idle for so many turns of the loop in succession.
  private func settle(turns: Int = 8) async {
    var idle = 0
    while idle < turns {
      await test.turn()
      let store = test.store.statistics
      idle = store.writesWaiting + store.readsWaiting + store.busyReaders == 0 ? idle + 1 : 0
    }
  }
}
