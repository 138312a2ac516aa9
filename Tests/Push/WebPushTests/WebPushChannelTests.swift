import Client
import Crypto
import Delivery
import Dispatch
import EventLoop
import Lifecycle
import Observe
import Store
import Synchronization
import Testing
import WebPush
import Wire
import World

/// The channel with its queue in a store, and a push service on a real socket.
struct WebPushChannelTests {
  /// The subscription that a browser tells while a message is under way.
  private final class Renewed: Sendable {
    let subscription = Mutex<PushSubscription?>(nil)
  }

  /// A store, and the channel running on it until the work of a test is done.
  final class Hub: Sendable {
    let loop = EventLoop(time: SystemTime())
    let folder = TemporaryFolder()
    let listed: [AddressRange]
    let store: Store
    let keys: WebPushKeys
    let channel: WebPushChannel
    let delivery: Delivery

    init() async throws {
      listed = [try AddressRange("127.0.0.1")]
      let log = Log(time: loop.time, sink: { _ in })
      store = try await Store(
        path: "\(folder.path)/store.sqlite", migrations: PushTables.migrations + WebPushTables.migrations,
        time: loop.time)
      keys = try await store.write { database throws(StoreError) in try database.webPushKeys() }
      loop.runInBackground(name: "web-push-test")
      let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .publicInternet(and: listed))
      let tokens = ServerTokens(keys.server, contact: nil, time: loop.time)
      channel = WebPushChannel(
        store: store, sender: PushSender(client: client, tokens: tokens, time: loop.time), receipts: keys.receipts,
        loop: loop, log: log)
      delivery = Delivery(store: store, loop: loop, time: loop.time, log: log)
      delivery.add(channel)
    }

