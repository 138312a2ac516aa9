import EventLoop
import Wire

/// Speaks HTTP/2 on one connection: many requests at a time, each in a stream. Confined to its loop.
final class HTTP2Handler: ConnectionHandler, @unchecked Sendable {
  /// Owns this handler until it closes. Kept strongly, since a task or the end of a turn may call later.
  let connection: Connection
  private(set) var session: HTTP2Session!
  private var streams: [Int32: HTTP2Stream] = [:]
  private var isPumpScheduled = false
  /// Wishes for a pump since the last one; each answer is one.
  private var wishes = 0
  /// Bytes of incomplete bodies kept by all streams, on routes that are open to all.
  private var collected = 0
  /// Uptime at which the peer last read some of the output.
  private var progress = 0.0
  /// True if the peer has read something lately.
  var getsOn: Bool { connection.uptime - progress < ServerLimits.sendSeconds }
  /// Uptime at which the peer was told (GOAWAY) that no more requests are accepted.
  private var farewell: Double?

  init(_ connection: Connection) {
    self.connection = connection
    progress = connection.uptime
    session = HTTP2Session(delegate: self)
    pumpLater()
  }

  var listener: Listener { connection.listener }

  /// Bytes of memory held by the streams, and the part of them held by responses that are in memory as a whole. A
  /// streamed response is bounded by `streamQueueBytes` instead, and may take as long as a film.
  @exclusivity(unchecked) var held = 0
  @exclusivity(unchecked) var heldByAnswers = 0
  /// True if the peer must read some of the output before a further request is begun. Its frames are still read, since
  /// window updates are among them.
  var isFull: Bool { heldByAnswers > ServerLimits.unreadBytes }
  /// Streams whose requests wait until `isFull` is false, in their order.
  private var parked: [Int32] = []

  var mayRead: Bool { connection.output.count <= ServerLimits.pipelineBytes }
  var awaitsRequest: Bool { streams.isEmpty }
  var awaitsPeer: Bool { streams.values.contains(where: \.awaitsPeer) }
  var isAnswering: Bool { !streams.isEmpty }
  /// Bytes that may wait in one stream: all streams share a connection's limit.
  var streamQueueBytes: Int { ServerLimits.pipelineBytes / max(1, streams.count) }
  /// False for a moment after GOAWAY, so that a connection without requests still receives it.
  var isIdle: Bool {
    streams.isEmpty && farewell.map { connection.uptime - $0 >= ServerLimits.farewellSeconds } ?? false
  }

  // MARK: Frames

  func receive(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    position = input.count
    do throws(HTTP2Fault) {
      try session.receive(input)
    } catch {
      connection.close()
    }
  }

  /// While the rest of a turn's requests is handled, the peer works on the first answers.
  func receivedSome() { if wishes >= ServerLimits.answersTogether { pump() } }

  func receivedAll() {
    if connection.isClosed { return }
    pump()
    renewDeadline()
  }

  /// Sends the session's frames, many in one go, but no more than the socket takes.
  func pump() {
    wishes = 0
    if connection.isClosed { return }
    listener.scratch.removeAll(keepingCapacity: true)
    while connection.output.count + listener.scratch.count <= ServerLimits.framesBytes {
      let bytes = session.nextOutput()
      if bytes.isEmpty { break }
      listener.scratch.append(contentsOf: bytes)
      if listener.scratch.count >= ServerLimits.readBytes { flushScratch() }
    }
    flushScratch()
    if session.isFinished, !connection.isClosed {
      connection.closesWhenSent = true
      // The streams of a peer that violates the protocol end here.
      endStreams()
      if connection.output.isEmpty { connection.finishSending() }
    }
    if connection.isClosed { return }
    if !parked.isEmpty, !isFull { beginParked() }
    if held > 0 { connection.settle() } else { connection.settleQueue() }
  }

  /// Queues a stream; its request is begun when there is room.
  func park(_ stream: HTTP2Stream) { parked.append(stream.id) }

  private func beginParked() {
    while !parked.isEmpty, !isFull { streams[parked.removeFirst()]?.unpark() }
    pumpLater()
  }

