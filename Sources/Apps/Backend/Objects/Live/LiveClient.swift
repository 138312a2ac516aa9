import Crypto
import EventLoop
import Hub
import Objects
import Server
import Store
import Synchronization
import Wire

/// A client of live queries. Confined to its loop, but for what says otherwise. Its messages are handled one after the
/// other, since most have to ask the store.
final class LiveClient: WebSocketHandler, Hashable, @unchecked Sendable {
  /// Before the client's keys are known.
  static let strangers = MessageBounds(
    strangersBytes: LiveQueryLimits.strangersBytes, bytes: LiveQueryLimits.strangersBytes,
    rate: AppsLimits.liveMessages)
  private static let known = MessageBounds(
    strangersBytes: LiveQueryLimits.messageBytes, bytes: LiveQueryLimits.messageBytes, rate: AppsLimits.liveMessages)

  let clientID = Digest.hex(Digest.random(8))
  private let live: LiveQueries
  private let request: Request
  private var session: LiveQuerySession
  private var socket: WebSocket?
  /// The loop of the connection, once it is opened; may be read on any thread.
  var loop: EventLoop? { place.withLock { $0 } }
  private let place = Mutex<EventLoop?>(nil)
  /// May be read on any thread.
  var peer: String { request.peer }
  private var app: Int?
  private var files: FileAddresses?
  /// Those rights that the connection's own session and keys give; nil once the session has ended.
  private var caller: Objects.Caller?
  /// The numbers of the subscriptions by their request ids.
  private var subscriptions: [Int: Int] = [:]
  private var waiting: [String] = []
  private var waitingBytes = 0
  private var isBusy = false
  /// Ends a connection that does not say who it is.
  private var doorTimer: LoopTimer?

  init(_ live: LiveQueries, _ request: Request) {
    self.live = live
    self.request = request
    session = LiveQuerySession(clientID: clientID)
  }

  static func == (a: LiveClient, b: LiveClient) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: The connection

  func opened(_ socket: WebSocket) {
    self.socket = socket
    place.withLock { $0 = socket.loop }
    doorTimer = socket.loop.schedule(after: AppsLimits.connectSeconds) { [weak self] in
      self?.socket?.close(.policy, "\"connect\" did not come in time.")
    }
  }

  func received(_ text: String) {
    waiting.append(text)
    waitingBytes += text.utf8.count
    guard waitingBytes <= AppsLimits.waitingBytes else {
      socket?.close(.policy, "More than \(AppsLimits.waitingBytes) bytes of messages wait.")
      return
    }
    work()
  }

  func closed() {
    doorTimer?.cancel()
    if let app { live.left(self, app, subscriptions.values) }
    (socket, app, waiting) = (nil, nil, [])
  }

  /// May be called on any thread.
  func close(_ reason: String) {
    loop?.execute { [self] in socket?.close(CloseCode(rawValue: 1013), reason) }
  }

  private func send(_ message: JSON) { socket?.send(EncodedMessage(text: message.bytes)) }

  /// Sends an event, unless its subscription has ended meanwhile.
  func deliver(_ message: EncodedMessage, of requestID: Int, _ number: Int) {
    if subscriptions[requestID] == number { socket?.send(message) }
  }

  /// Ends a subscription, such as one whose session is not valid any more. May be called on any thread.
  func end(_ requestID: Int, _ number: Int, _ error: ObjectError) {
    loop?.execute { [self] in
      guard subscriptions[requestID] == number else { return }
      subscriptions[requestID] = nil
      send(session.ended(requestID, error))
    }
  }

  // MARK: The protocol

  private func work() {
    while !isBusy, !waiting.isEmpty, socket != nil {
      let text = waiting.removeFirst()
      waitingBytes -= text.utf8.count
      for action in session.receive(text) { perform(action) }
    }
  }

