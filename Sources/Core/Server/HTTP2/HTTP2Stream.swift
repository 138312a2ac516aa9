import EventLoop
import Lifecycle
import Observe
import Wire

/// One request over HTTP/2 and its response. Confined to its loop.
final class HTTP2Stream: @unchecked Sendable {
  let id: Int32
  private let handler: HTTP2Handler
  private let head: RequestHead
  /// Nil for requests that are answered at once, and after the response.
  private var exchange: Exchange?
  /// The part of the response's body that was not sent yet.
  @exclusivity(unchecked) private var output = OutputQueue()
  /// True if more will be added to the output.
  private var isOpen = false
  private var hasFailed = false
  /// Bytes of a streamed body that are still to come, if its length was announced.
  private var promised: Int?
  /// Bytes of the request's body that are kept until it is complete, on a route that is open to all.
  private(set) var collected = 0
  /// The part of the body that arrived before the caller was admitted.
  @exclusivity(unchecked) private var early: [UInt8] = []
  /// Bytes held as last told to the handler, and the part of them held by the response's producer.
  @exclusivity(unchecked) private var held = 0
  @exclusivity(unchecked) private var heldByAnswer = 0
  @exclusivity(unchecked) private var producerBytes = 0
  /// The same of an answer that is decompressed: it is in memory as a whole.
  @exclusivity(unchecked) private var unpackingBytes = 0
  /// True if the body is produced while it is sent.
  @exclusivity(unchecked) private var isMade = false
  /// A request that waits for its turn: not begun if it has no body, else with a complete body.
  private final class Parked {
    /// Nil for a request with a complete body.
    let route: (Router.Route, [String: String])?
    init(_ route: (Router.Route, [String: String])?) { self.route = route }
  }
  private var parked: Parked?
  private var writer: ResponseWriter?
  private var events: (any EventStreamHandler)?
  /// The share in which a stranger's event stream counts as a connection.
  private var share: Shares.Share?
  private var isClosed = false
  /// Uptime at which the stream is ended unless something happens before.
  private var deadline: Double
  /// Uptime at which the request was complete.
  private var completed: Double
  /// Uptime by which the body must be complete.
  private var bodyDeadline = 0.0

  init(_ id: Int32, _ handler: HTTP2Handler, _ head: RequestHead) {
    self.id = id
    self.handler = handler
    self.head = head
    completed = handler.connection.uptime
    deadline = completed + ServerLimits.bodySeconds
  }

  private var session: HTTP2Session { handler.session }
  private var uptime: Double { handler.connection.uptime }
  private var loop: EventLoop { handler.connection.loop }

  // MARK: The request

