import Testing
import Wire

struct ForwardingTests {
  static func trusted() throws -> [AddressRange] {
    try ["127.0.0.0/8", "10.0.0.0/8", "::1", "fe80::/10"].map { text throws in try AddressRange(text) }
  }

  @Test(
    arguments: [
      // The peer is not a proxy, so its fields are ignored.
      ("192.0.2.1", "198.51.100.7", "192.0.2.1"), ("192.0.2.1", "127.0.0.1", "192.0.2.1"),
      ("127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
      ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"), ("fe80::1%eth0", "2001:DB8::7", "2001:db8::7"),
      // A client's own value stands left of the proxy's.
      ("127.0.0.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"), ("127.0.0.1", "10.0.0.9,198.51.100.7", "198.51.100.7"),
      ("127.0.0.1", "198.51.100.7, 10.0.0.2, 10.0.0.1", "198.51.100.7"),
      ("127.0.0.1", "1.1.1.1,198.51.100.7 ,\t10.0.0.1", "198.51.100.7"),
      ("127.0.0.1", "10.0.0.2, 10.0.0.1", "10.0.0.2"),
      // An unreadable element ends the search at the last address that is certain.
      ("127.0.0.1", "198.51.100.7, unknown, 10.0.0.1", "10.0.0.1"), ("127.0.0.1", "_hidden", "127.0.0.1"),
      ("127.0.0.1", "198.51.100.7,", "127.0.0.1"), ("127.0.0.1", "", "127.0.0.1"),
      ("127.0.0.1", "198.51.100.7:4711", "198.51.100.7"), ("127.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
      ("127.0.0.1", "[2001:db8::7]", "2001:db8::7"), ("127.0.0.1", "2001:db8::7", "2001:db8::7"),
      ("127.0.0.1", "198.51.100.7:99999", "127.0.0.1"), ("127.0.0.1", "198.51.100.7:", "127.0.0.1"),
      ("127.0.0.1", "[198.51.100.7]", "127.0.0.1"), ("127.0.0.1", "[2001:db8::7]x", "127.0.0.1"),
      ("127.0.0.1", "[2001:db8::7", "127.0.0.1"), ("127.0.0.1", "198.51.100.7:+1", "127.0.0.1"),
      ("", "198.51.100.7", ""),
    ] as [(String, String?, String)])
  func `the client is the first from the right that is no proxy`(peer: String, list: String?, client: String) throws {
    #expect(clientAddress(peer: peer, forwardedFor: list, trusted: try Self.trusted()) == client)
    #expect(clientAddress(peer: peer, forwardedFor: list, trusted: []) == peer)
  }

  static func read(_ fields: KeyValuePairs<String, String>, peer: String = "127.0.0.1") throws -> Forwarding {
    Forwarding(Fields(fields), peer: peer, trusted: try trusted())
  }

  @Test func `scheme and host count from a proxy alone`() throws {
    let fields: KeyValuePairs = [
      "X-Forwarded-For": "1.1.1.1", "x-forwarded-for": "198.51.100.7", "X-Forwarded-Proto": "HTTPS",
      "X-Forwarded-Host": "hub.example:8443",
    ]
    let known = try Self.read(fields)
    #expect(known.address == "198.51.100.7")
    #expect(known.scheme == "https")
    #expect(known.host == "hub.example:8443")
    let stranger = try Self.read(fields, peer: "192.0.2.1")
    #expect(stranger.address == "192.0.2.1")
    #expect(stranger.scheme == nil)
    #expect(stranger.host == nil)
  }

  @Test(arguments: [
    ("https", "https"), ("http", "http"), ("http, https", "https"), ("https,http", "http"), ("ftp", nil), ("", nil),
    ("https://", nil), ("https,", "https"), ("wss", "https"), ("ws", "http"),
  ])
  func `a scheme is http or https, also of a WebSocket`(text: String, scheme: String?) throws {
    #expect(try Self.read(["X-Forwarded-Proto": text]).scheme == scheme)
  }

  @Test(arguments: [
    ("a.example", "a.example"), ("evil.example, a.example", "a.example"), ("[::1]:80", "[::1]:80"),
    ("a.example/path", nil), ("a b", nil), ("me@a.example", nil), ("", nil), ("a.example\"", nil), ("ä.example", nil),
    (String(repeating: "a", count: 262), nil),
  ])
  func `a host is a host`(text: String, host: String?) throws {
    #expect(try Self.read(["X-Forwarded-Host": text]).host == host)
  }
}
