import Hub
import HubWorld
import Realtime
import Server
import Synchronization
import Testing
import Wire
import World

@testable import Backend

/// The choices of an app's owner, and the app's use.
@Suite(.timeLimit(.minutes(5)))
struct OptionTests {
  @Test func `options reach the channels, and what was not sent stays`() async throws {
    let world = try await AppsWorld()
    let made = try await world.make()
    let (id, key) = (made["app_id"]?.string ?? "", made["key"]?.string ?? "")
    _ = try await world.ask(
      .patch, "/\(id)", ["client_events": false, "history_seconds": 120, "history_events": 100, "connections": 500])
    let answer = try await world.ask(.patch, "/\(id)", ["name": "Words", "subscription_count": true])
    let options = try #require(try await world.register.find(key: key)?.options)
    #expect(!options.clientEvents && options.subscriptionCount && options.isEnabled && !options.authorizedOnly)
    #expect(options.historySeconds == 120 && options.historyCount == 100 && options.connections == 500)
    #expect(answer["name"] == "Words" && answer["options"]?["history_events"] == 100)
    let restarted = try await AppsWorld(folder: world.test.folder)
    // An event that is kept goes to all hubs, also before anybody has connected to this one.
    let channels = restarted.test.hub.channels
    let topics = Mutex<[String]>([])
    channels.join(
      PeerLink(
        hub: "b", send: { _, topic in topics.withLock { $0.append(topic) } }, listen: { _, _ in }, leave: { _ in }))
    channels.trigger("e", data: "1", on: ["lobby"], of: id)
    #expect(topics.withLock { $0.last } == PeerLink.all)
    #expect(try await restarted.register.find(key: key)?.options == options)
    await restarted.test.end()
    await world.test.end()
  }

  @Test func `a new app takes files of users alone, and one of an earlier version goes on with everybody's`() {
    #expect(!AppOptions().publicFiles && AppOptions(kept: "{}").publicFiles)
    #expect(AppOptions(kept: AppOptions().json.text) == AppOptions())
  }

  @Test(
    arguments: [
      ["history_seconds": 3601], ["history_events": -1], ["connections": 1_000_001], ["client_events": "yes"],
      ["colour": "red"], ["name": ""], ["webhooks": [["url": "http://192.168.1.2/hook", "events": ["cache_miss"]]]],
      ["webhooks": [["url": "https://hook.example/", "events": []]]],
      ["webhooks": [["url": "https://hook.example/", "events": ["rain"]]]],
      ["webhooks": .array(Array(repeating: ["url": "https://hook.example/", "events": ["cache_miss"]], count: 6))],
    ] as [JSON])
  func `what cannot be is refused, and changes nothing`(_ wish: JSON) async throws {
    let world = try await AppsWorld()
    let id = try await world.make()["app_id"]?.string ?? ""
    let before = try await world.ask(.get, "/\(id)")
    #expect(await world.refusal(.patch, "/\(id)", wish) == 40003)
    #expect(try await world.ask(.get, "/\(id)") == before)
    await world.test.end()
  }

  @Test func `an app over its messages of a day is so until midnight, or until it may send more`() async throws {
    let world = try await AppsWorld()
    let made = try await world.make()
    let other = try await world.make("another")["key"]?.string ?? ""
    let (id, key) = (made["app_id"]?.string ?? "", made["key"]?.string ?? "")
    _ = try await world.ask(.patch, "/\(id)", ["messages_a_day": 10])
    let register = try world.register
    #expect(!register.meter.add(9, to: Int(id) ?? 0) && register.meter.add(1, to: Int(id) ?? 0))
    #expect(await register.find(key: key)?.options.isOverQuota == true)
    #expect(await register.find(key: other)?.options.isOverQuota == false)
    let event: JSON = ["name": "hello", "channel": "lobby", "data": [:]]
    #expect(await world.refusal(.post, "/\(id)/events", event) == 40982)
    _ = try await world.ask(.patch, "/\(id)", ["messages_a_day": 11])
    #expect(await register.find(key: key)?.options.isOverQuota == false)
    #expect(register.meter.add(5, to: Int(id) ?? 0))
    world.time.advance(by: 5 * 3600 + 1200)
    #expect(await register.find(key: key)?.options.isOverQuota == false, "a new day")
    await world.test.end()
  }

  @Test func `what is counted is written each minute and at the end, and nothing twice`() async throws {
    let world = try await AppsWorld()
    let id = try await world.make()["app_id"]?.string ?? ""
    let register = try world.register
    world.test.hub.run()
    func hours() async throws -> [JSON] {
      try await world.ask(.get, "/\(id)/usage")["hours"]?.array?.compactMap { $0["messages"] } ?? []
    }
    _ = register.meter.add(7, to: Int(id) ?? 0)
    // What is just being written is shown once it is.
    try await world.test.wait { try await hours().suffix(2) == [0, 7] }
    try await world.test.wait(passing: 1) { register.meter.unwritten(of: Int(id) ?? 0).isEmpty }
    try await world.test.wait { try await hours().suffix(2) == [0, 7] }
    world.time.advance(by: 3600)
    _ = register.meter.add(3, to: Int(id) ?? 0)
    try await world.test.wait { try await hours().suffix(3) == [0, 7, 3] }
    await world.test.end()
    let restarted = try await AppsWorld(at: AppsWorld.start + 3600, folder: world.test.folder)
    let answer = try await restarted.ask(.get, "/\(id)/usage")
    #expect(answer["hours"]?.array?.suffix(2).compactMap { $0["messages"] } == [7, 3])
    #expect(answer["days"]?.array?.last?["messages"] == 10)
    #expect(try await restarted.ask(.get, "/\(id)")["messages_today"] == 10)
    await restarted.test.end()
  }

  @Test(
    arguments: [
      ["name": "", "channel": "lobby", "data": 1], ["name": "a", "channel": "lob by", "data": 1],
      ["name": "a", "channel": "private-encrypted-a", "data": 1], ["name": "a", "channel": "lobby"], [],
    ] as [JSON])
  func `an event from the page that no client could take is refused`(_ event: JSON) async throws {
    let world = try await AppsWorld()
    let id = try await world.make()["app_id"]?.string ?? ""
    #expect(await world.refusal(.post, "/\(id)/events", event) == 40060)
    let long: JSON = .string(String(repeating: "x", count: 10_239))
    #expect(
      await world.refusal(.post, "/\(id)/events", ["name": "a", "channel": "lobby", "data": long]) == 41360)
    #expect(await world.refusal(.post, "/\(id)/events", ["name": "a", "channel": "lobby", "data": [:]]) == nil)
    await world.test.end()
  }

  @Test func `only owners see apps, and a token for topics does not`() async throws {
    let world = try await AppsWorld()
    for role in [Role.keykeeper, .member, .reader, .sensor] {
      let token = try await world.test.hub.tokens.replace(name: role.rawValue, role: role)
      do {
        _ = try await world.test.ask(.get, "/api/v1/apps", token: token)
        Issue.record("\(role) sees apps")
      } catch {
        #expect((error as? HTTPError)?.code == .roleNotAllowed)
      }
    }
    await world.test.end()
  }
}
