import Crypto
import Delivery
import EventLoop
import Foundation
import Gateway
import Observe
import Server
import Store
import Testing
import Wire
import World

/// A hub's gateway on real sockets.
final class GatewayWorld {
  let folder = TemporaryFolder()
  let time = VirtualTime()
  let loops: [EventLoop]
  let store: Store
  let delivery: Delivery
  let gateway: Gateway
  let server: HTTPServer
  let port: Int

  init(taking: (@Sendable (Receipt, Int) async throws -> Recorded)? = nil) async throws {
    let time = time
    loops = (0..<2).map { _ in EventLoop(time: time) }
    store = try await Store(path: "\(folder.path)/store.sqlite", migrations: PushTables.migrations, time: time)
    let log = Log(time: time, sink: { _ in })
    let delivery = Delivery(store: store, loop: loops[0], time: time, log: log)
    self.delivery = delivery
    let usual: @Sendable (Receipt, Int) async throws -> Recorded = { receipt, device in
      try await delivery.store.change { database in
        let recorded = try database.record(receipt, device: device, channel: .gateway, now: time.now)
        database.afterCommit { delivery.wake(recorded.changed.wakes) }
        return recorded
      }
    }
    gateway = Gateway(delivery, taking: taking ?? usual)
    delivery.add(gateway)
    var router = Router()
    router.on(.get, "/gateway", gateway.handler)
    server = HTTPServer(loops: loops, router: router, log: log)
    port = try server.listen(ListenAddress("127.0.0.1:0"))
    for (index, loop) in loops.enumerated() { loop.runInBackground(name: "loop-\(index)") }
  }

  deinit { for loop in loops { loop.stop() } }

  func device(_ secret: String) async throws -> Int {
    let now = time.now
    let id = try await store.write { database throws(StoreError) in
      try database.addPushDevice(
        PushDevice(name: secret, kind: .agent, channels: [.gateway], createdAt: now),
        secretDigest: Digest.sha256(secret.utf8))
    }
    return try #require(id)
  }

  @discardableResult
  func submit(_ device: Int, _ title: String = "Open") async throws -> Int {
    let (now, delivery) = (time.now, delivery)
    return try await store.change { database in
      let sent = try database.submit(
        Submission(to: [.device(device)], content: ["title": .string(title)], sender: "person 1"), now: now)
      database.afterCommit { delivery.wake(sent.wakes) }
      return sent.id
    }
  }

  func events(_ id: Int) async throws -> [TraceEvent.What] {
    let trace = try await store.read { database throws(StoreError) in try database.trace(id) }
    return trace?.devices.first?.events.map(\.what) ?? []
  }

  /// Waits until the hub has done what it was about to do: a client may read the answer to its handshake before the hub
  /// has begun to wait for the hello.
  func turn() async {
    for loop in loops { await withCheckedContinuation { done in loop.execute { done.resume() } } }
  }

  /// Waits until something is so, for at most some 40 s and what the store takes, which each turn asks.
  func wait(for condition: () async throws -> Bool) async throws {
    for _ in 0..<20_000 {
      if try await condition() { return }
      usleep(2_000)
    }
    #expect(try await condition())
  }
}

/// A device's socket.
final class SocketDevice {
  private let peer: Peer
  private var bytes: [UInt8] = []
  private(set) var isClosed = false
  /// The code of the close frame.
  private(set) var closeCode: Int?

  init(_ world: GatewayWorld, secret: String?, zone: String? = nil, state: String? = nil, number: Int? = nil) {
    peer = Peer(port: world.port)
    peer.send(
      "GET /gateway HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    fill { $0.firstRange(of: Array("\r\n\r\n".utf8)) != nil }
    #expect(bytes.starts(with: "HTTP/1.1 101".utf8))
    if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) { bytes.removeSubrange(..<end.upperBound) }
    if let secret {
      send([
        "do": "hello", "secret": .string(secret), "v": 1, "zone": JSON(zone), "state": JSON(state),
        "number": JSON(number),
      ])
    }
  }

  func send(_ message: JSON) {
    let text = message.bytes
    var frame: [UInt8] = [0x81]
    if text.count < 126 {
      frame.append(0x80 | UInt8(text.count))
    } else {
      frame += [0x80 | 126, UInt8(text.count >> 8), UInt8(text.count & 255)]
    }
    peer.push(frame + [0, 0, 0, 0] + text)
  }

