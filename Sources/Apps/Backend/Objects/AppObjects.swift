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
  typealias Part = @Sendable (WrittenObjects, Change) throws(StoreError) -> Void

  let hub: Hub
  let cache = ClassCache()
  let advice: IndexAdvice
  let passwordWork = PasswordWork(AppsLimits.passwordWork)
  let rings: ObjectRings
  let hooks = Hooks()
  let kept = KeptObjects()
  let recent = RecentObjects()
  let calls: HookCalls
  private let listeners = Mutex<[Listener]>([])
  private let parts = Mutex<[Part]>([])
  private let readers = AppGate(AppsLimits.reads, waiting: AppsLimits.readsWaiting)
  private let writers = AppGate(AppsLimits.writes, waiting: AppsLimits.writesWaiting)
  /// One request at a time for each id, by its hash.
  private let repetitions = AppGate(1, waiting: AppsLimits.repetitionsWaiting)
  private let brief = BriefReadings()
  let requests: RequestBudget

  init(_ hub: Hub) {
    self.hub = hub
    advice = IndexAdvice(hub.loop)
    requests = RequestBudget(hub.time)
    rings = ObjectRings(hub)
    calls = HookCalls(
      client: hub.client.restricted(to: .publicInternet(and: hub.reachable)), time: hub.time, log: hub.log,
      publicURL: hub.publicURL)
  }

  /// The app's objects were changed elsewhere, or are gone.
  func forget(_ app: Int) {
    kept.forget(app)
    recent.forget(app)
  }

  /// Objects of any app may have been changed elsewhere.
  func forgetAll() {
    kept.forgetAll()
    recent.forgetAll()
  }

  /// The webhooks that are asked before a change.
  var triggers: Triggers { Triggers(objects: self) }

  /// Adds somebody who is told of all changes, on the writer's thread and in the order of the commits; what they do
  /// there must be short.
  func listen(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

  /// Adds something that is done within each commit that changes objects; it must be short.
  func join(_ part: @escaping Part) { parts.withLock { $0.append(part) } }

  func complete(_ written: WrittenObjects, in change: Change) throws(StoreError) {
    for part in parts.withLock({ $0 }) { try part(written, change) }
  }

  func tell(_ written: WrittenObjects) { for listener in listeners.withLock({ $0 }) { listener(written) } }

  /// Makes changes to an app's objects in one commit: all of them or none.
  /// - Parameters:
  ///   - requestID: the id by which a client repeats a request; a second one with it changes nothing.
  ///   - passwords: those in the request: see `Passwords`.
  func write<T: Sendable>(
    _ app: App, as caller: Objects.Caller, requestID: String? = nil, passwords: [String: PasswordHash] = [:],
    _ body: @escaping @Sendable (ObjectWriter) throws -> T
  ) async throws(HTTPError) -> T {
    try await commit(of: app) { [self] change in
      let writer = try ObjectWriter(self, change, app, caller, requestID: requestID, passwords: passwords)
      let value = try body(writer)
      try writer.finish()
      return value
    }
  }

  /// The same for a request, as its own caller if nobody else is named.
  func write<T: Sendable>(
    _ request: ParseRequest, as caller: Objects.Caller? = nil, passwords: [String: PasswordHash] = [:],
    _ body: @escaping @Sendable (ObjectWriter) throws -> T
  ) async throws(HTTPError) -> T {
    try await write(request.app, as: caller ?? request.caller, requestID: request.requestID, passwords: passwords, body)
  }

  /// The same for a request that makes something, whose answer is kept in the same commit.
  func write(
    making request: ParseRequest, passwords: [String: PasswordHash] = [:],
    _ body: @escaping @Sendable (ObjectWriter) throws -> ParseAnswer
  ) async throws(HTTPError) -> ParseAnswer {
    try await write(request, passwords: passwords) { writer in
      let answer = try body(writer)
      try request.keep?(answer, writer.change)
      return answer
    }
  }

  /// One commit of an app's: no app has more than its share of those that wait.
  private func commit<T: Sendable>(
    of app: App, _ body: @escaping @Sendable (Change) throws -> T
  ) async throws(HTTPError) -> T {
    guard await writers.enter(app.id) else {
      throw ObjectError.tooMany("Too many changes of the app wait to be made. Try again.").http
    }
    defer { writers.leave(app.id) }
    return try await hub.commit(as: .room(BackendRoom.id)) { change in
      do {
        return try body(change)
      } catch let refusal as ObjectError {
        throw refusal.http
      }
    }
  }

  /// Does a request when no other one with its id is under way on this hub: before that one has ended, nobody knows
  /// whether it is done, or refused and may come again.
  func inTurn<T>(_ request: ParseRequest, _ work: () async throws(HTTPError) -> T) async throws(HTTPError) -> T {
    guard let id = request.requestID else { return try await work() }
    // Two ids with the same hash only wait for each other.
    let turn = "\(request.app.id) \(id)".hashValue
    guard await repetitions.enter(turn) else {
      throw ObjectError.tooMany("Too many requests with this id are under way. Try again.").http
    }
    defer { repetitions.leave(turn) }
    return try await work()
  }

  /// Takes the id by which a client repeats a request, where what it asks for is not one commit of an app's objects.
  /// It counts from then on, since nobody can undo what was begun.
  /// - Throws: 159 for a request that was begun before.
  func takeID(of request: ParseRequest) async throws(HTTPError) {
    guard let id = request.requestID else { return }
    try await commit(of: request.app) { [self] change in
      _ = try ObjectWriter(self, change, request.app, request.caller, requestID: id)
    }
  }

  /// Reads an app's objects, all as of one moment.
  /// - Throws: 155 if too many of the app's requests wait already.
  func read<T: Sendable>(
    _ app: App, as caller: Objects.Caller, _ body: @escaping @Sendable (ObjectReader) throws -> T
  ) async throws(HTTPError) -> T {
    // A query's time begins before its turn does, so that nobody waits for much longer behind slow ones.
    let deadline = Deadline(hub.time)
    guard await readers.enter(app.id) else {
      throw ObjectError.tooMany("Too many requests of the app wait to be answered. Try again.").http
    }
    defer { readers.leave(app.id) }
    let result = try await hub.read { [self] database throws(StoreError) in
      try Self.answer(ObjectReader(self, database, app, caller, deadline), body)
    }
    guard let result else { preconditionFailure("only a brief reader gives up") }
    return try result.get()
  }

  /// The same for a request, as its own caller.
  func read<T: Sendable>(
    _ request: ParseRequest, _ body: @escaping @Sendable (ObjectReader) throws -> T
  ) async throws(HTTPError) -> T { try await read(request.app, as: request.caller, body) }

  /// One object as its caller may see it: without the store, if it was read a short while ago.
  /// - Parameter parameters: those of a request: which fields, and of what is pointed to.
  func get(
    _ app: App, as caller: Objects.Caller, _ className: String, _ id: String, _ parameters: [JSON.Member]
  ) async throws(HTTPError) -> JSON {
    // Parse's own classes have rules of their own, and what is pointed to may be changed by others.
    guard parameters.isEmpty, !className.hasPrefix("_") else {
      return try await readBriefly(className, of: app, as: caller) { try $0.get(className, id, parameters) }
    }
    let (known, age) = recent.get(app.id, className, id)
    let read: ReadObject
    if let known {
      read = known
    } else {
      read = try await readBriefly(className, of: app, as: caller) { try $0.one(className, id) }
      recent.keep(read, of: app.id, age)
    }
    return try ObjectError.told { () throws(ObjectError) in try read.shown(to: caller) }
  }

  /// Reads as `read` does what is short as a rule: it is tried among the store's lookups, many of which are answered in
  /// one transaction, and begins anew on a reader if it takes long there. A class whose readings were long does not try
  /// it for a while, since all others' lookups wait meanwhile.
  func readBriefly<T: Sendable>(
    _ className: String, of app: App, as caller: Objects.Caller,
    _ body: @escaping @Sendable (ObjectReader) throws -> T
  ) async throws(HTTPError) -> T {
    guard brief.enter(app.id, className) else { return try await read(app, as: caller, body) }
    let result: Result<T, HTTPError>?
    do throws(HTTPError) {
      result = try await hub.look { [self] database throws(StoreError) in
        try Self.answer(ObjectReader(self, database, app, caller, Deadline(hub.time, isBrief: true)), body)
      }
    } catch {
      brief.leave(app.id, className, tookLong: false)
      throw error
    }
    brief.leave(app.id, className, tookLong: result == nil)
    guard let result else { return try await read(app, as: caller, body) }
    return try result.get()
  }

  /// True for the id of a session that has not ended, as far as the store can be asked.
  func isSession(_ id: String, of app: Int) async -> Bool {
    let isThere = try? await hub.store.look { [cache] database throws(StoreError) in
      guard let stored = try database.storedClass("_Session", of: app, cache) else { return false }
      return try database.object(id, of: stored) != nil
    }
    return isThere ?? false
  }

  /// - Returns: nil if a brief reader gave up.
  private static func answer<T>(
    _ reader: ObjectReader, _ body: (ObjectReader) throws -> T
  ) throws(StoreError) -> Result<T, HTTPError>? {
    do {
      return .success(try body(reader))
    } catch is TookLong {
      return nil
    } catch let error as StoreError {
      throw error
    } catch let refusal as ObjectError {
      return .failure(refusal.http)
    } catch {
      return .failure(ObjectError.failed("\(error)").http)
    }
  }
}

/// The changes of one commit to an app's objects.
struct WrittenObjects: Sendable {
  let app: App
  let caller: Objects.Caller
  /// The number of the commit.
  let commit: Int
  let changes: [ObjectChange]

  /// The ids of the sessions that end by it.
  var endedSessions: Set<String> {
    Set(changes.compactMap { $0.className == "_Session" && $0.after == nil ? $0.before?.id : nil })
  }
}
