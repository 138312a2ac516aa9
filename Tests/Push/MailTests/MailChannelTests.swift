import Client
import Delivery
import EventLoop
import Lifecycle
import Mail
import Observe
import Store
import Testing
import Wire
import World

/// When a mail is due, and when there is none. No mail server listens: what is to be sent fails.
struct MailChannelTests {
  final class Hub: Sendable {
    let loop = EventLoop(time: SystemTime())
    let folder = TemporaryFolder()
    let store: Store
    let channel: MailChannel

    init() async throws {
      let log = Log(time: loop.time, sink: { _ in })
      store = try await Store(
        path: "\(folder.path)/store.sqlite", migrations: PushTables.migrations + MailTables.migrations,
        time: loop.time)
      loop.runInBackground(name: "mail-test")
      let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere)
      let server = try #require(MailServer("smtp://127.0.0.1:1"))
      let sender = MailSender(client: client, server: server, from: try #require(MailAddress("b@hub.example")))
      channel = MailChannel(
        store: store, sender: sender, links: MailLinks(key: Array(repeating: 1, count: 32)), loop: loop, log: log,
        place: { MailChannel.Place(name: "Hub", url: "https://hub.example", page: "/list", links: "/list/mail/") })
    }

    deinit { loop.stop() }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws(StoreError) -> T) async throws -> T {
      try await store.write(body)
    }

    /// A person's mailbox, and a phone.
    func person(afterMinutes minutes: Double) async throws -> (mailbox: Int, phone: Int) {
      let (now, address) = (loop.time.now, try #require(MailAddress("ada@example.org")))
      let made: (Int, Int)? = try await write { database throws(StoreError) in
        let phone = PushDevice(name: "phone", kind: .agent, person: 7, channels: [.gateway], createdAt: now)
        guard let mailbox = try database.saveMailbox(of: 7, address, afterSeconds: minutes * 60, now: now),
          let id = try database.addPushDevice(phone)
        else { return nil }
        try database.confirmMailbox(mailbox.device, now: now)
        return (mailbox.device, id)
      }
      return try #require(made)
    }

    /// Sends a notification, so many minutes ago.
    func send(_ content: JSON = ["title": "Tea"], minutesAgo minutes: Double) async throws -> Int {
      let then = loop.time.now - minutes * 60
      let submission = Submission(to: [.person(7)], content: content, sender: "person 1")
      return try await write { database throws(StoreError) in try database.submit(submission, now: then).id }
    }

    func events(_ id: Int) async throws -> [String] {
      let trace = try await store.read { database throws(StoreError) in try database.trace(id) }
      let own = try #require(trace?.devices.first { $0.channel == .mail })
      return own.events.map { [$0.what.rawValue, $0.reason?.rawValue].compactMap { $0 }.joined(separator: " ") }
    }

    func run(until events: [String], of id: Int) async throws {
      let running = Task(executorPreference: loop) { [channel] in try await channel.run() }
      let limit = loop.time.uptime + 15
      while try await self.events(id) != events, loop.time.uptime < limit { try await loop.pause(for: 0.01) }
      running.cancel()
      _ = await running.result
      #expect(try await self.events(id) == events)
    }

    func next() async throws -> Double? {
      let now = loop.time.now
      return try await store.read { database throws(StoreError) in
        try database.nextAttempt(channel: .mail, now: now)
      }
    }
  }

  @Test func `a mail waits for its minutes, and is then sent`() async throws {
    let hub = try await Hub()
    _ = try await hub.person(afterMinutes: 10)
    let early = try await hub.send(minutesAgo: 9)
    let due = try await hub.send(minutesAgo: 11)
    try await hub.run(until: ["queued", "failed mail_unreachable"], of: due)
    #expect(try await hub.events(early) == ["queued"])
    let next = try #require(try await hub.next())
    #expect(next - hub.loop.time.now < 61)
    #expect(hub.channel.silence?.reason == .mailUnreachable)
  }

  @Test func `who is rung later than others has the minutes from then on`() async throws {
    let hub = try await Hub()
    let now = hub.loop.time.now
    // Nobody acts for twenty minutes, and then the person with the mailbox is rung.
    let first = try await hub.write { database throws(StoreError) in
      try database.addPushDevice(PushDevice(name: "door", kind: .agent, channels: [.gateway], createdAt: now))
    }
    _ = try await hub.person(afterMinutes: 10)
    let submission = Submission(
      to: [.device(first ?? 0)], content: ["title": "Tea"],
      repetition: Repetition(every: 600, limit: 1, then: [.person(7)]), sender: "person 1")
    let id = try await hub.write { database throws(StoreError) in
      let id = try database.submit(submission, now: now - 1_200).id
      _ = try database.ringAgain(now: now - 600)
      _ = try database.ringAgain(now: now)
      return id
    }
    let late = try await hub.send(minutesAgo: 11)
    try await hub.run(until: ["queued", "failed mail_unreachable"], of: late)
    #expect(try await hub.events(id) == ["queued nobody_acted"])
    let next = try #require(try await hub.next())
    #expect(next > now, "it is tried again, or for the first time, later")
  }

