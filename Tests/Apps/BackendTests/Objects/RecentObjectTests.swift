import Objects
import Server
import Testing
import Wire

@testable import Backend

/// Objects that are read from memory: nobody sees an old one, or one that is not theirs to see.
@Suite(.timeLimit(.minutes(5)))
struct RecentObjectTests {
  private let world: AppsWorld
  private let app: App
  private let objects: AppObjects
  private static let stranger = Objects.Caller()

  init() async throws { (world, app, objects) = try await AppsWorld.withApp() }

  private func create(_ fields: JSON) async throws -> String {
    try await objects.write(app, as: .master) { try $0.create("Note", try ObjectEdit(fields)).0.id }
  }

  private func get(_ id: String, as caller: Objects.Caller = .master) async throws -> JSON {
    try await objects.get(app, as: caller, "Note", id, [])
  }

  private func isKnown(_ id: String) -> Bool { objects.recent.get(app.id, "Note", id).object != nil }

  @Test func `an object is in memory after its first reading, until one of its app changes`() async throws {
    let id = try await create(["text": "a"])
    let other = try await create(["text": "other"])
    #expect(!isKnown(id))
    let read = try await get(id)
    #expect(isKnown(id))
    #expect(try await get(id) == read)
    let fromStore = try await objects.read(app, as: .master) { try $0.get("Note", id, []) }
    #expect(fromStore == read)

    let edit = try ObjectEdit(["text": "b"])
    _ = try await objects.write(app, as: .master) { try $0.update("Note", id, edit) }
    #expect(!isKnown(id))
    #expect(try await get(id)["text"] == "b")
    _ = try await objects.write(app, as: .master) { try $0.delete("Note", other) }
    #expect(!isKnown(id))
    _ = try await objects.write(app, as: .master) { try $0.delete("Note", id) }
    await #expect(throws: HTTPError.self) { try await get(id) }
  }

  @Test func `an access list counts for an object in memory too`() async throws {
    let mine = try await create(["text": "a", "ACL": ["ada": ["read": true]]])
    _ = try await get(mine)
    #expect(isKnown(mine))
    await #expect(throws: HTTPError.self) { try await get(mine, as: Self.stranger) }
    #expect(try await get(mine, as: Objects.Caller(user: "ada"))["text"] == "a")
  }

  @Test func `a reading from before a change is not kept, nor one from before a command`() async throws {
    let id = try await create(["text": "a"])
    let read = try await objects.read(app, as: .master) { try $0.one("Note", id) }
    let (_, before) = objects.recent.get(app.id, "Note", id)
    objects.recent.forget(app.id)
    objects.recent.keep(read, of: app.id, before)
    #expect(!isKnown(id))
    let (_, earlier) = objects.recent.get(app.id, "Note", id)
    objects.recent.forgetAll()
    objects.recent.keep(read, of: app.id, earlier)
    #expect(!isKnown(id))
    objects.recent.keep(read, of: app.id, objects.recent.get(app.id, "Note", id).age)
    #expect(isKnown(id))
  }

  @Test func `only so many small ones stay`() async throws {
    let large = try await create(["text": .string(String(repeating: "a", count: AppsLimits.recentBytes))])
    _ = try await get(large)
    #expect(!isKnown(large))
    let id = try await create(["text": "a"])
    let read = try await objects.read(app, as: .master) { try $0.one("Note", id) }
    let recent = RecentObjects()
    for number in 1...AppsLimits.recentObjects + 1 {
      recent.keep(read, of: number, recent.get(number, "Note", id).age)
    }
    let left = (1...AppsLimits.recentObjects + 1).filter { recent.get($0, "Note", id).object != nil }
    #expect(left == [AppsLimits.recentObjects + 1])
  }
}
