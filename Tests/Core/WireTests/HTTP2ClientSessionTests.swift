import Testing
import Wire
import World

/// The client's side of HTTP/2, against a server that is written down frame by frame (RFC 9113 section 6).
struct HTTP2ClientSessionTests {
  private static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8]
  {
    let (length, id) = (UInt32(payload.count), stream)
    return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
      + [24, 16, 8, 0].map { UInt8(id >> $0 & 255) } + payload
  }

  private static func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

  /// SETTINGS_MAX_CONCURRENT_STREAMS, or none.
  private static func settings(streams: UInt32? = nil) -> [UInt8] {
    frame(4, 0, 0, streams.map { [0, 3] + number($0) } ?? [])
  }

  /// HEADERS with :status 200 of HPACK's static table, or another status as a literal.
  private static func head(_ stream: UInt32, _ status: String = "200", ends: Bool = true) -> [UInt8] {
    let block = status == "200" ? [0x88] : [0x08, UInt8(status.utf8.count)] + Array(status.utf8)
    return frame(1, ends ? 5 : 4, stream, block)
  }
  private static func data(_ stream: UInt32, _ text: String) -> [UInt8] { frame(0, 1, stream, Array(text.utf8)) }
  private static func reset(_ stream: UInt32, _ code: UInt32) -> [UInt8] { frame(3, 0, stream, number(code)) }
  private static func goAway(_ last: UInt32, _ text: String, code: UInt32 = 0) -> [UInt8] {
    frame(7, 0, 0, number(last) + number(code) + Array(text.utf8))
  }

  private static func request(_ path: String = "/", body: [UInt8] = [1, 2, 3]) -> HTTP2Request {
    HTTP2Request(path: path, authority: "push.example", fields: [("apns-topic", "org.example.app")], body: body)
  }

  private static func receive(_ bytes: [UInt8], _ session: HTTP2ClientSession) {
    bytes.withUnsafeBufferPointer { session.receive($0) }
    _ = output(session)
  }

  /// All that is to be sent now.
  @discardableResult private static func output(_ session: HTTP2ClientSession) -> [UInt8] {
    var all: [UInt8] = []
    while case let next = session.nextOutput(), !next.isEmpty { all += next }
    return all
  }

  /// The numbers of the streams whose HEADERS are in the output.
  private static func opened(_ bytes: [UInt8]) -> [UInt32] {
    var (position, found) = (0, [UInt32]())
    if bytes.starts(with: Array("PRI * HTTP/2.0".utf8)) { position = 24 }
    while position + 9 <= bytes.count {
      let length = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
      let stream = bytes[(position + 5)..<(position + 9)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if bytes[position + 3] == 1 { found.append(stream) }
      position += 9 + length
    }
    return found
  }

  @Test func `nothing is sent before the server has said how many streams it allows`() {
    let session = HTTP2ClientSession()
    _ = session.submit(Self.request())
    #expect(Self.opened(Self.output(session)).isEmpty && session.streamLimit == 0)
    Self.settings().withUnsafeBufferPointer { session.receive($0) }
    #expect(Self.opened(Self.output(session)) == [1] && session.streamLimit == WireLimits.clientStreams)
  }

  @Test func `one stream at a time, if the server allows no more, and more when it does`() {
    let session = HTTP2ClientSession()
    let numbers = (1...4).map { _ in session.submit(Self.request()) }
    Self.settings(streams: 1).withUnsafeBufferPointer { session.receive($0) }
    #expect(Self.opened(Self.output(session)) == [1])
    Self.head(1).withUnsafeBufferPointer { session.receive($0) }
    #expect(Self.opened(Self.output(session)) == [3])
    #expect(session.takeEvents() == [.ended(numbers[0], .answered(HTTP2Answer(status: 200)))])
    (Self.settings(streams: 5) + Self.head(3)).withUnsafeBufferPointer { session.receive($0) }
    #expect(Self.opened(Self.output(session)) == [5, 7] && session.count == 2)
    // A limit that is lowered ends nothing, and opens nothing.
    Self.settings(streams: 0).withUnsafeBufferPointer { session.receive($0) }
    _ = session.submit(Self.request())
    #expect(Self.opened(Self.output(session)).isEmpty && session.count == 3)
  }

  @Test func `answers, resets and a farewell mean the same however their bytes are cut`() {
    let blob =
      Self.head(1, "103", ends: false) + Self.head(1, "410", ends: false) + Self.data(1, #"{"reason":"Unregistered"}"#)
      + Self.reset(3, 7) + Self.reset(5, 2) + Self.goAway(7, #"{"reason":"Shutdown"}"#) + Self.head(7)
    var first: [HTTP2ClientSession.Event]?
    for pieces in everyCut(of: blob) {
      let session = HTTP2ClientSession()
      for path in ["/a", "/b", "/c", "/d", "/e"] { _ = session.submit(Self.request(path)) }
      Self.receive(Self.settings(streams: 5), session)
      _ = session.submit(Self.request("/f"))
      for piece in pieces { Self.receive(piece, session) }
      let events = session.takeEvents()
      if first == nil { first = events }
      #expect(events == first)
      #expect(!session.isAccepting && session.isFinished)
    }
    let farewell = #"the server has ended it: {"reason":"Shutdown"}"#
    #expect(
      first == [
        .ended(1, .answered(HTTP2Answer(status: 410, body: Array(#"{"reason":"Unregistered"}"#.utf8)))),
        .ended(2, .notProcessed("the server has refused the stream")),
        .ended(3, .unknown("the stream was reset with the code 2")),
        .goAway(code: 0, debugData: #"{"reason":"Shutdown"}"#), .ended(6, .notProcessed(farewell)),
        .ended(5, .notProcessed(farewell)), .ended(4, .answered(HTTP2Answer(status: 200))),
      ])
  }

  @Test func `what was in flight when the connection ended has an unknown outcome, and what waited none`() {
    let session = HTTP2ClientSession()
    let numbers = (1...2).map { _ in session.submit(Self.request()) }
    Self.receive(Self.settings(streams: 1), session)
    session.close("the connection was cut")
    #expect(
      session.takeEvents() == [
        .ended(numbers[0], .unknown("the connection was cut")),
        .ended(numbers[1], .notProcessed("the connection was cut")),
      ])
    // Nothing more is taken.
    let late = session.submit(Self.request())
    #expect(session.takeEvents() == [.ended(late, .notProcessed("the connection was cut"))])
  }

  @Test func `a request that is given up is reset, or never sent`() {
    let session = HTTP2ClientSession()
    let numbers = (1...2).map { _ in session.submit(Self.request()) }
    Self.receive(Self.settings(streams: 1), session)
    session.cancel(numbers[1], "no answer")
    #expect(session.takeEvents() == [.ended(numbers[1], .notProcessed("no answer"))])
    session.cancel(numbers[0], "no answer")
    #expect(Self.output(session).suffix(13) == Self.reset(1, 8)[...])
    #expect(session.takeEvents() == [.ended(numbers[0], .unknown("no answer"))])
  }

  @Test func `an answer that is too large ends its stream alone`() {
    let session = HTTP2ClientSession()
    let number = session.submit(Self.request())
    Self.receive(Self.settings(), session)
    Self.receive(Self.head(1, ends: false), session)
    let piece = Self.frame(0, 0, 1, [UInt8](repeating: 65, count: 16_384))
    for _ in 0...(WireLimits.answerBodyBytes / 16_384) { Self.receive(piece, session) }
    #expect(session.takeEvents() == [.ended(number, .unknown("its answer is too large"))])
    #expect(session.isAccepting)
  }

  @Test func `bytes that are no frames end all`() {
    let session = HTTP2ClientSession()
    let number = session.submit(Self.request())
    Self.receive(Self.settings(), session)
    Self.receive(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), session)
    if session.takeEvents().isEmpty { session.close("cut") }
    #expect(session.count == 0 && number == 1)
  }

  @Test func `a body waits for the server's window, and comes whole`() {
    let body = (0..<200_000).map { UInt8($0 % 251) }
    let host = HTTP2Host { host, stream in
      host.session.respond(stream: stream, status: 204, fields: FieldBlock(), hasBody: false)
    }
    let session = HTTP2ClientSession()
    let number = session.submit(Self.request(body: body))
    for _ in 0..<100 {
      let up = Self.output(session)
      up.withUnsafeBufferPointer { try? host.session.receive($0) }
      var down: [UInt8] = []
      while case let next = host.session.nextOutput(), !next.isEmpty { down += next }
      if up.isEmpty && down.isEmpty { break }
      down.withUnsafeBufferPointer { session.receive($0) }
    }
    #expect(host.received == [1: body.count])
    guard case .ended(number, .answered(let answer))? = session.takeEvents().first else {
      Issue.record("no answer")
      return
    }
    #expect(answer.status == 204)
  }
}
