import CNghttp2

/// A POST over HTTP/2, with its whole body.
public struct HTTP2Request: Sendable {
  public var path: String
  /// The host, with its port unless that is the scheme's own.
  public var authority: String
  /// Names in lower case.
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]

  public init(path: String, authority: String, fields: [(name: String, value: String)], body: [UInt8]) {
    self.path = path
    self.authority = authority
    self.fields = fields
    self.body = body
  }
}

/// The server's answer to a request.
public struct HTTP2Answer: Equatable, Sendable {
  public var status = 0
  /// The fields in one piece of memory, since most are never asked for: NAME, a colon, VALUE and a zero each. Neither
  /// has a zero, and no name a colon (RFC 9113 section 8.2.1).
  private var fields: [UInt8] = []
  public var body: [UInt8] = []

  public init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    for (name, value) in fields { self.fields += Array("\(name):\(value)\0".utf8) }
    self.body = body
  }

  fileprivate mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    if fields.isEmpty { fields.reserveCapacity(128) }  // most answers fit
    fields.append(contentsOf: name)
    fields.append(UInt8(ascii: ":"))
    fields.append(contentsOf: value)
    fields.append(0)
  }

  /// The first field of this name, which is in lower case.
  public subscript(_ name: String) -> String? {
    let start = Array("\(name):".utf8)
    let found = fields.split(separator: 0).first { $0.starts(with: start) }
    return found.map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
  }
}

/// The client's side of one HTTP/2 connection (RFC 9113), by nghttp2: requests and bytes in, bytes and events out. It
/// has no socket and no clock.
///
/// Each request ends with one `Ending`, which says whether the server has answered, certainly has not processed it, or
/// may have: only the second kind may be sent again without doubt (RFC 9113 sections 6.8 and 8.7).
public final class HTTP2ClientSession {
  public enum Ending: Equatable, Sendable {
    case answered(HTTP2Answer)
    /// The server has not processed it: the end of a sentence says why.
    case notProcessed(String)
    /// The server may have processed it.
    case unknown(String)
  }

  public enum Event: Equatable, Sendable {
    case ended(Int, Ending)
    /// The server takes no further requests on this connection.
    case goAway(code: UInt32, debugData: String)
    case pong
  }

  private final class Stream {
    let request: Int
    let body: [UInt8]
    var sent = 0
    var answer = HTTP2Answer(status: 0)
    var fieldBytes = 0
    /// The server has sent all of its answer.
    var isComplete = false
    /// The reason why this side gave it up.
    var fault: String?

    init(request: Int, body: [UInt8]) {
      self.request = request
      self.body = body
    }
  }

  private let session: OpaquePointer
  private var streams: [Int32: Stream] = [:]
  private var streamOfRequest: [Int: Int32] = [:]
  /// The requests that have no stream yet; those before `first` have one.
  private var queue: [(number: Int, request: HTTP2Request)?] = []
  private var first = 0
  private var lastNumber = 0
  private var events: [Event] = []
  private var isInside = false
  private var end: String?
  private var goodbye: String?

