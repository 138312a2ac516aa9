import EventLoop
import Glibc
import Lifecycle
import Wire

/// One accepted connection: reads requests, has them answered one after the other, and writes the answers; after an
/// upgrade it carries a WebSocket. Confined to its loop.
final class Connection: Watcher, @unchecked Sendable {
  unowned let server: HTTPServer
  let descriptor: Int32
  let peer: String

  private enum State {
    case requests
    case webSocket(any WebSocketHandler)
    /// Refused and answered. What still comes is thrown away for a while: closing at once would make the kernel send a
    /// reset, and the peer would lose the answer with it (RFC 9112 section 9.6).
    case lingering(dropped: Int)
    case closed
  }
  private var state = State.requests
  private var parser = RequestParser()
  private var socketParser: WebSocketParser?
  /// The request whose body is being read.
  private var current: (head: RequestHead, route: Router.Route, parameters: [String: String])?
  private var body: [UInt8] = []
  /// An answer is due; nothing more is read until it is given, so a client cannot pile up requests.
  private var isAnswering = false
  /// What was read behind the request being answered.
  private var unread: [UInt8] = []
  private var isInsideProcess = false
  /// The socket may hold more than was read: with edge-triggered events nobody will say so again.
  private var mayHaveMore = false

  private var output = OutputQueue()
  private var isWritable = true
  private var closesWhenSent = false
  /// Whether the peer may still be sending when the answer is out.
  private var lingers = false
  private var isFlushScheduled = false
  /// The loop's turn in which something was last sent directly; further messages of that turn leave together.
  private var directTurn: UInt64 = 0

  /// Uptime at which patience ends; what happens then depends on the state.
  private(set) var deadline: Double
  private var isPinged = false

  init(server: HTTPServer, descriptor: Int32, peer: String) {
    self.server = server
    self.descriptor = descriptor
    self.peer = peer
    deadline = server.loop.time.uptime + ServerLimits.headSeconds
  }

  var isClosed: Bool { if case .closed = state { true } else { false } }
  /// Whether nothing is lost by closing now.
  var isIdle: Bool {
    switch state {
    case .requests: !isAnswering && current == nil && output.isEmpty
    case .lingering: true
    default: false
    }
  }

  // MARK: Reading

