import APNs
import APNsSender
import Crypto
import Testing

/// The tokens by which the hub shows who it is.
struct TokenMakerTests {
  private static let now = 1_795_200_000.0

  @Test func `the entry takes a token, and it is used until shortly before its end`() throws {
    let key = P256PrivateKey()
    var maker = TokenMaker(team: "TEAM123456", keyID: "ABCDE12345", key: key)
    let first = maker.token(now: Self.now)
    let token = try ProviderToken(authorization: "bearer \(first)")
    #expect(token.keyID == "ABCDE12345" && token.team == "TEAM123456" && token.issuedAt == Self.now)
    let provider = Provider(
      team: "TEAM123456", credential: .key(id: "ABCDE12345", key.publicKey), topics: [], createdAt: 0)
    try token.check(provider)
    #expect(maker.token(now: Self.now + 2_999) == first)
    let second = maker.token(now: Self.now + 3_000)
    #expect(second != first)
    #expect(try ProviderToken(authorization: "bearer \(second)").issuedAt == Self.now + 3_000)
    // The clock was set back: the last one comes from the future.
    #expect(maker.token(now: Self.now) != second)
  }

  @Test func `an expired token is replaced once in twenty minutes`() throws {
    var maker = TokenMaker(team: "TEAM123456", keyID: "ABCDE12345", key: P256PrivateKey())
    let first = maker.token(now: Self.now)
    let renewed = maker.token(afterExpired: first, now: Self.now + 1)
    let second = try #require(renewed)
    #expect(second != first && maker.token(now: Self.now + 2) == second)
    // Another request was under way with the first one.
    #expect(maker.token(afterExpired: first, now: Self.now + 2) == second)
    #expect(maker.token(afterExpired: second, now: Self.now + 1_200) == nil)
    #expect(maker.token(afterExpired: second, now: Self.now + 1_201) != nil)
  }
}
