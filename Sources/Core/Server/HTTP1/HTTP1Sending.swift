import Observe
import Wire

/// Sends a response's body over HTTP/1.1: at once, as a file, or piece by piece.
extension HTTP1Handler: ResponseWriter.Sink {
  /// - Parameter knowsChunks: true if the client understands chunked coding, which HTTP/1.1 demands.
  func send(_ response: Response, isHead: Bool, knowsChunks: Bool) {
    if response.status == 304 || response.status == 204 {
      listener.writeHead(response, .none, closes: connection.closesWhenSent)
      return transmitScratch()
    }
    if let prepared = response.prepared, !isHead {
      listener.write(prepared, status: response.status, closes: connection.closesWhenSent)
      return transmitScratch()
    }
    let framing: HTTP1Framing =
      response.body.count.map { .length($0) } ?? (knowsChunks ? .chunked : .untilClosed)
    if case .untilClosed = framing { connection.closesWhenSent = true }
    listener.writeHead(response, framing, closes: connection.closesWhenSent)
    if isHead { return transmitScratch() }
    switch response.body {
    case .bytes(let bytes) where bytes.count > ServerLimits.inlineBodyBytes:
      transmitScratch()
      connection.transmit(bytes)
    case .bytes(let bytes):
      listener.scratch += bytes
      transmitScratch()
    case .fixed(let fixed) where fixed.bytes.count > ServerLimits.inlineBodyBytes:
      transmitScratch()
      connection.transmit(fixed: fixed.bytes)
    case .fixed(let fixed):
      listener.scratch += fixed.bytes
      transmitScratch()
    case .packed(let packed):
      transmitScratch()
      produce(packed.stream(), framing)
    case .file(let file, let range):
      if connection.tls == nil {
        connection.transmit(head: Array(listener.scratch[...]), file, range)
      } else {
        transmitScratch()
        produce(listener.shared.files.stream(file, range), framing)
      }
    case .stream(let stream):
      transmitScratch()
      produce(stream, framing)
    }
  }

  /// The socket's queue gets a copy: the scratch buffer has room for much more, all of which it would keep.
  private func transmitScratch() { listener.scratch.withUnsafeBufferPointer { connection.transmit(copying: $0) } }

  private func produce(_ stream: ResponseStream, _ framing: HTTP1Framing) {
    // Sending the head may have shown that the client has left.
    if connection.isClosed { return }
    let writer = ResponseWriter(listener, sink: self)
    sending = .stream(writer, framing: framing, left: stream.length ?? 0)
    producerBytes = stream.memory
    awaitPiece()
    // It ends with its response: once the connection is closed, the writer throws.
    Task.immediate(executorPreference: connection.loop) { [self] in
      do throws(StreamFault) {
        try await stream.produce(writer)
        endStream()
      } catch {
        // The head is out: only closing the connection tells the client that something is missing.
        connection.abort()
      }
      writer.close()
    }
  }

  private func endStream() {
    guard case .stream(_, let framing, let left) = sending, !connection.isClosed else { return }
    switch framing {
    case .chunked: connection.transmit(Array("0\r\n\r\n".utf8))
    case .length where left != 0: return connection.close()
    case .length, .none, .untilClosed: break
    }
    finished()
  }

  var hasRoom: Bool { connection.output.count <= ServerLimits.pipelineBytes }
  var pieceBytes: Int { ServerLimits.filePieceBytes }

  func write(_ piece: [UInt8]) {
    guard case .stream(let writer, let framing, let left) = sending else { return }
    switch framing {
    case .chunked:
      connection.transmit(Array("\(String(piece.count, radix: 16))\r\n".utf8))
      connection.transmit(piece)
      connection.transmit([13, 10])
    case .length:
      // More bytes than announced would be read as the next response.
      guard piece.count <= left else { return connection.close() }
      sending = .stream(writer, framing: framing, left: left - piece.count)
      connection.transmit(piece)
    case .none, .untilClosed: connection.transmit(piece)
    }
    awaitPiece()
  }

  func write(_ file: OpenFile, _ range: Range<Int>) -> Bool {
    guard case .stream(let writer, let framing, let left) = sending, case .length = framing, connection.tls == nil,
      range.count <= left
    else { return false }
    sending = .stream(writer, framing: framing, left: left - range.count)
    connection.transmit(file, range)
    awaitPiece()
    return true
  }

  /// Gives the producer its time for the next piece.
  func awaitPiece() {
    if connection.output.isEmpty { connection.deadline = connection.uptime + ServerLimits.handlerSeconds }
  }

  // MARK: Server-Sent Events

  func openEventStream(_ exchange: Exchange, _ handler: any EventStreamHandler) {
    let head = exchange.request.head
    let isChunked = head.version == .http11
    connection.closesWhenSent = !isChunked || head.method == .head && !head.keepsAlive
    let response = EventStream.response(handler.contentType)
    listener.writeHead(response, isChunked ? .chunked : .untilClosed, closes: connection.closesWhenSent)
    transmitScratch()
    guard !connection.isClosed, head.method != .head else { return finished() }
    // The connection ends when the client leaves, not when everything is sent.
    connection.closesWhenSent = false
    sending = .events(handler, isChunked: isChunked)
    if exchange.isSignedIn { connection.leavesShare() }
    listener.shared.metrics.eventStreams.add()
    connection.deadline = connection.uptime + handler.quietSeconds
    handler.opened(EventStream(self, connection.loop))
  }

  /// Sends an empty comment or the like, so that a silent connection is known to be broken.
  func keepAlive(_ handler: any EventStreamHandler) {
    connection.deadline = connection.uptime + handler.quietSeconds
    deliver(handler.keepAlive())
  }
}

extension HTTP1Handler: EventStreamCarrier {
  var waitingBytes: Int { connection.output.count }

  func signedIn() { connection.leavesShare() }

  func deliver(_ event: EncodedEvent) {
    guard case .events(_, let isChunked) = sending else { return }
    connection.deliver(isChunked ? event.chunked : event.bytes)
  }

  func endEventStream() {
    guard case .events(let handler, let isChunked) = sending else { return }
    // If sending shows that the client has left, the handler must not be told twice.
    sending = nil
    if isChunked, !handler.breaksOff {
      connection.transmit(Array("0\r\n\r\n".utf8))
    } else {
      connection.closesWhenSent = true
    }
    finished()
    listener.shared.metrics.eventStreams.subtract()
    handler.closed()
  }
}
