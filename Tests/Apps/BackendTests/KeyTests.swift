import Hub
import HubWorld
import Realtime
import Server
import Testing
import Wire
import World

@testable import Backend

/// Apps and their keys: what is shown once, what can be read again, and what counts for how long.
@Suite(.timeLimit(.minutes(5)))
struct KeyTests {
  @Test func `a new app is served at once, and its secrets are shown once`() async throws {
    let world = try await AppsWorld()
    let made = try await world.make()
    let (id, key) = (made["app_id"]?.string ?? "", made["key"]?.string ?? "")
    #expect(!id.isEmpty && id.allSatisfy { $0.isASCII && $0.isNumber })
    let found = try #require(try await world.register.find(key: key))
    #expect(found.id == id && found.secrets == [made["secret"]?.string ?? ""])
    #expect(try await world.register.find(id: id) == found)
    let again = try await world.ask(.get, "/\(id)")
    for name in ["app_id", "key", "application_id", "rest_key"] { #expect(again[name] == made[name]) }
    #expect(again["secret"] == nil && again["master_key"] == nil)
    #expect(try await world.ask(.get)["apps"]?.array?.count == 1)
    await world.test.end()
  }

  @Test func `a rotated secret leaves the old one valid for a day, in the channels too`() async throws {
    let world = try await AppsWorld()
    let made = try await world.make()
    let (id, key) = (made["app_id"]?.string ?? "", made["key"]?.string ?? "")
    let before = try await world.register.find(key: key)
    let rotated = try await world.ask(.post, "/\(id)/rotate", [:])
    let both = [rotated["secret"]?.string ?? "", made["secret"]?.string ?? ""]
    #expect(rotated["key"] == made["key"] && both[0] != both[1])
    let after = try await world.register.find(key: key)
    #expect(after?.secrets == both && after?.version ?? 0 > before?.version ?? 0)
    world.test.hub.run()
    let day = AppsLimits.oldSecretSeconds
    world.time.advance(by: day - 2)
    #expect(try await world.register.find(key: key)?.secrets.count == 2)
    try await world.test.wait(passing: 1) { try await world.register.find(key: key)?.secrets == [both[0]] }
    #expect(world.time.now >= AppsWorld.start + day)
    await world.test.end()
  }

  @Test func `old secrets end at once if one says so, and no more than four count`() async throws {
    let world = try await AppsWorld()
    let made = try await world.make()
    let (id, key) = (made["app_id"]?.string ?? "", made["key"]?.string ?? "")
    for _ in 0..<3 { _ = try await world.ask(.post, "/\(id)/rotate", [:]) }
    #expect(await world.refusal(.post, "/\(id)/rotate", [:]) == 40981)
    let last = try await world.ask(.post, "/\(id)/rotate", ["now": true])
    #expect(try await world.register.find(key: key)?.secrets == [last["secret"]?.string ?? ""])
    #expect(try await world.ask(.get, "/\(id)")["old_secret_until"] == .null)
    await world.test.end()
  }

  @Test func `what a command beside the hub has made is found at its first use, and what it removed is gone`()
    async throws
  {
    let world = try await AppsWorld()
    world.test.hub.run()
    // As a command does: the running hub is not told of it here.
    let (app, made) = try await world.test.hub.commit(as: .room(BackendRoom.id)) { change in
      try AppChange.make("beside", in: change)
    }
    #expect(try await world.register.find(key: app.key)?.secrets == [made.secret])
    _ = try await world.test.hub.commit(as: .room(BackendRoom.id)) { change in try AppChange.remove(app.id, in: change)
    }
    world.test.hub.commandEnded()
    try await world.test.wait { try await world.register.find(key: app.key) == nil }
    await world.test.end()
  }

  @Test func `keys that are nobody's ask the store once, and are bounded`() async throws {
    let world = try await AppsWorld()
    for number in 0..<AppsLimits.unknownKeys + 10 {
      let key = String(repeating: "0", count: 16) + String(10_000 + number).suffix(4)
      #expect(try await world.register.find(key: key) == nil)
    }
    #expect(try world.register.unknownKeys <= AppsLimits.unknownKeys)
    let made = try await world.make()
    #expect(try await world.register.find(key: made["key"]?.string ?? "") != nil)
    for odd in ["", "eightbells", String(repeating: "A", count: 20), String(repeating: "0", count: 21)] {
      #expect(try await world.register.find(key: odd) == nil)
    }
    await world.test.end()
  }

  @Test func `a removed app is gone, and so is everything of it`() async throws {
    let world = try await AppsWorld()
    let made = try await world.make()
    let (id, key) = (made["app_id"]?.string ?? "", made["key"]?.string ?? "")
    _ = try await world.ask(.delete, "/\(id)")
    #expect(try await world.register.find(key: key) == nil)
    #expect(await world.refusal(.get, "/\(id)") == 40480)
    let told = try await world.test.ask(.get, "/api/v1/audit", token: world.owner)
    guard case .bytes(let bytes) = told.body else { return #expect(Bool(false), "no answer") }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("apps.made") && text.contains("apps.removed"))
    #expect(!text.contains(made["secret"]?.string ?? "?"))
    await world.test.end()
  }

  @Test func `a thousand apps are found as quickly as one`() async throws {
    let world = try await AppsWorld()
    let keys = try await world.test.hub.commit(as: .room(BackendRoom.id)) { change in
      try (0..<1000).map { try AppChange.make("app \($0)", in: change).0.key }
    }
    world.test.hub.run()
    world.test.hub.commandEnded()
    let register = try world.register
    try await world.test.wait { register.all.count == 1000 }
    for key in keys { #expect(await register.find(key: key) != nil) }
    #expect(try await world.ask(.get)["apps"]?.array?.count == 1000)
    await world.test.end()
  }
}
