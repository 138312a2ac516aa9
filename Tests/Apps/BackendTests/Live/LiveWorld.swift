import Hub
import HubWorld
import Objects
import Observe
import Server
import Testing
import Wire

@testable import Backend

/// A hub that serves live queries of one app, whose objects a test writes.
final class LiveWorld: Sendable {
  let apps: AppsWorld
  let app: App
  let room: BackendRoom
  private let server: HTTPServer
  private let port: Int

  /// - Parameter change: changes what live queries ask of the room; theirs are then others than the room's own.
  init(_ change: ((inout LiveSource) -> Void)? = nil) async throws {
    apps = try await AppsWorld()
    app = try await apps.makeApp()
    room = try apps.room
    let hub = apps.test.hub
    var router = Router()
    if let change {
      var source = LiveSource(room.objects, room.register, count: { _, _ in })
      change(&source)
      let live = LiveQueries(hub, source)
      room.objects.listen { live.take($0.changes, commit: $0.commit) }
      hub.supervisor.run("test.live") { try await live.run() }
      live.addRoutes(to: &router)
    } else {
      room.addRoutes(to: &router)
    }
    server = HTTPServer(loops: [hub.loop], router: router, log: Log(time: apps.time, sink: { _ in }))
    port = try server.listen(ListenAddress("127.0.0.1:0"))
    hub.run()
  }

  /// A client that has connected.
  /// - Parameter session: the token of a user's session.
  func connect(to other: App? = nil, session: String? = nil) throws -> LivePeer {
    let (peer, app) = (LivePeer(port), other ?? app)
    peer.send([
      "op": "connect", "applicationId": .string(app.applicationID), "javascriptKey": .string(app.restKey),
      "sessionToken": JSON(session),
    ])
    let answer = try peer.next()
    try #require(answer["op"] == "connected", "\(answer.text)")
    return peer
  }

  /// A client that has said nothing yet.
  func stranger(path: String = "/parse") -> LivePeer { LivePeer(port, path: path) }

  // MARK: Objects

  func write<T: Sendable>(
    _ other: App? = nil, as caller: Objects.Caller = .master, _ body: @escaping @Sendable (ObjectWriter) throws -> T
  ) async throws -> T {
    try await room.objects.write(other ?? app, as: caller, body)
  }

  @discardableResult
  func create(_ className: String, _ fields: JSON, in other: App? = nil) async throws -> String {
    try await write(other) { try $0.create(className, ObjectEdit(fields)).object.id }
  }

  func change(_ className: String, _ id: String, _ fields: JSON) async throws {
    try await write { _ = try $0.update(className, id, ObjectEdit(fields)) }
  }

  func delete(_ className: String, _ id: String) async throws {
    try await write { _ = try $0.delete(className, id) }
  }

  /// An anonymous user with a session.
  func user(_ name: String) async throws -> (id: String, session: String, sessionID: String) {
    try await write { writer in
      let anonymous: JSON = ["anonymous": ["id": .string(name)]]
      let user = try writer.create("_User", ObjectEdit(["username": .string(name), "authData": anonymous])).object
      let session = try writer.makeSession(of: user.id, action: "login")
      return (user.id, try #require(session["sessionToken"]?.string), try #require(session["objectId"]?.string))
    }
  }

  func end() async { await apps.test.end() }
}
