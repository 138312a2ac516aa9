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
/// devices fetch what is for them as the gateway would hand it out, unless they are away for a while. A guest of an
/// album and a live query come over real sockets.
final class DayWorld {
  private(set) var test: TestHub
  let time: VirtualTime
  private let folder: TemporaryFolder
  let owner: String
  private(set) var devices: [Int] = []
  let persons: [Int: Int]
  private(set) var app = JSON.null
  /// The page of the album that a guest sends to, and the guest's token.
  private var album = ("", "")
  /// The bytes of the pictures that were acknowledged, by their ids.
  private(set) var pictures: [String: [UInt8]] = [:]
  private var port = 0
  private var listener: DayListener?
  /// True while nothing can be added to the records.
  private var isFull = false
  /// Until when a device is away, in seconds since 1970.
  var away: [Int: Double] = [:]
  private(set) var taken: [Taken] = []
  /// When the hub was off.
  private(set) var offs: [ClosedRange<Double>] = []

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
    app = try await ask(.post, "/api/v1/apps", ["name": "Log book"])
    let made = try await ask(.post, "/api/v1/albums", ["name": "Passage", "mode": "open"])
    let secret = made["join_url"]?.string?.split(separator: "#").last ?? ""
    let guest = try await ask(.post, "/api/v1/albums/join", ["secret": .string(String(secret)), "name": "Cem"])
    album = ("/api/v1/albums/\(made["id"]?.string ?? "")", guest["token"]?.string ?? "")
    try listen()
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
    offs.append(time.now...time.now + seconds)
    time.advance(by: seconds)
    test = try await Self.open(folder, time)
    try listen()
    await test.settle(turns: 8)
  }

  /// Opens the rooms to sockets, and the objects to a live query.
  private func listen() throws {
    var router = Router()
    for room in test.hub.rooms { room.addRoutes(to: &router) }
    let server = HTTPServer(loop: test.loop, router: router, log: test.hub.log)
    port = try server.listen(ListenAddress("127.0.0.1:0"))
    listener = try DayListener(
      port, "Turn", applicationID: app["application_id"]?.string ?? "", key: app["rest_key"]?.string ?? "")
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

  /// Adds an object, of which the live query hears at once, and of nothing else.
  /// - Parameter bytes: of its text.
  func addObject(_ number: Int, bytes: Int = 0) async throws {
    let text = String(repeating: "-", count: bytes)
    try await ask(.post, objectsPath, ["number": .int(number), "text": .string(text)])
    #expect(try listener?.hear() == number)
  }

  private var objectsPath: String { "/api/v1/apps/\(app["app_id"]?.string ?? "")/objects/classes/Turn" }

  /// The numbers of all objects.
  func objects() async throws -> [Int] {
    var numbers: [Int] = []
    while true {
      let page = try await ask(.get, "\(objectsPath)?limit=1000&skip=\(numbers.count)&order=number")
      let found = (page["results"]?.array ?? []).compactMap { $0["number"]?.int }
      numbers += found
      if found.count < 1_000 { return numbers }
    }
  }

  /// A guest sends a picture, all at once.
  /// - Returns: the hub's answer.
  @discardableResult
  func sendPicture(_ bytes: Int = 3_000) throws -> Int {
    let content = [0xff, 0xd8, 0xff, 0xe0] + Digest.random(bytes)
    let answer = try DayExchange(
      port, "POST", "\(album.0)/uploads", token: album.1,
      [
        "Tus-Resumable: 1.0.0", "Upload-Length: \(content.count)", "Content-Type: application/offset+octet-stream",
      ], content)
    if answer.status == 201, let id = answer["Eightbells-Picture"] { pictures[id] = content }
    return answer.status
  }

  /// The pictures that were acknowledged and are not there as they were sent.
  func lostPictures() throws -> [String] {
    try pictures.filter { id, bytes in
      try DayExchange(port, "GET", "\(album.0)/pictures/\(id)/original", token: album.1).body != bytes
    }.map(\.key)
  }

  func pending() async throws -> Int {
    try await test.store.read { database throws(StoreError) in try database.pendingCount() }
  }

  // MARK: Time

  func isHere(_ device: Int) -> Bool { away[device] ?? 0 <= time.now }

  /// The disk is full for a while, and what needs room is refused: an object, and a picture as the hub likes.
  func fullDisk(steps: Int, object: Int) async throws {
    try await limit(pages: 1)
    isFull = true
    for _ in 0..<steps { try await pass() }
    await #expect { try await addObject(object, bytes: 100_000) } throws: { ($0 as? HTTPError)?.code == .diskFull }
    let status = try sendPicture()
    #expect([201, 507].contains(status))
    isFull = false
    try await limit(pages: 1_000_000_000)
  }

  /// Limits the records to so many pages, or to those that they have.
  private func limit(pages: Int) async throws {
    try await test.store.write { database throws(StoreError) in
      try database.run("PRAGMA max_page_count = \(pages)")
    }
  }

  /// One step of time: what is due is done, and devices fetch it.
  func pass() async throws {
    time.advance(by: Double(Self.step))
    listener?.live()
    await test.settle(turns: 8)
    try await fetch()
  }

  func fetch() async throws {
    // Devices could not acknowledge it.
    guard !isFull, try await pending() > 0 else { return }
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
}