    deinit { loop.stop() }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws(StoreError) -> T) async throws -> T {
      try await store.write(body)
    }

    func device(
      _ browser: Browser, at url: String, kind: PushDevice.Kind = .browser, of person: Int = 7
    ) async throws -> Int {
      let (now, subscription) = (loop.time.now, try browser.subscription(url, listed: listed))
      let device = PushDevice(
        name: "Ada's browser", kind: kind, person: kind == .stranger ? nil : person, channels: [], createdAt: now)
      return try #require(
        try await write { database throws(StoreError) in
          let id = try database.addPushDevice(device)
          if let id { try database.saveSubscription(subscription, ofDevice: id, now: now) }
          return id
        })
    }

    @discardableResult
    func send(
      _ content: JSON, to device: Int, collapse: String? = nil, expiresIn seconds: Double? = 60,
      priority: Priority = .high
    ) async throws -> Int {
      let now = loop.time.now
      let submission = Submission(
        to: [.device(device)], content: content, collapseID: collapse, expiresAt: seconds.map { now + $0 },
        priority: priority, sender: "person 7")
      let submitted = try await write { database throws(StoreError) in
        try database.submit(submission, now: now)
      }
      delivery.wake(submitted.wakes)
      return submitted.id
    }

    /// The events of a notification, such as ["queued", "failed push_service 503"].
    func events(_ id: Int) async throws -> [String] {
      let trace = try await store.read { database throws(StoreError) in try database.trace(id) }
      return try #require(trace?.devices.first).events.map { event in
        [event.what.rawValue, event.reason?.rawValue, event.detail].compactMap { $0 }.joined(separator: " ")
      }
    }

    /// Runs the channel until these are the events of a notification.
    /// - Parameter goesOn: true if a further attempt may follow at once.
    func run(until events: [String], of id: Int, goesOn: Bool = false) async throws {
      func areThere() async throws -> Bool {
        let found = try await self.events(id)
        return goesOn ? found.starts(with: events) : found == events
      }
      let running = Task(executorPreference: loop) { [channel] in try await channel.run() }
      let limit = loop.time.uptime + 15
      while try await !areThere(), loop.time.uptime < limit { try await loop.pause(for: 0.01) }
      running.cancel()
      _ = await running.result
      let found = try await self.events(id)
      #expect(try await areThere(), "\(found)")
    }
  }

  /// The payload that the browser's service worker gets from a message.
  static func payload(_ body: [UInt8]?, for browser: Browser) throws -> JSON {
    let plaintext = try #require(browser.decrypt(body ?? []), "it is not for this browser")
    return try JSON(parsing: plaintext)
  }

  @Test func `a notification goes to its browser, and its trace says so`() async throws {
    let (hub, service, browser) = (try await Hub(), ScriptedServer(answers: "201"), Browser())
    defer { service.stop() }
    let device = try await hub.device(browser, at: service.url)
    let id = try await hub.send(
      ["title": "Open", "body": "Ada has opened", "interruption_level": "passive", "later": 1], to: device,
      collapse: "sign", priority: .normal)
    try await hub.run(until: ["queued", "sent"], of: id)
    let payload = try Self.payload(service.received.first, for: browser)
    #expect(payload["id"] == .string("\(id)") && payload["version"] == 1 && payload["collapse_id"] == "sign")
    #expect(payload["content"]?["later"] == 1)
    let receipt = try #require(payload["receipt"]?.string)
    #expect(hub.keys.receipts.device(of: receipt, notification: id) == device)
    let head = try #require(service.asked.first)
    for line in ["Topic: \(PushMessage.topic("sign"))", "Urgency: very-low"] { #expect(head.contains(line + "\r\n")) }
    // The time to live that is left: a busy machine may take some seconds.
    let left = try #require(head.firstMatch(of: #/TTL: (\d+)\r\n/#).flatMap { Int($0.1) })
    #expect((1...60).contains(left))
    #expect(service.asked.count == 1)
  }

  @Test func `a push service with room for less gets less`() async throws {
    let (hub, service, browser) = (try await Hub(), ScriptedServer(answers: "413", "201"), Browser())
    defer { service.stop() }
    let device = try await hub.device(browser, at: service.url)
    let id = try await hub.send(
      ["title": "Log", "body": .string(String(repeating: "x", count: 3_500))], to: device)
    try await hub.run(until: ["queued", "sent cut"], of: id)
    let sizes = service.received.map(\.count)
    #expect(sizes.count == 2 && sizes[0] > 3_500 && (2_800...2_920).contains(sizes[1]))
    #expect(try Self.payload(service.received.last, for: browser)["content"]?["cut"] == true)
  }

  @Test func `what was waiting when the hub was started is sent in its order`() async throws {
    let (hub, service, browser) = (try await Hub(), ScriptedServer(answers: "201"), Browser())
    defer { service.stop() }
    let device = try await hub.device(browser, at: service.url)
    var ids: [Int] = []
    for number in 0..<40 { ids.append(try await hub.send(["title": .string("\(number)")], to: device)) }
    try await hub.run(until: ["queued", "sent"], of: ids[39])
    let titles = try service.received.map { try Self.payload($0, for: browser)["content"]?["title"]?.string }
    #expect(titles == (0..<40).map { "\($0)" })
  }

  @Test func `a subscription that has ended is removed, and a stranger with it`() async throws {
    for kind in [PushDevice.Kind.browser, .stranger] {
      let (hub, service) = (try await Hub(), ScriptedServer(answers: "410"))
      defer { service.stop() }
      let device = try await hub.device(Browser(), at: service.url, kind: kind)
      let ids = [try await hub.send(["title": "a"], to: device), try await hub.send(["title": "b"], to: device)]
      try await hub.run(until: ["queued", "gone subscription_gone"], of: ids[0])
      #expect(try await hub.events(ids[1]) == ["queued", "gone subscription_gone"])
      #expect(service.asked.count == 1)
      let (kept, subscription) = try await hub.write { database throws(StoreError) in
        (try database.pushDevice(device), try database.subscription(ofDevice: device))
      }
      #expect(subscription == nil)
      #expect((kept == nil) == (kind == .stranger))
      #expect(kept?.channels.isEmpty != false)
    }
  }

  @Test func `a subscription that was renewed while the old one was found gone stays`() async throws {
    let hub = try await Hub()
    let (renewed, store) = (Renewed(), hub.store)
    let service = ScriptedServer { writer in
      // Between the request and its answer the browser tells its new subscription.
      let told = DispatchSemaphore(value: 0)
      Task {
        let subscription = renewed.subscription.withLock { $0 }!
        try await store.write { database throws(StoreError) in
          try database.saveSubscription(subscription, ofDevice: 1, now: 0)
        }
        told.signal()
      }
      told.wait()
      writer.write("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    defer { service.stop() }
    let device = try await hub.device(Browser(), at: service.url)
    #expect(device == 1)
    let newer = try Browser().subscription("https://push.example/2")
    renewed.subscription.withLock { $0 = newer }
    let id = try await hub.send(["title": "a"], to: device)
    try await hub.run(until: ["queued", "failed subscription_gone"], of: id, goesOn: true)
    let (kept, channels, pending) = try await hub.write { database throws(StoreError) in
      (
        try database.subscription(ofDevice: device), try database.pushDevice(device)?.channels,
        try database.pendingCount()
      )
    }
    #expect(kept == newer && channels == [.webPush])
    #expect(pending == 1, "it is tried again with the new one")
  }

  @Test func `a busy push service is asked again no sooner than it says`() async throws {
    let (hub, service) = (try await Hub(), ScriptedServer(answers: "429 Retry-After: 120"))
    defer { service.stop() }
    let device = try await hub.device(Browser(), at: service.url)
    let began = hub.loop.time.now
    let id = try await hub.send(["title": "a"], to: device, expiresIn: 600)
    try await hub.run(until: ["queued", "failed push_service 429"], of: id)
    let now = hub.loop.time.now
    let next = try await hub.write { database throws(StoreError) in
      try database.nextAttempt(channel: .webPush, now: now)
    }
    #expect(try #require(next) >= began + 120)
    // Nobody waits for longer than it is wanted.
    let short = try await hub.send(["title": "a"], to: device, expiresIn: 60)
    try await hub.run(until: ["queued", "failed push_service 429", "expired expired"], of: short)
    #expect(service.asked.count == 2, "the first was tried before its time")
  }

  @Test func `what is too long is cut, what cannot be sent says why`() async throws {
    let (hub, service, browser) = (try await Hub(), ScriptedServer(answers: "201", "400"), Browser())
    defer { service.stop() }
    let device = try await hub.device(browser, at: service.url)
    let long = JSON.string(String(repeating: "x", count: 5_000))
    let cut = try await hub.send(["title": "T", "body": long], to: device)
    try await hub.run(until: ["queued", "sent cut"], of: cut)
    #expect(try Self.payload(service.received.first, for: browser)["content"]?["cut"] == true)
    let large = try await hub.send(["title": long], to: device)
    try await hub.run(until: ["queued", "failed too_large"], of: large)
    let silent = try await hub.send(["badge": 3], to: device)
    try await hub.run(until: ["queued", "suppressed silent_not_sent"], of: silent)
    #expect(service.asked.count == 1)
    let refused = try await hub.send(["title": "T"], to: device)
    try await hub.run(until: ["queued", "failed push_service 400"], of: refused)
  }

  @Test func `a subtitle, a picture or the words of another language are something to show`() {
    let shown: [JSON] = [
      ["subtitle": "S"], ["attachments": [["id": "a", "url": "/a.png"]]],
      ["badge": 1, "localized": ["de": ["title": "Offen"]]],
    ]
    for content in shown { #expect(PushAttempt.isShown(content), "\(content.text)") }
    let others: [JSON] = [["title": "", "sound": "default"], ["badge": 1, "attachments": []]]
    for content in others { #expect(!PushAttempt.isShown(content), "\(content.text)") }
  }

  @Test(arguments: ["401", "403"])
  func `what a push service refuses for its token waits for another attempt`(status: String) async throws {
    let (hub, service) = (try await Hub(), ScriptedServer(answers: status, "201"))
    defer { service.stop() }
    let device = try await hub.device(Browser(), at: service.url)
    let id = try await hub.send(["title": "T"], to: device)
    try await hub.run(until: ["queued", "failed push_service \(status)"], of: id)
    let now = hub.loop.time.now
    let (next, failed) = try await hub.store.read { database throws(StoreError) in
      (try database.nextAttempt(channel: .webPush, now: now), try database.trace(id)?.devices.first?.events.last?.at)
    }
    #expect(try #require(next) > (try #require(failed)))
    try await hub.write { database throws(StoreError) in
      try database.run("UPDATE push_deliveries SET next_at = 0")
    }
    try await hub.run(until: ["queued", "failed push_service \(status)", "sent"], of: id)
  }

  @Test func `a notification that was taken back is withdrawn where it was sent`() async throws {
    let (hub, service, browser) = (try await Hub(), ScriptedServer(answers: "201"), Browser())
    defer { service.stop() }
    let device = try await hub.device(browser, at: service.url)
    // Google's push service keeps four topics for a phone that is off: what has no collapse id has none.
    for collapse in ["sign", nil] {
      let id = try await hub.send(["title": "Open"], to: device, collapse: collapse)
      try await hub.run(until: ["queued", "sent"], of: id)
      let now = hub.loop.time.now
      let changed = try await hub.write { database throws(StoreError) in
        try database.withdraw(notification: id, now: now)
      }
      hub.delivery.wake(try #require(changed).wakes)
      let sent = collapse == nil ? "sent" : "sent topic_replaced"
      try await hub.run(until: ["queued", "sent", sent, "withdrawn taken_back"], of: id)
      let payload = try Self.payload(service.received.last, for: browser)
      #expect(payload["withdraw"] == true && payload["version"] == 2)
    }
    let topics = service.asked.map { $0.split(separator: "\r\n").first { $0.hasPrefix("Topic: ") } }
    #expect(topics.count == 4 && topics[0] != nil && topics[0] == topics[1] && topics[2] == nil && topics[3] == nil)
  }

  @Test func `of what is updated again and again, the push service keeps the newest`() async throws {
    let (hub, service, browser) = (try await Hub(), ScriptedServer(answers: "201"), Browser())
    defer { service.stop() }
    let device = try await hub.device(browser, at: service.url)
    let id = try await hub.send(["title": "0"], to: device)
    var events = ["queued", "sent"]
    try await hub.run(until: events, of: id)
    for title in ["1", "2"] {
      let now = hub.loop.time.now
      let changed = try await hub.write { database throws(StoreError) in
        try database.update(notification: id, content: ["title": .string(title)], now: now)
      }
      hub.delivery.wake(try #require(changed).wakes)
      events.append("sent")
      try await hub.run(until: events, of: id)
    }
    let topics = service.asked.map { $0.split(separator: "\r\n").first { $0.hasPrefix("Topic: ") } }
    #expect(topics.count == 3 && topics[0] == nil && topics[1] != nil && topics[1] == topics[2])
  }

  @Test func `a push service that drips does not keep others waiting`() async throws {
    let hub = try await Hub()
    let slow = ScriptedServer { $0.waitForEnd() }
    let service = ScriptedServer(answers: "201")
    defer { [slow, service].forEach { $0.stop() } }
    for number in 0..<30 {
      let device = try await hub.device(Browser(), at: "\(slow.url)\(number)", kind: .stranger)
      try await hub.send(["title": "a"], to: device)
    }
    let device = try await hub.device(Browser(), at: service.url)
    let id = try await hub.send(["title": "b"], to: device)
    try await hub.run(until: ["queued", "sent"], of: id)
    #expect(slow.asked.count <= WebPushLimits.shares.strangersOfService)
  }

  @Test func `push services that are slow keep others waiting for one answer, and no longer`() async throws {
    let hub = try await Hub()
    let slow = (0..<4).map { _ in
      ScriptedServer { writer in
        _ = writer.isGone(within: Int32(DeliveryLimits.promptSeconds * 1_000) + 200)
        writer.write("HTTP/1.1 201 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      }
    }
    let service = ScriptedServer(answers: "201")
    defer { for server in slow + [service] { server.stop() } }
    for number in 0..<WebPushLimits.shares.all {
      let device = try await hub.device(Browser(), at: "\(slow[number % 4].url)\(number)", of: number)
      for title in ["a", "b"] { try await hub.send(["title": .string(title)], to: device) }
    }
    let device = try await hub.device(Browser(), at: service.url)
    let id = try await hub.send(["title": "c"], to: device)
    try await hub.run(until: ["queued", "sent"], of: id)
    // Some of their second messages are under way, in the places of strangers.
    let asked = slow.map(\.asked.count).reduce(0, +)
    #expect(asked <= WebPushLimits.shares.all + WebPushLimits.shares.strangers)
  }

  // MARK: Tables

  @Test func `keys are made once`() async throws {
    let hub = try await Hub()
    let again = try await hub.write { database throws(StoreError) in try database.webPushKeys() }
    #expect(again.server.publicText == hub.keys.server.publicText)
    let receipt = hub.keys.receipts.receipt(notification: 1, device: 2)
    #expect(again.receipts.device(of: receipt, notification: 1) == 2)
  }

  @Test func `a browser that becomes another device takes its subscription along`() async throws {
    let (hub, browser) = (try await Hub(), Browser())
    let stranger = try await hub.device(browser, at: "https://push.example/1", kind: .stranger)
    let own = try await hub.device(browser, at: "https://push.example/1")
    let (gone, before, after, device) = try await hub.write { database throws(StoreError) in
      (
        try database.pushDevice(stranger), try database.subscription(ofDevice: stranger),
        try database.subscription(ofDevice: own), try database.pushDevice(own)
      )
    }
    #expect(gone == nil && before == nil)
    #expect(after == (try browser.subscription("https://push.example/1")))
    #expect(device?.channels == [.webPush])
    // A newer one of the same device takes the older one's place.
    let (newer, now) = (try Browser().subscription("https://push.example/2"), hub.loop.time.now)
    let kept = try await hub.write { database throws(StoreError) in
      try database.saveSubscription(newer, ofDevice: own, now: now)
      return try database.subscription(ofDevice: own)
    }
    #expect(kept == newer)
  }

  @Test func `the secrets of a removed device are forgotten`() async throws {
    let (hub, service) = (try await Hub(), ScriptedServer(answers: "201"))
    defer { service.stop() }
    let (device, other) = (
      try await hub.device(Browser(), at: service.url), try await hub.device(Browser(), at: service.url + "2")
    )
    let running = Task(executorPreference: hub.loop) { [channel = hub.channel] in try await channel.run() }
    // What is forgotten at the start is behind it by then.
    let id = try await hub.send(["title": "a"], to: other)
    let (now, limit) = (hub.loop.time.now, hub.loop.time.uptime + 15)
    while try await hub.events(id) != ["queued", "sent"], hub.loop.time.uptime < limit {
      try await hub.loop.pause(for: 0.01)
    }
    try await hub.write { database throws(StoreError) in try database.removePushDevice(device, now: now) }
    hub.delivery.removed([device])
    func isKept(_ device: Int) async throws -> Bool {
      try await hub.store.read { database throws(StoreError) in
        try database.first(
          "SELECT 1 FROM webpush_subscriptions WHERE device = ?", .int(device), read: { $0.int(0) }) != nil
      }
    }
    while try await isKept(device), hub.loop.time.uptime < limit { try await hub.loop.pause(for: 0.01) }
    running.cancel()
    _ = await running.result
    #expect(try await !isKept(device), "nothing more has to be sent for it")
    #expect(try await isKept(other))
  }
}
