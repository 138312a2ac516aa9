import CNghttp2

/// The server's end of one HTTP/2 connection (RFC 9113), by nghttp2: bytes in, bytes out, and a delegate that hears
/// what they mean. It knows no socket and no clock but the one by which nghttp2 counts resets.
///
/// What is refused is refused where it can be told apart: a malformed request costs its stream, a broken frame or a
/// flood the connection, with a GOAWAY that says why.
public final class HTTP2Session {
  private unowned let delegate: any HTTP2SessionDelegate
  private let session: OpaquePointer
  private var headReader = HTTP2HeadReader()
  /// Of each request with a body: how many bytes the delegate was given and has not consumed. They count against the
  /// connection's window too, so what is left is given back when the stream ends.
  private var unconsumed: [Int32: Int] = [:]
  /// How many streams more than came to a good end the peer may still break. Each makes work, and is over before it
  /// counts against the streams that may be open at once.
  private var patience = WireLimits.brokenStreams
  private var ownResets: Set<Int32> = []
  private var isInside = false
  private var hasFailed = false
  /// Where a graceful end stands.
  private enum Ending {
    case no
    case announced
    case final
  }
  private var ending = Ending.no
  /// What a PING says that measures the round trip after which `goAway` is final.
  private static let goAwayPing: [UInt8] = Array("eb goawy".utf8)

  /// A session that has its SETTINGS to send: ask `nextOutput`.
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
      // RFC 9218's priorities are a field; RFC 7540's were a tree that peers could make us rebuild for ever.
      (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
    ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32($0.1)) }
    require(nghttp2_submit_settings(session, none, &settings, settings.count))
    require(nghttp2_session_set_local_window_size(session, none, 0, Int32(WireLimits.connectionWindowBytes)))
  }

  deinit { nghttp2_session_del(session) }

  // MARK: Bytes

  /// Reads what came from the peer. A peer that breaks the protocol gets a GOAWAY by `nextOutput`, and `isFinished`
  /// says when that is all.
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

  /// The next bytes for the peer, about a frame of at most 16 KB; empty when there are none. They lie there until the
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

  /// Whether the session reads on: false once its end is certain.
  public var wantsMore: Bool { !hasFailed && nghttp2_session_want_read(session) != 0 }

  /// Whether nothing will be said any more, and the connection can be closed.
  public var isFinished: Bool {
    hasFailed || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
  }

  // MARK: Answers

  /// Answers a request. A stream that is over by now is passed by in silence, since its client has gone; so is a second
  /// answer.
  ///
  /// An answer that is sent to its end before the request has come to its own also ends the request, by a reset with
  /// NO_ERROR (RFC 9113 section 8.1).
  /// - Parameters:
  ///   - status: 200…999.
  ///   - hasBody: whether the delegate's `readBody` is asked for one.
  public func respond(stream: Int32, status: Int, fields: FieldBlock, hasBody: Bool) {
    precondition((200...999).contains(status), "\(status) is no status of an answer")
    // nghttp2 keeps a pointer with each stream that there is; any will do as the mark of one that has its answer.
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

  /// Sends an interim answer, such as 100 Continue (RFC 9110 section 15.2), unless the answer itself was given.
  /// - Parameter status: 100…199, but 101, which HTTP/2 does not know.
  public func inform(stream: Int32, status: Int) {
    precondition((100...199).contains(status) && status != 101, "\(status) is no status of an interim answer")
    if isAnswered(stream) { return }
    withFields(status, FieldBlock()) { list, count in
      require(nghttp2_submit_headers(session, none, stream, nil, list, count, nil))
    }
  }

  /// Asks the delegate again for a body that it had nothing of.
  public func resume(stream: Int32) { nghttp2_session_resume_data(session, stream) }

  /// Ends a stream at once; `streamClosed` follows when that is sent.
  /// - Parameter code: of RFC 9113 section 7, such as 8 (CANCEL).
  public func reset(stream: Int32, code: UInt32) {
    if nghttp2_session_get_stream_remote_close(session, stream) >= 0 { ownResets.insert(stream) }
    require(nghttp2_submit_rst_stream(session, none, stream, code))
  }

  /// Says that so many bytes of a request's body need no room any more: the peer may send as many again. Bytes of a
  /// stream that is over count as consumed already.
  public func consumed(stream: Int32, _ count: Int) {
    guard let held = unconsumed[stream], count > 0 else { return }
    precondition(count <= held, "\(count) bytes of stream \(stream) were consumed; it had \(held)")
    unconsumed[stream] = held - count
    require(nghttp2_session_consume(session, stream, count))
  }

  // MARK: The connection

  /// Ends the connection once all that is under way is answered. Says first that no new request is wanted, and one
  /// round trip later which was the last to be taken, so that none is lost on its way (RFC 9113 section 6.8).
  /// `isFinished` says when all of it is done.
  public func goAway() {
    guard ending == .no else { return }
    ending = .announced
    require(nghttp2_submit_shutdown_notice(session))
    require(nghttp2_submit_ping(session, none, Self.goAwayPing))
  }

  /// Asks for a sign of life; whatever comes then is one.
  public func ping() { require(nghttp2_submit_ping(session, none, nil)) }

  // MARK: What nghttp2 reports

  /// The peer breaks the protocol where nghttp2 does not mind.
  func breakOff() { nghttp2_session_terminate_session(session, UInt32(NGHTTP2_PROTOCOL_ERROR.rawValue)) }

  func headBegins() { headReader.begin() }

  func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) { headReader.field(name, value) }

  func invalidField() { headReader.refuse(.malformedField) }

  func headEnds(stream: Int32, hasBody: Bool) {
    do throws(WireFault) {
      let (head, isPrioritized) = try headReader.finish(hasBody: hasBody)
      if !isPrioritized { shareLine(stream) }
      if hasBody { unconsumed[stream] = 0 }
      delegate.requestHead(head, stream: stream, hasBody: hasBody)
      if !hasBody { delegate.requestEnd(stream: stream) }
    } catch {
      delegate.requestRefused(error, stream: stream)
    }
  }

  /// By RFC 9218's default an answer is sent to its end before the next; without a word from the client, answers take
  /// turns, so that an event does not wait behind a film.
  private func shareLine(_ stream: Int32) {
    var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
    nghttp2_session_change_extpri_stream_priority(session, stream, &priority, 0)
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32) {
    guard let held = unconsumed[stream] else {
      // The body of a request that was refused.
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

  /// A stream was reset, by us or by nghttp2 on our behalf.
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

  /// What remains to fail is memory.
  private func require(_ code: Int32) { precondition(code == 0, "nghttp2 failed: error \(code)") }

  /// The fields as nghttp2 takes them; it copies values, and names that are not fixed.
  private func withFields(_ status: Int, _ fields: FieldBlock, _ body: (UnsafePointer<nghttp2_nv>, Int) -> Void) {
    var digits = (UInt8(48 + status / 100), UInt8(48 + status / 10 % 10), UInt8(48 + status % 10))
    withUnsafeBytes(of: &digits) { digits in
      let digits = digits.bindMemory(to: UInt8.self).baseAddress!
      fields.bytes.withUnsafeBufferPointer { bytes in
        // Values that are all empty may have no memory behind them.
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
  /// nghttp2 promises to change nothing of what the pointers lead to.
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
