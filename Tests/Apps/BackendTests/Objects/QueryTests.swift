import Hub
import HubWorld
import Objects
import Server
import Store
import Testing
import Wire

@testable import Backend

/// Queries at their edges.
@Suite(.timeLimit(.minutes(5)))
struct QueryTests {
  private let world: AppsWorld
  private let app: App
  private let objects: AppObjects

  init() async throws { (world, app, objects) = try await AppsWorld.withApp() }

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

  @Test func `what is skipped is not read, and what is hidden is not counted`() async throws {
    try await objects.write(app, as: .master) { writer in
      let notes = try writer.openClass("Note")
      for number in 0..<20 {
        var note = StoredObject(className: "Note", id: "\(number)", createdAt: number, updatedAt: 100 - number / 2)
        if number % 5 == 0 { note.acl = AccessList() }
        _ = try writer.database.add(note, body: "{}", to: notes)
      }
    }
    let late: JSON = ["updatedAt": ["$gt": ["__type": "Date", "iso": "1970-01-01T00:00:00.095Z"]]]
    for (order, condition, skip, wanted) in [
      ("createdAt", [:], 17, ["17", "18", "19"]), ("-createdAt", [:], 2, ["17", "16", "15"]),
      ("updatedAt", [:], 1, ["19", "16", "17"]), ("-updatedAt", [:], 3, ["3", "4", "5"]),
      ("-updatedAt", late, 8, ["8", "9"]), ("createdAt", late, 8, ["8", "9"]), ("-createdAt", [:], 20, []),
    ] as [(String, JSON, Int, [String])] {
      let parameters: [JSON.Member] = [
        .init("order", .string(order)), .init("where", condition), .init("skip", .int(skip)), .init("limit", 3),
        .init("count", 1),
      ]
      let found = try await objects.read(app, as: .master) { try $0.find("Note", parameters) }
      #expect(found["results"]?.array?.compactMap { $0["objectId"]?.string } == wanted, "\(order) \(skip)")
      #expect(found["count"]?.int == (condition == late ? 10 : 20))
    }
    for (caller, condition, count) in [
      (.master, [:], 20), (.stranger, [:], 16), (.stranger, late, 8),
    ] as [(Objects.Caller, JSON, Int)] {
      let parameters: [JSON.Member] = [.init("where", condition), .init("limit", 0), .init("count", 1)]
      let found = try await objects.read(app, as: caller) { try $0.find("Note", parameters) }
      #expect(found["count"]?.int == count)
    }
    await world.test.end()
  }

  @Test func `where all objects are gone through, large ones are read a few at a time`() async throws {
    for _ in 0..<5 { _ = try await create("Note", ["text": .string(String(repeating: "x", count: 1_000))]) }
    let (taken, removed, hasMore) = try await objects.write(app, as: .master) { writer in
      let database = writer.database
      let stored = try #require(try writer.storedClass("Note"))
      let index = try database.addIndex(of: "text", to: stored, built: 0, now: 0)
      var taken: [Int] = []
      var hasMore = true
      while hasMore {
        hasMore = try database.extend(index, of: stored, bytes: 2_000)
        let count = try database.first(
          "SELECT COUNT(*) FROM apps_values WHERE index_number = ?", .int(index.number)
        ) { $0.int(0) }
        taken.append(count ?? 0)
      }
      let some = try database.removeSome(of: stored, atMost: 10, 2_000)
      return (taken, some.rows.count, some.hasMore)
    }
    #expect(taken == [2, 4, 5])
    #expect(removed == 2 && hasMore)
    await world.test.end()
  }

  @Test func `an index finds what was written last, also where it looks the same as before`() async throws {
    let (whole, parts) = ("caf\u{E9}", "cafe\u{301}")
    let id = try await create("Note", ["text": .string(whole)])
    try await objects.write(app, as: .master) { writer in
      let stored = try #require(try writer.storedClass("Note"))
      let index = try writer.database.addIndex(of: "text", to: stored, built: 0, now: 0)
      while try writer.database.extend(index, of: stored) {}
      try writer.database.save(stored, version: ObjectWriter.version())
    }
    let edit = try ObjectEdit(["text": .string(parts)])
    try await objects.write(app, as: .master) { _ = try $0.update("Note", id, edit) }
    let found = try await objects.read(app, as: .master) { reader in
      let stored = try reader.storedClass("Note")
      #expect(stored?.index(of: "text") != nil)
      return try [whole, parts].map { text in
        try reader.find("Note", [JSON.Member("where", ["text": .string(text)])])["results"]?.array?.count
      }
    }
    #expect(found == [0, 1])
    await world.test.end()
  }

