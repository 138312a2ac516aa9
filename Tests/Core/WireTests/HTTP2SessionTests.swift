import Testing
import Wire
import World

struct HTTP2SessionTests {
  /// A browser's input on one connection, up to the point where it waits.
  static func conversation() -> [UInt8] {
    let peer = HTTP2Peer()
    peer.request("GET", "/a?b=c", [("accept", "text/html"), ("cookie", "x=1"), ("cookie", "y=2"), ("te", "trailers")])
    peer.request("POST", "/upload", [("content-length", "5")], body: Array("hello".utf8))
    peer.request("HEAD", "/", [("priority", "u=1")])
    peer.request("OPTIONS", "*")
    let first = peer.output()
    peer.request("PUT", "/chunks", body: Array("no length".utf8), trailers: [("x-sum", "1")])
    return first + peer.output()
  }

  static let events = [
    "head 1 GET /a?b=c http2 host=hub.example&accept=text/html&te=trailers&cookie=x=1; y=2 none false", "end 1",
    "head 3 POST /upload http2 host=hub.example&content-length=5 length(5) true",
    "head 5 HEAD / http2 host=hub.example&priority=u=1 none false", "end 5",
    "head 7 OPTIONS * http2 host=hub.example none false", "end 7", "body 3 hello", "end 3",
    "head 9 PUT /chunks http2 host=hub.example chunked true", "body 9 no length", "end 9",
  ]

  @Test func `a connection means the same however it is cut`() {
    for pieces in everyCut(of: Self.conversation()) {
      let host = HTTP2Host()
      for piece in pieces { host.receive(piece) }
      #expect(host.said == Self.events)
      #expect(host.fault == nil)
    }
  }

