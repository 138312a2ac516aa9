import Objects
import Synchronization
import Testing
import Wire

@testable import Backend

struct LiveQueriesTests {
  @Test func `a client hears of what matches, in the order of the commits, and of nothing else`() async throws {
    let world = try await LiveWorld()
    let (peer, other) = (try world.connect(), try world.connect())
    try peer.subscribe(1, "Photo", ["stars": ["$gt": 2]])
    try other.subscribe(1, "Photo", ["album": "b"])
    let id = try await world.create("Photo", ["stars": 3, "album": "a"])
    try await world.create("Photo", ["stars": 1, "album": "a"])
    try await world.change("Photo", id, ["stars": 4])
    try await world.change("Photo", id, ["stars": 1])
    try await world.change("Photo", id, ["stars": 5, "album": "b"])
    try await world.delete("Photo", id)
    let made = try peer.expect("create")
    #expect(made["__type"] == "Object" && made["className"] == "Photo" && made["objectId"] == .string(id))
    #expect(made["stars"] == 3)
    let update = try peer.next()
    #expect(update["op"] == "update" && update["object"]?["stars"] == 4 && update["original"]?["stars"] == 3)
    #expect(try peer.expect("leave")["stars"] == 1)
    #expect(try peer.expect("enter")["stars"] == 5)
    try peer.expect("delete")
    try peer.expectNothing()
    try other.expect("enter")
    try other.expect("delete")
    try other.expectNothing()
    await world.end()
  }

  @Test func `a client sees the fields that it wants, and those that it may see`() async throws {
    let world = try await LiveWorld()
    try await world.create("Photo", ["album": "a", "price": 1, "by": "x"])
    try await world.write { writer in
      var stored = try #require(try writer.storedClass("Photo"))
      stored.schema.permissions.protectedFields = ["*": ["price"]]
      try writer.save(stored)
    }
    let peer = try world.connect()
    try peer.subscribe(1, "Photo")
    try peer.subscribe(2, "Photo", [:], .init("keys", ["by"]))
    try await world.create("Photo", ["album": "a", "price": 1, "by": "x"])
    var seen: [Int: JSON] = [:]
    for _ in 0..<2 {
      let message = try peer.next()
      seen[message["requestId"]?.int ?? 0] = message["object"]
    }
    #expect(seen[1]?["album"] == "a" && seen[1]?["by"] == "x" && seen[1]?["price"] == nil)
    #expect(seen[2]?["album"] == nil && seen[2]?["by"] == "x" && seen[2]?["objectId"] != nil)
    await world.end()
  }

  @Test func `whoever may not read an object any more is told that it leaves, and nothing more`() async throws {
    let world = try await LiveWorld()
    let ann = try await world.user("ann")
    let (peer, stranger) = (try world.connect(session: ann.session), try world.connect())
    try peer.subscribe(1, "Note")
    try stranger.subscribe(1, "Note")
    let own: JSON = .object([.init(ann.id, ["read": true])])
    let id = try await world.create("Note", ["text": "for Ann", "ACL": own])
    #expect(try peer.expect("create")["text"] == "for Ann")
    try await world.change("Note", id, ["text": "secret", "ACL": [:]])
    let leave = try peer.next()
    #expect(leave["op"] == "leave" && leave["object"]?["objectId"] == .string(id))
    #expect(leave["object"]?["text"] == nil && leave["original"] == nil)
    try await world.change("Note", id, ["text": "more"])
    try peer.expectNothing()
    try await world.change("Note", id, ["text": "open", "ACL": ["*": ["read": true]]])
    let enter = try stranger.next()
    #expect(enter["op"] == "enter" && enter["object"]?["text"] == "open" && enter["original"] == nil)
    await world.end()
  }

