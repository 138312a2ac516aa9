import Server
import Testing
import Wire
import World

/// The rates of callers, checked before a request's body is read.
struct RateTests {
  let time = VirtualTime()
  let rate = Rate(burst: 3, perSecond: 0.5)

  func buckets(most: Int = 100) -> TokenBuckets<Int> { TokenBuckets(most: most, for: 6, time: time) }

  // MARK: Buckets

  @Test func `so many come at once, then one with each refill, and never more at once than in the beginning`() {
    var bucket = TokenBucket(rate, now: 0)
    for _ in 0..<3 { #expect(bucket.take(rate, now: 0) == nil) }
    #expect(bucket.take(rate, now: 0) == 2)
    #expect(bucket.take(rate, now: 1) == 1, "whoever asks in vain loses nothing by it")
    #expect(bucket.take(rate, now: 2) == nil)
    #expect(bucket.take(rate, now: 2) != nil)
    for _ in 0..<3 { #expect(bucket.take(rate, now: 1_000) == nil) }
    #expect(bucket.take(rate, now: 1_000) != nil)
  }

  @Test func `what is put back can be taken again, and no more than that`() {
    var bucket = TokenBucket(rate, now: 0)
    bucket.putBack(rate)
    for _ in 0..<3 { #expect(bucket.take(rate, now: 0) == nil) }
    bucket.putBack(rate)
    #expect(bucket.take(rate, now: 0) == nil)
    #expect(bucket.take(rate, now: 0) != nil)
  }

  @Test func `each key has its own bucket, and keeps it as long as it is not full`() {
    let buckets = buckets()
    for _ in 0..<3 { #expect(buckets.take(1, rate) == nil) }
    #expect(buckets.take(2, rate) == nil)
    // Long enough for several generations: a bucket that is in use must move to the next.
    for _ in 0..<20 {
      #expect(buckets.take(1, rate) != nil)
      time.advance(by: 1.9)
      #expect(buckets.take(1, rate) != nil)
      time.advance(by: 0.1)
      #expect(buckets.take(1, rate) == nil)
    }
  }

  @Test func `a full bucket is forgotten, and where there are too many, those not used for longest`() {
    let buckets = buckets(most: 100)
    for key in 0..<1_000 { #expect(buckets.take(key, rate) == nil) }
    #expect(buckets.count <= 100)
    for _ in 0..<2 { #expect(buckets.take(999, rate) == nil) }
    #expect(buckets.take(999, rate) != nil, "the last ones are remembered")
    time.advance(by: 12)
    _ = buckets.take(1, rate)
    #expect(buckets.count == 1)
  }

  // MARK: Routes

  static let few = RouteRate("few", strangers: Rate(burst: 2, perSecond: 0.1), known: Rate(burst: 4, perSecond: 1))

  /// A server that identifies callers by a given name and trusts a proxy on this machine.
  func bench(isLimiting: Bool = true) throws -> Bench {
    var router = Router(
      rates: RequestRates(time: time, isLimiting: isLimiting) { request in request.head.fields["name"] })
    let answer = Handler.task { request throws(HTTPError) in Response(json: .int(request.body.count)) }
    router.on(.get, "/few", rate: Self.few, .immediate { _ throws(HTTPError) in Response(json: "few") })
    router.on(.put, "/few", rate: Self.few, answer)
    router.on(.post, "/write", answer)
    return try Bench(router, time: time, trustedProxies: [try AddressRange("127.0.0.0/8")])
  }

  /// Sends one request on its own connection: the status, and the whole answer.
  func ask(_ bench: Bench, _ head: String, _ fields: String..., body: String = "") -> (status: Int, text: String) {
    let peer = bench.connect()
    let lines = ["\(head) HTTP/1.1", "Host: a"] + fields + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
    peer.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    var text = ""
    bench.turn {
      text += peer.received().text
      return text.contains("\r\n\r\n")
    }
    return (Int(text.dropFirst("HTTP/1.1 ".utf8.count).prefix(3)) ?? 0, text)
  }

  @Test func `past its rate a caller is told how long to wait, and then may come again`() throws {
    let bench = try bench()
    for _ in 0..<2 { #expect(ask(bench, "GET /few").status == 200) }
    let (status, text) = ask(bench, "GET /few")
    #expect(status == 429)
    #expect(text.contains("Retry-After: 10\r\n"))
    #expect(text.contains("\"code\":42902"))
    #expect(text.contains("Wait 10 s"))
    time.advance(by: 9.5)
    #expect(ask(bench, "GET /few").text.contains("Retry-After: 1\r\n"))
    time.advance(by: 0.5)
    #expect(ask(bench, "GET /few").status == 200)
    let free = try self.bench(isLimiting: false)
    for _ in 0..<3 { #expect(ask(free, "GET /few").status == 200, "nobody waits without limits") }
  }

  @Test func `each address counts for itself, an IPv6 /64 as one, and who is known wherever they are`() throws {
    let bench = try bench()
    func statuses(_ fields: [String]) -> [Int] { fields.map { ask(bench, "GET /few", $0).status } }
    let from = "X-Forwarded-For: "
    #expect(statuses(Array(repeating: "\(from)192.0.2.1", count: 3)) == [200, 200, 429])
    #expect(statuses(["\(from)192.0.2.2"]) == [200])
    #expect(statuses(["1", "2", "ffff:3"].map { "\(from)2001:db8::\($0)" }) == [200, 200, 429])
    #expect(statuses(["\(from)2001:db8:0:1::1"]) == [200])
    for _ in 0..<4 { #expect(ask(bench, "GET /few", "\(from)192.0.2.1", "Name: Ada").status == 200) }
    #expect(ask(bench, "GET /few", "\(from)192.0.2.7", "Name: Ada").status == 429)
    #expect(ask(bench, "GET /few", "\(from)192.0.2.1", "Name: Bo").status == 200)
  }

  @Test func `routes that name one rate share it, and others do not`() throws {
    let bench = try bench()
    #expect(ask(bench, "GET /few").status == 200)
    #expect(ask(bench, "PUT /few", body: "x").status == 200)
    #expect(ask(bench, "GET /few").status == 429)
    #expect(ask(bench, "POST /write", body: "x").status == 200)
  }

  @Test func `what changes something has a rate unless it is said, what is read has none`() {
    var router = Router(rates: RequestRates(time: time) { _ in nil })
    let answer = Handler.immediate { _ throws(HTTPError) in Response(json: "x") }
    for method in [Method.get, .post, .put, .patch, .delete] { router.on(method, "/usual", answer) }
    router.on(.post, "/few", rate: Self.few, answer)
    func rate(_ method: Method, _ path: String) -> RouteRate? {
      guard case .route(let route, _) = router.match(method, path[...]) else { return nil }
      return route.countedRate
    }
    for method in [Method.post, .put, .patch, .delete] { #expect(rate(method, "/usual") == .writes) }
    for method in [Method.get, .head] { #expect(rate(method, "/usual") == nil) }
    #expect(rate(.post, "/few") == Self.few)
  }

  @Test func `nothing of a body is read of whoever comes too often`() throws {
    let bench = try bench()
    for _ in 0..<2 { #expect(ask(bench, "GET /few").status == 200) }
    let peer = bench.connect()
    peer.send("PUT /few HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 60000\r\n\r\n")
    var text = ""
    bench.turn {
      text += peer.received().text
      return text.contains("\r\n\r\n")
    }
    #expect(text.hasPrefix("HTTP/1.1 429 "), "and no 100 Continue")
    #expect(text.contains("Connection: close\r\n"))
  }
}