  func acknowledge(_ message: JSON, _ what: String) {
    guard let id = message["id"], let version = message["version"] else {
      Issue.record("This is no notification that could be acknowledged: \(message.text)")
      return
    }
    send(["do": "ack", "id": id, "version": version, "what": .string(what)])
  }

  /// The next message; nil once the hub has closed.
  func next() -> JSON? {
    while true {
      fill { $0.count >= 2 && $0.count >= Self.frameBytes($0) }
      guard bytes.count >= 2, bytes.count >= Self.frameBytes(bytes) else { return nil }
      let (opcode, count) = (bytes[0] & 15, Self.frameBytes(bytes))
      let payload = Array(bytes[(bytes[1] < 126 ? 2 : 4)..<count])
      bytes.removeSubrange(..<count)
      if opcode == 1 { return try? JSON(parsing: payload) }
      if opcode == 8 {
        closeCode = payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 1005
        return nil
      }
    }
    return nil
  }

  func vanish() { peer.vanish() }

  private static func frameBytes(_ bytes: [UInt8]) -> Int {
    if bytes[1] < 126 { return 2 + Int(bytes[1]) }
    return bytes.count < 4 ? .max : 4 + Int(bytes[2]) << 8 + Int(bytes[3])
  }

  private func fill(until isEnough: ([UInt8]) -> Bool) {
    while !isEnough(bytes), !isClosed {
      peer.wait(atMost: 60)
      let (more, hasClosed) = peer.receivedBytes()
      if more.isEmpty && !hasClosed { return }
      bytes += more
      if hasClosed { isClosed = true }
    }
  }
}

