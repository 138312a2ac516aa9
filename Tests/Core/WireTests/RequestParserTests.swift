import Testing
import Wire
import World

struct RequestParserTests {
  /// The parser's events, with the pieces of each body joined.
  enum Said: Equatable {
    case head(String)
    case body(String)
    case end
    case refused(WireFault)
  }

  static func feed(_ pieces: [[UInt8]]) -> [Said] {
    var parser = RequestParser()
    var said: [Said] = []
    for piece in pieces {
      piece.withUnsafeBufferPointer { input in
        var position = 0
        do throws(WireFault) {
          while let event = try parser.next(input, &position) {
            switch event {
            case .head(let head):
              let fields = head.fields.all.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
              said.append(.head("\(head.method.name) \(head.target) \(fields) \(head.framing) \(head.keepsAlive)"))
            case .body(let range):
              let text = String(decoding: input[range], as: UTF8.self)
              if case .body(let before) = said.last {
                said[said.count - 1] = .body(before + text)
              } else {
                said.append(.body(text))
              }
            case .end: said.append(.end)
            }
          }
        } catch {
          said.append(.refused(error))
        }
      }
      if case .refused = said.last { break }
    }
    return said
  }

  static let accepted: [String] = [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "\r\nGET /a?b=c HTTP/1.1\r\nHost: a\r\nX-Y:  z \t\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=\"y\"\r\n world\r\n0\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n00a\r\n0123456789\r\n0\r\nX: y\r\nZ: w\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  ]

  @Test(arguments: accepted)
  func `a request means the same however it is cut`(text: String) {
    let bytes = Array(text.utf8)
    let whole = Self.feed([bytes])
    #expect(whole.contains(.end))
    #expect(!whole.contains { if case .refused = $0 { true } else { false } })
    for pieces in everyCut(of: bytes) { #expect(Self.feed(pieces) == whole) }
  }

  @Test func `a chunked body is put together`() {
    let said = Self.feed([Array(Self.accepted[4].utf8)])
    #expect(said.dropFirst() == [.body("hello world"), .end])
  }

  @Test func `an empty line behind a request begins no head`() throws {
    for pieces in everyCut(of: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n\r\n".utf8)) {
      var parser = RequestParser()
      for piece in pieces {
        try piece.withUnsafeBufferPointer { input in
          var position = 0
          while try parser.next(input, &position) != nil {}
        }
      }
      #expect(parser.isIdle)
    }
  }

  @Test func `a field's value is in UTF-8, or else in ISO 8859-1`() {
    let head = Array("GET / HTTP/1.1\r\nHost: a\r\nX: T".utf8)
    let said = Self.feed([head + [0xFC] + Array("r\r\nY: Tür\r\n\r\n".utf8)])
    #expect(said.first == .head("GET / Host=a&X=Tür&Y=Tür none true"))
  }

  @Test func `two requests in one piece are two`() {
    let said = Self.feed([Array(Self.accepted[3].utf8)])
    #expect(said.count { $0 == .end } == 2)
  }

  @Test func `the host of an absolute target counts, and a later minor version is the one we know`() {
    let text = "GET HTTP://b:80/p?q HTTP/1.9\r\nHost: a\r\n\r\n"
    for pieces in everyCut(of: Array(text.utf8)) {
      #expect(Self.feed(pieces) == [.head("GET /p?q Host=b:80 none true"), .end])
    }
    #expect(
      Self.feed([Array("GET http://b?q HTTP/1.1\r\nHost: a\r\n\r\n".utf8)]).first == .head("GET /?q Host=b none true"))
  }

  static let refused: [(String, WireFault)] = [
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET / HTTP/1.1\nHost: a\n\n", .bareLineFeed),
    ("GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", .bareLineFeed),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n folded\r\n\r\n", .obsoleteFold),
    ("GET /\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET http://b@a/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
    ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .malformedHost),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .unsupportedVersion),
    ("GET / HTTP/1.1\r\n\r\n", .missingHost),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .repeatedHost),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", .malformedLength),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", .malformedLength),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", .malformedLength),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n", .malformedLength),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .conflictingLength),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", .unsupportedTransferCoding),
    ("GET / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .unsupportedTransferCoding),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .malformedChunk),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .malformedChunk),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\nab\r\n", .malformedChunk),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1234567890abc\r\n", .malformedChunk),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n", .bareLineFeed),
  ]

  @Test(arguments: refused)
  func `what could be read in two ways is refused`(text: String, fault: WireFault) {
    for pieces in everyCut(of: Array(text.utf8)) { #expect(Self.feed(pieces).last == .refused(fault)) }
  }

  @Test func `a head has room for 32 KB and a hundred fields`() {
    let field = "X: " + String(repeating: "y", count: 1000) + "\r\n"
    let large = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field, count: 33) + "\r\n"
    #expect(Self.feed([Array(large.utf8)]).last == .refused(.headTooLarge))
    #expect(Self.feed(Array(large.utf8).map { [$0] }).last == .refused(.headTooLarge))
    let most = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 99) + "\r\n"
    #expect(Self.feed([Array(most.utf8)]).last == .end)
    let more = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 100) + "\r\n"
    #expect(Self.feed([Array(more.utf8)]).last == .refused(.tooManyFields))
  }

  @Test func `a head that has begun is told from an idle connection`() throws {
    var parser = RequestParser()
    #expect(parser.isIdle)
    try Array("GET".utf8).withUnsafeBufferPointer { input in
      var position = 0
      let event = try parser.next(input, &position)
      #expect(event == nil)
    }
    #expect(parser.isInsideHead)
    #expect(!parser.isIdle)
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%A4", "ä"), ("a+b", "a+b"), ("%2", nil), ("%zz", nil), ("%ff", nil), ("a%00b", nil),
    ("%01", "\u{1}"), ("%10", "\u{10}"),
  ])
  func `escapes are decoded`(text: String, expected: String?) { #expect(percentDecoded(text) == expected) }

  @Test(arguments: [
    ("gzip", true), ("br, GZIP;q=0.5", true), ("*", true), ("identity", false), ("gzip;q=0, *", false),
    ("*;q=0, gzip", true), ("gzip;q=0", false), ("xgzip", false),
  ])
  func `gzip is sent to those who take it`(codings: String, expected: Bool) {
    let head = RequestHead(method: .get, target: "/", fields: Fields(["Accept-Encoding": codings]))
    #expect(head.acceptsGzip == expected)
  }

  @Test func `a date is written as HTTP has it`() {
    #expect(ResponseHead.date(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(ResponseHead.date(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }
}
