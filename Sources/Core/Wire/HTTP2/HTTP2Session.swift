import CNghttp2

/// The server's side of one HTTP/2 connection (RFC 9113), by nghttp2: bytes in, bytes out, and a delegate for its
/// events. It has no socket, and no clock but the one with which nghttp2 counts resets.
///
/// Responses take turns, unless the client has said otherwise in the way of RFC 7540 section 5.3: only while that is
/// on, nghttp2 knows which streams are closed, and what may not come on them any more. It keeps as many as may be open.
///
/// A malformed request ends its stream; a malformed frame or a flood ends the connection, with a GOAWAY that tells the
/// reason.
public final class HTTP2Session {
  private unowned let delegate: any HTTP2SessionDelegate
  private let session: OpaquePointer
  private var headReader = HTTP2HeadReader()
  /// The bytes of each request body that the delegate was given and has not consumed. They count against the
  /// connection's window too, so the rest is consumed when the stream ends.
  private var unconsumed: [Int32: Int] = [:]
  /// The number of further streams that the peer may break, in excess of those that end well. Each causes work, and
  /// ends before it counts against the streams that may be open at once.
  private var patience = WireLimits.brokenStreams
  private var ownResets: Set<Int32> = []
  private var isInside = false
  private var hasFailed = false
  /// The progress of a graceful shutdown.
  private enum Ending {
    case no
    case announced
    case final
  }
  private var ending = Ending.no
  /// The payload of the PING that measures the round trip after which `goAway` is final.
  private static let goAwayPing: [UInt8] = Array("eb goawy".utf8)

