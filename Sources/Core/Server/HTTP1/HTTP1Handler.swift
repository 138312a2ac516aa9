import EventLoop
import Lifecycle
import Observe
import Wire

/// Speaks HTTP/1.1 on one connection and answers its requests one after the other. Confined to its loop.
final class HTTP1Handler: ConnectionHandler, @unchecked Sendable {
  /// Owns this handler until it closes. Kept strongly, since a task or the end of a turn may call later.
  let connection: Connection
  @exclusivity(unchecked) private var parser = RequestParser()
  /// The request being read or answered; requests that are answered at once are never stored here.
  @exclusivity(unchecked) private var current: Exchange?
  /// The response body that is being sent piece by piece.
  @exclusivity(unchecked) var sending: Sending?
  /// Uptime by which a body must be complete, however steadily it arrives.
  private var bodyDeadline = 0.0
  private var isInsideHead = false
  /// Uptime at which the request being answered was complete.
  private var completed = 0.0

  /// A response whose body is not complete yet.
  enum Sending {
    case stream(ResponseWriter, framing: HTTP1Framing, left: Int)
    case events(any EventStreamHandler, isChunked: Bool)
  }

  init(_ connection: Connection) { self.connection = connection }

  var listener: Listener { connection.listener }

  /// Bytes of memory that the producer of a streamed response holds.
  var producerBytes = 0
  var held: Int { (current?.strangersBytes ?? 0) + producerBytes }

  var isIdle: Bool { current == nil && sending == nil }
  var awaitsRequest: Bool { isIdle && parser.isIdle }
  var awaitsPeer: Bool { current?.awaitsStranger ?? (sending == nil && !parser.isIdle) }
  var isAnswering: Bool { sending != nil || current.map { !$0.isReceiving } ?? false }

  /// True if input may be handled: no response is under way, the peer reads its responses, and its body is admitted.
  var mayRead: Bool {
    guard connection.output.count <= ServerLimits.pipelineBytes, connection.output.files == 0, sending == nil else {
      return false
    }
    guard let current else { return true }
    return current.isReceiving && current.hasRoom
  }

  // MARK: Input

  func receive(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    var left = ServerLimits.requestsTogether
    do throws(WireFault) {
      // A handler that is behind with the body is still told of its end, after which no input comes.
      while mayRead || parser.isAtEnd, !connection.closesWhenSent, connection.handler === self {
        guard let event = try parser.next(input, &position) else { break }
        switch consume event {
        case .head(let head):
          // The end of a request without a body needs no further byte.
          if head.framing == .none { _ = try parser.next(input, &position) }
          begin(head)
          left -= 1
          if left == 0, position < input.count { return connection.pause() }
        case .body(let range): take(UnsafeBufferPointer(rebasing: input[range]))
        case .end: finishRequest()
        }
      }
      // Input after the last response is ignored.
      if connection.closesWhenSent { position = input.count }
    } catch {
      position = input.count
      refuse(HTTPError(error))
    }
  }

  func receivedAll() {
    guard !isAnswering, connection.output.isEmpty, !connection.closesWhenSent else { return }
    if let current {
      do throws(HTTPError) {
        try current.count()
      } catch {
        return refuse(error)
      }
      connection.settle()
      connection.deadline = current.deadline(from: connection.uptime, body: bodyDeadline)
    } else if parser.isIdle {
      connection.deadline = connection.uptime + connection.idleSeconds
    } else if !isInsideHead {
      // Set once per head, so that a head arriving byte by byte gets no more time.
      connection.deadline = connection.uptime + ServerLimits.headSeconds
    }
    isInsideHead = parser.isInsideHead
  }

  // A head is handed on rather than copied: its members would be reference-counted one by one.
  private func begin(_ head: consuming RequestHead) {
    isInsideHead = false
    switch listener.shared.match(head) {
    case .route(let route, let parameters): begin(head, route, parameters)
    case .otherMethods(let methods): skip(head, .methodNotAllowed(head, methods))
    case .none: skip(head, .noSuchPage(head))
    }
  }

