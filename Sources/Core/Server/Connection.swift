import EventLoop
import Glibc
import Lifecycle
import Wire

/// One accepted connection: reads requests, has them answered one after the other, and after an upgrade carries a
/// WebSocket. ConnectionOutput.swift writes, ConnectionSocket.swift speaks WebSocket. Confined to its loop.
final class Connection: Watcher, @unchecked Sendable {
  enum State {
    case requests
    case webSocket(any WebSocketHandler)
    /// Refused and answered. What still comes is thrown away for a while: closing at once would make the kernel send a
    /// reset, and the peer would lose the answer with it (RFC 9112 section 9.6).
    case lingering(dropped: Int)
    case closed
  }

  unowned let server: HTTPServer
  let descriptor: Int32
  private let peer: String
  var state = State.requests
  /// Uptime at which patience ends; `timeOut` says what happens then.
  var deadline: Double

  // MARK: What is being read
  private var parser = RequestParser()
  /// The request whose body is being read.
  private var current: (head: RequestHead, route: Router.Route, parameters: [String: String])?
  private var body: [UInt8] = []
  /// What was read and could not be worked on yet.
  private var unread: [UInt8] = []
  /// An answer is due; nothing more is read until it is given, so a client cannot pile up requests.
  private var isAnswering = false
  /// Tells the answer that is awaited from one that came too late.
  private var answerNumber = 0
  /// Uptime by which the whole of a body must have come, however steadily it trickles.
  private var bodyDeadline = 0.0
  var socketParser = WebSocketParser()
  private var isInsideProcess = false
  private var isInsideHead = false
  /// The socket may hold more than was read: with edge-triggered events nobody will say so again.
  private var mayHaveMore = false
  /// The peer has said that nothing more will come; only reading to the end shows it.
  private var peerHasClosed = false

  // MARK: What is being written
  var output = OutputQueue()
  var isWritable = true
  var closesWhenSent = false
  /// Whether the peer may still be sending when the answer is out.
  var lingers = false
  var isFlushScheduled = false
  /// The loop's turn in which a frame was last sent directly; further ones of that turn leave together.
  var directTurn: UInt64 = 0
  var isPinged = false

  init(server: HTTPServer, descriptor: Int32, peer: String) {
    self.server = server
    self.descriptor = descriptor
    self.peer = peer
    deadline = server.loop.time.uptime + ServerLimits.headSeconds
  }

  var uptime: Double { server.loop.time.uptime }
  var isClosed: Bool { if case .closed = state { true } else { false } }

  /// Whether nothing is lost by closing now.
  var isIdle: Bool {
    switch state {
    case .requests: !isAnswering && current == nil && output.isEmpty
    case .lingering: true
    default: false
    }
  }

  /// Whether the next request may be worked on: none is being answered, and the peer takes what it asked for.
  private var mayGoOn: Bool { !isAnswering && output.count <= ServerLimits.pipelineBytes }

  // MARK: Reading