  /// Starts a session, whose SETTINGS are the first of `nextOutput`.
  public init(delegate: any HTTP2SessionDelegate) {
    self.delegate = delegate
    var made: OpaquePointer?
    let code = nghttp2_session_server_new2(&made, http2Callbacks, nil, http2Options)
    guard code == 0, let made else { preconditionFailure("nghttp2 cannot start: error \(code)") }
    session = made
    nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
    var settings = [
      (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, WireLimits.concurrentStreams),
      (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WireLimits.streamWindowBytes),
      (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, WireLimits.headBytes),
    ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32($0.1)) }
    require(nghttp2_submit_settings(session, none, &settings, settings.count))
    require(nghttp2_session_set_local_window_size(session, none, 0, Int32(WireLimits.connectionWindowBytes)))
  }

  deinit { nghttp2_session_del(session) }

  // MARK: Bytes

  /// Reads bytes from the peer. A peer that violates the protocol gets a GOAWAY by `nextOutput`, after which
  /// `isFinished` is true.
  public func receive(_ input: UnsafeBufferPointer<UInt8>) throws(HTTP2Fault) {
    guard let start = input.baseAddress, !input.isEmpty, !hasFailed else { return }
    precondition(!isInside, "receive was called from within the session")
    isInside = true
    let count = nghttp2_session_mem_recv(session, start, input.count)
    isInside = false
    guard count < 0 else { return }
    hasFailed = true
    switch nghttp2_error(rawValue: Int32(count)) {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC: throw .noPreface
    case NGHTTP2_ERR_FLOODED: throw .flooded
    default: throw .failed(String(cString: nghttp2_strerror(Int32(count))))
    }
  }

  /// The next bytes for the peer, about a frame of at most 16 KB; empty when there are none. They are valid until the
  /// session is called again.
  public func nextOutput() -> UnsafeBufferPointer<UInt8> {
    guard !hasFailed else { return UnsafeBufferPointer(start: nil, count: 0) }
    precondition(!isInside, "nextOutput was called from within the session")
    isInside = true
    defer { isInside = false }
    var start: UnsafePointer<UInt8>?
    let count = nghttp2_session_mem_send(session, &start)
    if count < 0 { hasFailed = true }
    return UnsafeBufferPointer(start: start, count: max(0, count))
  }

  /// True if the session reads on; false once its end is certain.
  public var wantsMore: Bool { !hasFailed && nghttp2_session_want_read(session) != 0 }

  /// True if nothing more will be sent, and the connection can be closed.
  public var isFinished: Bool {
    hasFailed || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
  }

  // MARK: Responses

  /// Responds to a request. Does nothing for a stream that has ended, since its client has left, and for a second
  /// response.
  ///
  /// A response that is complete before its request also ends the request, by a reset with NO_ERROR (RFC 9113 section
  /// 8.1).
  /// - Parameters:
  ///   - status: 200…999.
  ///   - hasBody: true if the delegate's `readBody` provides a body.
  public func respond(stream: Int32, status: Int, fields: FieldBlock, hasBody: Bool) {
    precondition((200...999).contains(status), "\(status) is no status of an answer")
    // The pointer that nghttp2 keeps with each stream; any value marks a stream that has its response.
    let mark = Unmanaged.passUnretained(self).toOpaque()
    guard !isAnswered(stream), nghttp2_session_set_stream_user_data(session, stream, mark) == 0 else { return }
    withFields(status, fields) { list, count in
      var body = nghttp2_data_provider()
      body.read_callback = http2ReadBody
      withUnsafePointer(to: &body) { body in
        require(nghttp2_submit_response(session, stream, list, count, hasBody ? body : nil))
      }
    }
  }

  private func isAnswered(_ stream: Int32) -> Bool { nghttp2_session_get_stream_user_data(session, stream) != nil }

  /// Sends an interim response, such as 100 Continue (RFC 9110 section 15.2), unless the response itself was sent.
  /// - Parameter status: 100…199 except 101, which HTTP/2 does not have.
  public func inform(stream: Int32, status: Int) {
    precondition((100...199).contains(status) && status != 101, "\(status) is no status of an interim answer")
    if isAnswered(stream) { return }
    withFields(status, FieldBlock()) { list, count in
      require(nghttp2_submit_headers(session, none, stream, nil, list, count, nil))
    }
  }

  /// Continues a body of which the delegate had nothing before.
  public func resume(stream: Int32) { nghttp2_session_resume_data(session, stream) }

  /// True if the peer lets more of a stream's body come: what does not come then waits for others before it.
  public func mayFlow(stream: Int32) -> Bool { nghttp2_session_get_stream_remote_window_size(session, stream) > 0 }

  /// Ends a stream at once; `streamClosed` follows when that is sent.
  /// - Parameter code: of RFC 9113 section 7, such as 8 (CANCEL).
  public func reset(stream: Int32, code: UInt32) {
    if nghttp2_session_get_stream_remote_close(session, stream) >= 0 { ownResets.insert(stream) }
    require(nghttp2_submit_rst_stream(session, none, stream, code))
  }

  /// Marks so many bytes of a request's body as consumed: the peer may send as many again. Bytes of an ended stream
  /// count as consumed already.
  public func consumed(stream: Int32, _ count: Int) {
    guard let held = unconsumed[stream], count > 0 else { return }
    precondition(count <= held, "\(count) bytes of stream \(stream) were consumed; it had \(held)")
    unconsumed[stream] = held - count
    require(nghttp2_session_consume(session, stream, count))
  }

  // MARK: The connection

  /// Ends the connection once all requests under way are answered. First announces the end, and one round trip later
  /// names the last request accepted, so that none is lost on its way (RFC 9113 section 6.8). `isFinished` is true when
  /// all is done.
  public func goAway() {
    guard ending == .no else { return }
    ending = .announced
    require(nghttp2_submit_shutdown_notice(session))
    require(nghttp2_submit_ping(session, none, Self.goAwayPing))
  }

  /// Sends a PING; whatever comes then shows that the peer is alive.
  public func ping() { require(nghttp2_submit_ping(session, none, nil)) }

  // MARK: nghttp2's callbacks

  func headBegins() { headReader.begin() }

  func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) { headReader.field(name, value) }

  func invalidField() { headReader.refuse(.malformedField) }

  func headEnds(stream: Int32, hasBody: Bool) {
    do throws(WireFault) {
      let head = try headReader.finish(hasBody: hasBody)
      if hasBody { unconsumed[stream] = 0 }
      delegate.requestHead(head, stream: stream, hasBody: hasBody)
      if !hasBody { delegate.requestEnd(stream: stream) }
    } catch {
      delegate.requestRefused(error, stream: stream)
    }
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32) {
    guard let held = unconsumed[stream] else {
      // The body of a refused request.
      return require(nghttp2_session_consume(session, stream, bytes.count))
    }
    unconsumed[stream] = held + bytes.count
    delegate.bodyBytes(bytes, stream: stream)
  }

  func bodyEnds(stream: Int32) {
    if unconsumed[stream] != nil { delegate.requestEnd(stream: stream) }
  }

  func pingAnswered(_ payload: UnsafeRawBufferPointer) {
    guard ending == .announced, payload.elementsEqual(Self.goAwayPing) else { return }
    ending = .final
    let last = nghttp2_session_get_last_proc_stream_id(session)
    require(nghttp2_submit_goaway(session, none, last, UInt32(NGHTTP2_NO_ERROR.rawValue), nil, 0))
  }

  func answerEnds(stream: Int32) {
    guard nghttp2_session_get_stream_remote_close(session, stream) == 0 else { return }
    reset(stream: stream, code: UInt32(NGHTTP2_NO_ERROR.rawValue))
  }

  /// Called when a stream was reset, by this side or by nghttp2.
  func resetSent(stream: Int32, code: UInt32) {
    let isOurs = [NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR].contains { $0.rawValue == code }
    if isOurs || ownResets.contains(stream) { return }
    patience -= 1
    if patience == 0 {
      require(nghttp2_session_terminate_session(session, UInt32(NGHTTP2_ENHANCE_YOUR_CALM.rawValue)))
    }
  }

  func closed(stream: Int32, code: UInt32) {
    if code == 0, patience > 0, patience < WireLimits.brokenStreams { patience += 1 }
    ownResets.remove(stream)
    if let held = unconsumed.removeValue(forKey: stream), held > 0 {
      require(nghttp2_session_consume_connection(session, held))
    }
    delegate.streamClosed(stream: stream, code: code)
  }

  func readBody(stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead {
    let read = delegate.readBody(stream: stream, into: buffer)
    switch read {
    case .bytes(let count): precondition((1...buffer.count).contains(count), "\(count) bytes of a body")
    case .last(let count): precondition((0...buffer.count).contains(count), "\(count) bytes of a body")
    case .later, .failed: break
    }
    return read
  }

  // MARK: Calling nghttp2

  private let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)

  /// Only lack of memory can make these calls fail.
  private func require(_ code: Int32) { precondition(code == 0, "nghttp2 failed: error \(code)") }

  /// The fields in nghttp2's form; it copies values, and names that are not constants.
  private func withFields(_ status: Int, _ fields: FieldBlock, _ body: (UnsafePointer<nghttp2_nv>, Int) -> Void) {
    var digits = (UInt8(48 + status / 100), UInt8(48 + status / 10 % 10), UInt8(48 + status % 10))
    withUnsafeBytes(of: &digits) { digits in
      let digits = digits.bindMemory(to: UInt8.self).baseAddress!
      fields.bytes.withUnsafeBufferPointer { bytes in
        // Empty values may have no memory behind them.
        let start = bytes.baseAddress ?? digits
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.entries.count + 1) { list in
          list.initializeElement(at: 0, to: nghttp2_nv(":status", digits, 3))
          for (index, entry) in fields.entries.enumerated() {
            let (value, count) = (start + entry.value.lowerBound, entry.value.count)
            let field =
              switch entry.name {
              case .fixed(let name): nghttp2_nv(name, value, count)
              case .range(let name): nghttp2_nv(start + name.lowerBound, name.count, value, count)
              }
            list.initializeElement(at: index + 1, to: field)
          }
          body(UnsafePointer(list.baseAddress!), list.count)
        }
      }
    }
  }
}

extension nghttp2_nv {
  /// nghttp2 does not change the memory behind the pointers.
  fileprivate init(_ name: StaticString, _ value: UnsafePointer<UInt8>, _ count: Int) {
    self.init(
      name: UnsafeMutablePointer(mutating: name.utf8Start), value: UnsafeMutablePointer(mutating: value),
      namelen: name.utf8CodeUnitCount, valuelen: count, flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue))
  }

  fileprivate init(_ name: UnsafePointer<UInt8>, _ nameCount: Int, _ value: UnsafePointer<UInt8>, _ count: Int) {
    self.init(
      name: UnsafeMutablePointer(mutating: name), value: UnsafeMutablePointer(mutating: value), namelen: nameCount,
      valuelen: count, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
  }
}
