import Client
import Delivery
import EventLoop
import Foundation
import Lifecycle
import Observe
import Store
import Synchronization
import Testing
import Webhooks
import Wire
import World

/// The channel with its queue in a store, and receivers on real sockets.
struct WebhookChannelTests {
  final class Notices: Sendable {
    let count = Mutex(0)
  }

  /// A store, and the channel running on it until the work of a test is done.
  final class Hub: Sendable {
    let loop = EventLoop(time: SystemTime())
    let folder = TemporaryFolder()
    let store: Store
    let channel: WebhookChannel
    let delivery: Delivery
    let notices = Notices()

    init(listed: [String] = ["127.0.0.1"]) async throws {
      let ranges = try listed.map { try AddressRange($0) }
      let log = Log(time: loop.time, sink: { _ in })
      store = try await Store(
        path: "\(folder.path)/store.sqlite", migrations: PushTables.migrations + WebhookTables.migrations,
        time: loop.time)
      loop.runInBackground(name: "webhook-test")
      let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .publicInternet(and: ranges))
      channel = WebhookChannel(
        store: store, sender: WebhookSender(client: client, time: loop.time, timeout: 5), loop: loop, log: log,
        noticeIsDue: { [notices] in notices.count.withLock { $0 += 1 } })
      delivery = Delivery(store: store, loop: loop, time: loop.time, log: log)
      delivery.add(channel)
    }

