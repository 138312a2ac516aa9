import Hub
import HubWorld
import Objects
import Server
import Store
import Testing
import Wire

@testable import Backend

/// What an app may keep, each limit met and exceeded by one.
@Suite(.timeLimit(.minutes(5)))
struct QuotaTests {
  private let world: AppsWorld
  private let objects: AppObjects
  private let id: Int

  init() async throws {
    world = try await AppsWorld()
    id = try await world.makeApp().id
    objects = try world.room.objects
  }

  private func app(_ other: Int? = nil) throws -> App { try #require(try world.register.app(other ?? id)) }

  private func set(_ options: JSON) async throws { _ = try await world.ask(.patch, "/\(id)", options) }

  private func create(_ text: String = "Ahoy", in other: Int? = nil) async throws -> String {
    let app = try app(other)
    return try await objects.write(app, as: .master) { writer in
      try writer.create("Note", try ObjectEdit(["text": .string(text)])).object.id
    }
  }

  private func kept() async throws -> JSON { try #require(try await world.ask(.get, "/\(id)")["kept"]) }

  @Test func `a commit changes so many bytes of objects, but with the master key`() async throws {
    let note = try await create(String(repeating: "a", count: 1_000_000))
    let change: @Sendable (ObjectWriter) throws -> Void = { writer in
      let times = AppsLimits.changedBytes / 1_000_000 + 1
      for time in 1...times { _ = try writer.update("Note", note, try ObjectEdit(["time": .int(time)])) }
    }
    let app = try app()
    #expect(await parseCode { try await objects.write(app, as: .stranger, change) } == 116)
    #expect(await parseCode { try await objects.write(app, as: .master, change) } == nil)
  }

  @Test func `an app over its number of objects is refused with 140, others go on, and deletion frees`() async throws {
    let other = Int(try await world.make("another")["app_id"]?.string ?? "") ?? 0
    try await set(["objects": 2])
    let first = try await create()
    _ = try await create()
    #expect(try await kept()["full"] == true)
    #expect(await parseCode { _ = try await create() } == 140)
    #expect(try await kept()["objects"] == 2, "what was refused is not counted")
    for _ in 0..<3 { _ = try await create(in: other) }
    let app = try app()
    try await objects.write(app, as: .master) { _ = try $0.delete("Note", first) }
    _ = try await create()
    #expect(await parseCode { _ = try await create() } == 140)
    try await set(["objects": 3])
    _ = try await create()
    await world.test.end()
  }

  @Test func `writes that share a transaction are counted together, and a part that is undone is not`() async throws {
    try await set(["objects": 5])
    let codes = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<20 { group.addTask { await parseCode { _ = try await create() } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.filter { $0 == nil }.count == 5 && codes.filter { $0 == 140 }.count == 15)
    #expect(try await kept()["objects"] == 5)
    try await set(["objects": 100])
    let app = try app()
    try await objects.write(app, as: .master) { writer in
      struct Refusal: Error {}
      _ = try? writer.part {
        _ = try writer.create("Note", try ObjectEdit(["text": "undone"]))
        throw Refusal()
      }
      _ = try writer.create("Note", try ObjectEdit(["text": "stays"]))
    }
    #expect(try await kept()["objects"] == 6)
    await world.test.end()
  }

  @Test func `bytes are counted as objects grow, shrink and lose a field, and after a restart`() async throws {
    let app = try app()
    let note = try await create(String(repeating: "x", count: 1_000))
    let before = try await kept()["object_bytes"]?.int ?? 0
    #expect(before == 1_000 + #"{"text":""}"#.utf8.count)
    let longer = try ObjectEdit(["text": .string(String(repeating: "x", count: 1_100))])
    try await objects.write(app, as: .master) { _ = try $0.update("Note", note, longer) }
    #expect(try await kept()["object_bytes"]?.int == before + 100)
    let change = try SchemaChange(["fields": ["text": ["__op": "Delete"]]])
    try await objects.write(app, as: .master) { writer in
      var stored = try #require(try writer.storedClass("Note"))
      try writer.apply(change, to: &stored)
    }
    #expect(try await kept()["object_bytes"]?.int == 2)
    try await objects.write(app, as: .master) { writer in
      let stored = try #require(try writer.storedClass("Note"))
      while try writer.purge(stored) {}
    }
    #expect(try await kept()["object_bytes"]?.int == 0)
    _ = try await create()
    await world.test.end()
    let restarted = try await AppsWorld(folder: world.test.folder)
    #expect(try await restarted.ask(.get, "/\(id)")["kept"]?["objects"] == 1)
    await restarted.test.end()
  }

  @Test func `an object that needs more bytes than are left is refused, and a shorter one is taken`() async throws {
    try await set(["object_megabytes": 1])
    let note = try await create(String(repeating: "x", count: AppsLimits.megabyte - 100))
    #expect(await parseCode { _ = try await create(String(repeating: "x", count: 100)) } == 140)
    let (app, shorter) = (try app(), try ObjectEdit(["text": "x"]))
    try await objects.write(app, as: .master) { _ = try $0.update("Note", note, shorter) }
    _ = try await create(String(repeating: "x", count: 100))
    await world.test.end()
  }

  @Test func `tables of an earlier version are counted once`() async throws {
    _ = try await create()
    let (id, size) = (id, try await kept()["object_bytes"]?.int)
    let statements = HoldingsTable.migration.sql.split(separator: ";").map(String.init)
    let counted = try await world.test.store.write { database throws(StoreError) in
      try database.run("UPDATE apps_apps SET objects = 0, object_bytes = 0")
      try database.run(statements.last ?? "")
      return try database.holdings(of: id)
    }
    #expect(counted.objects == 1 && counted.objectBytes == size)
    await world.test.end()
  }
}
