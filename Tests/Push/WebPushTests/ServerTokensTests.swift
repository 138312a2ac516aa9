import Crypto
import Testing
import WebPush
import Wire
import World

struct ServerTokensTests {
  /// The token of a field `vapid t=…,k=…`: its claims, when the signature is right.
  static func claims(_ field: String, _ key: ApplicationServerKey) throws -> JSON {
    let parts = field.split { " ,".contains($0) }
    try #require(parts.count == 3 && parts[0] == "vapid" && parts[1].hasPrefix("t="))
    #expect(parts[2] == "k=\(key.publicText)")
    let token = parts[1].dropFirst(2).split(separator: ".").map(String.init)
    try #require(token.count == 3)
    #expect(key.key.publicKey.verifies(decoded(token[2]), of: Array("\(token[0]).\(token[1])".utf8)))
    #expect(try JSON(parsing: decoded(token[0])) == ["typ": "JWT", "alg": "ES256"])
    return try JSON(parsing: decoded(token[1]))
  }

  @Test func `a token says for whom it is, until when, and who sends`() throws {
    let (time, key) = (VirtualTime(1_795_200_000.7), ApplicationServerKey())
    let tokens = ServerTokens(key, contact: "mailto:watch@hub.example", time: time)
    let claims = try Self.claims(tokens.authorization(for: "https://push.example"), key)
    #expect(claims == ["aud": "https://push.example", "exp": 1_795_243_200, "sub": "mailto:watch@hub.example"])
    let without = ServerTokens(key, contact: nil, time: time)
    #expect(try Self.claims(without.authorization(for: "https://a.example"), key)["sub"] == nil)
  }

  @Test func `a token is used until an hour before its end, for its origin alone`() throws {
    let (time, key) = (VirtualTime(), ApplicationServerKey())
    let tokens = ServerTokens(key, contact: nil, time: time)
    let first = tokens.authorization(for: "https://push.example")
    #expect(tokens.authorization(for: "https://other.example") != first)
    time.advance(by: 11 * 3600)
    #expect(tokens.authorization(for: "https://push.example") == first)
    time.advance(by: 1)
    let second = tokens.authorization(for: "https://push.example")
    #expect(second != first)
    #expect(try Self.claims(second, key)["exp"]?.number == time.now.rounded(.down) + 43_200)
  }

  @Test func `a clock that was set back makes no token that is good for more than a day`() throws {
    let (time, key) = (VirtualTime(), ApplicationServerKey())
    let tokens = ServerTokens(key, contact: nil, time: time)
    _ = tokens.authorization(for: "https://push.example")
    time.setClock(by: -86_400)
    let exp = try Self.claims(tokens.authorization(for: "https://push.example"), key)["exp"]?.number
    #expect(try #require(exp) - time.now <= 86_400)
  }

  @Test func `invented origins push out the oldest token only`() throws {
    let (time, key) = (VirtualTime(), ApplicationServerKey())
    let tokens = ServerTokens(key, contact: nil, time: time)
    let oldest = tokens.authorization(for: "https://oldest.example")
    time.advance(by: 60)
    let kept = tokens.authorization(for: "https://push.example")
    time.advance(by: 60)
    for number in 0..<255 { _ = tokens.authorization(for: "https://\(number).example") }
    #expect(tokens.authorization(for: "https://push.example") == kept)
    #expect(tokens.authorization(for: "https://oldest.example") != oldest)
  }

  @Test func `a key is kept as 32 bytes`() throws {
    let key = ApplicationServerKey()
    #expect(try #require(ApplicationServerKey(key.key.bytes)).publicText == key.publicText)
    #expect(decoded(key.publicText).count == 65)
    #expect(ApplicationServerKey([]) == nil)
    #expect(ApplicationServerKey([UInt8](repeating: 0, count: 32)) == nil)
  }
}
