import AnchorWatch
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

@testable import Anchor

/// Collects what rings.
final class Heard: OutboxReceiver {
  let name = "test"
  private let all = Mutex<(pushes: [JSON], bells: [Bell])>(([], []))
  /// The `anchor` of each silent push to agents.
  var pushes: [JSON] { all.withLock { $0.pushes } }
  var bells: [Bell] { all.withLock { $0.bells } }
  var titles: [String] { bells.map(\.title.english) }

  func receive(_ ring: Ring, in change: Change) throws {
    if let anchor = SilentBell(ring.content)?.userInfo["anchor"] {
      change.then { [self] in all.withLock { $0.pushes.append(anchor) } }
    } else if let bell = Bell(ring.content) {
      change.then { [self] in all.withLock { $0.bells.append(bell) } }
    }
  }

  func forget() { all.withLock { $0 = ([], []) } }
}

/// A hub with an anchor watch in virtual time: it is 2026-11-20T18:40:00Z, Ada is the owner, Ben a member.
struct AnchorWorld {
  let test: TestHub
  let heard = Heard()
  var time: VirtualTime { test.time }
  let tokens: [String: String]

  static let start = 1_795_200_000.0
  static let anchor = Position(latitude: 54.1, longitude: 10.2)!
  static let agent = "ebd_boat"

  init(folder: TemporaryFolder = TemporaryFolder(), time: VirtualTime = VirtualTime(start)) async throws {
    test = try await TestHub(time: time, rooms: [BellsRoom.self, AnchorRoom.self], folder: folder)
    let now = time.now
    try await test.store.write { database throws(StoreError) in
      for (id, name, role) in [(1, "Ada", "owner"), (2, "Ben", "member")] {
        try database.run(
          "INSERT INTO people (id, name, role, created_at) VALUES (?, ?, ?, 0) ON CONFLICT (id) DO NOTHING", .int(id),
          .text(name), .text(role))
      }
      let digest = Digest.sha256(Self.agent.utf8)
      if try database.pushDevice(secretDigest: digest) == nil {
        _ = try database.addPushDevice(
          PushDevice(name: "boat", kind: .agent, channels: [.gateway], createdAt: now), secretDigest: digest)
        for (person, name) in [(1, "Ada's phone"), (2, "Ben's phone")] {
          _ = try database.addPushDevice(
            PushDevice(name: name, kind: .agent, person: person, channels: [.gateway], createdAt: now))
        }
      }
    }
    tokens = ["owner": try await test.hub.tokens.replace(name: "bridge", role: .owner)]
    try await test.openRooms()
  }

  func run() { test.hub.run(test.hub.rooms.flatMap(\.receivers) + [heard]) }

  /// One that runs, and whose watch is armed.
  static func watching() async throws -> AnchorWorld {
    let world = try await AnchorWorld()
    world.run()
    try await world.armed()
    return world
  }

  /// The same hub after a restart, in the same folder and time.
  func restarted(after seconds: Double = 0) async throws -> AnchorWorld {
    await test.end()
    time.advance(by: seconds)
    let world = try await AnchorWorld(folder: test.folder, time: time)
    world.run()
    return world
  }

  // MARK: Asking

  @discardableResult
  func ask(_ method: Method, _ path: String = "", _ json: JSON? = nil, token: String? = nil) async throws -> JSON {
    try await ask(method, hub: "/api/v1/anchor\(path)", json, token: token)
  }

  /// Begins a drill of the watch, or asks for the last one.
  func drill(_ method: Method) async throws -> JSON {
    let answer = try await ask(method, hub: "/api/v1/drills", method == .post ? ["room": "anchor"] : nil)
    return method == .post ? answer : answer["drills"]?.array?.first { $0["room"] == "anchor" } ?? .null
  }

  /// Who did what, the newest first, as "Ben anchor.weighed".
  func audit() async throws -> [String] {
    let entries = try await ask(.get, hub: "/api/v1/audit", nil)["entries"]?.array ?? []
    return entries.map { "\($0["who"]?.string ?? "") \($0["what"]?.string ?? "")" }
  }

  private func ask(_ method: Method, hub path: String, _ json: JSON?, token: String? = nil) async throws -> JSON {
    let answer = try await test.ask(method, path, token: token ?? tokens["owner"], json)
    await test.settle()
    guard case .bytes(let bytes) = answer.body, !bytes.isEmpty else { return .null }
    return (try? JSON(parsing: String(decoding: bytes, as: UTF8.self))) ?? .null
  }

  var state: String? { get async throws { try await ask(.get)["state"]?.string } }

  /// A report of the boat's agent: she lies so many metres north of the anchor, now.
  @discardableResult
  func report(
    _ metres: Double?, source: String = "gpsd", kind: String = "agent", at: Double? = nil,
    _ more: [JSON.Member] = [], token: String? = agent
  ) async throws -> JSON {
    var fixes: [JSON] = []
    if let metres {
      let place = Self.anchor.moved(bearing: 0, distance: metres)
      fixes = [[.double(at ?? time.now), .double(place.latitude), .double(place.longitude), 4, nil]]
    }
    let members: [JSON.Member] = [
      .init("source", .string(source)), .init("kind", .string(kind)), .init("interval_s", 60),
      .init("fixes", .array(fixes)),
    ]
    return try await ask(.post, "/positions", .object(members + more), token: token)
  }

  /// Ada drops the anchor, with 40 m around it, and arms the watch; the boat lies 20 m from it.
  func armed() async throws {
    try await report(20)
    try await ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    try await ask(.patch, "", ["zone": ["shape": "circle", "radius_m": 40]])
    try await ask(.post, "/arm", [:])
    try await test.store.write { database throws(StoreError) in
      try database.run("UPDATE anchor_anchorages SET person = 1")
    }
    try await report(20)
    heard.forget()
  }

  // MARK: Time

  /// Lets so many seconds pass, in steps in which everything that is due is done.
  func pass(_ seconds: Int, step: Int = 5) async {
    await test.settle()
    for _ in 0..<(seconds / step) {
      time.advance(by: Double(step))
      await test.settle(turns: 6)
    }
    await test.settle()
  }

  /// Time passes while the boat reports each 30 seconds.
  func lie(at metres: Double, for seconds: Int, _ more: [JSON.Member] = []) async throws {
    for _ in 0..<(seconds / 30) {
      await pass(30, step: 10)
      try await report(metres, more)
    }
  }
}