  private func begin(_ head: consuming RequestHead, _ route: Router.Route, _ parameters: [String: String]) {
    let request: Request
    do throws(HTTPError) {
      request = try listener.request(head, parameters, on: connection)
    } catch {
      return refuse(error)
    }
    switch request.head.framing {
    case .none:
      guard case .immediate(let handler) = route.handler, route.isOpen else { break }
      // Nearly every request: answered at once, and no exchange is allocated.
      do throws(HTTPError) {
        return answer(try handler(request), to: request.head)
      } catch {
        return answer(error.response, to: request.head)
      }
    case .length(let length) where length > route.bodyLimit:
      let error = HTTPError.bodyTooLarge(limit: route.bodyLimit)
      return refuse(error, told: route.refusal(error, request))
    case .length, .chunked: bodyDeadline = connection.uptime + ServerLimits.wholeBodySeconds
    }
    let exchange = Exchange(
      request, route, loop: connection.loop, shares: listener.shared.bodies, carrier: self)
    // The response may have been sent at once, without waiting for a body.
    if exchange.isAnswered || connection.isClosed { return }
    current = exchange
    if request.head.framing == .none { finishRequest() }
  }

  private func finishRequest() {
    completed = connection.loop.time.uptime
    connection.deadline = connection.uptime + ServerLimits.handlerSeconds
    current?.finish()
  }

  /// True if the client waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1).
  private func expectsContinue(_ head: RequestHead) -> Bool {
    head.framing != .none && head.version == .http11 && head.fields.contains("expect", token: "100-continue")
  }

  /// Answers with an error. A short body is read and dropped; otherwise the connection ends.
  private func skip(_ head: RequestHead, _ error: HTTPError) {
    let route = Router.Route(handler: .immediate { _ throws(HTTPError) in throw error }, bodyLimit: 64 << 10)
    if case .length(let length) = head.framing, length > route.bodyLimit { return refuse(error) }
    if expectsContinue(head) { return refuse(error) }
    begin(head, route, [:])
  }

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let current else { return }
    if current.isStreaming { bodyDeadline += Double(bytes.count) / ServerLimits.slowestBody }
    do throws(HTTPError) {
      try current.receive(bytes)
    } catch {
      refuse(error)
    }
  }

  // MARK: Responses

  private func answer(_ response: Response, to head: RequestHead) {
    if !head.keepsAlive || listener.isClosing { connection.closesWhenSent = true }
    var response = head.fields.hasCondition ? response.conditional(head, now: listener.now) : response
    if response.status >= 400, let form = listener.shared.router.errorForm { response = form(response, head) }
    listener.shared.metrics.answered(
      response.status, isHTTP2: false,
      after: current.map { $0.isReceiving } == false ? connection.loop.time.uptime - completed : 0)
    send(response, isHead: head.method == .head, knowsChunks: head.version == .http11)
    if connection.closesWhenSent, isIdle, connection.output.isEmpty, !connection.isClosed {
      connection.finishSending()
    }
  }

  /// Answers with an error and ends the connection, since the next request's beginning cannot be found.
  /// - Parameter told: the answer, if the request has not come as far as to be one that is under way.
  private func refuse(_ error: HTTPError, told: Response? = nil) {
    let refused = current
    current = nil
    connection.closesWhenSent = true
    connection.lingers = true
    refused?.abandon(error)
    let response = told ?? refused?.refusal(error) ?? error.response
    answer(response, to: RequestHead(method: .get, target: "/", keepsAlive: false))
  }

  /// Called when the response is complete.
  func finished() {
    current = nil
    sending = nil
    producerBytes = 0
    connection.settleQueue()
    if connection.closesWhenSent {
      if connection.output.isEmpty, !connection.isClosed { connection.finishSending() }
    } else {
      connection.goOn()
    }
  }

  // MARK: Closing

  func peerFinished() {
    guard !connection.output.isEmpty || isAnswering else { return connection.close() }
    current?.peerFinished()
    // The peer may still read: its responses are sent to the end.
    connection.closesWhenSent = true
  }

  func peerMayBeGone() {
    // A client of an event stream that has closed its side has left.
    if case .events = sending { connection.close() }
    // In line nothing is read, so that its end would be seen only in the end.
    if current?.isInLine == true { connection.close() }
  }

  func sentSome() {
    switch sending {
    case .stream(let writer, _, _):
      awaitPiece()
      if hasRoom { writer.goOn() }
    case .events(let handler, _): handler.sentSome()
    case nil: break
    }
  }

  func timeOut() {
    switch sending {
    case .events(let handler, _) where connection.output.isEmpty: return keepAlive(handler)
    // A producer may take its time, as one that fetches a film from an object store.
    case .stream where connection.output.isEmpty: return awaitPiece()
    case .stream, .events: return connection.close()
    case nil: break
    }
    if isAnswering || current?.hasRoom == false {
      refuse(.tooBusy)
    } else if parser.isInsideHead || current != nil, connection.output.isEmpty {
      refuse(.tooSlow)
    } else {
      connection.close()
    }
  }

  var stays: Bool { if case .events = sending { true } else { false } }

  func serverCloses() {
    guard stays else { return }
    // The client is to come back on another connection.
    connection.closesWhenSent = true
    endEventStream()
  }

  func connectionClosed() {
    let (exchange, sent) = (current, sending)
    (current, sending) = (nil, nil)
    exchange?.abandon()
    switch sent {
    case .stream(let writer, _, _): writer.close()
    case .events(let handler, _):
      listener.shared.metrics.eventStreams.subtract()
      handler.closed()
    case nil: break
    }
  }
}

