import EventLoop
import Wire

/// What carries an answer back to its client: a connection that speaks HTTP/1.1, or a stream of one that speaks HTTP/2.
protocol Carrier: AnyObject {
  func send(_ response: Response, for exchange: Exchange)
  func openWebSocket(_ exchange: Exchange, _ makeHandler: (Request) -> any WebSocketHandler)
  func openEventStream(_ exchange: Exchange, _ handler: any EventStreamHandler)
  /// The handler wants the body now: a client that waits for a word before it sends it (100 Continue) gets one.
  func bodyWanted(for exchange: Exchange)
  /// The handler has taken so many bytes of the body: as many may follow.
  func bodyTaken(_ count: Int, for exchange: Exchange)
}

/// One request on its way to its handler, and its answer on the way back. It does not know which version of HTTP
/// carries them. Confined to its loop.
final class Exchange: @unchecked Sendable {
  private(set) var request: Request
  let route: Router.Route
  private let loop: EventLoop
  /// nil once nobody waits for the answer any more.
  private var carrier: (any Carrier)?
  /// Of a handler that reads the body itself.
  private var body: RequestBody?
  private(set) var received = 0
  private(set) var isReceiving = true
  private(set) var isAnswered = false
  /// The handler at work, where it is one that may wait.
  private var task: Task<Void, Never>?

  init(_ request: Request, _ route: Router.Route, loop: EventLoop, carrier: any Carrier) {
    self.request = request
    self.route = route
    self.loop = loop
    self.carrier = carrier
    guard case .streaming(let handler) = route.handler else {
      carrier.bodyWanted(for: self)
      return
    }
    let body = RequestBody(loop: loop)
    body.taken = { [weak self] count in
      if let self { self.carrier?.bodyTaken(count, for: self) }
    }
    body.wanted = { [weak self] in
      if let self { self.carrier?.bodyWanted(for: self) }
    }
    self.body = body
    start { request async throws(HTTPError) in try await handler(request, body) }
  }

  /// Whether the handler keeps up with the body.
  var hasRoom: Bool { body.map { $0.count < ServerLimits.bodyQueueBytes } ?? true }
  /// Whether the body goes to the handler as it comes.
  var isStreaming: Bool { body != nil }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTPError) {
    received += bytes.count
    guard received <= route.bodyLimit else { throw .bodyTooLarge(limit: route.bodyLimit) }
    if let body { body.append(Array(bytes)) } else { request.body.append(contentsOf: bytes) }
  }

  /// The request is complete.
  func finish() {
    isReceiving = false
    switch route.handler {
    case .immediate(let handler):
      do throws(HTTPError) {
        answer(try handler(request))
      } catch {
        answer(error.response)
      }
    case .task(let handler): start { request async throws(HTTPError) in try await handler(request) }
    case .streaming: body?.end()
    case .webSocket(let makeHandler): carrier?.openWebSocket(self, makeHandler)
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
    let caller = Caller()
    request.caller = caller
    task = Task.immediate(executorPreference: loop) { [self] in
      do throws(HTTPError) {
        answer(try await handler(request).kept(for: caller))
      } catch {
        answer(error.response.kept(for: caller))
      }
    }
  }

  private func answer(_ response: Response) {
    loop.assertCurrent()
    isAnswered = true
    carrier?.send(response, for: self)
  }
}