  /// Starts a session, whose preface is the first of `nextOutput`.
  public init() {
    var made: OpaquePointer?
    let code = nghttp2_session_client_new2(&made, http2ClientCallbacks, nil, http2ClientOptions)
    guard code == 0, let made else { preconditionFailure("nghttp2 cannot start: error \(code)") }
    session = made
    nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
    var settings = [
      (NGHTTP2_SETTINGS_ENABLE_PUSH, 0), (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, WireLimits.answerFieldBytes),
    ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32($0.1)) }
    require(nghttp2_submit_settings(session, none, &settings, settings.count))
  }

  deinit { nghttp2_session_del(session) }

  // MARK: Requests

  /// True if further requests may be submitted.
  public var isAccepting: Bool { end == nil && goodbye == nil }

  /// The requests that have not ended.
  public var count: Int { streams.count + queue.count - first }

  /// True once the server has begun to speak. Nothing is sent before: until then a server can refuse a certificate, and
  /// has not said how many streams it allows.
  public private(set) var hasSettings = false

  /// The streams that may be open at once.
  public var streamLimit: Int {
    guard hasSettings else { return 0 }
    let limit = nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    return min(WireLimits.clientStreams, Int(limit))
  }

  /// Takes a request, which is sent as soon as the server allows another stream.
  /// - Returns: its number, by which its ending is told.
  public func submit(_ request: HTTP2Request) -> Int {
    lastNumber += 1
    guard isAccepting else {
      events.append(.ended(lastNumber, .notProcessed(end ?? goodbye ?? "")))
      return lastNumber
    }
    queue.append((lastNumber, request))
    return lastNumber
  }

  /// Gives a request up.
  /// - Parameter reason: for its ending.
  public func cancel(_ number: Int, _ reason: String) {
    if let stream = streamOfRequest[number] {
      streams[stream]?.fault = reason
      require(nghttp2_submit_rst_stream(session, none, stream, UInt32(NGHTTP2_CANCEL.rawValue)))
    } else if let place = queue[first...].firstIndex(where: { $0?.number == number }) {
      queue.remove(at: place)
      events.append(.ended(number, .notProcessed(reason)))
    }
  }

  /// Ends all that is left, since the connection is over.
  public func close(_ reason: String) {
    guard end == nil else { return }
    end = reason
    for number in streamOfRequest.keys.sorted() {
      guard let stream = streams[streamOfRequest[number]!] else { continue }
      events.append(.ended(number, stream.isComplete ? .answered(stream.answer) : .unknown(goodbye ?? reason)))
    }
    streams = [:]
    streamOfRequest = [:]
    dropQueue(reason)
  }

  private func dropQueue(_ reason: String) {
    for waiting in queue[first...] {
      if let number = waiting?.number { events.append(.ended(number, .notProcessed(reason))) }
    }
    (queue, first) = ([], 0)
  }

  // MARK: Bytes

  /// Reads bytes from the server.
  public func receive(_ input: UnsafeBufferPointer<UInt8>) {
    guard let start = input.baseAddress, !input.isEmpty, end == nil else { return }
    isInside = true
    let count = nghttp2_session_mem_recv(session, start, input.count)
    isInside = false
    if count < 0 { close("it broke the protocol: \(String(cString: nghttp2_strerror(Int32(count))))") }
  }

  /// The next bytes for the server; empty when there are none. They are valid until the session is called again.
  public func nextOutput() -> UnsafeBufferPointer<UInt8> {
    guard end == nil else { return UnsafeBufferPointer(start: nil, count: 0) }
    precondition(!isInside, "nextOutput was called from within the session")
    openStreams()
    isInside = true
    defer { isInside = false }
    var start: UnsafePointer<UInt8>?
    let count = nghttp2_session_mem_send(session, &start)
    if count < 0 { close("it broke the protocol: \(String(cString: nghttp2_strerror(Int32(count))))") }
    return UnsafeBufferPointer(start: start, count: max(0, count))
  }

  /// The events since the last call.
  public func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// True if nothing more will come of this connection.
  public var isFinished: Bool {
    end != nil || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
  }

  /// Sends a PING, which is answered by `.pong`.
  public func ping() { require(nghttp2_submit_ping(session, none, nil)) }

  /// Tells the server that no further requests come.
  public func goAway() {
    require(nghttp2_submit_goaway(session, none, 0, UInt32(NGHTTP2_NO_ERROR.rawValue), nil, 0))
  }

  private func openStreams() {
    guard isAccepting, first < queue.count else { return }
    let limit = streamLimit
    while streams.count < limit, first < queue.count, let next = queue[first] {
      queue[first] = nil
      first += 1
      open(next.number, next.request)
    }
    if first == queue.count || first > 1_024 {
      queue.removeSubrange(..<first)
      first = 0
    }
  }

  private func open(_ number: Int, _ request: HTTP2Request) {
    var body = nghttp2_data_provider()
    body.read_callback = http2ReadRequestBody
    let stream = withUnsafePointer(to: &body) { body in
      withFields(of: request) { fields, count in
        nghttp2_submit_request(session, nil, fields, count, request.body.isEmpty ? nil : body, nil)
      }
    }
    guard stream > 0 else {
      // The numbers of streams are used up: another connection has new ones.
      events.append(.ended(number, .notProcessed("no further stream can be opened")))
      goodbye = goodbye ?? "no further stream can be opened"
      return
    }
    streams[stream] = Stream(request: number, body: request.body)
    streamOfRequest[number] = stream
  }

  // MARK: nghttp2's callbacks

  /// - Returns: false to end the stream.
  func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, stream: Int32) -> Bool {
    guard let found = streams[stream] else { return true }
    found.fieldBytes += name.count + value.count + 32
    guard found.fieldBytes <= WireLimits.answerFieldBytes else {
      found.fault = "its answer's fields are too large"
      return false
    }
    guard name.first == UInt8(ascii: ":") else {
      found.answer.append(name, value)
      return true
    }
    // :status, the only one of an answer; nghttp2 has checked that it is three digits. It follows interim ones.
    found.answer = HTTP2Answer(status: value.reduce(0) { $0 * 10 + Int($1 & 15) })
    return true
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32) {
    guard let found = streams[stream], found.fault == nil else { return }
    guard found.answer.body.count + bytes.count <= WireLimits.answerBodyBytes else {
      found.fault = "its answer is too large"
      return require(nghttp2_submit_rst_stream(session, none, stream, UInt32(NGHTTP2_CANCEL.rawValue)))
    }
    found.answer.body.append(contentsOf: bytes)
  }

  func answerEnds(stream: Int32) {
    guard let found = streams[stream], found.answer.status >= 200 else { return }
    found.isComplete = true
    // The rest of the request is of no interest any more.
    if nghttp2_session_get_stream_local_close(session, stream) == 0 {
      require(nghttp2_submit_rst_stream(session, none, stream, UInt32(NGHTTP2_CANCEL.rawValue)))
    }
  }

  func settingsCame() { hasSettings = true }

  func pingAnswered() { events.append(.pong) }

  func wentAway(code: UInt32, debugData: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: debugData.prefix(WireLimits.debugBytes), as: UTF8.self)
    goodbye = text.isEmpty ? "the server has ended the connection (code \(code))" : "the server has ended it: \(text)"
    events.append(.goAway(code: code, debugData: text))
    dropQueue(goodbye ?? "")
  }

  func notSent(stream: Int32) { finish(stream, .notProcessed(goodbye ?? "it could not be sent")) }

  func closed(stream: Int32, code: UInt32) {
    guard let found = streams[stream] else { return }
    if found.isComplete { return finish(stream, .answered(found.answer)) }
    if let fault = found.fault { return finish(stream, .unknown(fault)) }
    if code == UInt32(NGHTTP2_REFUSED_STREAM.rawValue) {
      return finish(stream, .notProcessed(goodbye ?? "the server has refused the stream"))
    }
    finish(stream, .unknown("the stream was reset with the code \(code)"))
  }

  private func finish(_ stream: Int32, _ ending: Ending) {
    guard let found = streams.removeValue(forKey: stream) else { return }
    streamOfRequest[found.request] = nil
    events.append(.ended(found.request, ending))
  }

  /// - Returns: the number of bytes, and whether they are the last.
  func readBody(stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> (Int, isLast: Bool) {
    guard let found = streams[stream] else { return (0, true) }
    let count = min(buffer.count, found.body.count - found.sent)
    found.body.withUnsafeBufferPointer { body in
      _ = buffer.update(fromContentsOf: body[found.sent..<(found.sent + count)])
    }
    found.sent += count
    return (count, found.sent + count == found.body.count)
  }

  // MARK: Calling nghttp2

  private let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)

  /// Only lack of memory can make these calls fail.
  private func require(_ code: Int32) { precondition(code == 0, "nghttp2 failed: error \(code)") }

  /// The fields in nghttp2's form, which copies them.
  private func withFields(of request: HTTP2Request, _ body: (UnsafePointer<nghttp2_nv>, Int) -> Int32) -> Int32 {
    let all =
      [
        (":method", "POST"), (":scheme", "https"), (":authority", request.authority), (":path", request.path),
      ] + request.fields
    var bytes: [UInt8] = []
    var ends: [(name: Int, value: Int)] = []
    bytes.reserveCapacity(all.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count })
    ends.reserveCapacity(all.count)
    for (name, value) in all {
      bytes += name.utf8
      let middle = bytes.count
      bytes += value.utf8
      ends.append((middle, bytes.count))
    }
    return bytes.withUnsafeMutableBufferPointer { bytes in
      let start = bytes.baseAddress!
      var list: [nghttp2_nv] = []
      list.reserveCapacity(ends.count)
      var position = 0
      for end in ends {
        list.append(
          nghttp2_nv(
            name: start + position, value: start + end.name, namelen: end.name - position,
            valuelen: end.value - end.name, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
        position = end.value
      }
      return list.withUnsafeBufferPointer { body($0.baseAddress!, $0.count) }
    }
  }
}