  func begin(_ route: Router.Route, _ parameters: [String: String], hasBody: Bool) {
    if !hasBody, handler.isFull { return park(Parked((route, parameters))) }
    let request: Request
    do throws(HTTPError) {
      request = try handler.listener.request(head, parameters, on: handler.connection)
    } catch {
      return answer(error.response)
    }
    if hasBody {
      if case .length(let length) = head.framing, length > route.bodyLimit {
        return answer(route.refusal(.bodyTooLarge(limit: route.bodyLimit), request))
      }
      bodyDeadline = uptime + ServerLimits.wholeBodySeconds
    } else if case .immediate(let handler) = route.handler, route.isOpen {
      do throws(HTTPError) {
        return answer(try handler(request))
      } catch {
        return answer(error.response)
      }
    }
    let exchange = Exchange(request, route, loop: loop, shares: handler.listener.shared.bodies, carrier: self)
    if !isAnswered { self.exchange = exchange }
  }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let exchange else { return session.consumed(stream: id, bytes.count) }
    // Bounded by the window, since none of it is counted as consumed.
    if !exchange.isAdmitted {
      early.append(contentsOf: bytes)
      return note()
    }
    if exchange.isStreaming { bodyDeadline += Double(bytes.count) / ServerLimits.slowestBody }
    defer {
      awaitBody()
      note()
    }
    do throws(HTTPError) {
      try exchange.receive(bytes)
      // A body that the handler reads itself is consumed as the handler takes it.
      if !exchange.isStreaming {
        session.consumed(stream: id, bytes.count)
        if exchange.route.admit == nil {
          collected += bytes.count
          try handler.collect(bytes.count)
        }
        try exchange.count()
      }
    } catch {
      refuse(error)
    }
  }

  private func awaitBody() {
    guard let exchange, exchange.isReceiving else { return }
    deadline = exchange.deadline(from: uptime, body: bodyDeadline)
  }

  func finish() {
    if parked != nil { return }
    if handler.isFull, let exchange, !exchange.isStreaming { return park(Parked(nil)) }
    completed = loop.time.uptime
    // A request that has come whole may still wait in line.
    deadline = uptime + (exchange?.isInLine == true ? ServerLimits.lineSeconds : ServerLimits.handlerSeconds)
    exchange?.finish()
  }

  /// True if it is the client's turn: its body is to come, or its windows are to let the answer through.
  var awaitsPeer: Bool {
    guard isAnswered else { return exchange?.awaitsStranger == true }
    return !isOpen || events == nil && !output.isEmpty
  }

  // MARK: Memory held

  var isParked: Bool { parked != nil }

  private func park(_ parked: Parked) {
    self.parked = parked
    // The answers before it have their time.
    deadline = .infinity
    handler.park(self)
  }

  /// Begins the request that was queued.
  func unpark() {
    let waiting = parked
    parked = nil
    if isAnswered || isClosed { return }
    if let (route, parameters) = waiting?.route { begin(route, parameters, hasBody: false) }
    if waiting != nil { finish() }
  }

  /// Tells the handler how much memory the stream holds.
  private func note() {
    var (now, whole) = (0, 0)
    if !isClosed {
      // Without the request's own body, which would keep it waiting for itself.
      whole = unpackingBytes + (isMade ? 0 : output.held)
      now = producerBytes + output.held + early.count + (exchange?.strangersBytes ?? 0)
    }
    if now == held, whole == heldByAnswer { return }
    handler.heldByAnswers += whole - heldByAnswer
    handler.held += now - held
    (heldByAnswer, held) = (whole, now)
  }

  // MARK: The response

  private var isAnswered = false

  func answer(_ response: Response) {
    if isAnswered || isClosed { return }
    var response =
      head.fields.hasCondition ? response.conditional(head, now: handler.listener.now) : response
    if response.status >= 400, let form = handler.listener.shared.router.errorForm { response = form(response, head) }
    let hasBody = head.method != .head && response.status != 304 && response.status != 204
    if hasBody { put(response.body) }
    sendHead(response, hasBody: hasBody && (isOpen || hasFailed || !output.isEmpty))
  }

  private func sendHead(_ response: Response, hasBody: Bool) {
    isAnswered = true
    handler.listener.shared.metrics.answered(
      response.status, isHTTP2: true, after: exchange == nil ? 0 : loop.time.uptime - completed)
    exchange = nil
    deadline = uptime + ServerLimits.sendSeconds
    response.write(to: handler.listener, isEmpty: response.status == 304 || response.status == 204)
    session.respond(stream: id, status: response.status, fields: handler.listener.fieldBlock, hasBody: hasBody)
    note()
    handler.pumpLater()
  }

  private func put(_ body: Response.Body) {
    switch body {
    case .bytes(let bytes): output.append(bytes)
    case .fixed(let fixed): output.append(fixed: fixed.bytes)
    case .packed(let packed):
      let stream = packed.stream()
      unpackingBytes = stream.memory
      produce(stream)
    case .file(let file, let range): produce(handler.listener.shared.files.stream(file, range))
    case .stream(let stream): produce(stream)
    }
  }

  private func produce(_ stream: ResponseStream) {
    isOpen = true
    isMade = true
    promised = stream.length
    producerBytes = stream.memory
    let writer = ResponseWriter(handler.listener, sink: self)
    self.writer = writer
    // It ends with its response: once the stream is closed, the writer throws.
    Task.immediate(executorPreference: loop) { [self] in
      do throws(StreamFault) {
        try await stream.produce(writer)
      } catch {
        hasFailed = true
      }
      // A body shorter than announced must end as an error, or it would be taken for complete.
      if let promised, promised != 0 { hasFailed = true }
      isOpen = false
      writer.close()
      self.writer = nil
      (producerBytes, unpackingBytes) = (0, 0)
      note()
      wake()
    }
  }

  /// Tells the session that there is more to read, or the end.
  private func wake() {
    if isClosed { return }
    session.resume(stream: id)
    handler.pumpLater()
  }

  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead {
    if hasFailed { return .failed }
    let count = output.move(into: buffer)
    note()
    if count > 0 { deadline = uptime + (events?.quietSeconds ?? ServerLimits.sendSeconds) }
    if count > 0 { events?.sentSome() }
    if output.isEmpty, !isOpen { return .last(count) }
    if hasRoom, let writer {
      // Not from within the session, since the producer would call it again.
      loop.atEndOfTurn { writer.goOn() }
    }
    return count > 0 ? .bytes(count) : .later
  }

  // MARK: Closing

  private func refuse(_ error: HTTPError) {
    let refused = exchange
    answer(refused?.refusal(error) ?? error.response)
    refused?.abandon(error)
  }

  func checkDeadline() {
    guard deadline <= uptime else { return }
    if isAnswered {
      if let events, output.isEmpty { return deliver(events.keepAlive()) }
      // A producer may take its time, and over a slow line an answer waits for those before it; a client that does not
      // open its window is disconnected.
      if isOpen && output.isEmpty || session.mayFlow(stream: id) && handler.getsOn {
        deadline = uptime + ServerLimits.sendSeconds
      } else {
        cancel()
      }
    } else if exchange?.isReceiving == true, exchange?.hasRoom == true {
      refuse(.tooSlow)
    } else {
      refuse(.tooBusy)
    }
  }

  private func cancel() {
    session.reset(stream: id, code: 8)
    handler.pumpLater()
  }

  func serverCloses() { if events != nil { endEventStream() } }

  /// Called when the stream is closed.
  func closed() {
    isClosed = true
    let (ended, writer, events) = (exchange, writer, events)
    exchange = nil
    self.writer = nil
    self.events = nil
    output.removeAll()
    early = []
    parked = nil
    note()
    ended?.abandon()
    writer?.close()
    leaveShare()
    if let events {
      handler.listener.shared.metrics.eventStreams.subtract()
      events.closed()
    }
  }
}