  @Test func `a role that ends, and a session that ends, end what one hears`() async throws {
    let world = try await LiveWorld()
    let ann = try await world.user("ann")
    let role = try await world.create(
      "_Role",
      [
        "name": "crew", "ACL": [:],
        "users": ["__op": "AddRelation", "objects": [StoredObject.pointer(to: ann.id, of: "_User")]],
      ])
    let peer = try world.connect(session: ann.session)
    try peer.subscribe(1, "Note")
    let crew: JSON = ["role:crew": ["read": true]]
    try await world.create("Note", ["text": "for the crew", "ACL": crew])
    try peer.expect("create")
    try await world.delete("_Role", role)
    try await world.create("Note", ["text": "for the crew", "ACL": crew])
    try await world.create("Note", ["text": "for all"])
    #expect(try peer.expect("create")["text"] == "for all")
    try await world.delete("_Session", ann.sessionID)
    try await world.create("Note", ["text": "for all"])
    let end = try peer.next()
    #expect(end["op"] == "error" && end["code"] == 209 && end["requestId"] == 1 && end["reconnect"] == false)
    try peer.expectNothing()
    await world.end()
  }

  @Test func `of roles that change at once, one hears with the rights that they have left`() async throws {
    let world = try await LiveWorld()
    let ann = try await world.user("ann")
    let ofAnn: JSON = ["__op": "AddRelation", "objects": [StoredObject.pointer(to: ann.id, of: "_User")]]
    let crew: JSON = ["name": "crew", "ACL": [:], "users": ofAnn]
    let role = try await world.create("_Role", crew)
    let other = try await world.create("_Role", ["name": "mates", "ACL": ["role:crew": ["read": true]]])
    let peer = try world.connect(session: ann.session)
    try peer.subscribe(1, "_Role")
    let forAll: JSON = ["*": ["read": true]]
    try await world.write { writer in
      _ = try writer.delete("_Role", role)
      _ = try writer.update("_Role", other, ObjectEdit(["note": "for the crew"]))
      _ = try writer.create("_Role", ObjectEdit(["name": "third", "ACL": forAll]))
    }
    #expect(try peer.expect("create")["name"] == "third")
    try await world.write { writer in
      _ = try writer.create("_Role", ObjectEdit(crew))
      _ = try writer.update("_Role", other, ObjectEdit(["note": "for Ann, too"]))
      _ = try writer.create("_Role", ObjectEdit(["name": "fourth", "ACL": forAll]))
    }
    #expect(try peer.expect("update")["note"] == "for Ann, too")
    #expect(try peer.expect("create")["name"] == "fourth")
    await world.end()
  }

  /// Work that is done once, after somebody was looked up and before that is used.
  private final class Meanwhile: Sendable {
    private let work = Mutex<(@Sendable () async throws -> Void)?>(nil)

    func set(_ new: @escaping @Sendable () async throws -> Void) { work.withLock { $0 = new } }

    func run() async {
      let found = work.withLock { work in
        defer { work = nil }
        return work
      }
      if let found { try? await found() }
    }
  }

  @Test func `a session that ends while somebody subscribes with it ends what one hears`() async throws {
    let meanwhile = Meanwhile()
    let world = try await LiveWorld { source in
      let caller = source.caller
      source.caller = { session, app throws(ObjectError) in
        let found = try await caller(session, app)
        await meanwhile.run()
        return found
      }
    }
    let ann = try await world.user("ann")
    let peer = try world.connect(session: ann.session)
    meanwhile.set { try await world.delete("_Session", ann.sessionID) }
    try peer.subscribe(1, "Note")
    let end = try peer.next()
    #expect(end["op"] == "error" && end["code"] == 209 && end["requestId"] == 1)
    try await world.create("Note", ["text": "for all"])
    try peer.expectNothing()
    await world.end()
  }

  @Test func `a class' permissions count at each event`() async throws {
    let world = try await LiveWorld()
    try await world.create("Note", ["text": "a"])
    let peer = try world.connect()
    try peer.subscribe(1, "Note")
    try await world.write { writer in
      var stored = try #require(try writer.storedClass("Note"))
      stored.schema.permissions.grants[.find] = nil
      try writer.save(stored)
    }
    try await world.create("Note", ["text": "b"])
    try peer.expectNothing()
    peer.send(["op": "subscribe", "requestId": 2, "query": ["className": "Note", "where": [:]]])
    #expect(try peer.next()["code"] == 119)
    await world.end()
  }

  @Test func `a client that tells no key has it in its address`() async throws {
    let world = try await LiveWorld()
    for (key, isRight) in [(world.app.restKey, true), ("no", false), ("", false)] {
      let peer = world.stranger(path: "/parse/?clientKey=\(key)")
      peer.send(["op": "connect", "applicationId": .string(world.app.applicationID)])
      #expect(try peer.next()["op"] == (isRight ? "connected" : "error"), "\(key)")
    }
    await world.end()
  }

