import Hub
import HubWorld
import Server
import Store
import Testing
import Wire

@testable import Eightbells

/// A room with a view of its own for its notifications.
struct RoomViewsTests {
  /// A room that is nothing but a view.
  struct Lighthouse: Room {
    static let plan = RoomPlan(
      id: "lighthouse", name: "Lighthouse", summary: "Shines.",
      views: [BellView("beam", of: ["beam", "fog"], file: "/offline")])
    init(_ hub: Hub) {}
    func addRoutes(to router: inout Router) {}
  }

  @Test func `a room's view is served for its categories, and an app's for one of these is refused`() async throws {
    let test = try await TestHub(rooms: rooms.types + [Lighthouse.self])
    try await test.openRooms()
    let owner = try await test.hub.tokens.create(name: "test", role: .owner)
    let path = "/api/v1/bells/views"

    let list = try await test.ask(.get, path, token: owner)
    guard case .bytes(let told) = list.body else { preconditionFailure("no bytes") }
    let view = try #require(try JSON(parsing: told).array?.first)
    #expect(view["name"] == "beam" && view["room"] == "lighthouse" && view["categories"] == ["beam", "fog"])
    #expect(view["size"]?.int ?? 0 > 500)

    let shown = try await test.ask(.get, "\(path)/beam", token: owner)
    #expect(shown.contentType == "text/html; charset=utf-8")
    let policy = shown.fields.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    #expect(policy.hasPrefix("sandbox allow-scripts"))

    func refusal(_ name: String, _ method: Wire.Method = .put) async -> HTTPError? {
      await #expect(throws: HTTPError.self) {
        _ = try await test.ask(
          method, "\(path)/\(name)", token: owner, method == .put ? ["categories": ["fog"], "html": "x"] : nil)
      }
    }
    #expect(await refusal("mine")?.error == "A category has one view: \"fog\" has the view beam.")
    #expect(await refusal("beam")?.error == "The view beam is the room Lighthouse's.")
    #expect(await refusal("beam", .delete)?.code == ErrorCode(40918))
    await test.end()
  }
}
