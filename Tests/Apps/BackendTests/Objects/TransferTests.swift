import Foundation
import Hub
import HubWorld
import Objects
import Store
import Testing
import Wire
import World

@testable import Backend

/// The indexes of classes as they are shown, and apps that come from a folder.
@Suite(.timeLimit(.minutes(5)))
struct TransferTests {
  /// A folder with the lines of an app, as an export has them.
  private static func folder(_ lines: [JSON]) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let app: JSON = ["app": ["format": .int(AppExport.format), "name": "Words", "options": [:]]]
    let text = ([app] + lines).map { $0.text + "\n" }.joined()
    try folder.write(Array(text.utf8), to: AppExport.lines)
    return folder
  }

  private static func object(_ id: String, _ more: JSON.Member...) -> JSON {
    let time: JSON = "2026-11-20T18:40:00.000Z"
    let members = [JSON.Member("objectId", .string(id)), .init("createdAt", time), .init("updatedAt", time)] + more
    return ["class": "Word", "object": .object(members)]
  }

  @Test func `an index is shown while it is there, and goes with its last name or its field`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    func shown(after json: JSON) async throws -> [String] {
      let change = try SchemaChange(json)
      return try await objects.write(app, as: .master) { writer in
        var stored = try writer.openClass("Word")
        try writer.apply(change, to: &stored)
        return try #require(try writer.storedClass("Word")).shownIndexes.map { $0.name }
      }
    }
    let number: JSON = ["type": "Number"]
    let removal: JSON = ["__op": "Delete"]
    let wanted: JSON = ["first": ["a": 1], "again": ["a": 1], "second": ["b": 1]]
    let all = try await shown(after: ["fields": ["a": number, "b": number], "indexes": wanted])
    #expect(all == ["again", "first", "second"])
    #expect(try await shown(after: ["indexes": ["first": removal]]) == ["again", "second"])
    #expect(try await shown(after: ["indexes": ["again": removal]]) == ["second"])
    #expect(try await shown(after: ["fields": ["b": removal]]) == [])
    // One that the hub has made by itself, too.
    try await objects.write(app, as: .master) { writer in
      let stored = try #require(try writer.storedClass("Word"))
      _ = try writer.database.addIndex(of: "a", to: stored, built: nil, now: writer.change.now)
      try writer.save(stored)
    }
    #expect(try await shown(after: [:]) == ["a_1"])
    #expect(try await shown(after: ["indexes": ["a_1": removal]]) == [])
    await world.test.end()
  }

  @Test func `what an import takes at once is bounded in lines and in bytes`() throws {
    let long: JSON = .string(String(repeating: "x", count: 1 << 20))
    var lines: [JSON] = (0..<20).map { Self.object("a\($0)", .init("text", long)) }
    lines += (0..<501).map { Self.object("b\($0)") }
    let reader = try LineReader("\(try Self.folder(lines).path)/\(AppExport.lines)")
    #expect(try reader.next()?["app"] != nil)
    var counts: [Int] = []
    while case let some = try reader.some(), !some.isEmpty {
      counts.append(some.count)
      #expect(some.last?.number == counts.reduce(1, +))
    }
    #expect(counts == [8, 8, 500, 5])
  }

  @Test func `a relation leaves whole, however long it is`() async throws {
    let world = try await AppsWorld()
    let app = try await world.makeApp()
    // As many as two lines take, to the last.
    let ids = (0..<2 * TransferLimits.relatedOnALine).map { "id\($0)" }
    let pointer = StoredObject.pointer(to: ids[0], of: "Note")
    let edit = try ObjectEdit(["notes": ["__op": "AddRelation", "objects": .array([pointer])]])
    try await world.room.objects.write(app, as: .master) { writer in
      let thing = try writer.create("Thing", edit).object.id
      let stored = try #require(try writer.storedClass("Thing"))
      let row = try #require(try writer.database.object(thing, of: stored))
      for id in ids { try writer.database.relate(row.number, "notes", to: id) }
    }
    let folder = "\(TemporaryFolder().path)/out"
    var export = AppExport()
    try await export.write(app.id, of: world.test.hub, to: folder)
    let reader = try LineReader("\(folder)/\(AppExport.lines)")
    var found: Set<String> = []
    var lengths: [Int] = []
    while let line = try reader.next() {
      let pointers = line["object"]?["notes"]?["objects"]?.array?.compactMap { $0["objectId"]?.string }
      guard let targets = pointers ?? line["relation"]?["targets"]?.array?.compactMap(\.string) else { continue }
      found.formUnion(targets)
      lengths.append(targets.count)
    }
    #expect(lengths == [TransferLimits.relatedOnALine, TransferLimits.relatedOnALine] && found == Set(ids))
    await world.test.end()
  }

  @Test(arguments: [false, true])
  func `what is removed while an app is exported is missing whole, and so is the app`(isApp: Bool) async throws {
    let world = try await AppsWorld()
    let (app, hub) = (try await world.makeApp(), world.test.hub)
    for number in 0..<200 { _ = try await world.keepFile([UInt8(number)], of: app) }
    let folder = "\(TemporaryFolder().path)/out"
    let files = "\(folder)/\(AppExport.files)"
    let exporting = Task {
      var export = AppExport()
      try await export.write(app.id, of: hub, to: folder)
    }
    func copied() -> Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []) }
    await yieldUntil { !copied().isEmpty }
    try await hub.commit(as: .commandLine) { change in
      if isApp { return _ = try AppChange.remove(app.id, in: change) }
      while try change.database.removeSomeFiles(of: app.id) {}
    }
    let isDone = await (try? exporting.value) != nil
    var named: Set<String> = []
    if let reader = try? LineReader("\(folder)/\(AppExport.lines)") {
      while let line = try reader.next() { if let name = line["file"]?["name"]?.string { named.insert(name) } }
    }
    #expect(named.subtracting(copied()).count == 0)
    #expect(isDone != isApp || named.count == 200, "unless it was done before")
    await world.test.end()
  }

  @Test func `an imported class has the indexes that its owner asked for`() async throws {
    let world = try await AppsWorld()
    let indexes: JSON = ["best": ["points": 1], "of a field that is gone": ["round": 1]]
    let schema: JSON = ["className": "Word", "fields": ["points": ["type": "Number"]], "indexes": indexes]
    let folder = try Self.folder([["schema": schema], Self.object("a", .init("points", 7))])
    let made = try await AppImport(world.test.hub).read(folder.path)
    let id = Int(made["app_id"]?.string ?? "") ?? 0
    let (shown, isMade, values) = try await world.test.store.read { database throws(StoreError) in
      let stored = try database.storedClass("Word", of: id, ClassCache())
      let values = try database.first("SELECT COUNT(*) FROM apps_values") { $0.int(0) }
      return (stored?.shownIndexes.map { $0.name }, stored?.index(of: "points") != nil, values)
    }
    #expect(shown == ["best"] && isMade && values == 1)
    await world.test.end()
  }
}