  private func flushScratch() {
    if listener.scratch.isEmpty { return }
    // The time limit starts when something has to wait.
    if connection.output.isEmpty { progress = connection.uptime }
    listener.scratch.withUnsafeBufferPointer { connection.transmit(copying: $0) }
    listener.scratch.removeAll(keepingCapacity: true)
  }

  /// Responses made in one turn are sent together.
  func pumpLater() {
    wishes += 1
    if isPumpScheduled { return }
    isPumpScheduled = true
    connection.loop.atEndOfTurn { [self] in
      isPumpScheduled = false
      pump()
    }
  }

  func sentSome() {
    progress = connection.uptime
    pump()
  }

  /// HTTP/2 cannot work on a half-closed connection: no window updates would come.
  func peerFinished() { connection.close() }

  func peerMayBeGone() {}

  // MARK: Bodies

  /// Counts bytes of incomplete bodies on routes that are open to all against one limit per connection: each stream has
  /// its own limit, but all together could fill the memory before any caller is authenticated.
  func collect(_ count: Int) throws(HTTPError) {
    collected += count
    if collected > ServerLimits.collectedBytes {
      throw HTTPError(
        .tooBusy, "Too many unfinished requests on this connection.",
        help: "\(ServerLimits.collectedBytes) bytes of bodies may be unfinished at once.")
    }
  }

  // MARK: Deadlines

  private func renewDeadline() {
    if streams.isEmpty {
      connection.deadline = connection.uptime + ServerLimits.idleSeconds
    } else {
      // A peer that sends frames all the time must not postpone the deadlines of its streams.
      connection.deadline = max(
        connection.uptime, min(connection.deadline, connection.uptime + ServerLimits.sweepSeconds))
    }
  }

  func timeOut() {
    if !connection.output.isEmpty, !getsOn { return connection.close() }
    for stream in Array(streams.values) { stream.checkDeadline() }
    if streams.isEmpty, connection.output.isEmpty {
      if farewell != nil { return connection.close() }
      serverCloses()
      connection.deadline = connection.uptime + ServerLimits.farewellSeconds
    } else {
      pump()
      connection.deadline = connection.uptime + ServerLimits.sweepSeconds
    }
  }

  var stays: Bool { farewell == nil }

  func serverCloses() {
    if farewell != nil { return }
    farewell = connection.uptime
    for stream in streams.values { stream.serverCloses() }
    session.goAway()
    pump()
  }

  func connectionClosed() { endStreams() }

  private func endStreams() {
    let left = streams
    streams = [:]
    for stream in left.values { stream.closed() }
  }
}

extension HTTP2Handler: HTTP2SessionDelegate {
  func requestHead(_ head: RequestHead, stream id: Int32, hasBody: Bool) {
    let stream = HTTP2Stream(id, self, head)
    streams[id] = stream
    switch listener.shared.match(head) {
    case .route(let route, let parameters): stream.begin(route, parameters, hasBody: hasBody)
    case .otherMethods(let methods): stream.answer(HTTPError.methodNotAllowed(head, methods).response)
    case .none: stream.answer(HTTPError.noSuchPage(head).response)
    }
  }

  func requestRefused(_ fault: WireFault, stream id: Int32) {
    let stream = HTTP2Stream(id, self, RequestHead(method: .get, target: "/", version: .http2))
    streams[id] = stream
    stream.answer(HTTPError(fault).response)
  }

  func bodyBytes(_ bytes: UnsafeBufferPointer<UInt8>, stream id: Int32) {
    if let stream = streams[id] { stream.receive(bytes) } else { session.consumed(stream: id, bytes.count) }
  }

  func requestEnd(stream id: Int32) { streams[id]?.finish() }

  func streamClosed(stream id: Int32, code: UInt32) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    collected -= stream.collected
    if stream.isParked { parked.removeAll { $0 == id } }
    stream.closed()
    // The last response may have been sent without a frame from the peer, which would set the deadline.
    if streams.isEmpty, farewell == nil { connection.deadline = connection.uptime + ServerLimits.idleSeconds }
  }

  func readBody(stream id: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead {
    streams[id]?.read(into: buffer) ?? .failed
  }
}