  func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) {
      isWritable = true
      if !output.isEmpty { flush() }
    }
    if !readiness.isDisjoint(with: [.readable, .closed]) { readAvailable() }
  }

  private func readAvailable() {
    let buffer = server.readBuffer
    while !isClosed {
      if isAnswering {
        mayHaveMore = true
        return
      }
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0, case .lingering(let dropped) = state {
        state = .lingering(dropped: dropped + count)
        if dropped > ServerLimits.lingerBytes { close() }
      } else if count > 0 {
        process(UnsafeBufferPointer(rebasing: buffer[..<count]))
        // A short read has emptied the socket.
        if count < buffer.count { return }
      } else if count < 0, errno == EAGAIN {
        return
      } else if count < 0, errno == EINTR {
        continue
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
    if case .webSocket(let handler) = state { processMessages(input, &position, handler) }
    if position < input.count, !isClosed { unread = Array(input[position...]) }
  }

  private func processRequests(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    do throws(WireFault) {
      while !isAnswering, case .requests = state, !closesWhenSent {
        guard let event = try parser.next(input, &position) else { break }
        switch event {
        case .head(let head): begin(head)
        case .body(let range): take(input[range])
        case .end: finish()
        }
      }
      if closesWhenSent { position = input.count }
      if !isAnswering, case .requests = state { setRequestDeadline() }
    } catch {
      position = input.count
      refuse(HTTPError(error))
    }
  }

  private func setRequestDeadline() {
    let now = server.loop.time.uptime
    if current != nil {
      deadline = now + ServerLimits.bodySeconds
    } else if parser.isIdle {
      deadline = now + ServerLimits.idleSeconds
    } else if !isReadingHead {
      // Set once: a head that trickles in does not buy more time with every byte.
      deadline = now + ServerLimits.headSeconds
    }
    isReadingHead = parser.isInsideHead
  }
  private var isReadingHead = false

  private func begin(_ head: RequestHead) {
    switch server.router.match(head.method, head.path) {
    case .route(let route, let parameters):
      if case .length(let length) = head.framing, length > route.bodyLimit { return refuseBody(route.bodyLimit) }
      current = (head, route, parameters)
      if head.framing != .none, head.fields.contains("expect", token: "100-continue") {
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

  /// Answers with an error; a body that comes along is read and dropped if it is short, else the connection ends.
  private func skip(_ head: RequestHead, _ error: HTTPError) {
    let route = Router.Route(handler: .immediate { _ throws(HTTPError) in throw error }, bodyLimit: 64 << 10)
    if case .length(let length) = head.framing, length > route.bodyLimit { return refuse(error) }
    current = (head, route, [:])
  }

  private func take(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let limit = current?.route.bodyLimit else { return }
    if body.count + bytes.count > limit { return refuseBody(limit) }
    body.append(contentsOf: bytes)
  }

  private func refuseBody(_ limit: Int) {
    refuse(
      HTTPError(.bodyTooLarge, "The body is too large.", help: "\(limit) bytes are accepted here."))
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
      deadline = .infinity
      Task.immediate(executorPreference: server.loop) { [self] in
        do throws(HTTPError) {
          complete(head, try await handler(request))
        } catch {
          complete(head, error.response)
        }
      }
    case .webSocket(let handler): upgrade(request, handler)
    }
  }

  // MARK: Answering

  private func complete(_ head: RequestHead, _ response: Response) {
    server.loop.assertCurrent()
    isAnswering = false
    guard !isClosed else { return }
    answer(head, response)
    if isInsideProcess { return }
    let rest = unread
    unread = []
    if !rest.isEmpty { rest.withUnsafeBufferPointer(process) } else { setRequestDeadline() }
    if mayHaveMore, !isAnswering, !isClosed {
      mayHaveMore = false
      readAvailable()
    }
  }

  private func answer(_ head: RequestHead, _ response: Response) {
    if !head.keepsAlive || server.isClosing { closesWhenSent = true }
    server.write(response, to: head, closes: closesWhenSent) { bytes, fixed in
      transmit(bytes)
      if let fixed { transmit(fixed: fixed) }
    }
    if closesWhenSent, output.isEmpty { finishSending() }
  }

  /// Answers with an error and ends the connection, since what follows cannot be told from the rest of this request.
  private func refuse(_ error: HTTPError) {
    current = nil
    body = []
    closesWhenSent = true
    lingers = true
    answer(RequestHead(method: .get, target: "/", keepsAlive: false), error.response)
  }

  /// All is sent that will be.
  private func finishSending() {
    guard lingers, case .requests = state else { return close() }
    shutdown(descriptor, Int32(SHUT_WR))
    state = .lingering(dropped: 0)
    deadline = server.loop.time.uptime + ServerLimits.lingerSeconds
  }

  // MARK: WebSocket

  private func upgrade(_ request: Request, _ makeHandler: (Request) -> any WebSocketHandler) {
    do throws(WebSocketRefusal) {
      let accept = try WebSocketHandshake.accept(request.head)
      var bytes: [UInt8] = []
      ResponseHead.appendStatus(101, to: &bytes)
      ResponseHead.appendField("Upgrade", "websocket", to: &bytes)
      ResponseHead.appendField("Connection", "Upgrade", to: &bytes)
      ResponseHead.appendField("Sec-WebSocket-Accept", accept, to: &bytes)
      ResponseHead.append("\r\n", to: &bytes)
      let handler = makeHandler(request)
      state = .webSocket(handler)
      socketParser = WebSocketParser()
      stir()
      transmit(bytes)
      handler.opened(WebSocket(self))
    } catch {
      let code = ErrorCode.upgradeRequired
      let fields = [Response.Field("Upgrade", "websocket"), Response.Field("Connection", "Upgrade")]
      answer(request.head, HTTPError(code, error.message, help: "See RFC 6455.", fields: fields).response)
    }
  }

  private func processMessages(
    _ input: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ handler: any WebSocketHandler
  ) {
    stir()
    do throws(WebSocketParser.Fault) {
      while !closesWhenSent, !isClosed, let message = try socketParser?.next(input, &position) {
        switch message {
        case .text(let text): handler.received(text)
        case .binary: closeSocket(.unacceptable, "Text messages are accepted.")
        case .ping(let payload): transmit(WebSocketFrame.encode(.pong, payload))
        case .pong: break
        case .close(let code, let reason):
          closeSocket(code.rawValue == 1005 ? .normal : code, reason)
        }
      }
      position = input.count
    } catch {
      position = input.count
      closeSocket(error.code, error.message)
    }
  }

  /// The peer is there: the next ping is due a while from now.
  private func stir() {
    isPinged = false
    deadline = server.loop.time.uptime + ServerLimits.pingSeconds
  }

  func closeSocket(_ code: CloseCode, _ reason: String) {
    guard case .webSocket = state, !closesWhenSent else { return }
    transmit(WebSocketFrame.close(code, reason))
    closesWhenSent = true
    deadline = server.loop.time.uptime + ServerLimits.sendSeconds
    scheduleFlush()
  }

  /// Sends a frame: the first of a turn at once, further ones together at the end of the turn. A reader that has fallen
  /// too far behind is dropped then, not here, where the caller may be in the middle of a broadcast.
  func transmit(frame: [UInt8]) {
    if isClosed || closesWhenSent { return }
    if output.count + frame.count > ServerLimits.socketQueueBytes {
      server.loop.atEndOfTurn { [self] in close() }
      closesWhenSent = true
      return
    }
    if output.isEmpty, isWritable, directTurn != server.loop.turnNumber {
      directTurn = server.loop.turnNumber
      let sent = send(frame)
      if sent >= 0 {
        output.append(frame, from: sent)
        return
      }
      server.loop.atEndOfTurn { [self] in close() }
      return
    }
    output.append(frame)
    scheduleFlush()
  }

  // MARK: Writing

  /// Sends now what the socket takes, and keeps the rest.
  private func transmit(_ bytes: [UInt8]) {
    if isClosed { return }
    guard output.isEmpty, isWritable else { return output.append(bytes) }
    let sent = send(bytes)
    if sent < 0 { close() } else { output.append(bytes, from: sent) }
  }

  private func transmit(fixed bytes: UnsafeBufferPointer<UInt8>) {
    if isClosed { return }
    output.append(fixed: bytes)
    if isWritable { flush() }
  }

  /// How many bytes the socket took, -1 when it is broken.
  private func send(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        isWritable = false
        deadline = server.loop.time.uptime + ServerLimits.sendSeconds
        break
      } else if errno != EINTR {
        return -1
      }
    }
    return sent
  }

  private func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    server.loop.atEndOfTurn { [self] in
      isFlushScheduled = false
      flush()
    }
  }

  private func flush() {
    if isClosed { return }
    let before = output.count
    switch isWritable ? output.send(to: descriptor) : .wouldBlock {
    case .done: if closesWhenSent { finishSending() }
    case .wouldBlock:
      isWritable = false
      if output.count < before { deadline = server.loop.time.uptime + ServerLimits.sendSeconds }
    case .failed: close()
    }
  }

  // MARK: Ending

  /// What happens when patience has run out.
  func timeOut() {
    switch state {
    case .closed, .lingering: close()
    case .webSocket where !isPinged && output.isEmpty && !closesWhenSent:
      isPinged = true
      deadline = server.loop.time.uptime + ServerLimits.pongSeconds
      transmit(WebSocketFrame.encode(.ping, []))
    case .requests where (parser.isInsideHead || current != nil) && !closesWhenSent:
      refuse(
        HTTPError(
          .tooSlow, "The request came too slowly.",
          help: "A head is awaited for \(Int(ServerLimits.headSeconds)) s, each part of a body for "
            + "\(Int(ServerLimits.bodySeconds)) s."))
      deadline = server.loop.time.uptime + ServerLimits.sendSeconds
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
