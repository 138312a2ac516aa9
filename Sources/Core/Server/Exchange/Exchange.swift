import EventLoop
import Wire

/// Carries a response to its client: a connection that speaks HTTP/1.1, or a stream of HTTP/2.
protocol Carrier: AnyObject {
  func send(_ response: Response, for exchange: Exchange)
  func openWebSocket(_ exchange: Exchange, _ bounds: MessageBounds, _ makeHandler: (Request) -> any WebSocketHandler)
  func openEventStream(_ exchange: Exchange, _ handler: any EventStreamHandler)
  /// Called when the handler wants the body now: a client that waits for 100 Continue gets it.
  func bodyWanted(for exchange: Exchange)
  /// Called when a caller was admitted after a wait: the body may follow.
  func admitted(_ exchange: Exchange)
  /// Called when the handler has consumed so many bytes of the body: as many may follow.
  func bodyTaken(_ count: Int, for exchange: Exchange)
}

/// One request on its way to its handler, and the response on the way back, over any version of HTTP. Confined to its
/// loop.
///
/// A route that restricts its callers, or their rate, is asked first. Until it has admitted the caller, the body is not
/// read: over HTTP/1.1 the connection is not read on; over HTTP/2 bytes already sent are kept and no more are allowed.
///
/// Its tasks are the request's. The server waits for their answers when it closes, but not for ever: one that is still
/// at work when the store has closed is refused there, and its client has no answer.
final class Exchange: @unchecked Sendable {
  private(set) var request: Request
  let route: Router.Route
  private let loop: EventLoop
  /// Records whether a caller was identified while the request was handled.
  private let caller = Caller()
  /// Nil once nobody waits for the response.
  private var carrier: (any Carrier)?
  /// The body, for a handler that reads it while it arrives.
  private var body: RequestBody?
  /// The memory of the bodies of known callers.
  private let shares: BodyShares
  /// Bytes of the body that are counted there.
  private var counted = 0
  /// The caller's name when the body was let in; nil for a stranger, whom a route may admit without knowing them.
  private var callerName: String?
  /// True if the caller was known when the rate was counted, which leaves `caller` as it is.
  private var isOfKnownRate = false
  private(set) var received = 0
  private(set) var isReceiving = true
  private(set) var isAnswered = false
  /// The running handler, if it is asynchronous.
  private var task: Task<Void, Never>?
  private(set) var isAdmitted = false
  private var hasBegun = false
  /// False until `init` has returned: the carrier does not know this object before.
  private var isKnown = false

  init(_ request: Request, _ route: Router.Route, loop: EventLoop, shares: BodyShares, carrier: any Carrier) {
    self.request = request
    self.request.caller = caller
    route.dialect?.adapt(&self.request)
    self.route = route
    self.loop = loop
    self.shares = shares
    self.carrier = carrier
    if route.isOpen { letIn() } else { ask() }
    isKnown = true
  }

  deinit { release() }

  private func ask() {
    Task.immediate(executorPreference: loop) { [self] in
      do throws(HTTPError) {
        if let (rates, rate) = route.rate { isOfKnownRate = try await rates.admit(request, rate) }
        if let admit = route.admit { try await admit(request) }
        letIn()
      } catch {
        answer(refusal(error))
      }
    }
  }

  /// True for a caller who was known when the request was let in.
  var isSignedIn: Bool { callerName != nil || isOfKnownRate }

  func refusal(_ error: HTTPError) -> Response { route.refusal(error, request) }

  private func letIn() {
    // No handler is started for a client that has left.
    guard let carrier else { return }
    isAdmitted = true
    callerName = caller.name
    if case .streaming(let handler) = route.handler {
      begin(handler, carrier)
    } else {
      carrier.bodyWanted(for: self)
    }
    if isKnown { carrier.admitted(self) }
    // The body was complete before, or became so while the carrier read on; or it was refused then for what there was.
    if !isReceiving, self.carrier != nil { act() }
  }

  private func begin(
    _ handler: @escaping @Sendable (Request, RequestBody) async throws(HTTPError) -> Response, _ carrier: any Carrier
  ) {
    let body = RequestBody(loop: loop)
    body.taken = { [weak self] count in
      if let self { self.carrier?.bodyTaken(count, for: self) }
    }
    body.wanted = { [weak self] in
      guard let self, let carrier = self.carrier else { return }
      carrier.bodyWanted(for: self)
      // The carrier did not read on before.
      if isKnown { carrier.admitted(self) }
    }
    self.body = body
    let request = request
    start { _ async throws(HTTPError) in try await handler(request, body) }
  }

