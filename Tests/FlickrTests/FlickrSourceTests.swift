import Client
import EventLoop
import Galleries
import Lifecycle
import Synchronization
import Testing
import Wire
import World

@testable import Flickr

/// The source over real connections, to a server that says what a test wants.
struct FlickrSourceTests {
  /// Answers by what is asked, and what was asked.
  final class Stage: Sendable {
    private let server = Mutex<ScriptedServer?>(nil)
    private let waited = Mutex<[Double]>([])
    let loop = EventLoop(time: SystemTime())

    /// - Parameter answer: from the line with the address and the number of its request, to a status and a body.
    init(_ answer: @escaping @Sendable (String, Int) -> String) {
      let made = ScriptedServer { [self] writer in
        let asked = server.withLock { $0 }?.asked ?? []
        let line = asked.last.map { String($0.prefix { $0 != "\r\n" && $0 != "\r" }) } ?? ""
        writer.write(answer(line, asked.count))
      }
      server.withLock { $0 = made }
    }

    var asked: [String] { server.withLock { $0?.asked ?? [] } }
    var waits: [Double] { waited.withLock { $0 } }
    var url: String { server.withLock { $0?.url ?? "" } }

    /// Does the work with a source, turning the loop until it has ended.
    func run<Result: Sendable>(
      token: FlickrToken? = nil, _ work: @escaping @Sendable (FlickrSource) async -> Result
    ) throws -> Result {
      loop.turn(wait: 0)
      let box = Box<Result>()
      let client = HTTPClient(
        loop: loop, userAgent: "Test/1", addresses: .publicInternet(and: [try AddressRange("127.0.0.0/8")]))
      let key = try #require(FlickrKey(key: "9a05", secret: "00ff"))
      let api = FlickrAPI(
        key: key, addresses: FlickrAddresses(base: url), client: client, time: SystemTime(),
        count: { _ in 0 },
        wait: { [self] seconds throws(CancellationError) in
          waited.withLock { $0.append(seconds) }
          try await loop.pause(for: min(seconds, 0.01))
        })
      let source = FlickrSource(api: api, user: "1@N01", token: token, time: SystemTime())
      Task(executorPreference: loop) {
        let result = await work(source)
        box.result.withLock { $0 = result }
      }
      let limit = SystemTime().uptime + 20
      while box.result.withLock({ $0 == nil }), SystemTime().uptime < limit { loop.turn(wait: 0.05) }
      server.withLock { $0?.stop() }
      return try #require(box.result.withLock { $0 })
    }
  }

  final class Box<Value: Sendable>: Sendable { let result = Mutex<Value?>(nil) }

  actor File: PictureFile {
    nonisolated let limit = 100_000
    private(set) var bytes: [UInt8] = []
    func append(_ more: [UInt8]) { bytes += more }
  }

