import Client
import EventLoop
import Lifecycle
import Synchronization
import Testing
import Wire
import World

/// Hostile servers, and clients that leave, on real sockets.
struct HostileServerTests {
  /// Fetches, turning the loop until there is an answer.
  static func fetch(
    _ request: FetchRequest, seconds: Double = 10, whileWaiting: (EventLoop) -> Void = { _ in }
  ) throws -> Result<FetchResponse, FetchError> {
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere)
    let answer = Answer()
    answer.begin(client, request, on: loop)
    let limit = SystemTime().uptime + seconds
    while answer.result == nil, SystemTime().uptime < limit {
      loop.turn(wait: 0.05)
      whileWaiting(loop)
    }
    return try #require(answer.result, "no answer at all within \(seconds) s")
  }

  final class Answer: Sendable {
    private let state = Mutex<Result<FetchResponse, FetchError>?>(nil)
    var result: Result<FetchResponse, FetchError>? { state.withLock { $0 } }

    @discardableResult
    func begin(_ client: HTTPClient, _ request: FetchRequest, on loop: EventLoop) -> Task<Void, Never> {
      Task(executorPreference: loop) { [self] in
        do throws(FetchError) {
          let response = try await client.fetch(request)
          state.withLock { $0 = .success(response) }
        } catch {
          state.withLock { $0 = .failure(error) }
        }
      }
    }
  }

  static func error(_ result: Result<FetchResponse, FetchError>) -> FetchError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test func `a server that speaks no HTTP is not taken for a wrong address`() throws {
    let server = ScriptedServer { $0.write("SSH-2.0-OpenSSH_10.0\r\n") }
    defer { server.stop() }
    let error = Self.error(try Self.fetch(FetchRequest(server.url)))
    #expect(error?.publicExplanation.code == "answer-broken", "\(String(describing: error))")
  }

  @Test func `bytes that only drip are given up`() throws {
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      while writer.write("x"), !writer.isGone(within: 100) {}
    }
    defer { server.stop() }
    let result = try Self.fetch(FetchRequest(server.url, stallTimeout: 1))
    #expect(Self.error(result) == .stalled(seconds: 1))
  }

  @Test func `a body that never ends is cut off at the limit`() throws {
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\n\r\n")
      let block = [UInt8](repeating: 120, count: 65_536)
      while writer.write(block) {}
    }
    defer { server.stop() }
    let result = try Self.fetch(FetchRequest(server.url, bodyLimit: 1_000_000))
    #expect(Self.error(result) == .tooLarge(limit: 1_000_000))
  }

  @Test func `a small body that swells when it is unpacked is cut off at the limit`() throws {
    // 100 MB of zeros take some 100 KB in gzip.
    let bomb = Gzip.compress([UInt8](repeating: 0, count: 100_000_000))
    #expect(bomb.count < 200_000)
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      writer.write(bomb)
    }
    defer { server.stop() }
    #expect(Self.error(try Self.fetch(FetchRequest(server.url, bodyLimit: 1_000_000))) == .tooLarge(limit: 1_000_000))
  }

  @Test(arguments: [
    "Content-Encoding: gzip, gzip, gzip\r\n", "content-encoding:gzip\r\nContent-Encoding: GZIP\r\n",
    "Content-Encoding: gzip\u{B},gzip\r\n", "Content-Encoding:\u{301}gzip, gzip, gzip\r\n",
    "Content-Encoding: gzip\r\nTransfer-Encoding: gzip, chunked\r\n",
    "Content-Encoding: gzip\r\nHTTP/1.1: x\r\nContent-Encoding: gzip\r\n",
  ])
  func `a body that is packed more than once is not unpacked`(fields: String) throws {
    // Blocks of nothing: they unpack to no byte that a limit could count, however long that takes.
    var blocks: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
    for _ in 0..<20 { blocks += blocks }
    let empty = Gzip.compress([])
    let bomb = Gzip.compress(Gzip.compress(Array(empty[..<10]) + blocks + Array(empty[10...])))
    #expect(bomb.count < 10_000)
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\n\(fields)Connection: close\r\n\r\n")
      writer.write(bomb)
    }
    defer { server.stop() }
    let expected = FetchError.transfer(.broken, words: "it is packed more than once")
    #expect(Self.error(try Self.fetch(FetchRequest(server.url))) == expected)
  }

  @Test func `a redirect may be packed, and so may what it leads to`() throws {
    let packed = Gzip.compress(Array("hello".utf8))
    let coding = "Content-Encoding: identity, gzip\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    let body = Array("\(String(packed.count, radix: 16))\r\n".utf8) + packed + Array("\r\n0\r\n\r\n".utf8)
    let target = ScriptedServer { $0.write(Array("HTTP/1.1 200 OK\r\n\(coding)".utf8) + body) }
    defer { target.stop() }
    let place = target.url
    let server = ScriptedServer {
      $0.write(Array("HTTP/1.1 302 Found\r\nLocation: \(place)\r\n\(coding)".utf8) + body)
    }
    defer { server.stop() }
    #expect(try Self.fetch(FetchRequest(server.url)).get().body == Array("hello".utf8))
  }

  @Test func `a body that breaks off is no answer`() throws {
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")
    }
    defer { server.stop() }
    guard case .transfer(.broken, _) = Self.error(try Self.fetch(FetchRequest(server.url))) else {
      Issue.record("half a body was taken for a whole one")
      return
    }
  }

  @Test func `a header without end is cut off`() throws {
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\n")
      while writer.write("X-More: \(String(repeating: "x", count: 1000))\r\n") {}
    }
    defer { server.stop() }
    let error = Self.error(try Self.fetch(FetchRequest(server.url)))
    // libcurl has a limit of its own, which may apply first.
    let isRefused = if case .transfer(.broken, _) = error { true } else { error == .tooManyFields }
    #expect(isRefused, "\(String(describing: error))")
  }

  // MARK: Requests

  @Test func `each method is what it says, and ends where it should`() throws {
    let server = ScriptedServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok") }
    defer { server.stop() }
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE"] {
      let response = try Self.fetch(FetchRequest(server.url, method: method)).get()
      #expect(response.body.count == (method == "HEAD" ? 0 : 2))
      #expect(server.asked.last?.hasPrefix("\(method) / HTTP/1.1\r\n") == true)
    }
    #expect(server.asked[2].contains("Content-Length: 0\r\n"))
  }

  @Test func `fields go out as they are, the empty one too`() throws {
    let server = ScriptedServer { $0.write("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n") }
    defer { server.stop() }
    let request = FetchRequest(
      server.url, fields: [("X-Empty", ""), ("X-Full", "a\tb ü")],
      validators: Validators(etag: "\"one\"", lastModified: "Fri, 20 Nov 2026 18:40:00 GMT"))
    let response = try Self.fetch(request).get()
    #expect(response.isUnchanged)
    let lines = server.asked[0].split(separator: "\r\n").map(String.init)
    let expected = [
      "X-Empty:", "X-Full: a\tb ü", "If-None-Match: \"one\"", "If-Modified-Since: Fri, 20 Nov 2026 18:40:00 GMT",
    ]
    for line in expected { #expect(lines.contains(line), "\(lines)") }
    #expect(try Self.fetch(FetchRequest(server.url)).get().isUnchanged == false, "nobody asked whether it was")
  }

  @Test(arguments: [
    FetchRequest("http://127.0.0.1/", fields: [("X-A", "b\r\nHost: other")]),
    FetchRequest("http://127.0.0.1/", fields: [("X-A", "b\nc")]),
    FetchRequest("http://127.0.0.1/", fields: [("X-A", "b\0c")]),
    FetchRequest("http://127.0.0.1/", fields: [("X-A: b\r\nX-B", "c")]),
    FetchRequest("http://127.0.0.1/", fields: [("", "c")]),
    FetchRequest("http://127.0.0.1/", method: "GET / HTTP/1.1\r\nX-A: b\r\nX"),
    FetchRequest("http://127.0.0.1/", validators: Validators(etag: "\"a\"\r\nX-A: b")),
  ])
  func `nothing can be smuggled into the head`(request: FetchRequest) throws {
    guard case .malformed = Self.error(try Self.fetch(request)) else {
      Issue.record("it was sent")
      return
    }
  }

  @Test(arguments: ["/\r\nX-A: b", "/\0x", "/a b", "/\n"])
  func `an address with control characters is refused`(path: String) throws {
    guard case .address = Self.error(try Self.fetch(FetchRequest("http://127.0.0.1:1" + path))) else {
      Issue.record("it was sent")
      return
    }
  }

  // MARK: Cancellation

  @Test func `a cancelled task ends its transfer at once`() throws {
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere)
    let (cancelled, other) = (Answer(), Answer())
    let task = cancelled.begin(client, FetchRequest(server.url), on: loop)
    let otherTask = other.begin(client, FetchRequest(server.url), on: loop)
    let limit = SystemTime().uptime + 10
    while server.asked.count < 2, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    task.cancel()
    while cancelled.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    #expect(cancelled.result.flatMap(Self.error) == .cancelled)
    #expect(other.result == nil, "the other one goes on")
    otherTask.cancel()
    while other.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    #expect(other.result.flatMap(Self.error) == .cancelled)
  }

  @Test func `a task that was cancelled before it asked sends nothing`() throws {
    let server = ScriptedServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    defer { server.stop() }
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere)
    let answer = Answer()
    answer.begin(client, FetchRequest(server.url), on: loop).cancel()
    let limit = SystemTime().uptime + 10
    while answer.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    #expect(answer.result.flatMap(Self.error) == .cancelled)
    #expect(server.asked.isEmpty)
  }

  @Test func `a client may go while connections are kept, and a new one works on the same loop`() throws {
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      writer.waitForEnd()
    }
    defer { server.stop() }
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let limit = SystemTime().uptime + 10
    for _ in 0..<5 {
      let answer = Answer()
      answer.begin(
        HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere), FetchRequest(server.url), on: loop)
      while answer.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
      #expect(try answer.result?.get().status == 200)
      loop.turn(wait: 0)
    }
    // Descriptors of deallocated clients must not be watched any more.
    server.stop()
    for _ in 0..<5 { loop.turn(wait: 0.01) }
  }

  @Test func `closing ends what is under way`() throws {
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere)
    let answer = Answer()
    answer.begin(client, FetchRequest(server.url), on: loop)
    let limit = SystemTime().uptime + 10
    while server.asked.isEmpty, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    client.close()
    while answer.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    #expect(answer.result.flatMap(Self.error) == .cancelled)
    let late = Answer()
    late.begin(client, FetchRequest(server.url), on: loop)
    while late.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    #expect(late.result.flatMap(Self.error) == .cancelled)
  }
}