  /// True if more of the body may be read: the caller is admitted, and the handler keeps up.
  var hasRoom: Bool { isAdmitted && (body.map { $0.isWanted && $0.count < ServerLimits.bodyQueueBytes } ?? true) }
  /// True while the handler has not asked for the body: the client waits in line, and can do nothing about it.
  var isInLine: Bool { body.map { !$0.isWanted } ?? false }

  /// True if more of the body is to come, from somebody who is not signed in.
  var awaitsStranger: Bool { isReceiving && hasRoom && !isSignedIn }

  /// The uptime by which something must happen next.
  /// - Parameter body: that by which the body must be complete.
  func deadline(from uptime: Double, body: Double) -> Double {
    // The client is not slow while it waits for the handler.
    if isReceiving, hasRoom { return min(uptime + ServerLimits.bodySeconds, body) }
    return uptime + (isInLine ? ServerLimits.lineSeconds : ServerLimits.handlerSeconds)
  }

  /// True if the handler gets the body while it arrives.
  var isStreaming: Bool { body != nil }
  /// Bytes of the body kept for a caller who was not known when it was let in. They count for the address.
  var strangersBytes: Int { callerName == nil ? request.body.count : 0 }

  /// Counts what is kept of a known caller's body. Called when no more of it has come for now, so that a small one
  /// that comes at once costs nothing.
  /// - Throws: 503 if it exceeds a share.
  func count() throws(HTTPError) {
    guard let callerName, !isAnswered, request.body.count > counted else { return }
    try shares.take(request.body.count - counted, by: callerName)
    counted = request.body.count
  }

  private func release() {
    if let callerName, counted > 0 { shares.release(counted, by: callerName) }
    counted = 0
  }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTPError) {
    received += bytes.count
    guard received <= route.bodyLimit else { throw .bodyTooLarge(limit: route.bodyLimit) }
    if let body { body.append(Array(bytes)) } else { request.body.append(contentsOf: bytes) }
  }

  /// Called when the request is complete.
  func finish() {
    isReceiving = false
    if isAdmitted { act() }
  }

  /// Starts the handler, once: admitting may itself bring the rest of the request, and with it `finish`.
  private func act() {
    if hasBegun { return }
    hasBegun = true
    switch route.handler {
    case .immediate(let handler):
      do throws(HTTPError) {
        answer(try handler(request))
      } catch {
        answer(refusal(error))
      }
    case .task(let handler): start { request async throws(HTTPError) in try await handler(request) }
    case .streaming: body?.end()
    case .webSocket(let bounds, let makeHandler): carrier?.openWebSocket(self, bounds, makeHandler)
    case .eventStream(let makeHandler):
      do throws(HTTPError) {
        carrier?.openEventStream(self, try makeHandler(request))
      } catch {
        answer(refusal(error))
      }
    }
  }

  /// Gives up the response: the client has left, or was answered otherwise.
  func abandon(_ error: HTTPError = .clientGone) {
    carrier = nil
    body?.fail(error)
    cancelQuestion()
    // A handler that has begun keeps the body until it answers.
    if !hasBegun { release() }
  }

  /// Called when the client has closed its side. Some clients do so and still read; one that has no response after a
  /// moment has most likely left.
  func peerFinished() {
    loop.schedule(after: ServerLimits.leaveSeconds) { [weak self] in self?.cancelQuestion() }
  }

  /// Cancels a request that only reads; one that changes something is carried through.
  private func cancelQuestion() {
    if !isAnswered, request.head.method == .get || request.head.method == .head { task?.cancel() }
  }

  private func start(_ handler: @escaping @Sendable (Request) async throws(HTTPError) -> Response) {
    task = Task.immediate(executorPreference: loop) { [self] in
      do throws(HTTPError) {
        answer(try await handler(request))
      } catch {
        answer(refusal(error))
      }
    }
  }

  private func answer(_ response: Response) {
    loop.assertCurrent()
    isAnswered = true
    release()
    carrier?.send(response.kept(for: caller), for: self)
  }
}