@Suite(.serialized) struct SocketTests {
  @Test func `a device gets what waited and what comes, and its receipts stand in the trace`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let waiting = try await world.submit(id, "first")
    let device = SocketDevice(world, secret: "secret")
    #expect(device.next()?["device"] == .string("\(id)"))
    let first = try #require(device.next())
    #expect(first["id"] == .string("\(waiting)") && first["content"] == ["title": "first"])
    device.acknowledge(first, "delivered")
    device.acknowledge(first, "shown")
    try await world.wait { try await world.events(waiting) == [.queued, .sent, .delivered, .shown] }
    let live = try await world.submit(id, "second")
    #expect(device.next()?["id"] == .string("\(live)"))
    #expect(world.gateway.isConnected(id) && world.gateway.count == 1)
  }

  @Test func `what was not acknowledged comes again on the next connection`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    let sent = try await world.submit(id)
    #expect(device.next()?["id"] == .string("\(sent)"))
    device.vanish()
    let again = SocketDevice(world, secret: "secret")
    _ = again.next()
    #expect(again.next()?["id"] == .string("\(sent)"))
  }

  @Test func `of two connections with one secret the newer wins, and the older is told`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let older = SocketDevice(world, secret: "secret")
    _ = older.next()
    let newer = SocketDevice(world, secret: "secret")
    #expect(newer.next()?["do"] == "welcome")
    #expect(older.next() == ["do": "bye", "reason": "replaced"])
    #expect(older.next() == nil && older.closeCode == 4000)
    let sent = try await world.submit(id)
    #expect(newer.next()?["id"] == .string("\(sent)"))
    #expect(world.gateway.count == 1)
  }

  @Test func `a late word that a device is at another hub sends a new connection back, and ends an old one`()
    async throws
  {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    for (seconds, farewell, code) in [(0.0, "busy", 1013), (GatewayLimits.lateSeconds, "replaced", 4000)] {
      let device = SocketDevice(world, secret: "secret")
      #expect(device.next()?["do"] == "welcome")
      world.time.advance(by: seconds)
      world.gateway.connectedElsewhere([id])
      #expect(device.next() == ["do": "bye", "reason": .string(farewell)])
      #expect(device.next() == nil && device.closeCode == code)
    }
  }

  @Test func `what waits is judged by the zone that the device tells in its hello`() async throws {
    let world = try await GatewayWorld()
    let now = world.time.now
    let id = try await world.store.write { database throws(StoreError) in
      // In UTC it is quiet now. In Kiritimati, 14 hours ahead, where the device was, it is not.
      let minute = Int(now / 60) % 1_440
      try database.setQuietHours(
        ofPerson: 7, QuietHours(from: (minute + 1_380) % 1_440, to: (minute + 60) % 1_440, zone: "UTC"))
      return try database.addPushDevice(
        PushDevice(
          name: "phone", kind: .agent, person: 7, zone: "Pacific/Kiritimati", channels: [.gateway], createdAt: now),
        secretDigest: Digest.sha256("secret".utf8))
    }
    // It was sent before these hours began.
    let sent = try await world.store.write { database throws(StoreError) in
      try database.submit(
        Submission(to: [.device(id ?? 0)], content: ["title": "Open"], sender: "person 1"), now: now - 7_200
      ).id
    }
    let device = SocketDevice(world, secret: "secret", zone: "UTC")
    #expect(device.next()?["do"] == "welcome")
    try await world.wait { try await world.events(sent).count > 1 }
    #expect(try await world.events(sent) == [.queued, .suppressed])
    device.send(["do": "ping"])
    #expect(device.next()?["do"] == "pong")
  }

  @Test func `a removed device and an unknown secret are told and closed`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    let now = world.time.now
    try await world.store.write { database throws(StoreError) in try database.removePushDevice(id, now: now) }
    world.delivery.removed([id])
    #expect(device.next() == ["do": "bye", "reason": "removed"])
    #expect(device.next() == nil && device.closeCode == 4001)
    for secret in ["secret", "other"] {
      let stranger = SocketDevice(world, secret: secret)
      #expect(stranger.next() == ["do": "bye", "reason": "unknown_secret"])
      #expect(stranger.next() == nil && stranger.closeCode == 4001)
    }
  }

  @Test func `whoever says nothing is sent away after ten seconds, and not before`() async throws {
    let world = try await GatewayWorld()
    _ = try await world.device("secret")
    let (silent, late) = (SocketDevice(world, secret: nil), SocketDevice(world, secret: nil))
    await world.turn()
    world.time.advance(by: GatewayLimits.helloSeconds - 0.5)
    for loop in world.loops { loop.execute {} }
    late.send(["do": "hello", "secret": "secret"])
    #expect(late.next()?["do"] == "welcome")
    world.time.advance(by: 0.5)
    for loop in world.loops { loop.execute {} }
    #expect(silent.next() == ["do": "bye", "reason": "malformed"])
    #expect(silent.next() == nil && silent.closeCode == 4002)
  }

  @Test func `so many may be connected without a hello, and the longest waiting makes room for one more`() async throws
  {
    let world = try await GatewayWorld()
    _ = try await world.device("secret")
    world.gateway.limitStrangers(to: 3)
    var silent: [SocketDevice] = []
    for _ in 0..<3 {
      silent.append(SocketDevice(world, secret: nil))
      await world.turn()
    }
    let late = SocketDevice(world, secret: "secret")
    #expect(late.next()?["do"] == "welcome", "who says nothing keeps nobody out")
    #expect(silent[0].next() == ["do": "bye", "reason": "busy"])
    #expect(silent[0].next() == nil && silent[0].closeCode == 1013)
    // Whoever has said who it is, or has left, makes room.
    silent[1].send(["do": "hello", "secret": "secret"])
    #expect(silent[1].next()?["do"] == "welcome")
    #expect(SocketDevice(world, secret: "secret").next()?["do"] == "welcome")
    silent[2].send(["do": "ping"])
    #expect(silent[2].next() == ["do": "bye", "reason": "malformed"], "it was still there")
  }

  @Test func `a device whose receipts cannot be written is sent away, to come back and tell them again`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    try await world.submit(id)
    let message = try #require(device.next())
    await world.store.close()
    device.acknowledge(message, "shown")
    #expect(device.next() == ["do": "bye", "reason": "busy"])
    #expect(device.next() == nil && device.closeCode == 1013)
  }

  @Test func `a hello that was late does not take the place of a newer connection`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let live = SocketDevice(world, secret: "secret", state: "a", number: 7_000_002)
    #expect(live.next()?["do"] == "welcome")
    let late = SocketDevice(world, secret: "secret", state: "a", number: 7_000_001)
    #expect(late.next() == ["do": "bye", "reason": "replaced"])
    #expect(late.next() == nil && late.closeCode == 4000)
    let sent = try await world.submit(id)
    #expect(live.next()?["id"] == .string("\(sent)"))
    // A newer one takes it, and so does one with another state, whose numbers say nothing.
    let newer = SocketDevice(world, secret: "secret", state: "a", number: 7_000_003)
    #expect(newer.next()?["do"] == "welcome")
    #expect(live.next() == ["do": "bye", "reason": "replaced"])
    #expect(newer.next()?["id"] == .string("\(sent)"), "it was not acknowledged yet")
    let other = SocketDevice(world, secret: "secret", state: "b", number: 1)
    #expect(other.next()?["do"] == "welcome")
    #expect(newer.next() == ["do": "bye", "reason": "replaced"])
  }

  @Test func `an answer whose work fails is not taken`() async throws {
    struct Refusal: Error {}
    let world = try await GatewayWorld(taking: { _, _ in throw Refusal() })
    let id = try await world.device("secret")
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    let sent = try await world.submit(id)
    _ = device.next()
    device.send(["do": "respond", "id": .string("\(sent)"), "action": "open"])
    #expect(device.next() == ["do": "bye", "reason": "busy"])
    let notification = try await world.store.read { database throws(StoreError) in try database.notification(sent) }
    #expect(notification?.state == .active)
  }

  @Test func `an answer is told to the device, and the question disappears from the others`() async throws {
    let world = try await GatewayWorld()
    let (one, two) = (try await world.device("one"), try await world.device("two"))
    let (ada, bob) = (SocketDevice(world, secret: "one"), SocketDevice(world, secret: "two"))
    _ = (ada.next(), bob.next())
    let (now, delivery) = (world.time.now, world.delivery)
    let id = try await world.store.change { database in
      let sent = try database.submit(
        Submission(
          to: [.device(one), .device(two)], content: ["title": "Who?", "category": "door"], sender: "person 1"),
        now: now)
      database.afterCommit { delivery.wake(sent.wakes) }
      return sent.id
    }
    _ = (ada.next(), bob.next())
    ada.send(["do": "respond", "id": .string("\(id)"), "action": "open"])
    #expect(ada.next() == ["do": "taken", "id": .string("\(id)"), "action": "open", "counts": true])
    #expect(
      bob.next() == ["do": "withdraw", "id": .string("\(id)"), "version": 2, "reason": "answered_elsewhere"])
    bob.send(["do": "respond", "id": .string("\(id)"), "action": "no"])
    #expect(bob.next() == ["do": "taken", "id": .string("\(id)"), "action": "open", "counts": false])
  }

  @Test func `hundreds of messages reach a device in order and once each, also those written meanwhile`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    var sent: [JSON] = []
    for _ in 0..<200 { sent.append(.string("\(try await world.submit(id))")) }
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    var came: [JSON] = []
    while came.count < 400, let message = device.next() {
      came.append(message["id"]!)
      device.acknowledge(message, "shown")
      if sent.count < 400 { sent.append(.string("\(try await world.submit(id))")) }
    }
    #expect(came == sent)
    let pending = { [store = world.store, now = world.time.now] in
      try await store.read { database throws(StoreError) in
        try database.pending(device: id, channel: .gateway, now: now, limit: 1).isEmpty
      }
    }
    try await world.wait(for: pending)
  }

  @Test func `a device may acknowledge all that can wait for it twice each, however fast`() async throws {
    let world = try await GatewayWorld()
    let id = try await world.device("secret")
    let now = world.time.now
    try await world.store.change { database in
      for _ in 0..<DeliveryLimits.pending {
        _ = try database.submit(
          Submission(to: [.device(id)], content: ["title": "Open"], sender: "person 1"), now: now)
      }
    }
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    // The world's clock stands, so that nothing is earned meanwhile.
    for _ in 0..<DeliveryLimits.pending {
      let message = try #require(device.next())
      device.acknowledge(message, "delivered")
      device.acknowledge(message, "shown")
    }
    device.send(["do": "ping"])
    #expect(device.next()?["do"] == "pong")
  }

  @Test func `a hub that goes down tells its devices to come back`() async throws {
    let world = try await GatewayWorld()
    _ = try await world.device("secret")
    let device = SocketDevice(world, secret: "secret")
    _ = device.next()
    world.gateway.close()
    #expect(device.next() == ["do": "bye", "reason": "restart"])
    #expect(device.next() == nil && device.closeCode == 1012)
  }
}
