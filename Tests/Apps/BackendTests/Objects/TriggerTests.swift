import Hub
import HubWorld
import Objects
import Server
import Testing
import Wire

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

  init() async throws {
    world = try await AppsWorld()
    let made = try await world.make()
    let room = try #require(world.test.hub.rooms.first as? BackendRoom)
    app = try #require(room.register.app(Int(made["app_id"]?.string ?? "") ?? 0))
    objects = room.objects
  }

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
    do {
      _ = try await world.test.ask(.post, "/parse/\(path)", .object(members + body))
      return nil
    } catch {
      return (error as? HTTPError)?.foreign?["code"]?.int
    }
  }

  @Test func `nobody is asked about what the caller may not do`() async throws {
    for trigger in [Hook.Trigger.beforeSave, .beforeDelete] { try await hook(.trigger(trigger, className: "Order")) }
    let rights: JSON = ["create": ["requiresAuthentication": true], "update": [:], "delete": [:]]
    let schema = try SchemaChange(["classLevelPermissions": rights])
    let (id, session) = try await objects.write(app, as: .master) { writer in
      var stored = try writer.openClass("Order")
      try writer.apply(schema, to: &stored)
      let anonymous: JSON = ["anonymous": ["id": "ada"]]
      let user = try writer.create("_User", ObjectEdit(["username": "ada", "authData": anonymous])).object
      let session = try writer.makeSession(of: user.id, action: "login")["sessionToken"]?.string
      return (try writer.create("Order", ObjectEdit([:])).object.id, session)
    }
    #expect(await code("POST", "classes/Order") == 101)
    #expect(await code("PUT", "classes/Order/\(id)") == 119)
    #expect(await code("DELETE", "classes/Order/\(id)") == 119)
    #expect(await code("POST", "classes/Order", session: session) == Self.asked)
    await #expect(throws: HTTPError.self) { try await objects.triggers.beforeDelete("Order", id, app, .master) }
    await world.test.end()
  }

  @Test func `a webhook is asked before a delete that only the same batch allows`() async throws {
    try await hook(.trigger(.beforeDelete, className: "Order"))
    let schema = try SchemaChange([
      "fields": ["owner": ["type": "Pointer", "targetClass": "_User"]],
      "classLevelPermissions": ["update": ["*": true], "delete": ["pointerFields": ["owner"]]],
    ])
    let (id, user, session) = try await objects.write(app, as: .master) { writer in
      var stored = try writer.openClass("Order")
      try writer.apply(schema, to: &stored)
      let anonymous: JSON = ["anonymous": ["id": "ada"]]
      let user = try writer.create("_User", ObjectEdit(["username": "ada", "authData": anonymous])).object
      let session = try writer.makeSession(of: user.id, action: "login")["sessionToken"]?.string
      return (try writer.create("Order", ObjectEdit([:])).object.id, user.id, session)
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