extension HTTP1Handler: Carrier {
  func send(_ response: Response, for exchange: Exchange) {
    guard !connection.isClosed else { return }
    if exchange.isReceiving, exchange.request.head.framing != .none {
      // The rest of the body would be taken for the next request.
      connection.closesWhenSent = true
      connection.lingers = true
    }
    answer(response, to: exchange.request.head)
    if sending == nil, !connection.isClosed { finished() }
  }

  func bodyWanted(for exchange: Exchange) {
    guard expectsContinue(exchange.request.head), exchange.received == 0, !connection.closesWhenSent else { return }
    connection.transmit(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  }

  func admitted(_ exchange: Exchange) {
    guard exchange.isReceiving else { return }
    // Waiting in line takes nothing of a body's time.
    bodyDeadline = connection.uptime + ServerLimits.wholeBodySeconds
    connection.deadline = exchange.deadline(from: connection.uptime, body: bodyDeadline)
    connection.goOn()
  }

  func bodyTaken(_ count: Int, for exchange: Exchange) {
    if exchange.isReceiving, exchange.hasRoom { connection.goOn() }
  }

  func openWebSocket(
    _ exchange: Exchange, _ bounds: MessageBounds, _ makeHandler: (Request) -> any WebSocketHandler
  ) {
    let request = exchange.request
    do throws(WebSocketRefusal) {
      let accept = try WebSocketHandshake.accept(request.head)
      let deflate = try PerMessageDeflate.negotiate(request.head.fields)
      let carrier = WebSocketCarrier(connection, deflate, bounds)
      current = nil
      connection.become(carrier)
      carrier.open(makeHandler(request), accept: accept, extensions: deflate?.answer)
    } catch {
      listener.noteUpgrade(of: request.head, from: connection.peer)
      let fields = [
        Response.Field("Upgrade", "websocket"), Response.Field("Connection", "Upgrade"),
        // For clients that asked for another version (RFC 6455 section 4.4).
        Response.Field("Sec-WebSocket-Version", "13"),
      ]
      send(HTTPError(.upgradeRequired, error.message, help: "See RFC 6455.", fields: fields).response, for: exchange)
    }
  }
}