  private func perform(_ action: LiveQuerySession.Action) {
    switch action {
    case .send(let message): send(message)
    case .connect(let wish): connect(wish)
    case .subscribe(let wish): subscribe(wish)
    case .unsubscribe(let id): remove(id)
    }
  }

  private func remove(_ id: Int) {
    if let app, let number = subscriptions.removeValue(forKey: id) { live.remove(number, of: app) }
  }

  /// Asks, and goes on with the next message when the outcome was handled on the loop.
  private func ask<T: Sendable>(
    _ question: @escaping @Sendable () async -> Result<T, ObjectError>,
    then handle: @escaping @Sendable (Result<T, ObjectError>) -> Void
  ) {
    guard let loop else { return }
    isBusy = true
    let task = live.supervisor.once("apps.live-question", on: loop) { [self] in
      let outcome = await question()
      loop.execute { [self] in
        isBusy = false
        if socket != nil { handle(outcome) }
        work()
      }
    }
    // The hub is ending, and the connection with it.
    if task == nil { waiting = [] }
  }

  private func connect(_ wish: LiveMessage.Connect) {
    let (source, request) = (live.source, request)
    ask {
      await Result { () async throws(ObjectError) in
        let (app, isMaster) = try await source.app(wish, request)
        var caller = isMaster ? Objects.Caller.master : .stranger
        if let token = wish.sessionToken {
          // Parse's client for JavaScript comes back with the session that it had first, which may have ended since. It
          // refuses subscriptions without one of their own, and no connection.
          caller = (try? await source.caller(token, app.id)) ?? Objects.Caller(session: token)
        }
        if isMaster { caller.isMaster = true }
        caller.installation = wish.installation
        return (app, caller)
      }
    } then: { [self] outcome in
      do throws(ObjectError) {
        let (app, caller) = try outcome.get()
        try live.enter(self, app, master: wish.masterKey.map { Digest.sha256($0.utf8) } ?? [])
        (self.app, self.caller, files) = (app.id, caller, live.files(of: app, for: request))
        doorTimer?.cancel()
        socket?.accept(Self.known)
        if caller.isMaster || caller.user != nil { socket?.signedIn() }
        source.count(1, app.id)
        send(session.connected())
      } catch {
        send(LiveQuerySession.error(error.code, error.message))
      }
    }
  }

  /// Refuses whoever may not look for objects of the class, or not by what they ask for.
  private static func check(_ query: LiveQuery, by caller: Objects.Caller, _ schema: ClassSchema) throws(ObjectError) {
    _ = try schema.permissions.check(query.action, by: caller, on: schema.name)
    try schema.permissions.checkQuery(of: query.fields, by: caller, on: schema.name)
  }

  private func subscribe(_ wish: LiveMessage.Subscribe) {
    guard let app, let own = caller else { return }
    let (source, interest) = (live.source, live.interest)
    let changesOfRights = live.changesOfRights(of: app)
    ask {
      await Result { () async throws(ObjectError) in
        do throws(StoreError) { try await interest.begin(app) } catch { throw .failed(error.message) }
        var caller = own
        if let token = wish.sessionToken ?? own.session {
          caller = try await source.caller(token, app)
          (caller.isMaster, caller.installation) = (own.isMaster, own.installation)
        }
        let schema = await source.schema(wish.className, app)
        let query = try LiveQuery(wish, schema: schema)
        if let schema { try Self.check(query, by: caller, schema) }
        return (query, caller)
      }
    } then: { [self] outcome in
      remove(wish.requestID)
      do throws(ObjectError) {
        let (query, caller) = try outcome.get()
        subscriptions[wish.requestID] = try live.add(
          query, self, requestID: wish.requestID, caller, app: app, files, changesOfRights: changesOfRights)
        source.count(1, app)
        send(session.subscribed(wish.requestID))
      } catch {
        send(session.ended(wish.requestID, error))
      }
    }
  }
}

extension Result where Failure == ObjectError {
  fileprivate init(_ work: () async throws(ObjectError) -> Success) async {
    do throws(ObjectError) {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