  @Test func `wrong keys, a wrong session and a wrong query are refused`() async throws {
    let world = try await LiveWorld()
    let peer = world.stranger()
    peer.send(["op": "connect", "applicationId": .string(world.app.applicationID), "javascriptKey": "no"])
    #expect(try peer.next()["code"] == 4)
    peer.send(["op": "subscribe", "requestId": 1, "query": ["className": "Note", "where": [:]]])
    #expect(try peer.next()["code"] == 2)
    let other = try world.connect()
    other.send([
      "op": "subscribe", "requestId": 1, "query": ["className": "Note", "where": [:]], "sessionToken": "r:no",
    ])
    #expect(try other.next()["code"] == 209)
    other.send(["op": "subscribe", "requestId": 1, "query": ["className": "Note", "where": ["n": ["$strange": 1]]]])
    #expect(try other.next()["code"] == 107)
    // A refused change takes nothing with it.
    try other.subscribe(1, "Note")
    await world.end()
  }

  @Test func `an ended session refuses what is asked with it, and no connection`() async throws {
    let world = try await LiveWorld()
    let session = try await world.user("ada").session
    let peer = try world.connect(session: "r:no")
    peer.send(["op": "subscribe", "requestId": 1, "query": ["className": "Note", "where": [:]]])
    #expect(try peer.next()["code"] == 209)
    peer.send([
      "op": "subscribe", "requestId": 2, "query": ["className": "Note", "where": [:]], "sessionToken": .string(session),
    ])
    #expect(try peer.next()["op"] == "subscribed")
    await world.end()
  }

  @Test func `a live query whose pattern takes too many steps ends, and its client is told`() async throws {
    let world = try await LiveWorld()
    let peer = try world.connect()
    try peer.subscribe(1, "Note", ["text": ["$regex": "^(a+)+$"]])
    try peer.subscribe(2, "Note", ["text": "aa"])
    let hard = JSON.string(String(repeating: "a", count: 40) + "b")
    for _ in 0..<10 { try await world.create("Note", ["text": hard]) }
    let end = try peer.next()
    #expect(end["op"] == "error" && end["code"] == 124 && end["requestId"] == 1)
    try await world.create("Note", ["text": "aa"])
    try peer.expect("create", 2)
    try peer.expectNothing()
    await world.end()
  }

