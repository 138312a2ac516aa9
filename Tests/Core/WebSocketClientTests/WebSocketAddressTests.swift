import Testing
import WebSocketClient

struct WebSocketAddressTests {
  static let accepted: [(String, Bool, String, UInt16, String)] = [
    ("http://127.0.0.1:8080/gateway", false, "127.0.0.1", 8080, "/gateway"),
    ("https://bells.example/gateway", true, "bells.example", 443, "/gateway"),
    ("ws://bells.example", false, "bells.example", 80, "/"),
    ("WSS://Bells.Example:1/a/b?c=d#e", true, "Bells.Example", 1, "/a/b?c=d"),
    ("https://[2001:db8::1]:8443/x", true, "2001:db8::1", 8443, "/x"),
    ("http://[::1]", false, "::1", 80, "/"),
    ("http://a?b", false, "a", 80, "/?b"),
  ]

  @Test(arguments: accepted)
  func `a URL has its parts`(url: String, isSecure: Bool, host: String, port: UInt16, target: String) throws {
    let address = try #require(WebSocketAddress(url))
    #expect(address.isSecure == isSecure && address.host == host && address.port == port && address.target == target)
  }

  @Test(arguments: [
    "", "http", "http:", "http:/a", "http://", "http:///x", "ftp://a", "127.0.0.1:8080", "http://a:0", "http://a:65536",
    "http://a:x", "http://a:", "http://user@a", "http://a b", "http://ä", "http://[::1", "http://[a]",
    "http://[1.2.3.4]",
    "http://a\r\nX: y", "http://\(String(repeating: "a", count: 254))", "http://a:-1", "http://a:+80",
  ])
  func `all else is refused`(url: String) { #expect(WebSocketAddress(url) == nil) }

  @Test func `loopback is this machine`() {
    for url in ["http://127.1.2.3", "http://[::1]", "http://localhost", "http://hub.localhost", "http://LOCALHOST"] {
      #expect(WebSocketAddress(url)?.isLoopback == true)
    }
    for url in ["http://192.0.2.1", "http://localhost.example", "http://[2001:db8::1]"] {
      #expect(WebSocketAddress(url)?.isLoopback == false)
    }
  }
}
