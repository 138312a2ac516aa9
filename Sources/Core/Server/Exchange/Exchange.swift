import EventLoop
import Wire

/// What carries an answer back to its client: a connection that speaks HTTP/1.1, or a stream of one that speaks HTTP/2.
protocol Carrier: AnyObject {
  func send(_ response: Response, for exchange: Exchange)
  func openWebSocket(_ exchange: Exchange, _ bounds: MessageBounds, _ makeHandler: (Request) -> any WebSocketHandler)
  func openEventStream(_ exchange: Exchange, _ handler: any EventStreamHandler)
  /// The handler wants the body now: a client that waits for a word before it sends it (100 Continue) gets one.
  func bodyWanted(for exchange: Exchange)
  /// The caller may come in, which was not known at once: the body may follow.
  func admitted(_ exchange: Exchange)
  /// The handler has taken so many bytes of the body: as many may follow.
  func bodyTaken(_ count: Int, for exchange: Exchange)
}

/// One request on its way to its handler, and its answer on the way back. It does not know which version of HTTP
/// carries them. Confined to its loop.
///
/// A route that says who may call, or how often, is asked first. Until then nothing of the body is read: over HTTP/1.1
/// the connection is not read on, over HTTP/2 what was on its way is kept and no more is let come.
final class Exchange: @unchecked Sendable {
  private(set) var request: Request
  let route: Router.Route
  private let loop: EventLoop
  /// Whether somebody was found to be behind the request, by whatever is asked of it on its way.
  private let caller = Caller()
  /// nil once nobody waits for the answer any more.
  private var carrier: (any Carrier)?
  /// Of a handler that reads the body itself.
  private var body: RequestBody?
  private(set) var received = 0
  private(set) var isReceiving = true
  private(set) var isAnswered = false
  /// The handler at work, where it is one that may wait.
  private var task: Task<Void, Never>?
  private(set) var isAdmitted = false
  private var hasBegun = false
  /// The carrier does not know of this object before `init` has returned.
  private var isKnown = false

  init(_ request: Request, _ route: Router.Route, loop: EventLoop, carrier: any Carrier) {
    self.request = request
    self.request.caller = caller
    self.route = route
    self.loop = loop
    self.carrier = carrier
    if route.isOpen { letIn() } else { ask() }
    isKnown = true
  }

  private func ask() {
    Task.immediate(executorPreference: loop) { [self] in
      do throws(HTTPError) {
        if let (rates, rate) = route.rate { try await rates.admit(request, rate) }
        if let admit = route.admit { try await admit(request) }
        letIn()
      } catch {
        answer(error.response)
      }
    }
  }

  private func letIn() {
    // Nothing is begun for somebody who has left.
    guard let carrier else { return }
    isAdmitted = true
    if case .streaming(let handler) = route.handler {
      begin(handler, carrier)
    } else {
      carrier.bodyWanted(for: self)
    }
    if isKnown { carrier.admitted(self) }
    // The whole of it was there before, or has come while the carrier read on.
    if !isReceiving { act() }
  }

  private func begin(
    _ handler: @escaping @Sendable (Request, RequestBody) async throws(HTTPError) -> Response, _ carrier: any Carrier
  ) {
    let body = RequestBody(loop: loop)
    body.taken = { [weak self] count in
      if let self { self.carrier?.bodyTaken(count, for: self) }
    }
    body.wanted = { [weak self] in
      if let self { self.carrier?.bodyWanted(for: self) }
    }
    self.body = body
    let request = request
    start { _ async throws(HTTPError) in try await handler(request, body) }
  }

  /// Whether more of the body may be read: the caller may send it, and the handler keeps up with it.
  var hasRoom: Bool { isAdmitted && (body.map { $0.count < ServerLimits.bodyQueueBytes } ?? true) }
  /// Whether the body goes to the handler as it comes.
  var isStreaming: Bool { body != nil }
  /// Bytes of the body that are kept for somebody of whom nothing is known.
  var strangersBytes: Int { route.admit == nil ? request.body.count : 0 }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTPError) {
    received += bytes.count
    guard received <= route.bodyLimit else { throw .bodyTooLarge(limit: route.bodyLimit) }
    if let body { body.append(Array(bytes)) } else { request.body.append(contentsOf: bytes) }
  }

  /// The request is complete.
  func finish() {
    isReceiving = false
    if isAdmitted { act() }
  }

  /// Has the handler answer, once: being let in may itself bring the rest of the request, and with it `finish`.
  private func act() {
    if hasBegun { return }
    hasBegun = true
    switch route.handler {
    case .immediate(let handler):
      do throws(HTTPError) {
        answer(try handler(request))
      } catch {
        answer(error.response)
      }
    case .task(let handler): start { request async throws(HTTPError) in try await handler(request) }
    case .streaming: body?.end()
    case .webSocket(let bounds, let makeHandler): carrier?.openWebSocket(self, bounds, makeHandler)
    case .eventStream(let makeHandler):
      do throws(HTTPError) {
        carrier?.openEventStream(self, try makeHandler(request))
      } catch {
        answer(error.response)
      }
    }
  }

  /// Nobody waits for the answer any more: the client is gone, or was told something else.
  func abandon(_ error: HTTPError = .clientGone) {
    carrier = nil
    body?.fail(error)
    cancelQuestion()
  }

  /// The client says nothing more. Some only finish asking so, and listen; one that still has no answer after a moment
  /// has most likely left.
  func peerFinished() {
    loop.schedule(after: ServerLimits.leaveSeconds) { [weak self] in self?.cancelQuestion() }
  }

  /// A question need not be answered any more; what changes something is carried through.
  private func cancelQuestion() {
    if !isAnswered, request.head.method == .get || request.head.method == .head { task?.cancel() }
  }

  private func start(_ handler: @escaping @Sendable (Request) async throws(HTTPError) -> Response) {
    task = Task.immediate(executorPreference: loop) { [self] in
      do throws(HTTPError) {
        answer(try await handler(request))
      } catch {
        answer(error.response)
      }
    }
  }

  private func answer(_ response: Response) {
    loop.assertCurrent()
    isAnswered = true
    carrier?.send(response.kept(for: caller), for: self)
  }
}
