import Crypto
import Hub
import HubWorld
import Objects
import Server
import Store
import Synchronization
import Testing
import Wire
import World

@testable import Backend

/// Rows that end by themselves, and mails to users, in virtual time.
@Suite(.timeLimit(.minutes(5)))
struct LeftoverTests {
  private static func signUp(_ objects: AppObjects, _ app: App, _ name: String) async throws -> (
    id: String, token: String
  ) {
    let password = PasswordHash(kept: "none")
    return try await objects.write(app, as: .stranger, passwords: ["x": password]) { writer in
      let edit = try ObjectEdit(["username": .string(name), "password": "x", "email": .string("\(name)@example.org")])
      let user = try writer.create("_User", edit).object
      let session = try writer.makeSession(of: user.id, action: "signup")
      return (user.id, session["sessionToken"]?.string ?? "")
    }
  }

  @Test func `a session counts for a year, and its object goes with it`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let (user, token) = try await Self.signUp(objects, app, "ada")
    world.test.hub.run()
    func known() async throws -> String? {
      let now = world.time.now
      return try await objects.hub.store.read { database throws(StoreError) in
        try database.session(token, of: app.id, now: now)?.user
      }
    }
    world.time.advance(by: Double(AppsLimits.sessionSeconds) - 10)
    #expect(try await known() == user)
    world.time.advance(by: 11)
    #expect(try await known() == nil)
    await #expect(throws: HTTPError.self) {
      try await objects.write(app, as: Objects.Caller(session: token)) { _ in }
    }
    try await world.test.wait(passing: 1) {
      try await objects.read(app, as: .master) { try $0.find("_Session", [])["results"]?.array?.isEmpty ?? false }
    }
    let late = world.time.now - AppsWorld.start - Double(AppsLimits.sessionSeconds)
    #expect(late < 600, "at its time, not at the next look for files")
    #expect(try await objects.read(app, as: .master) { try $0.user(user) } != nil)
    await world.test.end()
  }

  @Test func `a session that somebody else has removed meanwhile keeps no other one of its group`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    for name in ["ada", "bob", "eve"] { _ = try await Self.signUp(objects, app, name) }
    world.time.advance(by: Double(AppsLimits.sessionSeconds) + 1)
    let now = Int(world.time.now * 1_000)
    let ended = try await objects.hub.store.read { database throws(StoreError) in
      try database.endedSessions(at: now, limit: 10)
    }
    #expect(ended.count == 3)
    try await objects.write(app, as: .master) { _ = try $0.delete("_Session", ended[0].id) }
    try await Leftovers(objects, try world.register).end(ended)
    let left = try await objects.read(app, as: .master) { try $0.find("_Session", [])["results"]?.array?.count }
    #expect(left == 0)
    await world.test.end()
  }

  @Test func `with all users go their sessions`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    for name in ["ada", "bob"] { _ = try await Self.signUp(objects, app, name) }
    try await objects.write(app, as: .master) { writer in
      while try writer.purge(try #require(try writer.storedClass("_User"))) {}
    }
    let left = try await objects.read(app, as: .master) { reader in
      try ["_User", "_Session"].map { try reader.find($0, [])["results"]?.array?.count }
    }
    #expect(left == [0, 0])
    await world.test.end()
  }

  @Test func `of too many sessions the oldest end`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let (user, token) = try await Self.signUp(objects, app, "ada")
    let last = try await objects.write(app, as: .stranger) { writer in
      var last = ""
      for _ in 0..<AppsLimits.sessionsOfUser {
        last = try writer.makeSession(of: user, action: "login")["sessionToken"]?.string ?? ""
      }
      return last
    }
    let now = world.time.now
    let kept = try await objects.hub.store.read { database throws(StoreError) in
      try [token, last].map { one throws(StoreError) in try database.session(one, of: app.id, now: now) != nil }
    }
    #expect(kept == [false, true])
    await world.test.end()
  }

  @Test func `a file goes a day after nothing points to it, and not while something does`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let store = world.test.hub.store
    var names: [String] = []
    for place in 0..<6 { names.append(try await world.keepFile([UInt8(place)], of: app)) }
    func left() async throws -> Set<String> {
      try await store.read { database throws(StoreError) in Set(try database.files(of: app.id).map(\.name)) }
    }
    let files: [JSON] = names.map { ["__type": "File", "name": .string($0), "url": "https://a.example"] }
    let address = JSON.string("![Sea](https://a.example/parse/files/app/\(names[5])) at noon")
    let edits = try [
      ObjectEdit(["picture": files[0], "text": address]), ObjectEdit(["list": .array([["deep": files[1]]])]),
    ]
    let config = AppConfig(parameters: [.init("logo", files[2])])
    let byDefault = try SchemaChange(["fields": ["frame": ["type": "File", "defaultValue": files[4]]]])
    let ids = try await objects.write(app, as: .master) { writer in
      try writer.database.save(config, of: app.id)
      let ids = try edits.map { try writer.create("Photo", $0).object.id }
      var photos = try #require(try writer.storedClass("Photo"))
      try writer.apply(byDefault, to: &photos)
      return ids
    }
    let used = Set(names).subtracting([names[3]])
    world.test.hub.run()
    try await world.test.wait(passing: AppsLimits.fileSweepSeconds) { try await left() == used }
    #expect(world.time.now >= AppsWorld.start + AppsLimits.fileGraceSeconds)
    world.time.advance(by: 3 * AppsLimits.fileGraceSeconds)
    await world.test.turn()
    #expect(try await left() == used)
    let removal = try ObjectEdit(["picture": ["__op": "Delete"], "text": "gone"])
    let ended = world.time.now
    try await objects.write(app, as: .master) { writer in
      _ = try writer.update("Photo", ids[0], removal)
      _ = try writer.delete("Photo", ids[1])
    }
    try await world.test.wait(passing: AppsLimits.fileSweepSeconds) { try await left() == [names[2], names[4]] }
    #expect(world.time.now >= ended + AppsLimits.fileGraceSeconds)
    #expect(try await store.blobs.content(of: KeptFile.blob(app.id, names[0])) == nil)
    #expect(try await store.blobs.content(of: KeptFile.blob(app.id, names[2])) != nil)
    _ = try await world.ask(.delete, "/\(app.id)")
    #expect(try await store.blobs.content(of: KeptFile.blob(app.id, names[2])) == nil)
    await world.test.end()
  }

  @Test func `the values of a field of many objects are gone at once, and do not come back`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let edit = try ObjectEdit(["score": 7, "text": "a"])
    let last = try await objects.write(app, as: .master) { writer in
      var last = ""
      for _ in 0..<AppsLimits.indexedPerCommit + 100 { last = try writer.create("Note", edit).object.id }
      let notes = try #require(try writer.storedClass("Note"))
      let index = try writer.database.addIndex(of: "score", to: notes, built: 0, now: 0)
      while try writer.database.extend(index, of: notes) {}
      try writer.save(notes)
      return last
    }
    /// Objects that have the value still, keys of the index, indexes, and the bytes of all objects.
    func left() async throws -> [Int] {
      try await world.test.store.read { database throws(StoreError) in
        try [
          "COUNT(*) FROM apps_objects WHERE body LIKE '%score%'", "COUNT(*) FROM apps_values",
          "COUNT(*) FROM apps_indexes", "SUM(\(Database.bytes(of: "body"))) FROM apps_objects",
        ].map { sql throws(StoreError) in try database.first("SELECT \(sql)") { $0.int(0) } ?? 0 }
      }
    }
    func code(_ body: @escaping @Sendable (ObjectWriter) throws -> Void) async -> Int? {
      await parseCode { try await objects.write(app, as: .master, body) }
    }
    func change(_ field: JSON) async throws -> Int? {
      let change = try SchemaChange(["fields": ["score": field]])
      return await code { writer in
        var notes = try #require(try writer.storedClass("Note"))
        try writer.apply(change, to: &notes)
      }
    }
    let (score, text) = (try ObjectEdit(["score": "many"]), try ObjectEdit(["text": "b"]))
    #expect(try await change(["__op": "Delete"]) == nil)
    #expect(try await left().prefix(3) == [100, 100, 1])
    let (found, first) = try await objects.read(app, as: .master) { reader in
      let some: [JSON.Member] = [.init("where", ["score": ["$exists": true]])]
      let notes = try #require(try reader.storedClass("Note"))
      #expect(notes.indexes.isEmpty && notes.schema.fields["score"] == nil)
      return (try reader.find("Note", some)["results"]?.array?.count, try reader.object("Note", last)["score"])
    }
    #expect(found == 0 && first == nil)
    #expect(try await change(["type": "String"]) == 255)
    #expect(await code { _ = try $0.update("Note", last, score) } == 255)
    #expect(await code { _ = try $0.update("Note", last, text) } == nil)
    #expect(try await left().first == 99, "what is changed loses the value then")
    world.test.hub.run()
    try await world.test.wait { try await left().prefix(3) == [0, 0, 0] }
    #expect(await code { _ = try $0.update("Note", last, score) } == nil)
    let bytes = try await left()[3]
    #expect(try await world.ask(.get, "/\(app.id)")["kept"]?["object_bytes"]?.int == bytes)
    await world.test.end()
  }

  @Test func `what a look at files has found is noted as far as it is still so`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let store = world.test.hub.store
    var names: [String] = []
    for _ in 0..<4 { names.append(try await world.keepFile([1], of: app)) }
    func look() async throws -> FileSweep {
      let now = world.time.now
      return try await store.read { database throws(StoreError) in try database.lookAtFiles(of: app.id, now: now) }
    }
    func note(_ look: FileSweep) async throws -> Int {
      let now = world.time.now
      return try await store.write { database throws(StoreError) in
        for (finding, files) in look.found { try database.note(finding, files, of: look, now: now) }
        return try database.files(of: app.id).count
      }
    }
    let apps = try await store.read { database throws(StoreError) in try database.appsWithFiles() }
    #expect(apps == [app.id])
    #expect(try await look().found.isEmpty, "it is too early")
    world.time.advance(by: AppsLimits.fileGraceSeconds + 1)
    let first = try await look()
    #expect(first.found[.ended]?.count == 4)
    // Between the look and the note a class and an object begin to use two of them.
    let files: [JSON] = names.map { ["__type": "File", "name": .string($0), "url": "https://a.example"] }
    let edit = try ObjectEdit(["list": .array([["deep": files[0]]])])
    let byDefault = try SchemaChange(["fields": ["frame": ["type": "File", "defaultValue": files[1]]]])
    try await objects.write(app, as: .master) { writer in
      _ = try writer.create("Photo", edit)
      var photos = try #require(try writer.storedClass("Photo"))
      try writer.apply(byDefault, to: &photos)
    }
    #expect(try await note(first) == 4, "the classes are others by now")
    let second = try await look()
    #expect(second.found[.used]?.count == 2 && second.found[.ended]?.count == 2)
    #expect(try await note(second) == 2)
    #expect(try await look().found.isEmpty)
    await world.test.end()
  }

  @Test func `the names of files are found wherever they stand in a text`() {
    let (one, other) = (String(repeating: "0f", count: 16), String(repeating: "a1", count: 16))
    let wanted = [FileDigits(of: "\(one)_a.png"), FileDigits(of: "\(other)_b")].compactMap { $0 }
    func found(_ text: String) -> Int {
      var count = 0
      FileDigits.each(in: text) { if wanted.contains($0) { count += 1 } }
      return count
    }
    #expect(wanted.count == 2)
    #expect(found("{\"url\":\"https://a.example/\(one)_a.png\",\"name\":\"\(other)_b\"}") == 2)
    #expect(found("b\(one)_") == 1, "also behind another digit")
    #expect(found("\(one) \(one.dropLast())_ \(one)a_") == 0)
    #expect(wanted.map(\.text) == [one, other])
    #expect(FileDigits(of: "\(one)_a") == FileDigits(of: "\(one)_\(other)_b") && FileDigits(of: "a.png") == nil)
  }

  private final class Postbox: Mailer {
    let mails = Mutex<[RoomMail]>([])
    func send(_ mail: RoomMail) async throws(HTTPError) { mails.withLock { $0.append(mail) } }
  }

  @Test func `mails to one address are so many and no more, and their links end`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let (user, _) = try await Self.signUp(objects, app, "ada")
    let (postbox, mails) = (Postbox(), AccountMails(world.test.hub))
    world.test.hub.offers.make(.mailer, postbox)
    let sending = Task { try await mails.run() }
    for _ in 0..<Int(AppsLimits.mailsToAddress.burst) { #expect(mails.mayAsk("ada@example.org", of: app)) }
    #expect(!mails.mayAsk("ADA@example.org", of: app) && mails.mayAsk("bob@example.org", of: app))
    try await objects.write(app, as: .master) { writer in
      let ada = try #require(try writer.user(user))
      try mails.send(.newPassword, to: ada, isGerman: true, in: writer)
    }
    while postbox.mails.withLock({ $0.isEmpty }) { await Task.yield() }
    let mail = try #require(postbox.mails.withLock { $0.first })
    #expect(mail.to == "ada@example.org" && mail.title == "Word game: neues Passwort" && mail.body.contains("ada"))
    let page = AccountMails.path + (mail.url.split(separator: "/").last ?? "")
    #expect(try await world.test.ask(.get, page).status == 200)
    world.time.advance(by: AppsLimits.newPasswordSeconds + 1)
    #expect(try await world.test.ask(.get, page).status == 410)
    #expect(try await world.test.ask(.post, page, form: "password=new").status == 410)
    sending.cancel()
    await world.test.end()
  }
}

