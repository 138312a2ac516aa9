import Hub
import HubWorld
import Objects
import Server
import Testing
import Wire

@testable import Backend

/// Queries at their edges.
@Suite(.timeLimit(.minutes(5)))
struct QueryTests {
  private let world: AppsWorld
  private let app: App
  private let objects: AppObjects

  init() async throws {
    world = try await AppsWorld()
    let made = try await world.make()
    let room = try #require(world.test.hub.rooms.first as? BackendRoom)
    app = try #require(room.register.app(Int(made["app_id"]?.string ?? "") ?? 0))
    objects = room.objects
  }

  private func create(_ className: String, _ fields: JSON) async throws -> String {
    try await objects.write(app, as: .master) { try $0.create(className, try ObjectEdit(fields)).0.id }
  }

  @Test(arguments: [0, 1, 2])
  func `a list of ids is never empty in SQL, since PostgreSQL has none`(count: Int) async throws {
    _ = try await create("Note", ["text": "a"])
    let ids: JSON = .array((0..<count).map { .string("abcdefghi\($0)") })
    let sql = try await objects.read(app, as: .master) { reader in
      let stored = try #require(try reader.storedClass("Note"))
      let parameters = [JSON.Member("where", ["objectId": ["$in": ids]])]
      let query = try ObjectQuery(className: "Note", parameters: parameters, schema: stored.schema)
      return try ObjectScan(reader, stored, query).statement("SELECT id FROM ", isSorted: true).0
    }
    #expect(sql.contains(" id IN (\(["NULL", "?", "?, ?"][count]))"))
    #expect(!sql.contains("()"))
    await world.test.end()
  }
}
