import Bells
import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

/// A hub at work on which Ada has sent a file, in virtual time.
private struct AttachmentWorld {
  let test: TestHub
  let token: String
  static let file = String(repeating: "a1", count: 16)

  init() async throws {
    test = try await TestHub(rooms: [BellsRoom.self])
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'owner', 0)")
    }
    token = try await test.hub.tokens.create(name: "test", role: .owner)
    try await keep([Self.file], until: test.time.now + 86_400)
    try await test.openRooms()
    test.hub.run()
  }

  func keep(_ names: [String], until: Double) async throws {
    try await test.store.write { database throws(StoreError) in
      for name in names {
        try database.run(
          """
          INSERT INTO bells_attachments (name, type, size, sender, keep_until) VALUES (?, 'image/png', 9, 'person 1', ?)
          """, .text(name), .double(until))
      }
    }
  }

  /// - Returns: the notification's id.
  func send(_ content: JSON, at: JSON) async throws -> String {
    let wish: JSON = ["to": ["person": "1"], "content": content, "at": at]
    let answer = try await test.ask(.post, "/api/v1/notifications", token: token, wish)
    guard case .bytes(let bytes) = answer.body else { return "" }
    return try JSON(parsing: bytes)["id"]?.string ?? ""
  }

  func change(_ id: String, _ wish: JSON) async throws {
    _ = try await test.ask(.patch, "/api/v1/notifications/\(id)", token: token, wish)
  }

  func cancel(_ id: String) async throws {
    _ = try await test.ask(.delete, "/api/v1/notifications/\(id)", token: token)
  }

  func pass(days: Int) async {
    for _ in 0..<days {
      test.time.advance(by: 86_400)
      await test.settle()
    }
  }

  /// True while the file is there.
  func isKept() async throws -> Bool {
    try await test.store.read { database throws(StoreError) in
      try database.first("SELECT 1 FROM bells_attachments", read: { _ in true }) ?? false
    }
  }

  /// The notifications that were sent.
  func sent() async throws -> Int {
    try await test.store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM push_inbox", read: { $0.int(0) }) ?? 0
    }
  }
}

struct AttachmentTests {
  static let picture: JSON = ["title": "Tea", "attachments": [["id": "pot", "blob": .string(AttachmentWorld.file)]]]

  @Test func `the file of a daily one stays as long as it rings, and with its last day`() async throws {
    let world = try await AttachmentWorld()
    let id = try await world.send(Self.picture, at: ["local": "07:30", "every": "FREQ=DAILY"])
    await world.pass(days: 70)
    #expect(try await world.isKept())
    #expect(try await world.sent() > 20)
    try await world.cancel(id)
    await world.pass(days: 25)
    #expect(try await world.isKept(), "the last day is still in the list")
    await world.pass(days: 10)
    #expect(try await !world.isKept())
    await world.test.end()
  }

  @Test func `the file of a yearly one waits for the next year`() async throws {
    let world = try await AttachmentWorld()
    let id = try await world.send(Self.picture, at: ["local": "07:30", "every": "FREQ=YEARLY"])
    await world.pass(days: 200)
    #expect(try await world.isKept())
    try await world.cancel(id)
    await world.pass(days: 3)
    #expect(try await !world.isKept(), "nothing names it any more")
    await world.test.end()
  }

  @Test func `a file that is added to a far one, or whose time is put off, is there when it is sent`() async throws {
    let world = try await AttachmentWorld()
    // It is 2026-11-20.
    let id = try await world.send(["title": "Tea"], at: "2026-12-20T12:00:00Z")
    try await world.change(id, ["content": Self.picture])
    try await world.change(id, ["at": "2027-06-08T12:00:00Z"])
    await world.pass(days: 199)
    #expect(try await world.sent() == 0)
    await world.pass(days: 2)
    #expect(try await world.sent() == 1)
    // Four weeks of delivery, and thirty days that it is in the list.
    await world.pass(days: 56)
    #expect(try await world.isKept())
    await world.pass(days: 4)
    #expect(try await !world.isKept())
    await world.test.end()
  }

  @Test func `of several old files each one stays that something waiting names`() async throws {
    let world = try await AttachmentWorld()
    let others = ["b2", "c3", "d4"].map { String(repeating: $0, count: 16) }
    try await world.keep(others, until: 4_000_000_000)
    let yearly: JSON = ["local": "07:30", "every": "FREQ=YEARLY"]
    let cup: JSON = ["title": "Cup", "attachments": [["id": "cup", "blob": .string(others[1])]]]
    for content in [Self.picture, cup, ["title": "Tea"]] { _ = try await world.send(content, at: yearly) }
    let outdated = try await world.test.store.read { database throws(StoreError) in
      try database.outdatedAttachments(now: 5_000_000_000)
    }
    #expect(Set(outdated.map { $0.name }) == Set(others + [AttachmentWorld.file]))
    #expect(Set(outdated.filter { $0.isAwaited }.map { $0.name }) == [AttachmentWorld.file, others[1]])
    await world.test.end()
  }

  @Test func `a file that a notification names after it was found to be old stays`() async throws {
    let world = try await AttachmentWorld()
    let soon = world.test.time.now + 2 * 86_400
    let found = try await world.test.store.read { database throws(StoreError) in
      try database.outdatedAttachments(now: soon)
    }
    #expect(found.map { $0.name } == [AttachmentWorld.file])
    _ = try await world.send(Self.picture, at: "2026-12-20T12:00:00Z")
    for (time, isKept) in [(soon, true), (5_000_000_000, false)] {
      try await world.test.store.write { database throws(StoreError) in
        for one in found { try database.remove(attachment: one.name, outdatedAt: time) }
      }
      #expect(try await world.isKept() == isKept)
    }
    await world.test.end()
  }
}
