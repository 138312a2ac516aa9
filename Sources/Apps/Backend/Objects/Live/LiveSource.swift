import Hub
import Lifecycle
import Objects
import Server
import Store

/// The questions of live queries to the rest of the room.
struct LiveSource: Sendable {
  /// The app that a client names, and whether it has shown the master key.
  /// - Throws: 4 if the keys are wrong.
  var app: @Sendable (LiveMessage.Connect, Request) async throws(ObjectError) -> (app: App, isMaster: Bool)
  /// The caller to whom a session belongs.
  /// - Throws: 209 if it is not valid any more.
  var caller: @Sendable (_ session: String, _ app: Int) async throws(ObjectError) -> Objects.Caller
  /// A class as it is now; nil if there is none of this name. Called for each change that somebody follows.
  var schema: @Sendable (_ className: String, _ app: Int) async -> ClassSchema?
  /// Counts messages of an app.
  var count: @Sendable (_ messages: Int, _ app: Int) -> Void
}

extension LiveSource {
  init(_ objects: AppObjects, _ register: AppRegister, count: @escaping @Sendable (_ messages: Int, _ app: Int) -> Void)
  {
    let hub = objects.hub
    let cache = objects.cache
    app = { wish, request throws(ObjectError) in
      var keys = ParseKeys(request)
      (keys.applicationID, keys.masterKey) = (wish.applicationID, wish.masterKey)
      // Parse's client for Android tells no key, but goes to any address that it is given.
      keys.restKey = wish.keys.first ?? request.query["clientKey"]
      do throws(HTTPError) {
        let (app, isMaster) = try await keys.app(of: register, from: request.peer, now: hub.time.now)
        guard !register.meter.isOver(app.id) else { throw .unauthorized }
        return (app, isMaster)
      } catch {
        throw ObjectError(4, "The application id or a key is not right, or the app is turned off or over its quota.")
      }
    }
    caller = { session, app throws(ObjectError) in
      let now = hub.time.now
      let found = try? await hub.store.read { database throws(StoreError) in
        try Objects.Caller(session: session).current(in: database, app, cache, now: now)
      }
      guard let found = found ?? nil else { throw .invalidSession }
      return found
    }
    schema = { className, app in
      let stored = try? await hub.store.read { database throws(StoreError) in
        try database.storedClass(className, of: app, cache)
      }
      return stored?.schema
    }
    self.count = count
  }
}
