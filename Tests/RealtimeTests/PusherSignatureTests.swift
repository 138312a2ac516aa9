import Crypto
import Realtime
import Server
import Testing

struct PusherSignatureTests {
  private static let (key, secret) = ("278d425bdf160c739803", "7ad3773142a6692b25b8")
  private static let time = 1_353_088_179.0
  private static let body = #"{"name":"foo","channels":["project-3"],"data":"{\"some\":\"data\"}"}"#
  private static let query =
    "auth_key=278d425bdf160c739803&auth_timestamp=1353088179&auth_version=1.0"
    + "&body_md5=ec365a775a4cd0599faeb73354201b6f"
    + "&auth_signature=da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c"

  /// The fault of a request; nil if it is accepted.
  private static func fault(
    _ query: String = query, method: String = "POST", path: String = "/apps/3/events", body: String = body,
    secrets: [String] = [secret], now: Double = time
  ) -> ErrorCode? {
    let signature = PusherSignature(method: method, path: path, query: query)
    do throws(HTTPError) {
      try signature.check(key: key, secrets: secrets, now: now)
      try signature.check(body: Array(body.utf8))
      return nil
    } catch {
      return error.code
    }
  }

  /// A query signed anew, so that only what a test has changed is wrong with it.
  private static func signed(_ query: String, method: String = "GET", path: String) -> String {
    let text = "\(method)\n\(path)\n\(query)"
    return query + "&auth_signature=" + Digest.hex(Digest.hmacSHA256(text.utf8, key: Array(secret.utf8)))
  }

  @Test func `the example of Pusher's reference is accepted, also in another order`() {
    #expect(Self.fault() == nil)
    #expect(Self.fault(Self.query.split(separator: "&").reversed().joined(separator: "&")) == nil)
    #expect(Self.fault(Self.query.replacing("auth_key", with: "AUTH_KEY")) == nil)
  }

  @Test func `a secret that counts for a while is accepted, and another one is not`() {
    #expect(Self.fault(secrets: ["new", Self.secret]) == nil)
    #expect(Self.fault(secrets: ["new"]) == .wrongSignature)
    #expect(Self.fault(secrets: []) == .wrongSignature)
  }

  @Test func `a time stamp may be ten minutes off, and not a second more`() {
    for (seconds, isRight) in [(600.0, true), (-600, true), (601, false), (-601, false)] {
      #expect((Self.fault(now: Self.time + seconds) == nil) == isRight, "\(seconds) s")
    }
  }

  @Test(arguments: [
    ("auth_timestamp=1353088179", "auth_timestamp=1353088180"), ("auth_timestamp=1353088179&", ""),
    ("auth_timestamp=1353088179", "auth_timestamp=-9223372036854775808"), ("auth_version=1.0", "auth_version=1.1"),
    ("auth_version=1.0", "auth_version=1.0&more=1"), ("auth_key=278d", "auth_key=378d"), ("da454824", "ea454824"),
    ("da454824", ""), ("&body_md5=ec365a775a4cd0599faeb73354201b6f", ""), ("ec365a77", "ed365a77"),
  ])
  func `a query that was changed is refused`(what: String, by: String) {
    #expect(Self.fault(Self.query.replacing(what, with: by)) == .wrongSignature)
  }

  @Test func `another method, path or body is refused`() {
    #expect(Self.fault(method: "GET") == .wrongSignature)
    #expect(Self.fault(path: "/apps/4/events") == .wrongSignature)
    #expect(Self.fault(body: Self.body + " ") == .wrongSignature)
    #expect(Self.fault(body: "") == .wrongSignature)
  }

  @Test func `a body that was not signed is refused, and none need not be`() {
    let query = Self.signed(
      "auth_key=\(Self.key)&auth_timestamp=1353088179&auth_version=1.0", path: "/apps/3/channels")
    #expect(Self.fault(query, method: "GET", path: "/apps/3/channels", body: "") == nil)
    #expect(Self.fault(query, method: "GET", path: "/apps/3/channels", body: "x") == .wrongSignature)
  }

  @Test func `values are signed as they are before they are escaped, and paths either way`() {
    let plain = "auth_key=\(Self.key)&auth_timestamp=1353088179&auth_version=1.0&info=user_count,cache"
    let query = Self.signed(plain, path: "/apps/3/channels/a=b").replacing(",", with: "%2C")
    for path in ["/apps/3/channels/a=b", "/apps/3/channels/a%3Db"] {
      #expect(Self.fault(query, method: "GET", path: path, body: "") == nil, "\(path)")
    }
    let escaped = Self.signed(plain, path: "/apps/3/channels/a%3Db")
    #expect(Self.fault(escaped, method: "GET", path: "/apps/3/channels/a%3Db", body: "") == nil)
  }
}
