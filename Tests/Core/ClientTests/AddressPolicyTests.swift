import Client
import EventLoop
import Glibc
import Lifecycle
import Observe
import Server
import Synchronization
import Testing
import Wire

/// The client's address policy. The server listens on every address of this machine, so every permitted request
/// arrives.
struct AddressPolicyTests {
  static func fetch(
    _ addresses: AddressPolicy, _ make: (_ port: Int) -> String
  ) throws -> Result<FetchResponse, FetchError> {
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    var router = Router()
    router.on(.get, "/here", .immediate { _ throws(HTTPError) in Response(json: "arrived") })
    router.on(
      .get, "/to",
      .immediate { request throws(HTTPError) in
        Response(
          status: 302, contentType: "text/plain", body: .bytes([]),
          fields: [Response.Field("Location", request.query["url"] ?? "")])
      })
    let server = HTTPServer(loop: loop, router: router, log: Log(time: SystemTime(), sink: { _ in }))
    let port = try server.listen(ListenAddress("0.0.0.0:0"))
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: addresses)
    let answer = HostileServerTests.Answer()
    answer.begin(client, FetchRequest(make(port)), on: loop)
    let limit = SystemTime().uptime + 10
    while answer.result == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    let closed = HTTPClientTests.Box()
    server.close { closed.isClosed.withLock { $0 = true } }
    while !closed.isClosed.withLock({ $0 }), SystemTime().uptime < limit + 15 { loop.turn(wait: 0.05) }
    return try #require(answer.result)
  }

  static func ranges(_ texts: String...) throws -> [AddressRange] { try texts.map { try AddressRange($0) } }

  /// Other spellings of 127.0.0.1, and other addresses of this machine.
  static let loopbacks = [
    "127.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "2130706433", "0x7f.1", "127.1", "0177.0.0.1",
    "0.0.0.0", "LOCALHOST",
  ]

  static func isRefused(_ result: Result<FetchResponse, FetchError>) -> Bool {
    if case .failure(.refusedAddress) = result { true } else { false }
  }

  @Test(arguments: loopbacks)
  func `this machine is refused, however it is spelled`(host: String) throws {
    let result = try Self.fetch(.publicInternet()) { "http://\(host):\($0)/here" }
    #expect(Self.isRefused(result), "\(result)")
  }

  @Test(arguments: loopbacks)
  func `a redirect leads to nothing that is refused`(host: String) throws {
    // One address of this machine is allowed, and redirects to another.
    let policy = AddressPolicy.publicInternet(and: try Self.ranges("127.0.0.2"))
    let result = try Self.fetch(policy) { "http://127.0.0.2:\($0)/to?url=http://\(host):\($0)/here" }
    #expect(Self.isRefused(result), "\(result)")
  }

  @Test(arguments: ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "2130706433"])
  func `what is allowed is reached, at once and by a redirect`(host: String) throws {
    let policy = AddressPolicy.publicInternet(and: try Self.ranges("127.0.0.0/8"))
    #expect(try Self.fetch(policy) { "http://\(host):\($0)/here" }.get().status == 200)
    let response = try Self.fetch(policy) { "http://127.0.0.2:\($0)/to?url=http://\(host):\($0)/here" }.get()
    #expect(response.body == Array("\"arrived\"".utf8))
  }

  @Test(arguments: [
    "169.254.169.254", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[::1]", "[::]",
    "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "255.255.255.255", "192.0.2.1",
  ])
  func `networks that are not public are refused before a packet goes out`(host: String) throws {
    let result = try Self.fetch(.publicInternet()) { _ in "http://\(host)/" }
    guard case .failure(.refusedAddress(let address)) = result else {
      // Without IPv6 on this machine, the connection fails instead of being refused.
      let isUnreachable = if case .failure(.transfer(.unreachable, _)) = result { host.hasPrefix("[") } else { false }
      #expect(isUnreachable, "\(result)")
      return
    }
    #expect(!address.isPublic)
  }

  @Test func `the owner is told which setting allows it, everyone no address`() throws {
    guard case .failure(let error) = try Self.fetch(.publicInternet(), { "http://localhost:\($0)/here" }) else {
      Issue.record("it was reached")
      return
    }
    #expect(error.explanation.text.contains("reachable_networks = "))
    #expect(error.publicExplanation.text.contains("reachable_networks"))
    #expect(!error.publicExplanation.text.contains("127"))
  }

  @Test func `a proxy of the environment is no way around`() async {
    await #expect(processExitsWith: .success) {
      // No proxy listens there; if it were used, every address would count as the proxy's.
      setenv("http_proxy", "http://127.0.0.3:9", 1)
      setenv("all_proxy", "http://127.0.0.3:9", 1)
      let policy = AddressPolicy.publicInternet(and: try AddressPolicyTests.ranges("127.0.0.1", "127.0.0.3"))
      let reached = try AddressPolicyTests.fetch(policy) { "http://127.0.0.1:\($0)/here" }.get()
      #expect(reached.status == 200)
      let result = try AddressPolicyTests.fetch(policy) { "http://127.0.0.2:\($0)/here" }
      #expect(AddressPolicyTests.isRefused(result), "\(result)")
    }
  }
}