  @Test func `answers arrive with their fields and bodies`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host { host, stream in
      if stream == 1 {
        var fields = FieldBlock()
        fields.append("content-length", 7)
        fields.append("etag", Array("\"a\"".utf8))
        fields.append(name: "X-Name", "two\r\nlines")
        fields.append("x-empty", "")
        host.bodies[1] = [.bytes(4), .last(3)]
        host.session.respond(stream: 1, status: 206, fields: fields, hasBody: true)
      } else {
        host.session.respond(stream: stream, status: 404, fields: FieldBlock(), hasBody: false)
      }
    }
    peer.request()
    peer.request("HEAD", "/none")
    host.talk(peer)
    let fields = ["content-length: 7", "etag: \"a\"", "x-name: twolines", "x-empty: "]
    #expect(
      peer.answers[1]
        == .init(status: "206", fields: fields, body: Array("xxxxxxx".utf8), isComplete: true, closed: 0))
    #expect(peer.answers[3] == .init(status: "404", isComplete: true, closed: 0))
    #expect(host.closed == [1: 0, 3: 0])
  }

  @Test func `a body that is not there yet is resumed`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host { host, stream in host.respond(stream, []) }
    peer.request()
    host.talk(peer)
    #expect(peer.answers[1]?.status == "200")
    #expect(peer.answers[1]?.body == [])
    for count in 1...3 {
      host.bodies[1] = [.bytes(1)]
      #expect(host.output().isEmpty, "nothing is sent before resume")
      host.session.resume(stream: 1)
      host.talk(peer)
      #expect(peer.answers[1]?.body.count == count)
    }
    host.bodies[1] = [.last(0)]
    host.session.resume(stream: 1)
    host.talk(peer)
    #expect(peer.answers[1]?.isComplete == true)
  }

  @Test func `a body that fails resets its stream alone`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host { host, stream in host.respond(stream, stream == 1 ? [.bytes(1), .failed] : [.last(5)]) }
    peer.request()
    peer.request()
    host.talk(peer)
    #expect(peer.answers[1]?.closed == 2)
    #expect(peer.answers[1]?.isComplete == false)
    #expect(peer.answers[3]?.isComplete == true)
  }

  @Test func `answers take turns`() {
    let peer = HTTP2Peer(window: 1 << 20)
    let host = HTTP2Host { host, stream in
      host.respond(stream, [HTTP2BodyRead](repeating: .bytes(8000), count: 4) + [.last(0)])
    }
    peer.request()
    peer.request()
    host.talk(peer)
    let order = peer.pieces
    #expect(order.count == 8)
    #expect(order.prefix(4) != [1, 1, 1, 1], "\(order)")
  }

  @Test func `an interim answer comes before the answer`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host { host, stream in host.respond(stream) }
    peer.request("PUT", "/", [("expect", "100-continue")], body: [], ends: false)
    host.talk(peer)
    host.session.inform(stream: 1, status: 100)
    host.respond(1)
    host.talk(peer)
    #expect(peer.answers[1]?.interim == ["100"])
    #expect(peer.answers[1]?.status == "200")
  }

  @Test func `an answer before the end of the request ends the request`() {
    for body in [nil, [HTTP2BodyRead.last(3)]] {
      let peer = HTTP2Peer()
      let host = HTTP2Host()
      peer.request("PUT", "/", body: [1, 2, 3], ends: false)
      host.talk(peer)
      host.respond(1, body)
      host.talk(peer)
      #expect(peer.answers[1]?.isComplete == true)
      #expect(peer.answers[1]?.closed == 0)
      #expect(host.closed == [1: 0])
    }
  }

  @Test func `the first answer counts`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host { host, stream in
      host.respond(stream, [.bytes(2), .later])
      host.session.respond(stream: stream, status: 500, fields: FieldBlock(), hasBody: true)
    }
    peer.request()
    host.talk(peer)
    host.session.respond(stream: 1, status: 500, fields: FieldBlock(), hasBody: false)
    host.session.inform(stream: 1, status: 100)
    host.bodies[1] = [.last(3)]
    host.session.resume(stream: 1)
    host.talk(peer)
    #expect(peer.answers[1]?.status == "200")
    #expect(peer.answers[1]?.body.count == 5)
    #expect(peer.answers[1]?.closed == 0)
  }

  @Test func `both ends may reset a stream`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    peer.request()
    peer.request()
    host.talk(peer)
    host.session.reset(stream: 1, code: 7)
    peer.reset(3, code: 8)
    host.talk(peer)
    #expect(host.closed == [1: 7, 3: 8])
    #expect(peer.answers[1]?.closed == 7)
    // The client has left: answering it is not an error.
    host.respond(3, [.last(1)])
    host.session.resume(stream: 3)
    host.session.inform(stream: 3, status: 100)
    host.session.consumed(stream: 3, 5)
    host.talk(peer)
    #expect(host.fault == nil)
  }

  // MARK: Windows

  @Test func `an upload that is not read stops at its window`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    host.consumes = false
    peer.request("PUT", "/", body: [UInt8](repeating: 1, count: 1 << 20))
    host.talk(peer)
    #expect(host.received[1] == WireLimits.streamWindowBytes)
    host.session.consumed(stream: 1, 200_000)
    host.talk(peer)
    #expect(host.received[1] == WireLimits.streamWindowBytes + 200_000)
    host.consumes = true
    host.session.consumed(stream: 1, WireLimits.streamWindowBytes)
    host.talk(peer)
    #expect(host.received[1] == 1 << 20)
    #expect(host.said.last == "end 1")
  }

  @Test func `uploads that are not read stop at the connection's window, and give it back when they end`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    host.consumes = false
    for _ in 0..<8 { peer.request("PUT", "/", body: [UInt8](repeating: 1, count: 1 << 20)) }
    host.talk(peer)
    #expect(host.received.values.reduce(0, +) == WireLimits.connectionWindowBytes)
    // Unread bodies are released with their streams.
    for stream in host.received.keys { host.session.reset(stream: stream, code: 8) }
    for _ in 0..<8 { peer.request("PUT", "/", body: [UInt8](repeating: 1, count: 1 << 20)) }
    host.talk(peer)
    #expect(host.received.values.reduce(0, +) == 2 * WireLimits.connectionWindowBytes)
  }

  @Test func `two uploads that are not read leave the others of their connection their way`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    host.consumes = false
    for _ in 0..<2 { peer.request("PUT", "/", body: [UInt8](repeating: 1, count: 1 << 20)) }
    host.talk(peer)
    host.consumes = true
    for _ in 0..<3 { peer.request("PUT", "/", body: [UInt8](repeating: 1, count: 1 << 20)) }
    host.talk(peer)
    let unread = WireLimits.streamWindowBytes
    #expect(host.received == [1: unread, 3: unread, 5: 1 << 20, 7: 1 << 20, 9: 1 << 20])
  }

  @Test func `the body of a request that was refused takes no room`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    host.receive(peer.output())
    let large = [("x-large", String(repeating: "a", count: 32 << 10))]
    var stream: Int32 = 0
    for _ in 0..<40 {
      stream = peer.request("PUT", "/", large, body: [UInt8](repeating: 1, count: 100_000))
      host.talk(peer)
    }
    #expect(host.refused.count == 40)
    #expect(peer.answers[stream]?.status == "431")
    host.consumes = false
    peer.request("PUT", "/", body: [UInt8](repeating: 1, count: 1 << 20))
    host.talk(peer)
    #expect(host.received[stream + 2] == WireLimits.streamWindowBytes)
  }

  // MARK: Ending

  @Test func `a connection that goes away finishes what is under way`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    peer.request()
    host.talk(peer)
    host.session.goAway()
    let notice = host.output()
    // Sent before the notice arrived: it is served.
    let late = peer.request("GET", "/late")
    host.receive(peer.output())
    peer.receive(notice)
    host.talk(peer)
    #expect(host.heads[late]?.target == "/late")
    #expect(peer.goAways.map(\.last) == [.max, late])
    #expect(peer.goAways.map(\.code) == [0, 0])
    #expect(!host.session.isFinished)
    for stream: Int32 in [1, late] { host.respond(stream, [.last(5)]) }
    host.talk(peer)
    #expect(peer.answers[late]?.isComplete == true)
    #expect(host.session.isFinished)
    #expect(!host.session.wantsMore)
  }

  @Test func `a ping is answered, and so is ours`() {
    let peer = HTTP2Peer()
    let host = HTTP2Host()
    host.talk(peer)
    peer.ping()
    host.receive(peer.output())
    #expect(Array(host.output().prefix(5)) == [0, 0, 8, 6, 1])
    host.session.ping()
    let ping = host.output()
    #expect(Array(ping.prefix(5)) == [0, 0, 8, 6, 0])
    peer.receive(ping)
    host.receive(peer.output())
    #expect(host.fault == nil)
    #expect(!host.session.isFinished)
  }

  @Test func `the preface is told from the first bytes of a request`() {
    func found(_ bytes: [UInt8]) -> HTTP2Preface { bytes.withUnsafeBufferPointer { HTTP2Preface($0) } }
    let bytes = HTTP2Frames.opening
    for count in 0..<24 { #expect(found(Array(bytes[..<count])) == .incomplete) }
    for count in 24...bytes.count { #expect(found(Array(bytes[..<count])) == .matches) }
    #expect(found(Array("PUT / HTTP/1.1\r\n".utf8)) == .differs)
    #expect(found(Array("PRI * HTTP/2.0\r\n\r\nXX".utf8)) == .differs)
  }
}
