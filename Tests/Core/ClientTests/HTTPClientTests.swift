import Client
import EventLoop
import Glibc
import Lifecycle
import Observe
import Server
import Synchronization
import Testing
import Wire

/// libcurl with our own server, both on one loop.
struct HTTPClientTests {
  final class Box: Sendable {
    let result = Mutex<Result<FetchResponse, FetchError>?>(nil)
    let isClosed = Mutex(false)
  }

  /// Fetches, turning the loop until there is an answer.
  static func fetch(_ make: (String) -> FetchRequest) throws -> Result<FetchResponse, FetchError> {
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let (silence, end) = AsyncStream<Void>.makeStream()
    let server = HTTPServer(loop: loop, router: router(silence), log: Log(time: SystemTime(), sink: { _ in }))
    let port = try server.listen(ListenAddress("127.0.0.1:0"))
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: .anywhere)
    let request = make("http://127.0.0.1:\(port)")
    let box = Box()
    Task(executorPreference: loop) {
      do throws(FetchError) {
        let response = try await client.fetch(request)
        box.result.withLock { $0 = .success(response) }
      } catch {
        box.result.withLock { $0 = .failure(error) }
      }
    }
    let limit = SystemTime().uptime + 10
    while box.result.withLock({ $0 }) == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    end.finish()
    server.close { box.isClosed.withLock { $0 = true } }
    while !box.isClosed.withLock({ $0 }), SystemTime().uptime < limit + 15 { loop.turn(wait: 0.05) }
    return try #require(box.result.withLock { $0 })
  }

  /// - Parameter silence: "/never" answers once this stream ends.
  static func router(_ silence: AsyncStream<Void>) -> Router {
    var router = Router()
    router.on(
      .get, "/agent",
      .immediate { request throws(HTTPError) in
        Response(json: JSON(request.head.fields["user-agent"]), etag: "one")
      })
    router.on(
      .post, "/echo", bodyLimit: 1 << 20, admit: { _ throws(HTTPError) in },
      .immediate { request throws(HTTPError) in Response(contentType: "text/plain", body: .bytes(request.body)) })
    router.on(
      .get, "/zipped",
      .immediate { _ throws(HTTPError) in
        Response(
          contentType: "text/plain", body: .bytes(Gzip.compress([UInt8](repeating: 97, count: 100_000))),
          fields: [Response.Field("Content-Encoding", "gzip")])
      })
    router.on(
      .get, "/guarded",
      .immediate { _ throws(HTTPError) in
        // Client and server are one process.
        let guarded = (0..<Int32(4_096)).filter { descriptor in
          var (most, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
          return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &most, &size) == 0 && most == 15_000
        }
        return Response(json: .bool(!guarded.isEmpty))
      })
    for (path, target) in [("/there", "/agent"), ("/round", "/round"), ("/file", "file:///etc/passwd")] {
      router.on(
        .get, path,
        .immediate { _ throws(HTTPError) in
          Response(
            status: 302, contentType: "text/plain", body: .bytes([]), fields: [Response.Field("Location", target)])
        })
    }
    router.on(
      .get, "/never",
      .task { _ throws(HTTPError) in
        for await _ in silence {}
        return Response(json: [:])
      })
    return router
  }

  @Test func `an answer comes with its status, fields and body`() throws {
    let response = try Self.fetch { FetchRequest($0 + "/agent") }.get()
    #expect(response.status == 200)
    #expect(response["etag"] == "\"one\"")
    #expect(response.body == Array("\"Test/1\"".utf8))
  }

  @Test func `a connection whose other end is gone is given up long before the system would`() throws {
    #expect(try Self.fetch { FetchRequest($0 + "/guarded") }.get().body == Array("true".utf8))
  }

  @Test func `what is unchanged answers 304`() throws {
    let response = try Self.fetch { FetchRequest($0 + "/agent", fields: [("If-None-Match", "\"one\"")]) }.get()
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
  }

  @Test func `a body is sent`() throws {
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let response = try Self.fetch { FetchRequest($0 + "/echo", method: "POST", body: body) }.get()
    #expect(response.body == body)
  }

  @Test func `a redirect is followed, a circle is not`() throws {
    #expect(try Self.fetch { FetchRequest($0 + "/there") }.get().status == 200)
    guard case .failure(.transfer(.redirects, _)) = try Self.fetch({ FetchRequest($0 + "/round") }) else {
      Issue.record("the circle has an end")
      return
    }
  }

  @Test func `a redirect to a file is refused`() throws {
    guard case .failure(.address) = try Self.fetch({ FetchRequest($0 + "/file") }) else {
      Issue.record("a server can make us read our own files")
      return
    }
  }

  @Test func `the limit counts after decompression`() throws {
    #expect(try Self.fetch { FetchRequest($0 + "/zipped") }.get().body.count == 100_000)
    let result = try Self.fetch { FetchRequest($0 + "/zipped", bodyLimit: 99_999) }
    guard case .failure(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error == .tooLarge(limit: 99_999))
    #expect(error.publicExplanation.text == "the answer is larger than 98 KB")
  }

  @Test func `a server that does not answer is given up`() throws {
    let result = try Self.fetch { FetchRequest($0 + "/never", timeout: 0.2) }
    guard case .failure(.timeout) = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://localhost/x", "no address", "http://", ""])
  func `an address that is none of the web's is refused`(url: String) throws {
    guard case .failure(.address) = try Self.fetch({ _ in FetchRequest(url) }) else {
      Issue.record("\(url) was fetched")
      return
    }
  }

  @Test func `a host may have letters beyond ASCII`() throws {
    // These stand for those of "localhost" (UTS #46).
    let response = try Self.fetch {
      FetchRequest("http://ⓛⓞⓒⓐⓛhost" + $0.dropFirst("http://127.0.0.1".count) + "/agent")
    }.get()
    #expect(response.status == 200)
  }

  @Test func `a server that is not there is told as such`() throws {
    guard
      case .failure(.transfer(.unreachable, let words)) = try Self.fetch({ _ in FetchRequest("http://127.0.0.1:1/") })
    else {
      Issue.record("something answered")
      return
    }
    #expect(words.contains("127.0.0.1"))
  }
}