  @Test func `what rings after quiet hours has the minutes from then on`() async throws {
    let hub = try await Hub()
    _ = try await hub.person(afterMinutes: 10)
    let now = hub.loop.time.now
    // They ended fifteen minutes ago.
    let minute = Int(now / 60) + 1_440
    let quiet = QuietHours(from: (minute - 60) % 1_440, to: (minute - 15) % 1_440, zone: "UTC")
    let submission = Submission(
      to: [.person(7)], content: ["title": "Tea"], repetition: Repetition(every: 1_740, limit: 1), sender: "person 1")
    let id = try await hub.write { database throws(StoreError) in
      try database.setQuietHours(ofPerson: 7, quiet)
      let id = try database.submit(submission, now: now - 1_800).id
      _ = try database.ringAgain(now: now - 60)
      return id
    }
    let late = try await hub.send(minutesAgo: 11)
    try await hub.run(until: ["queued", "failed mail_unreachable"], of: late)
    #expect(try await hub.events(id) == ["queued", "suppressed quiet_hours", "queued rings_again"])
  }

  @Test func `what was not seen before quiet hours is mailed after them`() async throws {
    let hub = try await Hub()
    _ = try await hub.person(afterMinutes: 10)
    let waiting = try await hub.send(minutesAgo: 11)
    let critical = try await hub.send(["title": "Leak", "interruption_level": "critical"], minutesAgo: 11)
    // They began five minutes ago.
    let minute = Int(hub.loop.time.now / 60) + 1_440
    let quiet = QuietHours(from: (minute - 5) % 1_440, to: (minute + 60) % 1_440, zone: "UTC")
    try await hub.write { database throws(StoreError) in try database.setQuietHours(ofPerson: 7, quiet) }
    try await hub.run(until: ["queued", "failed mail_unreachable"], of: critical)
    #expect(try await hub.events(waiting) == ["queued", "suppressed quiet_hours"])
  }

  @Test func `without a mail server nothing waits for one, and with one it is used again`() async throws {
    let hub = try await Hub()
    _ = try await hub.person(afterMinutes: 10)
    let waiting = try await hub.send(minutesAgo: 1)
    let now = hub.loop.time.now
    func use(_ isUsed: Bool) async throws {
      try await hub.write { database throws(StoreError) in try database.useMailboxes(isUsed, now: now) }
    }
    try await use(true)
    #expect(try await hub.events(waiting) == ["queued"])
    try await use(false)
    #expect(try await hub.events(waiting) == ["queued", "gone channel_removed"])
    let none = try await hub.send(minutesAgo: 0)
    let trace = try await hub.store.read { database throws(StoreError) in try database.trace(none) }
    #expect(trace?.devices.contains { $0.channel == .mail } == false)
    try await use(true)
    #expect(try await hub.events(try await hub.send(minutesAgo: 0)) == ["queued"])
  }

  @Test(arguments: [(Receipt.What.shown, "suppressed shown_elsewhere"), (.delivered, "failed mail_unreachable")])
  func `what was shown on another device in time is not mailed, and what only arrived there is`(
    what: Receipt.What, event: String
  ) async throws {
    let hub = try await Hub()
    let (_, phone) = try await hub.person(afterMinutes: 10)
    let id = try await hub.send(minutesAgo: 11)
    let now = hub.loop.time.now
    _ = try await hub.write { database throws(StoreError) in
      try database.record(
        Receipt(notification: id, version: 1, what: what), device: phone, channel: .gateway, now: now)
    }
    try await hub.run(until: ["queued", event], of: id)
  }

  @Test func `what has nothing to read is not mailed`() async throws {
    let hub = try await Hub()
    _ = try await hub.person(afterMinutes: 0)
    let id = try await hub.send(["silent": true], minutesAgo: 0)
    try await hub.run(until: ["queued", "suppressed silent_not_sent"], of: id)
  }

  @Test func `another address is used once it is confirmed, and each mail names another second`() async throws {
    let hub = try await Hub()
    let (device, _) = try await hub.person(afterMinutes: 0)
    let (now, other) = (hub.loop.time.now, try #require(MailAddress("eve@example.org")))
    let seconds = try await hub.write { database throws(StoreError) in
      let same = try database.saveMailbox(of: 7, MailAddress("ada@example.org")!, afterSeconds: 60, now: now)
      let changed = try database.saveMailbox(of: 7, other, afterSeconds: 60, now: now)
      let asked = [
        same?.askedAt ?? 0, changed?.askedAt ?? 0, try database.askAgain(mailbox: device, now: now),
        try database.askAgain(mailbox: device, now: now),
      ]
      return (same?.unconfirmed, changed, asked)
    }
    #expect(seconds.0 == nil)
    #expect(seconds.1?.address.text == "ada@example.org" && seconds.1?.unconfirmed == other)
    #expect(Set(seconds.2).count == 4)
    let kept = try await hub.write { database throws(StoreError) in
      try database.confirmMailbox(device, now: now)
      return try database.mailbox(device: device)
    }
    #expect(kept?.address == other && kept?.unconfirmed == nil)
  }
}