  @Test func `an index of numbers or dates counts as the objects themselves do`() async throws {
    func day(_ day: Int) -> JSON { ["__type": "Date", "iso": .string("2026-11-0\(day)T12:00:00.000Z")] }
    let notes: [JSON] = [
      ["number": 3, "when": day(3), "text": "a"], ["number": 5, "when": day(5), "text": "b"],
      ["number": 5, "when": day(5), "text": "c"], ["number": 7, "when": day(7), "text": "d"],
      ["number": .null, "when": .null, "text": "e"], ["text": "f"],
    ]
    for note in notes { _ = try await create("Note", note) }
    let ofKeys: [(JSON, Int)] = [
      (["number": ["$lt": 5]], 1), (["number": ["$lte": 5]], 3), (["number": ["$gt": 5]], 1),
      (["number": ["$gte": 5, "$lt": 7]], 2), (["number": 5], 2), (["number": 5.0], 2),
      (["number": ["$in": [3, 7, 9]]], 2), (["when": ["$lt": day(5)]], 1), (["when": day(5)], 2),
    ]
    let others: [(JSON, Int)] = [
      (["number": .null], 2), (["number": ["$gte": 5], "text": "c"], 1), (["text": ["$lt": "c"]], 2),
    ]
    func check(_ all: [(JSON, Int)]) async throws {
      for (condition, wanted) in all {
        let parameters: [JSON.Member] = [.init("where", condition), .init("limit", 0), .init("count", 1)]
        let found = try await objects.read(app, as: .master) { try $0.find("Note", parameters) }
        #expect(found["count"]?.int == wanted, "\(condition.text)")
      }
    }
    try await check(ofKeys + others)
    try await objects.write(app, as: .master) { writer in
      let stored = try #require(try writer.storedClass("Note"))
      for field in ["number", "when", "text"] {
        let index = try writer.database.addIndex(of: field, to: stored, built: 0, now: 0)
        while try writer.database.extend(index, of: stored) {}
      }
      try writer.database.save(stored, version: ObjectWriter.version())
    }
    try await check(ofKeys + others)
    try await world.test.store.write { database throws(StoreError) in
      try database.run("UPDATE apps_objects SET body = '{}'")
    }
    // No object was read.
    try await check(ofKeys)
    await world.test.end()
  }

  @Test func `a query within a query that finds too many is an error, and no answer in part`() async throws {
    let shelf = try await create("Shelf", ["name": "a"])
    let most = ObjectsLimits.subqueryResults
    let first: JSON = ["__type": "Pointer", "className": "Book", "objectId": "book0"]
    _ = try await create("Note", ["book": first])
    let books: JSON = ["className": "Book", "where": [:]]
    let some: JSON = ["className": "Book", "where": [:], "limit": .int(most)]
    var filled = 0
    for (count, wanted) in [(most, nil), (most + 1, 102)] as [(Int, Int?)] {
      try await fill(shelf, filled..<count)
      filled = count
      #expect(await code("Note", ["book": ["$inQuery": books]]) == wanted)
      #expect(await code("Note", ["book": ["$notInQuery": books]]) == wanted)
      #expect(await code("Note", ["book": ["$inQuery": some]]) == nil)
      #expect(await code("Book", [:], limit: 1_000_000) == wanted)
    }
    await world.test.end()
  }

  @Test func `a relation may lead to more objects than one answer has`() async throws {
    let shelf = try await create("Shelf", ["name": "a"])
    let schema = try SchemaChange(["fields": ["fans": ["type": "Relation", "targetClass": "_User"]]])
    try await objects.write(app, as: .master) { writer in
      var books = try writer.openClass("Book")
      try writer.apply(schema, to: &books)
    }
    let many = ObjectsLimits.results + 1
    try await fill(shelf, 0..<many)
    _ = try await create("Book", [:])
    let object: JSON = ["__type": "Pointer", "className": "Shelf", "objectId": .string(shelf)]
    let related: JSON = ["$relatedTo": ["object": object, "key": "books"]]
    let fan = StoredObject.pointer(to: "ada", of: "_User")
    // An object that leads to several of them counts once.
    let among: JSON = ["$in": .array(Array(repeating: fan, count: 20))]
    let often: JSON = ["fans": among]
    let (fans, others): (JSON, JSON) = (["fans": fan], ["fans": ["$ne": fan]])
    for (condition, wanted) in [(related, many), (fans, many), (often, many), (others, 1)] {
      let parameters: [JSON.Member] = [.init("where", condition), .init("limit", 0), .init("count", 1)]
      let found = try await objects.read(app, as: .master) { try $0.find("Book", parameters) }
      #expect(found["count"]?.int == wanted)
    }
    // Past this, some of them would be an answer in part.
    try await lead(shelf, to: many..<ObjectsLimits.relationResults)
    #expect(await code("Book", related) == nil)
    #expect(await code("Book", ["$or": [related, fans]]) == 102)
    try await lead(shelf, to: ObjectsLimits.relationResults..<ObjectsLimits.relationResults + 1)
    #expect(await code("Book", related) == 102)
    await world.test.end()
  }

  /// Lets a relation of a shelf lead to books that need not be there.
  private func lead(_ shelf: String, to numbers: Range<Int>) async throws {
    try await objects.write(app, as: .master) { writer in
      let shelves = try #require(try writer.storedClass("Shelf"))
      let row = try #require(try writer.database.object(shelf, of: shelves))
      for number in numbers { try writer.database.relate(row.number, "books", to: "book\(number)") }
    }
  }

  /// Makes books that have a fan, to which a relation of a shelf leads.
  private func fill(_ shelf: String, _ numbers: Range<Int>) async throws {
    try await objects.write(app, as: .master) { writer in
      let (books, shelves) = (try writer.openClass("Book"), try #require(try writer.storedClass("Shelf")))
      let row = try #require(try writer.database.object(shelf, of: shelves))
      for number in numbers {
        let book = StoredObject(className: "Book", id: "book\(number)", createdAt: number, updatedAt: number)
        let made = try writer.database.add(book, body: "{}", to: books)
        try writer.database.relate(made, "fans", to: "ada")
        try writer.database.relate(row.number, "books", to: book.id)
      }
    }
  }

  /// Parse's number of the error with which a query is refused; nil if it is not.
  private func code(_ className: String, _ condition: JSON, limit: Int = 100) async -> Int? {
    let parameters = [JSON.Member("where", condition), JSON.Member("limit", .int(limit))]
    return await parseCode { _ = try await objects.read(app, as: .master) { try $0.find(className, parameters) } }
  }
}