  static func http(_ body: String, _ status: String = "200 OK", _ fields: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)Connection: close\r\n\r\n\(body)"
  }

  static func fetch(_ source: FlickrSource, _ url: String) async -> (fault: SourceFault?, bytes: Int) {
    let file = File()
    let picture = SourcePicture(id: "1", version: "1", file: FlickrFile(url: url, photo: "1").text)
    do throws(SourceFault) {
      try await source.fetch(picture, into: file)
      return (nil, await file.bytes.count)
    } catch {
      return (error, await file.bytes.count)
    }
  }

  static func fault(_ stage: Stage, token: FlickrToken? = nil) throws -> SourceFault? {
    try stage.run(token: token) { source in
      do throws(SourceFault) {
        _ = try await source.galleries()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `galleries come in the order of the collections, and a call says who asks by its header`() throws {
    let stage = Stage { line, _ in
      line.contains("getTree")
        ? Self.http(#"{"collections":{"collection":[{"set":[{"id":"3"}]}]},"stat":"ok"}"#)
        : Self.http(
          #"{"photosets":{"total":"3","photoset":[{"id":"1","title":{"_content":"A"},"photos":"7"},{"id":"2"},"#
            + #"{"id":"3","title":"C","photos":501,"videos":0,"date_update":"17"}]},"stat":"ok"}"#)
    }
    let token = FlickrToken(token: "my-token", secret: "my-secret", user: "1@N01", name: "Ada")
    let galleries = try stage.run(token: token) { source in try? await source.galleries() }
    #expect(galleries?.map(\.id) == ["3", "1", "2"] && galleries?.map(\.title) == ["C", "A", ""])
    // A set of one call is asked for each time.
    #expect(galleries?.map { $0.tag == nil } == [false, true, true])
    #expect(stage.asked.count == 2)
    for head in stage.asked {
      #expect(head.contains("Authorization: OAuth ") && head.contains("oauth_token=\"my-token\""))
      #expect(!head.contains("my-secret") && !head.prefix { $0 != "\r\n" }.contains("my-token"))
    }
  }

  @Test func `numbers that no list can have do no harm`() throws {
    let most = Int.max
    let stage = Stage { line, _ in
      let list =
        line.contains("&page=2&")
        ? #""page":2,"total":"\#(most)","photoset":[{"id":"2","photos":"\#(Int.min)"}]"#
        : #""page":1,"total":"\#(most)","photoset":[{"id":"1","photos":"\#(most)","videos":\#(most)}]"#
      return Self.http(line.contains("getTree") ? #"{"stat":"ok"}"# : #"{"photosets":{\#(list)},"stat":"ok"}"#)
    }
    let galleries = try stage.run { source in try? await source.galleries() }
    #expect(galleries?.map(\.id) == ["1", "2"])
  }

  @Test func `a revoked token is denied at once, and a busy Flickr is asked three times`() throws {
    let revoked = Stage { _, _ in Self.http(#"{"stat":"fail","code":98,"message":"Invalid auth token"}"#) }
    guard case .denied = try Self.fault(revoked) else {
      Issue.record("not denied")
      return
    }
    #expect(revoked.asked.count == 1)
    let busy = Stage { _, _ in Self.http("<h1>429 Too Many Requests</h1>", "429 Too Many Requests") }
    guard case .later(let seconds?, _) = try Self.fault(busy) else {
      Issue.record("not later")
      return
    }
    #expect(busy.asked.count == 3 && busy.waits.count == 2 && seconds > 1)
    let once = Stage { line, count in
      count == 1 ? Self.http("<html>", "502 Bad Gateway") : Self.http(#"{"photosets":{"total":0},"stat":"ok"}"#)
    }
    #expect(try Self.fault(once) == nil && once.asked.count == 2)
  }

  @Test func `a long Retry-After is the hub's to wait for`() throws {
    let stage = Stage { _, _ in Self.http("", "429 Too Many Requests", "Retry-After: 600\r\n") }
    guard case .later(let seconds?, _) = try Self.fault(stage) else {
      Issue.record("not later")
      return
    }
    #expect(seconds > 590 && stage.asked.count == 1)
  }

  @Test func `sets that are counted but not listed are not taken for deleted`() throws {
    let stage = Stage { _, _ in Self.http(#"{"photosets":{"total":5,"photoset":[]},"stat":"ok"}"#) }
    guard case .later = try Self.fault(stage) else {
      Issue.record("taken for deleted")
      return
    }
  }

  @Test func `a set that is not found is broken, not gone`() throws {
    let stage = Stage { _, _ in Self.http(#"{"stat":"fail","code":1,"message":"Photoset not found"}"#) }
    let fault = try stage.run { source -> SourceFault? in
      do throws(SourceFault) {
        try await source.pictures(of: SourceGallery(id: "1", title: "")) { _ throws(SourceFault) in }
        return nil
      } catch {
        return error
      }
    }
    guard case .broken = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test func `a file is fetched, also by a redirect, and none that leads inside is followed`() throws {
    let jpeg = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
    let stage = Stage { line, _ in
      line.contains("/moved")
        ? Self.http("", "302 Found", "Location: /there\r\n")
        : line.contains("/inside")
          ? Self.http("", "302 Found", "Location: http://169.254.169.254/latest\r\n")
          : line.contains("/gone")
            ? Self.http("", "302 Found", "Location: /pw/images/en-us/photo_unavailable.png\r\n")
            : line.contains("/round") ? Self.http("", "302 Found", "Location: /round\r\n") : jpeg
    }
    let base = stage.url
    let results = try stage.run { source in
      var results: [(fault: SourceFault?, bytes: Int)] = []
      for path in ["plain", "moved", "gone", "inside", "round"] {
        results.append(await Self.fetch(source, base + path))
      }
      return results
    }
    #expect(results.map(\.bytes) == [3, 3, 0, 0, 0] && results[0].fault == nil && results[1].fault == nil)
    #expect(results[2].fault == .gone)
    for result in results[3...] {
      guard case .broken = result.fault else {
        Issue.record("\(String(describing: result.fault))")
        continue
      }
    }
    #expect(stage.asked.count { $0.contains("/round") } == FlickrLimits.redirects + 1)
  }

  @Test func `one file that fails is skipped, and a busy host is left alone`() throws {
    let stage = Stage { line, _ in
      line.contains("/bad")
        ? Self.http("", "500 Oops") : line.contains("/busy") ? Self.http("", "429 Busy") : Self.http("x")
    }
    let base = stage.url
    let results = try stage.run { source in
      var results: [SourceFault?] = []
      for path in ["bad", "good", "bad", "bad", "good", "busy", "good"] {
        results.append(await Self.fetch(source, base + path).fault)
      }
      return results
    }
    for index in [0, 2, 3] {
      guard case .broken = results[index] else {
        Issue.record("\(index): \(String(describing: results[index]))")
        continue
      }
    }
    #expect(results[1] == nil && results[4] == nil && results[6] == nil)
    guard case .later = results[5] else {
      Issue.record("not later")
      return
    }
    #expect(stage.asked.count { $0.contains("/bad") } == 9)
  }
}
