import EventLoop
import Lifecycle
import Observe
import Wire

/// One request over HTTP/2 and its answer. Confined to its loop.
final class HTTP2Stream: @unchecked Sendable {
  let id: Int32
  private let handler: HTTP2Handler
  private let head: RequestHead
  /// nil for what is answered at once, and once there is an answer.
  private var exchange: Exchange?
  /// What was put into the answer's body and has not left.
  @exclusivity(unchecked) private var output = OutputQueue()
  /// Whether more will be put into it.
  private var isOpen = false
  private var hasFailed = false
  /// Bytes of a streamed body that are still to come, where it was said how many there are.
  private var promised: Int?
  /// Bytes of the request's body that are kept until it is whole.
  private(set) var collected = 0
  /// What came of the body before it was known whether the caller may send it.
  @exclusivity(unchecked) private var early: [UInt8] = []
  /// Bytes that it holds, as its handler knows it, and those of them that the producer of its answer needs.
  @exclusivity(unchecked) private var held = 0
  @exclusivity(unchecked) private var heldByAnswer = 0
  @exclusivity(unchecked) private var producerBytes = 0
  /// Whether the body is made while it is sent.
  @exclusivity(unchecked) private var isMade = false
  /// A request that waits for its turn: one without a body, which is not begun, or one whose body is whole.
  private final class Parked {
    /// nil for one whose body is whole.
    let route: (Router.Route, [String: String])?
    init(_ route: (Router.Route, [String: String])?) { self.route = route }
  }
  private var parked: Parked?
  private var writer: ResponseWriter?
  private var events: (any EventStreamHandler)?
  private var isClosed = false
  /// Uptime at which patience ends.
  private var deadline: Double
  /// Uptime at which the request was complete.
  private var completed: Double
  /// Uptime by which the whole of a body must have come.
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
    guard hasBody else {
      if case .immediate(let handler) = route.handler, route.isOpen {
        do throws(HTTPError) {
          return answer(try handler(request))
        } catch {
          return answer(error.response)
        }
      }
      let exchange = Exchange(request, route, loop: loop, carrier: self)
      if !isAnswered { self.exchange = exchange }
      return
    }
    if case .length(let length) = head.framing, length > route.bodyLimit {
      return answer(HTTPError.bodyTooLarge(limit: route.bodyLimit).response)
    }
    bodyDeadline = uptime + ServerLimits.wholeBodySeconds
    let exchange = Exchange(request, route, loop: loop, carrier: self)
    if !isAnswered { self.exchange = exchange }
  }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let exchange else { return session.consumed(stream: id, bytes.count) }
    // No more than the window lets through, since none of it counts as consumed.
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
      // What a handler reads itself is consumed as it takes it.
      if !exchange.isStreaming {
        session.consumed(stream: id, bytes.count)
        collected += bytes.count
        try handler.collect(bytes.count)
      }
    } catch {
      refuse(error)
    }
  }

  private func awaitBody() {
    guard let exchange, exchange.isReceiving else { return }
    // Who has to wait for the handler is not slow.
    deadline =
      exchange.hasRoom
      ? min(uptime + ServerLimits.bodySeconds, bodyDeadline) : uptime + ServerLimits.handlerSeconds
  }

  func finish() {
    if parked != nil { return }
    if handler.isFull, let exchange, !exchange.isStreaming { return park(Parked(nil)) }
    completed = loop.time.uptime
    deadline = uptime + ServerLimits.handlerSeconds
    exchange?.finish()
  }

  // MARK: What it holds

  var isParked: Bool { parked != nil }

  private func park(_ parked: Parked) {
    self.parked = parked
    deadline = uptime + ServerLimits.handlerSeconds
    handler.park(self)
  }

  /// Its turn has come.
  func unpark() {
    let waiting = parked
    parked = nil
    if isAnswered || isClosed { return }
    if let (route, parameters) = waiting?.route { begin(route, parameters, hasBody: false) }
    if waiting != nil { finish() }
  }

  /// Tells the handler what it holds.
  private func note() {
    var (now, whole) = (0, 0)
    if !isClosed {
      whole = producerBytes + early.count + (exchange?.strangersBytes ?? 0)
      now = whole + output.held
      if !isMade { whole = now }
    }
    if now == held, whole == heldByAnswer { return }
    handler.heldByAnswers += whole - heldByAnswer
    handler.held += now - held
    (heldByAnswer, held) = (whole, now)
  }

  // MARK: The answer

  private var isAnswered = false

  func answer(_ response: Response) {
    if isAnswered || isClosed { return }
    let response =
      head.fields.hasCondition ? response.conditional(head, now: handler.listener.now) : response
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
    case .packed(let packed, let range) where range.count > ServerLimits.inlineBodyBytes:
      produce(packed.stream(range))
    case .packed(let packed, let range): output.append(packed.bytes(range))
    case .file(let file, let range): produce(handler.listener.shared.files.stream(file, range))
    case .stream(let stream): produce(stream)
    }
  }

  private func produce(_ stream: ResponseStream) {
    isOpen = true
    isMade = true
    promised = stream.length
    producerBytes = stream.memory
    let writer = ResponseWriter(loop: loop, sink: self)
    self.writer = writer
    Task.immediate(executorPreference: loop) { [self] in
      do throws(StreamFault) {
        try await stream.produce(writer)
      } catch {
        hasFailed = true
      }
      // What is too short would be taken for whole.
      if let promised, promised != 0 { hasFailed = true }
      isOpen = false
      writer.close()
      self.writer = nil
      producerBytes = 0
      note()
      wake()
    }
  }

  /// There is something to be read again, if only the end.
  private func wake() {
    if isClosed { return }
    session.resume(stream: id)
    handler.pumpLater()
  }

  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead {
    if hasFailed { return .failed }
    let count = output.move(into: buffer)
    note()
    if count > 0 { deadline = uptime + (events == nil ? ServerLimits.sendSeconds : ServerLimits.eventCommentSeconds) }
    if output.isEmpty, !isOpen { return .last(count) }
    if hasRoom, let writer {
      // Not from within the session, which its producer would call again.
      loop.atEndOfTurn { writer.goOn() }
    }
    return count > 0 ? .bytes(count) : .later
  }

  // MARK: Ending

  private func refuse(_ error: HTTPError) {
    let refused = exchange
    answer(error.response)
    refused?.abandon(error)
  }

  func checkDeadline() {
    guard deadline <= uptime else { return }
    if isAnswered {
      if events != nil, output.isEmpty { return deliver(EventStream.comment) }
      // A producer may take its time; a client that does not open its window has had enough of it.
      if isOpen, output.isEmpty {
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

  /// The stream is over.
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
    guard head.method != .head else { return sendHead(EventStream.response, hasBody: false) }
    isOpen = true
    isMade = true
    events = handler
    self.handler.listener.shared.metrics.eventStreams.add()
    sendHead(EventStream.response, hasBody: true)
    deadline = uptime + ServerLimits.eventCommentSeconds
    handler.opened(EventStream(self, loop))
  }
}

extension HTTP2Stream: EventStreamCarrier {
  func deliver(_ event: EncodedEvent) {
    if isClosed || !isOpen { return }
    // A reader that has fallen too far behind is dropped, as on a connection of its own.
    // What waits for the others of its connection counts too: each alone may be one event behind.
    if !output.isEmpty, handler.held + event.bytes.count > ServerLimits.socketQueueBytes { return cancel() }
    if output.isEmpty { deadline = uptime + ServerLimits.eventCommentSeconds }
    output.append(event.bytes)
    note()
    wake()
  }

  func endEventStream() {
    isOpen = false
    wake()
  }
}

extension Response {
  /// Puts the fields into the listener's block, whose contents before are gone.
  /// - Parameter isEmpty: whether the status says that there is no body.
  fileprivate func write(to listener: Listener, isEmpty: Bool) {
    listener.fieldBlock.removeAll()
    if !isEmpty {
      listener.fieldBlock.append("content-type", contentType)
      if let count = body.count { listener.fieldBlock.append("content-length", count) }
    }
    listener.fieldBlock.append("date", listener.date)
    if let etag { listener.fieldBlock.append("etag", "\"\(etag)\"") }
    listener.fieldBlock.append("cache-control", cacheControl)
    for field in Self.protection { listener.fieldBlock.append(name: field.name, field.value) }
    if !hasContentPolicy {
      listener.fieldBlock.append(name: Self.contentPolicy.name, Self.contentPolicy.value)
    }
    for field in fields { listener.fieldBlock.append(name: field.name, field.value) }
  }
}