  func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) {
      isWritable = true
      if !output.isEmpty { flush() }
    }
    if !readiness.isDisjoint(with: .closed) { peerHasClosed = true }
    if !readiness.isDisjoint(with: [.readable, .closed]) { readAvailable() }
  }

  private func readAvailable() {
    let buffer = server.readBuffer
    while !isClosed {
      guard mayGoOn else {
        mayHaveMore = true
        return
      }
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        process(UnsafeBufferPointer(rebasing: buffer[..<count]))
        // A short read has emptied the socket, but for the end that came along with it.
        if count < buffer.count, !peerHasClosed { return }
      } else if count < 0, errno == EAGAIN {
        return
      } else if count < 0, errno == EINTR {
        continue
      } else if count == 0, !output.isEmpty, case .requests = state {
        // It still listens: what it asked for is sent to the end.
        closesWhenSent = true
        return
      } else {
        close()
      }
    }
  }

  private func process(_ input: UnsafeBufferPointer<UInt8>) {
    isInsideProcess = true
    defer { isInsideProcess = false }
    var position = 0
    if case .requests = state { processRequests(input, &position) }
    switch state {
    case .webSocket: processMessages(input, &position)
    case .lingering(let dropped):
      state = .lingering(dropped: dropped + input.count)
      if dropped > ServerLimits.lingerBytes { close() }
    case .requests: if position < input.count { unread = Array(input[position...]) }
    case .closed: break
    }
  }

  /// Works on what was put off, once that is possible again.
  func goOn() {
    guard mayGoOn, !isInsideProcess, !isClosed else { return }
    let rest = unread
    unread = []
    if rest.isEmpty { setRequestDeadline() } else { rest.withUnsafeBufferPointer(process) }
    if mayHaveMore, mayGoOn {
      mayHaveMore = false
      readAvailable()
    }
  }

  // MARK: Requests

  private func processRequests(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    do throws(WireFault) {
      while mayGoOn, !closesWhenSent, case .requests = state {
        guard let event = try parser.next(input, &position) else { break }
        switch event {
        case .head(let head): begin(head)
        case .body(let range): take(input[range])
        case .end: finish()
        }
      }
      // Nothing behind the last answer is worked on.
      if closesWhenSent { position = input.count }
      setRequestDeadline()
    } catch {
      position = input.count
      refuse(HTTPError(error))
    }
  }

  private func setRequestDeadline() {
    guard case .requests = state, !isAnswering, output.isEmpty else { return }
    if current != nil {
      deadline = min(uptime + ServerLimits.bodySeconds, bodyDeadline)
    } else if parser.isIdle {
      deadline = uptime + ServerLimits.idleSeconds
    } else if !isInsideHead {
      // Set once: a head that trickles in does not buy more time with every byte.
      deadline = uptime + ServerLimits.headSeconds
    }
    isInsideHead = parser.isInsideHead
  }

  private func begin(_ head: RequestHead) {
    switch server.router.match(head.method, head.path) {
    case .route(let route, let parameters):
      if case .length(let length) = head.framing, length > route.bodyLimit { return refuseBody(route.bodyLimit) }
      current = (head, route, parameters)
      bodyDeadline = uptime + ServerLimits.wholeBodySeconds
      if expectsContinue(head) {
        transmit(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      }
    case .otherMethods(let methods):
      let names = methods.map(\.name).joined(separator: ", ")
      skip(
        head,
        HTTPError(
          .methodNotAllowed, "\(head.method.name) is not served at \(head.path).", help: "Accepted: \(names).",
          fields: [Response.Field("Allow", names)]))
    case .none:
      skip(
        head,
        HTTPError(.noSuchPage, "There is nothing at \(head.path).", help: "The API is described at /api/openapi.yaml."))
    }
  }

  /// Whether the client waits for a word before it sends the body (RFC 9110 section 10.1.1).
  private func expectsContinue(_ head: RequestHead) -> Bool {
    head.framing != .none && head.version == .http11 && head.fields.contains("expect", token: "100-continue")
  }

  /// Answers with an error; a body that comes along is read and dropped if it is short, else the connection ends.
  private func skip(_ head: RequestHead, _ error: HTTPError) {
    let route = Router.Route(handler: .immediate { _ throws(HTTPError) in throw error }, bodyLimit: 64 << 10)
    if case .length(let length) = head.framing, length > route.bodyLimit { return refuse(error) }
    if expectsContinue(head) { return refuse(error) }
    current = (head, route, [:])
    bodyDeadline = uptime + ServerLimits.wholeBodySeconds
  }

  private func take(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let limit = current?.route.bodyLimit else { return }
    if body.count + bytes.count > limit { return refuseBody(limit) }
    body.append(contentsOf: bytes)
  }

  private func refuseBody(_ limit: Int) {
    refuse(HTTPError(.bodyTooLarge, "The body is too large.", help: "\(limit) bytes are accepted here."))
  }

  private func finish() {
    guard let (head, route, parameters) = current else { return }
    let request = Request(head: head, body: body, parameters: parameters, peer: peer)
    current = nil
    body = []
    switch route.handler {
    case .immediate(let handler):
      do throws(HTTPError) {
        answer(head, try handler(request))
      } catch {
        answer(head, error.response)
      }
    case .task(let handler):
      isAnswering = true
      answerNumber += 1
      let number = answerNumber
      deadline = uptime + ServerLimits.handlerSeconds
      Task.immediate(executorPreference: server.loop) { [self] in
        do throws(HTTPError) {
          complete(number, head, try await handler(request))
        } catch {
          complete(number, head, error.response)
        }
      }
    case .webSocket(let handler): upgrade(request, handler)
    }
  }

  private func complete(_ number: Int, _ head: RequestHead, _ response: Response) {
    server.loop.assertCurrent()
    guard number == answerNumber, isAnswering, !isClosed else { return }
    isAnswering = false
    answer(head, response)
    goOn()
  }

  func answer(_ head: RequestHead, _ response: Response) {
    if !head.keepsAlive || server.isClosing { closesWhenSent = true }
    server.write(response, to: head, closes: closesWhenSent) { bytes, fixed in
      transmit(bytes)
      if let fixed { transmit(fixed: fixed) }
    }
    if closesWhenSent, output.isEmpty, !isClosed { finishSending() }
  }

  /// Answers with an error and ends the connection, since what follows cannot be told from the rest of this request.
  private func refuse(_ error: HTTPError) {
    current = nil
    body = []
    isAnswering = false
    closesWhenSent = true
    lingers = true
    answer(RequestHead(method: .get, target: "/", keepsAlive: false), error.response)
  }

  // MARK: Ending

  /// What happens when patience has run out.
  func timeOut() {
    switch state {
    case .webSocket where !isPinged && output.isEmpty && !closesWhenSent: ping()
    case .requests where isAnswering:
      refuse(
        HTTPError(
          .tooBusy, "The hub did not get to an answer within \(Int(ServerLimits.handlerSeconds)) s.",
          help: "Try again later; what was asked for may still happen."))
    case .requests where (parser.isInsideHead || current != nil) && output.isEmpty && !closesWhenSent:
      refuse(
        HTTPError(
          .tooSlow, "The request came too slowly.",
          help: "A head is awaited for \(Int(ServerLimits.headSeconds)) s, each part of a body for "
            + "\(Int(ServerLimits.bodySeconds)) s."))
    default: close()
    }
  }

  func close() {
    guard !isClosed else { return }
    let ended = state
    state = .closed
    output.removeAll()
    unread = []
    server.forget(self)
    server.loop.unwatch(descriptor)
    Glibc.close(descriptor)
    if case .webSocket(let handler) = ended { handler.closed() }
  }
}
