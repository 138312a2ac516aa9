import Hub
import HubWorld
import Objects
import Server
import Testing
import Wire
import World

@testable import Backend

/// Webhooks that are asked before something is done. The hub may not connect to the address of these: whoever was
/// asked is known by the error.
@Suite(.timeLimit(.minutes(5)))
struct TriggerTests {
  private let world: AppsWorld
  private let app: App
  private let objects: AppObjects
  /// Parse's number of the error of a webhook that does not answer.
  private static let asked = 141

  init() async throws { (world, app, objects) = try await AppsWorld.withApp() }

  private func hook(_ name: Hook.Name) async throws {
    let (hook, id, hooks) = (Hook(name: name, url: "http://127.0.0.1:1/"), app.id, objects.hooks)
    try await world.test.hub.commit(as: .room(BackendRoom.id)) { try hooks.set(hook, of: id, in: $0) }
  }

  /// Asks as a page does, with the public key.
  /// - Returns: Parse's number of the error; nil if there is none.
  private func code(
    _ method: String, _ path: String, _ body: [JSON.Member] = [], session: String? = nil, once id: String? = nil
  ) async -> Int? {
    let keys: [(String, String?)] = [
      ("_ApplicationId", app.applicationID), ("_JavaScriptKey", app.restKey), ("_method", method),
      ("_SessionToken", session), ("_RequestId", id),
    ]
    let members = keys.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } }
    return await parseCode { _ = try await world.test.ask(.post, "/parse/\(path)", .object(members + body)) }
  }

  /// Makes an anonymous user, and signs it in.
  private func signIn(_ name: String) async throws -> (id: String, session: String?) {
    try await objects.write(app, as: .master) { writer in
      let anonymous: JSON = ["anonymous": ["id": .string(name)]]
      let user = try writer.create("_User", ObjectEdit(["username": .string(name), "authData": anonymous])).object
      return (user.id, try writer.makeSession(of: user.id, action: "login")["sessionToken"]?.string)
    }
  }

  @Test func `nobody is asked about what the caller may not do`() async throws {
    for trigger in [Hook.Trigger.beforeSave, .beforeDelete] { try await hook(.trigger(trigger, className: "Order")) }
    let rights: JSON = ["create": ["requiresAuthentication": true], "update": [:], "delete": [:]]
    let schema = try SchemaChange(["classLevelPermissions": rights])
    let session = try await signIn("ada").session
    let id = try await objects.write(app, as: .master) { writer in
      var stored = try writer.openClass("Order")
      try writer.apply(schema, to: &stored)
      return try writer.create("Order", ObjectEdit([:])).object.id
    }
    #expect(await code("POST", "classes/Order") == 101)
    #expect(await code("PUT", "classes/Order/\(id)") == 119)
    #expect(await code("DELETE", "classes/Order/\(id)") == 119)
    #expect(await code("POST", "classes/Order", session: session) == Self.asked)
    let refusal = await #expect(throws: HTTPError.self, "an owner may, as the master key") {
      try await world.ask(.delete, "/\(app.id)/objects/classes/Order/\(id)")
    }
    #expect(refusal?.foreign?["code"]?.int == Self.asked)
    await world.test.end()
  }

  @Test func `a webhook is asked before a delete that only the same batch allows`() async throws {
    try await hook(.trigger(.beforeDelete, className: "Order"))
    let schema = try SchemaChange([
      "fields": ["owner": ["type": "Pointer", "targetClass": "_User"]],
      "classLevelPermissions": ["update": ["*": true], "delete": ["pointerFields": ["owner"]]],
    ])
    let (user, session) = try await signIn("ada")
    let id = try await objects.write(app, as: .master) { writer in
      var stored = try writer.openClass("Order")
      try writer.apply(schema, to: &stored)
      return try writer.create("Order", ObjectEdit([:])).object.id
    }
    let owner: JSON = ["__type": "Pointer", "className": "_User", "objectId": .string(user)]
    let path: JSON = .string("/parse/classes/Order/\(id)")
    let requests: JSON = [
      ["method": "PUT", "path": path, "body": ["owner": owner]], ["method": "DELETE", "path": path],
    ]
    #expect(await code("POST", "batch", [.init("requests", requests)], session: session) == nil)
    let left = try await objects.read(app, as: .master) { try $0.find("Order", []) }
    #expect(left["results"]?.array?.count == 1, "its webhook has not let it go")
    await world.test.end()
  }

  @Test func `nobody is asked about an object of a class that its caller may not make`() async throws {
    try await hook(.trigger(.beforeSave, className: "Order"))
    #expect(await code("POST", "classes/Order") == Self.asked)
    _ = try await world.ask(.patch, "/\(app.id)", ["client_classes": false])
    #expect(await code("POST", "classes/Order") == 119)
    await world.test.end()
  }

  @Test func `a function is called once for a request's id`() async throws {
    try await hook(.function("pay"))
    #expect(await code("POST", "functions/pay", once: "a") == Self.asked)
    #expect(await code("POST", "functions/pay", once: "a") == 159)
    #expect(await code("POST", "functions/pay", once: "b") == Self.asked)
    #expect(await code("POST", "functions/pay") == Self.asked)
    await world.test.end()
  }

  /// Does something while so many calls of the app's webhooks are under way.
  private func during(_ calls: Int, _ work: () async -> Void) async {
    guard calls > 0 else { return await work() }
    let hook = Hook(name: .function("other"), url: "http://127.0.0.1:1/")
    _ = try? await objects.calls.call(hook, of: app, []) { () async throws(HTTPError) in
      await during(calls - 1, work)
    }
  }

  @Test func `the id of a function's call counts when its webhook is asked, and no object is forgotten`() async throws {
    try await hook(.function("pay"))
    let note = try await objects.write(app, as: .master) { try $0.create("Note", ObjectEdit([:])).object.id }
    _ = try await objects.get(app, as: .master, "Note", note, [])
    await during(AppsLimits.hookCalls) {
      #expect(await code("POST", "functions/pay", once: "a") == 155)
    }
    #expect(await code("POST", "functions/pay", once: "a") == Self.asked)
    #expect(await code("POST", "functions/pay", once: "a") == 159)
    #expect(objects.recent.get(app.id, "Note", note).object != nil)
    await world.test.end()
  }

  @Test func `a webhook before a change is not asked again for a request that was done`() async throws {
    #expect(await code("POST", "classes/Order", once: "a") == nil)
    let requests: JSON = [["method": "POST", "path": "/parse/classes/Order", "body": [:]]]
    #expect(await code("POST", "batch", [.init("requests", requests)], once: "b") == nil)
    try await hook(.trigger(.beforeSave, className: "Order"))
    #expect(await code("POST", "classes/Order", once: "a") == 159)
    #expect(await code("POST", "batch", [.init("requests", requests)], once: "b") == 159)
    #expect(await code("POST", "classes/Order", once: "c") == Self.asked)
    await world.test.end()
  }

  @Test func `what an owner sends again is answered as at first, and asks no webhook`() async throws {
    let path = "/api/v1/apps/\(app.id)/objects/classes/Order"
    let test = world.test
    let other = try await test.hub.tokens.replace(name: "other", role: .owner)
    let first = try await test.ask(.post, path, token: world.owner, ["number": 1], once: "a")
    let others = try await test.ask(.post, path, token: other, ["number": 1], once: "a")
    #expect(others.status == 201 && !others.fields.contains(.replayed), "a key is its caller's own")
    #expect(await code("POST", "classes/Order", once: "a") == nil, "and none of a client's")
    try await hook(.trigger(.beforeSave, className: "Order"))
    for _ in 1...2 {
      let again = try await test.ask(.post, path, token: world.owner, ["number": 1], once: "a")
      guard case .bytes(let bytes) = again.body, case .bytes(bytes) = first.body else {
        Issue.record("another answer")
        return
      }
      #expect(again.status == 201 && again.fields.contains(.replayed))
      world.time.advance(by: 600)
    }
    let refusal = await #expect(throws: HTTPError.self) {
      try await test.ask(.post, path, token: world.owner, ["number": 2], once: "a")
    }
    #expect(refusal?.code == .keyUsedOtherwise)
    let left = try await objects.read(app, as: .master) { try $0.find("Order", []) }
    #expect(left["results"]?.array?.count == 3)
    await test.end()
  }

  @Test func `a request that was done asks no webhook again, and one that was refused does`() async throws {
    for className in ["Order", "_User"] {
      for trigger in [Hook.Trigger.beforeSave, .beforeDelete] {
        try await hook(.trigger(trigger, className: className))
      }
    }
    let (ada, session) = try await signIn("ada")
    let order = try await objects.write(app, as: .master) { try $0.create("Order", ObjectEdit([:])).object.id }
    let batch: JSON = [["method": "DELETE", "path": .string("/parse/classes/Order/\(order)")]]
    let user: [JSON.Member] = [.init("username", "bob"), .init("password", "b")]
    let requests: [(method: String, path: String, body: [JSON.Member])] = [
      ("POST", "classes/Order", []), ("PUT", "classes/Order/\(order)", []), ("DELETE", "classes/Order/\(order)", []),
      ("POST", "batch", [.init("requests", batch), .init("transaction", true)]),
      ("POST", "users", user), ("PUT", "users/\(ada)", []), ("DELETE", "users/\(ada)", []),
    ]
    // The id of a request that was done; this class has no webhook.
    #expect(await code("POST", "classes/Note", once: "a") == nil)
    for (id, wanted) in [("a", 159), ("b", Self.asked), ("b", Self.asked)] {
      for one in requests {
        #expect(await code(one.method, one.path, one.body, session: session, once: id) == wanted, "\(one.path)")
      }
    }
    world.time.advance(by: AppsLimits.requestSeconds + 1)
    #expect(await code("POST", "classes/Order", once: "a") == Self.asked)
    await world.test.end()
  }

  @Test func `who may not make or change a user is told so as without a webhook`() async throws {
    let (ada, session) = try await signIn("ada")
    let other = try await signIn("bob").id
    let rights: JSON = ["create": [:], "update": ["*": true], "delete": ["*": true]]
    let schema = try SchemaChange(["classLevelPermissions": rights])
    try await objects.write(app, as: .master) { writer in
      var users = try writer.openClass("_User")
      try writer.apply(schema, to: &users)
    }
    let fields = ["new", "ada"].map { JSON.Member("authData", ["anonymous": ["id": .string($0)]]) }
    for isHooked in [false, true] {
      if isHooked {
        for trigger in [Hook.Trigger.beforeSave, .beforeDelete] {
          try await hook(.trigger(trigger, className: "_User"))
        }
      }
      #expect(await code("PUT", "users/\(other)", session: session) == 206)
      #expect(await code("DELETE", "users/\(other)", session: session) == 206)
      #expect(await code("DELETE", "users/\(other)") == 206)
      #expect(await code("POST", "users", [fields[0]]) == 119)
      // An anonymous user that is there signs in, and is not made.
      #expect(await code("POST", "users", [fields[1]]) == nil)
    }
    #expect(await code("DELETE", "users/\(ada)", session: session) == Self.asked)
    await world.test.end()
  }

  @Test func `a batch of all kinds of requests is done once for its id`() async throws {
    let requests: JSON = [
      ["method": "POST", "path": "/parse/classes/Note", "body": ["number": 1]],
      ["method": "POST", "path": "/parse/installations", "body": ["deviceType": "ios", "installationId": "a"]],
    ]
    for wanted in [nil, 159] {
      #expect(await code("POST", "batch", [.init("requests", requests)], once: "a") == wanted)
    }
    let notes = try await objects.read(app, as: .master) { try $0.find("Note", []) }
    #expect(notes["results"]?.array?.count == 1)
    await world.test.end()
  }
}