/// An app that has more than one commit may remove.
@Suite(.timeLimit(.minutes(5)))
struct AppRemovalTests {
  @Test func `a large app is gone at once, and what it had goes piece by piece`() async throws {
    let world = try await AppsWorld()
    let app = try await world.makeApp()
    let other = try await world.make("another")
    let (id, objects) = (app.id, try world.room.objects)
    for className in ["Note", "Other"] {
      try await objects.write(app, as: .master) { writer in
        for number in 0..<1_500 { _ = try writer.create(className, try ObjectEdit(["number": .int(number)])) }
      }
    }
    func left() async throws -> [Int] {
      try await world.test.store.read { database throws(StoreError) in
        try ["apps_objects", "apps_classes", "apps_apps"].map { table throws(StoreError) in
          try database.first("SELECT COUNT(*) FROM \(table)") { $0.int(0) } ?? 0
        }
      }
    }
    _ = try await world.ask(.delete, "/\(id)")
    #expect(try await left() == [2_800, 2, 2], "as much as one commit may remove")
    #expect(await world.refusal(.get, "/\(id)") == 40480)
    #expect(try await world.ask(.get)["apps"]?.array?.count == 1)
    world.test.hub.run()
    try await world.test.wait { try await left() == [0, 0, 1] }
    #expect(try await world.ask(.get, "/\(other["app_id"]?.string ?? "")")["name"] == "another")
    await world.test.end()
  }
}