  @Test func `an app whose live queries are held up holds up no other's`() async throws {
    let meanwhile = Meanwhile()
    let (held, others) = (
      AsyncStream<Void>.makeStream(),
      try await LiveWorld { source in
        let schema = source.schema
        source.schema = { className, app in
          if className == "Slow" { await meanwhile.run() }
          return await schema(className, app)
        }
      }
    )
    let id = try #require(Int(try await others.apps.make("Other")["app_id"]?.string ?? ""))
    let other = try #require(try others.apps.register.app(id))
    let (slow, quick) = (try others.connect(), try others.connect(to: other))
    try slow.subscribe(1, "Slow")
    try quick.subscribe(1, "Note")
    meanwhile.set { for await _ in held.stream { return } }
    for text in ["a", "b"] { try await others.create("Slow", ["text": .string(text)]) }
    try await others.create("Note", ["text": "c"], in: other)
    #expect(try quick.expect("create")["text"] == "c")
    held.continuation.yield()
    for text in ["a", "b"] { #expect(try slow.expect("create")["text"] == .string(text)) }
    await others.end()
  }

  @Test func `past the bound the app of which most waits loses its own, and each has its turn`() {
    func told(_ app: Int, _ text: String) -> WaitingChanges.Told {
      let object = StoredObject(
        className: "Note", id: "o", createdAt: 0, updatedAt: 0, fields: [.init("text", .string(text))])
      return WaitingChanges.Told(ObjectChange(app: app, before: nil, after: object), commit: 1)
    }
    var waiting = WaitingChanges()
    #expect(waiting.append(told(1, "a")).isEmpty)
    for _ in 1..<AppsLimits.waitingChanges { _ = waiting.append(told(2, "b")) }
    #expect(waiting.append(told(3, "c")) == [2])
    #expect(Set(waiting.apps) == [1, 3] && waiting.take(of: 2).isEmpty)
    for _ in 0..<AppsLimits.changesAtOnce { #expect(waiting.append(told(1, "a")).isEmpty) }
    #expect(waiting.take(of: 1).count == AppsLimits.changesAtOnce && waiting.take(of: 1).count == 1)
    #expect(Array(waiting.apps) == [3])
    // A few large ones are as much as many small ones.
    let large = String(repeating: "x", count: AppsLimits.waitingChangeBytes / 2)
    #expect(waiting.append(told(4, large)).isEmpty)
    #expect(waiting.append(told(5, large + large)) == [5])
    #expect(Set(waiting.apps) == [3, 4])
  }

  @Test func `of live queries that ask for no equal value, a class has so many`() async throws {
    let world = try await LiveWorld()
    try await world.create("Note", ["text": "a"])
    var peers: [LivePeer] = []
    for first in stride(from: 0, to: AppsLimits.lookedAtAlways, by: LiveQueryLimits.subscriptions) {
      let peer = try world.connect()
      for id in first..<first + LiveQueryLimits.subscriptions { try peer.subscribe(id, "Note") }
      peers.append(peer)
    }
    let peer = try world.connect()
    peer.send(["op": "subscribe", "requestId": 1, "query": ["className": "Note", "where": [:]]])
    let refusal = try peer.next()
    #expect(refusal["op"] == "error" && refusal["code"] == 155 && refusal["requestId"] == 1)
    try peer.subscribe(2, "Note", ["text": "a"])
    try peer.subscribe(3, "Other")
    await world.end()
  }

  @Test func `live queries of an app take so many bytes, and one that ends leaves its own to others`() async throws {
    let world = try await LiveWorld()
    let peer = try world.connect()
    let long: JSON = ["text": "a", "number": ["$in": .array((0..<8_000).map { .int($0) })]]
    var count = 0
    while count < LiveQueryLimits.subscriptions {
      let query: JSON = ["className": "Note", "where": long]
      peer.send(["op": "subscribe", "requestId": .int(count), "query": query])
      let answer = try peer.next()
      if answer["op"] == "error", answer["code"] == 155 { break }
      try #require(answer["op"] == "subscribed", "\(answer.text)")
      count += 1
    }
    #expect((100..<LiveQueryLimits.subscriptions).contains(count))
    peer.send(["op": "unsubscribe", "requestId": 0])
    #expect(try peer.next()["op"] == "unsubscribed")
    try peer.subscribe(1_000, "Note", long)
    await world.end()
  }

  @Test func `a connection that has shown the master key ends with the key, and others go on`() async throws {
    let world = try await LiveWorld()
    let path = "/\(world.app.id)/rotate"
    let made = try await world.apps.ask(.post, path)
    let (peer, other) = (world.stranger(), try world.connect())
    let (id, key) = (JSON.string(world.app.applicationID), made["master_key"] ?? .null)
    peer.send(["op": "connect", "applicationId": id, "masterKey": key])
    #expect(try peer.next()["op"] == "connected")
    try peer.subscribe(1, "Note")
    try other.subscribe(1, "Note")
    _ = try await world.apps.ask(.post, path)
    try await world.create("Note", ["text": "a", "ACL": [:]])
    #expect(try peer.expect("create")["text"] == "a")
    _ = try await world.apps.ask(.post, path, ["now": true])
    #expect(peer.hasEnded())
    try await world.create("Note", ["text": "b"])
    #expect(try other.expect("create")["text"] == "b")
    await world.end()
  }

  @Test func `nobody sees the secret of an anonymous user but that user`() async throws {
    let world = try await LiveWorld()
    let ann = try await world.user("ann")
    let (stranger, own) = (try world.connect(), try world.connect(session: ann.session))
    try stranger.subscribe(1, "_User")
    try own.subscribe(1, "_User")
    try await world.change("_User", ann.id, ["color": "red", "ACL": ["*": ["read": true]]])
    let seen = try stranger.expect("enter")
    #expect(seen["color"] == "red" && seen["authData"] == nil)
    #expect(try own.next()["object"]?["authData"] != nil)
    stranger.send([
      "op": "subscribe", "requestId": 2, "query": ["className": "_User", "where": ["authData.anonymous.id": "x"]],
    ])
    #expect(try stranger.next()["code"] == 119)
    await world.end()
  }
}