    deinit { loop.stop() }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws(StoreError) -> T) async throws -> T {
      try await store.write(body)
    }

    func webhook(at url: String, secret: WebhookSecret = WebhookSecret()) async throws -> Int {
      let now = loop.time.now
      return try #require(
        try await write { database throws(StoreError) in
          try database.saveTopic(Topic(id: "coffee", name: "Coffee", subscribers: .members, senders: .members))
          return try database.addWebhook("screen", url: url, secret: secret, topics: ["coffee"], now: now)
        })
    }

    @discardableResult
    func send(_ title: String, collapse: String? = nil) async throws -> Int {
      let now = loop.time.now
      let submission = Submission(
        to: [.topic("coffee")], content: ["title": .string(title)], collapseID: collapse, expiresAt: now + 3_600,
        sender: "person 7", topic: "coffee")
      let submitted = try await write { database throws(StoreError) in try database.submit(submission, now: now) }
      delivery.wake(submitted.wakes)
      return submitted.id
    }

    func events(_ id: Int) async throws -> [String] {
      let trace = try await store.read { database throws(StoreError) in try database.trace(id) }
      return try #require(trace?.devices.first).events.map { event in
        [event.what.rawValue, event.reason?.rawValue, event.detail].compactMap { $0 }.joined(separator: " ")
      }
    }

    func webhook(_ device: Int) async throws -> Webhook {
      let found = try await store.read { database throws(StoreError) in try database.webhook(device) }
      return try #require(found)
    }

    func toTell() async throws -> [String] {
      try await store.read { database throws(StoreError) in try database.webhooksToTell() }.map(\.name)
    }

    /// Runs the channel until these are the events of a notification.
    func run(until events: [String], of id: Int) async throws {
      let running = Task(executorPreference: loop) { [channel] in try await channel.run() }
      let limit = loop.time.uptime + 15
      while try await self.events(id) != events, loop.time.uptime < limit { try await loop.pause(for: 0.01) }
      running.cancel()
      _ = await running.result
      #expect(try await self.events(id) == events)
    }
  }

  @Test func `the signature is that of Standard Webhooks' own example`() throws {
    let bytes = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let secret = WebhookSecret([UInt8](bytes))
    #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let signature = secret.signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func `a notification is posted, signed, and delivered when it is taken`() async throws {
    let (hub, receiver, secret) = (try await Hub(), ScriptedServer(answers: "204"), WebhookSecret())
    defer { receiver.stop() }
    _ = try await hub.webhook(at: receiver.url + "hook?key=1", secret: secret)
    let id = try await hub.send("A fresh pot", collapse: "pot")
    try await hub.run(until: ["queued", "sent", "delivered"], of: id)
    let (head, body) = (try #require(receiver.asked.first), try #require(receiver.received.first))
    #expect(head.hasPrefix("POST /hook?key=1 HTTP/1.1\r\n"))
    let message = "msg_\(id)_1"
    #expect(head.contains("webhook-id: \(message)\r\n"))
    let time = try #require(head.firstMatch(of: #/webhook-timestamp: (\d+)\r\n/#).flatMap { Int($0.1) })
    #expect(head.contains("webhook-signature: \(secret.signature(id: message, timestamp: time, body: body))\r\n"))
    let json = try JSON(parsing: body)
    #expect(json["type"] == "notification" && json["data"]?["id"] == .string("\(id)"))
    #expect(json["data"]?["content"] == ["title": "A fresh pot"] && json["data"]?["v"] == 1)
    #expect(json["data"]?["collapse_id"] == "pot" && json["data"]?["topic"] == "coffee")
    #expect(receiver.asked.count == 1 && hub.channel.counts.sent == 1 && hub.channel.counts.failed == 0)
  }

  @Test(arguments: ["301 Location: /other", "400", "401", "403", "404", "429", "500", "503"])
  func `everything but 2xx and 410 is tried again`(answer: String) async throws {
    let (hub, receiver) = (try await Hub(), ScriptedServer(answers: answer))
    defer { receiver.stop() }
    let device = try await hub.webhook(at: receiver.url)
    let start = hub.loop.time.now
    let id = try await hub.send("Tea")
    let status = String(answer.prefix(3))
    try await hub.run(until: ["queued", "failed webhook_answer \(status)"], of: id)
    #expect(receiver.asked.count == 1)
    let webhook = try await hub.webhook(device)
    #expect(webhook.state == .failing && webhook.failure == "webhook_answer: \(status)")
    // It has failed for a moment only.
    #expect(try await hub.toTell().isEmpty)
    let now = hub.loop.time.now
    let next = try await hub.store.read { database throws(StoreError) in
      try database.nextAttempt(channel: .webhook, now: now)
    }
    #expect((start + 1...now + 8).contains(try #require(next)))
  }

  @Test(arguments: [("200", ["sent", "delivered"]), ("410", ["gone webhook_gone"])])
  func `a page of any length beside the status changes nothing`(status: String, events: [String]) async throws {
    let receiver = ScriptedServer { writer in
      writer.write("HTTP/1.1 \(status) X\r\n\r\n")
      while writer.write([UInt8](repeating: 120, count: 65_536)) {}
    }
    defer { receiver.stop() }
    let hub = try await Hub()
    _ = try await hub.webhook(at: receiver.url)
    try await hub.run(until: ["queued"] + events, of: hub.send("Tea"))
  }

  @Test func `receivers that do not answer hold up none that does`() async throws {
    let (silent, receiver) = (ScriptedServer { $0.waitForEnd() }, ScriptedServer(answers: "204"))
    defer { for server in [silent, receiver] { server.stop() } }
    let hub = try await Hub()
    for _ in 0..<40 { _ = try await hub.webhook(at: silent.url) }
    // As their first attempts have left it.
    try await hub.write { database throws(StoreError) in
      try database.run("UPDATE webhook_targets SET failing_since = ?", .double(1))
    }
    _ = try await hub.webhook(at: receiver.url)
    try await hub.send("Tea")
    let running = Task(executorPreference: hub.loop) { [channel = hub.channel] in try await channel.run() }
    // Each attempt at a silent one takes five seconds.
    let limit = hub.loop.time.uptime + 4
    while receiver.asked.isEmpty, hub.loop.time.uptime < limit { try await hub.loop.pause(for: 0.01) }
    #expect(!receiver.asked.isEmpty)
    running.cancel()
    _ = await running.result
  }

  @Test func `a receiver that is slow goes on with the slow ones, and gets all`() async throws {
    let receiver = ScriptedServer { writer in
      Thread.sleep(forTimeInterval: DeliveryLimits.promptSeconds + 0.2)
      writer.write("HTTP/1.1 204 X\r\nConnection: close\r\n\r\n")
    }
    defer { receiver.stop() }
    let hub = try await Hub()
    _ = try await hub.webhook(at: receiver.url)
    try await hub.send("one")
    try await hub.run(until: ["queued", "sent", "delivered"], of: hub.send("two"))
    #expect(receiver.asked.count == 2)
  }

  @Test func `a receiver that works again is not failing any more`() async throws {
    let (hub, receiver) = (try await Hub(), ScriptedServer(answers: "500", "200"))
    defer { receiver.stop() }
    let device = try await hub.webhook(at: receiver.url)
    try await hub.run(until: ["queued", "failed webhook_answer 500"], of: hub.send("one"))
    try await hub.run(until: ["queued", "sent", "delivered"], of: hub.send("two"))
    let webhook = try await hub.webhook(device)
    #expect(webhook.state == .active && webhook.failure == nil)
  }

  @Test func `410 ends the webhook, and owners are told`() async throws {
    let (hub, receiver) = (try await Hub(), ScriptedServer(answers: "410"))
    defer { receiver.stop() }
    let device = try await hub.webhook(at: receiver.url)
    let first = try await hub.send("one")
    let second = try await hub.send("two")
    try await hub.run(until: ["queued", "gone webhook_gone"], of: second)
    #expect(try await hub.events(first) == ["queued", "gone webhook_gone"])
    #expect(receiver.asked.count == 1)
    #expect(try await hub.webhook(device).state == .ended)
    #expect(try await hub.toTell() == ["screen"] && hub.notices.count.withLock { $0 } == 1)
    let third = try await hub.send("three")
    let trace = try await hub.store.read { database throws(StoreError) in try database.trace(third) }
    #expect(trace?.devices.isEmpty == true)
  }

  @Test func `a message is given up after three days of attempts, and owners are told once`() async throws {
    let (hub, receiver) = (try await Hub(), ScriptedServer(answers: "503"))
    defer { receiver.stop() }
    let device = try await hub.webhook(at: receiver.url)
    let start = hub.loop.time.now
    let submission = Submission(
      to: [.topic("coffee")], content: ["title": "Old"], expiresAt: start + 28 * 86_400, sender: "person 7")
    let id = try await hub.write { database throws(StoreError) in try database.submit(submission, now: start).id }
    // All attempts but the last, without their pauses.
    let end = try await hub.write { database throws(StoreError) -> Double in
      var now = start
      for attempt in 1..<WebhookLimits.attempts {
        let due = try database.pending(device: device, channel: .webhook, now: now, limit: 1)
        guard let one = due.first, one.attempts == attempt - 1 else { return 0 }
        let next = try database.finish(
          one, channel: .webhook, with: .retry(.webhookAnswer, detail: "503"), jitter: 0.5, now: now)
        guard let next else { return 0 }
        now = next
      }
      return now
    }
    #expect((2.9...3.1).contains((end - start) / 86_400))
    // By the clock it was written while that was ahead, so it is due.
    let running = Task(executorPreference: hub.loop) { [channel = hub.channel] in try await channel.run() }
    let limit = hub.loop.time.uptime + 15
    while try await hub.events(id).last != "failed webhook_dead 503", hub.loop.time.uptime < limit {
      try await hub.loop.pause(for: 0.01)
    }
    running.cancel()
    _ = await running.result
    #expect(try await hub.events(id).last == "failed webhook_dead 503")
    #expect(receiver.asked.count == 1)
    #expect(try await hub.toTell() == ["screen"])
    try await hub.write { database throws(StoreError) in try database.toldOfWebhook(device) }
    #expect(try await hub.toTell().isEmpty)
  }

  @Test(arguments: ["https://127.1:1/", "http://127.0.0.1:1/", "https://[::1]:1/"])
  func `an address inside is not connected to, whatever it was when the webhook was made`(url: String) async throws {
    let hub = try await Hub(listed: [])
    let device = try await hub.webhook(at: url)
    try await hub.run(until: ["queued", "failed target_refused"], of: hub.send("Tea"))
    #expect(try await hub.webhook(device).state == .failing)
    #expect(try await hub.toTell() == ["screen"])
  }

  @Test func `a name that leads inside is not connected to, and is tried again later`() async throws {
    let (hub, receiver) = (try await Hub(listed: []), ScriptedServer(answers: "204"))
    defer { receiver.stop() }
    let device = try await hub.webhook(at: "https://localhost:\(receiver.port)/")
    try await hub.run(until: ["queued", "failed target_refused"], of: hub.send("Tea"))
    #expect(receiver.asked.isEmpty)
    #expect(try await hub.webhook(device).state == .failing)
    // It has failed for a moment only.
    #expect(try await hub.toTell().isEmpty)
    let now = hub.loop.time.now
    let next = try await hub.store.read { database throws(StoreError) in
      try database.nextAttempt(channel: .webhook, now: now)
    }
    #expect(next != nil)
  }

  @Test func `an address inside is refused at once`() throws {
    let listed = [try AddressRange("10.1.0.0/16")]
    for url in [
      "https://127.0.0.1/", "https://10.2.0.1/", "http://screen.example/", "https://user@screen.example/",
      "file:///etc",
      "https://screen.example", "https://[::ffff:127.0.0.1]/", "http://10.2.0.1/", "",
    ] {
      #expect(WebhookAddress.fault(url, listed: listed) != nil, "\(url)")
    }
    for url in ["https://screen.example/hook", "http://10.1.0.1:8123/api/webhook/x", "https://10.1.2.3/"] {
      #expect(WebhookAddress.fault(url, listed: listed) == nil, "\(url)")
    }
  }

  @Test func `a change and a withdrawal follow, each a message of its own`() async throws {
    let (hub, receiver) = (try await Hub(), ScriptedServer(answers: "200"))
    defer { receiver.stop() }
    _ = try await hub.webhook(at: receiver.url)
    let id = try await hub.send("Tea")
    try await hub.run(until: ["queued", "sent", "delivered"], of: id)
    let now = hub.loop.time.now
    _ = try await hub.write { database throws(StoreError) in
      try database.update(notification: id, content: ["title": "Cold tea"], now: now)
    }
    hub.channel.wake([])
    let before = ["queued", "sent", "delivered", "sent", "delivered"]
    try await hub.run(until: before, of: id)
    _ = try await hub.write { database throws(StoreError) in try database.withdraw(notification: id, now: now) }
    hub.channel.wake([])
    try await hub.run(until: before + ["sent", "withdrawn taken_back"], of: id)
    let last = try JSON(parsing: try #require(receiver.received.last))
    #expect(last["type"] == "notification.withdrawn" && last["data"]?["reason"] == "taken_back")
    #expect(last["text"] == "Cold tea: taken back by its sender")
    let message = Outgoing(
      id: 1, version: 2, work: .withdraw(.takenBack), sentAt: now, withdrawn: #"{"title": "Kaffee"}"#)
    #expect(WebhookMessage.body(message, isGerman: true)["text"] == "Kaffee: vom Absender zurückgenommen")
    #expect(receiver.asked.map { $0.contains("webhook-id: msg_\(id)_3\r\n") } == [false, false, true])
  }

  @Test func `Slack takes no word of a notification for markup`() {
    let message = Outgoing(
      id: 1, version: 1, work: .show(content: #"{"title": "<!channel> 3 & 4"}"#), sentAt: 0)
    let text = { (url: String) in WebhookMessage.body(message, to: url)["text"] }
    for host in ["hooks.slack.com", "Hooks.Slack.com", "hooks.slack-gov.com"] {
      #expect(text("https://\(host)/services/T/B/x") == "&lt;!channel&gt; 3 &amp; 4")
    }
    #expect(text("https://chat.example/hooks/x") == "<!channel> 3 & 4")
  }

  @Test func `a webhook that was removed has no secret left, and nothing waits for it`() async throws {
    let hub = try await Hub()
    let device = try await hub.webhook(at: "http://127.0.0.1:1/")
    let id = try await hub.send("Tea")
    let now = hub.loop.time.now
    let isRemoved = try await hub.write { database throws(StoreError) in
      try database.removeWebhook(device, now: now)
    }
    #expect(isRemoved)
    #expect(try await hub.events(id) == ["queued", "gone device_removed"])
    let left = try await hub.store.read { database throws(StoreError) in try database.webhooks() }
    #expect(left.isEmpty)
  }
}
