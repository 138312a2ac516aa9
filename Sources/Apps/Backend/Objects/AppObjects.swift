import Client
import Crypto
import Hub
import Objects
import Server
import Store
import Synchronization
import Wire

/// The objects of all apps: every reading and writing of them begins here.
final class AppObjects: Sendable {
  typealias Listener = @Sendable (WrittenObjects) -> Void

  let hub: Hub
  let cache = ClassCache()
  let advice: IndexAdvice
  let passwordWork = PasswordWork(AppsLimits.passwordWork)
  let rings: ObjectRings
  let hooks = Hooks()
  let calls: HookCalls
  private let listeners = Mutex<[Listener]>([])
  private let gate = ReadGate()

  init(_ hub: Hub) {
    self.hub = hub
    advice = IndexAdvice(hub.loop)
    rings = ObjectRings(hub)
    calls = HookCalls(
      client: hub.client.restricted(to: .publicInternet(and: hub.reachable)), time: hub.time, log: hub.log)
  }

  /// The webhooks that are asked before a change.
  var triggers: Triggers { Triggers(objects: self) }

  /// Adds somebody who is told of all changes, on the writer's thread and in the order of the commits; what they do
  /// there must be short.
  func listen(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

  func tell(_ written: WrittenObjects) { for listener in listeners.withLock({ $0 }) { listener(written) } }

  /// Makes changes to an app's objects in one commit: all of them or none.
  /// - Parameters:
  ///   - requestID: the id by which a client repeats a request; a second one with it changes nothing.
  ///   - passwords: those in the request: see `Passwords`.
  func write<T: Sendable>(
    _ app: App, as caller: Objects.Caller, requestID: String? = nil, passwords: [String: PasswordHash] = [:],
    _ body: @escaping @Sendable (ObjectWriter) throws -> T
  ) async throws(HTTPError) -> T {
    try await hub.commit(as: .room(BackendRoom.id)) { [self] change in
      do {
        let writer = try ObjectWriter(self, change, app, caller, requestID: requestID, passwords: passwords)
        let value = try body(writer)
        writer.finish()
        return value
      } catch let refusal as ObjectError {
        throw refusal.http
      }
    }
  }

  /// Reads an app's objects, all as of one moment.
  /// - Throws: 155 if too many of the app's requests wait already.
  func read<T: Sendable>(
    _ app: App, as caller: Objects.Caller, _ body: @escaping @Sendable (ObjectReader) throws -> T
  ) async throws(HTTPError) -> T {
    guard await gate.enter(app.id) else {
      throw ObjectError.tooMany("Too many requests of the app wait to be answered. Try again.").http
    }
    defer { gate.leave(app.id) }
    let result = try await hub.stored { [self] () throws(StoreError) in
      try await hub.store.read { [self] database throws(StoreError) -> Result<T, ObjectError> in
        do {
          return .success(try body(ObjectReader(self, database, app, caller)))
        } catch let error as StoreError {
          throw error
        } catch let refusal as ObjectError {
          return .failure(refusal)
        } catch {
          return .failure(.failed("\(error)"))
        }
      }
    }
    return try ObjectError.told { () throws(ObjectError) in try result.get() }
  }
}

/// The changes of one commit to an app's objects.
struct WrittenObjects: Sendable {
  let app: App
  let caller: Objects.Caller
  /// The number of the commit.
  let commit: Int
  let changes: [ObjectChange]
}