extension HTTP2Stream: ResponseWriter.Sink {
  var hasRoom: Bool { output.count <= handler.streamQueueBytes }
  var pieceBytes: Int { max(ServerLimits.smallPieceBytes, handler.streamQueueBytes - output.count) }

  func write(_ piece: [UInt8]) {
    if let promised {
      self.promised = promised - piece.count
      if promised < piece.count { hasFailed = true }
    }
    output.append(piece)
    note()
    wake()
  }

  /// Frames are made in the program.
  func write(_ file: OpenFile, _ range: Range<Int>) -> Bool { false }
}

extension HTTP2Stream: Carrier {
  func send(_ response: Response, for exchange: Exchange) { answer(response) }

  func bodyWanted(for exchange: Exchange) {
    guard head.framing != .none, head.fields.contains("expect", token: "100-continue"), exchange.received == 0,
      !isAnswered, !isClosed
    else { return }
    session.inform(stream: id, status: 100)
    handler.pumpLater()
  }

  func admitted(_ exchange: Exchange) {
    let early = early
    self.early = []
    // Waiting in line takes nothing of a body's time.
    bodyDeadline = uptime + ServerLimits.wholeBodySeconds
    if !early.isEmpty { early.withUnsafeBufferPointer(receive) }
    awaitBody()
    handler.pumpLater()
  }

  func bodyTaken(_ count: Int, for exchange: Exchange) {
    session.consumed(stream: id, count)
    awaitBody()
    handler.pumpLater()
  }

  func openWebSocket(
    _ exchange: Exchange, _ bounds: MessageBounds, _ makeHandler: (Request) -> any WebSocketHandler
  ) {
    answer(
      HTTPError(
        .upgradeRequired, "This address is a WebSocket, which opens over HTTP/1.1 here.", help: "See RFC 6455."
      ).response)
  }

  func openEventStream(_ exchange: Exchange, _ handler: any EventStreamHandler) {
    let response = EventStream.response(handler.contentType)
    guard head.method != .head else { return sendHead(response, hasBody: false) }
    let shared = self.handler.listener.shared
    if exchange.isSignedIn {
      self.handler.connection.leavesShare()
    } else if let address = peerAddress(exchange.request.peer) {
      // Else the connections of one address could have a hundred times as many listeners as there may be of them.
      share = shared.shares.join(address)
      if share == nil { return answer(exchange.refusal(.tooManyConnections)) }
    }
    isOpen = true
    isMade = true
    events = handler
    shared.metrics.eventStreams.add()
    sendHead(response, hasBody: true)
    deadline = uptime + handler.quietSeconds
    handler.opened(EventStream(self, loop))
  }
}

extension HTTP2Stream: EventStreamCarrier {
  var waitingBytes: Int { output.count }

  func signedIn() {
    leaveShare()
    handler.connection.leavesShare()
  }

  private func leaveShare() {
    if let share { handler.listener.shared.shares.leave(share, counts: true) }
    share = nil
  }

  func deliver(_ event: EncodedEvent) {
    if isClosed || !isOpen { return }
    // A reader that has fallen too far behind is dropped, as on a connection of its own. The waiting bytes of the
    // connection's other streams count too, since each alone may be one event behind.
    if !output.isEmpty, handler.held + event.bytes.count > ServerLimits.socketQueueBytes { return cancel() }
    if output.isEmpty { deadline = uptime + (events?.quietSeconds ?? ServerLimits.eventCommentSeconds) }
    output.append(event.bytes)
    note()
    wake()
  }

  func endEventStream() {
    if events?.breaksOff == true { hasFailed = true }
    isOpen = false
    wake()
  }
}

extension Response {
  /// Writes the fields into the listener's buffer, replacing its contents.
  /// - Parameter isEmpty: true if the status forbids a body.
  fileprivate func write(to listener: Listener, isEmpty: Bool) {
    listener.fieldBlock.removeAll()
    if !isEmpty {
      listener.fieldBlock.append("content-type", contentType)
      if let count = body.count { listener.fieldBlock.append("content-length", count) }
    }
    listener.fieldBlock.append("date", listener.date)
    if let etag { listener.fieldBlock.append("etag", "\"\(etag)\"") }
    listener.fieldBlock.append("cache-control", cacheControl)
    func add(_ field: Field) { listener.fieldBlock.append(name: field.name, field.value) }
    add(Self.typeOptions)
    if !has(Self.referrerPolicy) { add(Self.referrerPolicy) }
    add(has(Self.contentPolicy) ? Self.permissions : Self.contentPolicy)
    for field in fields { add(field) }
  }
}
