import Crypto
import Testing
import WebPush
import Wire

struct SubscriptionTests {
  static func code(_ url: String, listed: [AddressRange] = []) -> WebPushError.Code? {
    do throws(WebPushError) {
      _ = try PushEndpoint(url, listed: listed)
      return nil
    } catch {
      #expect(!error.message.contains(url) || url.isEmpty, "the message tells the secret endpoint")
      return error.code
    }
  }

  @Test(arguments: [
    ("https://fcm.googleapis.com/fcm/send/abc:def", "https://fcm.googleapis.com"),
    ("https://updates.push.services.mozilla.com:443/wpush/v2/gAAA", "https://updates.push.services.mozilla.com"),
    ("HTTPS://WEB.push.Apple.com/QGuQ?a=b%20c", "https://web.push.apple.com"),
    ("https://push.example:8443/", "https://push.example:8443"),
    ("https://192.88.98.1/x", "https://192.88.98.1"),
    ("https://[2606:4700::1111]:444/x", "https://[2606:4700::1111]:444"),
  ])
  func `an endpoint's origin is what tokens are made for`(url: String, origin: String) throws {
    let endpoint = try PushEndpoint(url)
    #expect(endpoint.origin == origin)
    #expect(endpoint.url == url)
  }

  @Test(arguments: [
    "", "push.example/x", "https://push.example", "https:///x", "http://push.example/x", "ftp://push.example/x",
    "https://user@push.example/x", "https://a:b@push.example/x", "https://push.example:0/x",
    "https://push.example:0443/x",
    "https://push.example:65536/x", "https://push.example:443443/x", "https://push.example:/x", "https://pu sh/x",
    "https://push.example/x\n", "https://push.example/\u{e9}", "https://p\u{fc}sh/x", "https://push.example/x#y",
    "https://push.example\\@inside/x", "https://[::1/x", "https://[127.0.0.1]/x", "https://%31/x",
    "file:///etc/passwd", "https://a,b/x", "https://push.example/{x}",
  ])
  func `what is no address of a push service is refused`(url: String) {
    #expect(Self.code(url) == .endpoint)
  }

  @Test func `an endpoint has up to 2048 bytes`() {
    let start = "https://push.example/"
    #expect(Self.code(start + String(repeating: "a", count: 2_048 - start.utf8.count)) == nil)
    #expect(Self.code(start + String(repeating: "a", count: 2_049 - start.utf8.count)) == .endpoint)
  }

  @Test(arguments: [
    "https://127.0.0.1/x", "https://10.0.0.1/x", "https://192.168.1.1:8443/x", "https://169.254.169.254/x",
    "https://[::1]/x", "https://[fe80::1]/x", "https://[::ffff:127.0.0.1]/x", "http://127.0.0.1:80/x",
  ])
  func `an address inside is refused unless its network is listed`(url: String) throws {
    #expect(Self.code(url) == .targetRefused)
    let listed = try ["127.0.0.0/8", "10.0.0.0/8", "192.168.0.0/16", "169.254.0.0/16", "::1", "fe80::/10"].map {
      try AddressRange($0)
    }
    #expect(Self.code(url, listed: listed) == nil)
    #expect(Self.code("http://push.example/x", listed: listed) == .endpoint, "without TLS by name")
  }

  @Test func `a subscription is read as browsers write it`() throws {
    let browser = Browser()
    let keys: JSON = [
      "p256dh": .string(Digest.base64URL(browser.key.publicKey.bytes)),
      "auth": .string(Digest.base64URL(browser.authSecret)),
    ]
    let json: JSON = ["endpoint": "https://push.example/1", "expirationTime": nil, "keys": keys]
    #expect(try PushSubscription(json) == browser.subscription())
    #expect(throws: WebPushError.self) { try PushSubscription(["keys": keys]) }
    #expect(throws: WebPushError.self) { try PushSubscription(nil) }
  }

  @Test func `a key off the curve, too short or with padding is refused`() throws {
    let browser = Browser()
    let (good, auth) = (Digest.base64URL(browser.key.publicKey.bytes), Digest.base64URL(browser.authSecret))
    var beside = browser.key.publicKey.bytes
    beside[64] ^= 1
    let endpoint = try PushEndpoint("https://push.example/1")
    for key in [
      "", Digest.base64URL(beside), String(good.dropLast()), good + "A", good + "=",
      Digest.base64URL([4] + [UInt8](repeating: 0, count: 64)), Digest.base64URL([0] + beside.dropFirst()),
    ] {
      #expect(throws: WebPushError.self) { try PushSubscription(endpoint: endpoint, p256dh: key, auth: auth) }
    }
    for secret in ["", String(auth.dropLast()), auth + "A", auth + "==", String(auth.dropLast()) + "/"] {
      #expect(throws: WebPushError.self) { try PushSubscription(endpoint: endpoint, p256dh: good, auth: secret) }
    }
  }
}
