import Hub
import HubWorld
import Objects
import Server
import Testing
import Wire
import World

@testable import Backend

/// The share of each app, and what the doctor says of apps.
@Suite(.timeLimit(.minutes(5)))
struct BudgetTests {
  @Test func `an app has so many requests a second, and another one its own`() async throws {
    let time = VirtualTime()
    let budget = RequestBudget(time)
    var (one, other) = (App(name: "one", at: 0) { _ in false }, App(name: "other", at: 0) { _ in false })
    one.options.requests = 10
    other.options.requests = 10
    for _ in 0..<20 { try budget.take(one) }
    let error = #expect(throws: HTTPError.self) { try budget.take(one) }
    #expect(error?.foreign?["code"] == 155)
    try budget.take(other)
    time.advance(by: 0.1)
    try budget.take(one)
    #expect(throws: HTTPError.self) { try budget.take(one) }
  }

  @Test func `the doctor names apps that are full, and webhooks whose server is away`() async throws {
    let world = try await AppsWorld()
    let id = try await world.makeApp().id
    let room = try world.room
    #expect(await room.examine().map(\.verdict) == [.ok])
    _ = try await world.ask(.patch, "/\(id)", ["objects": 1])
    let app = try #require(room.register.app(id))
    let hook = Hook(name: .trigger(.afterSave, className: "Note"), url: "https://hook.example/")
    let objects = room.objects
    try await world.test.hub.commit(as: .room(BackendRoom.id)) { try objects.hooks.set(hook, of: id, in: $0) }
    try await objects.write(app, as: .master) { _ = try $0.create("Note", try ObjectEdit([:])) }
    #expect(await room.examine().map(\.verdict) == [.warning], "a webhook that was called just now")
    world.time.advance(by: AppsLimits.hookLateSeconds + 1)
    let findings = await room.examine()
    #expect(findings.map(\.verdict) == [.warning, .warning])
    #expect(findings.allSatisfy { $0.text.contains("Word game") && !$0.remedy.isEmpty })
    await world.test.end()
  }
}
