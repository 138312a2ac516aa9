import Crypto
import Hub
import Testing

struct ChallengeTests {
  let secret = Digest.random(Challenge.secretBytes)

  func made(at now: Double = 1000, for purpose: Challenge.Purpose = .signIn) -> Challenge {
    Challenge(for: purpose, party: "space.example", secret: secret, now: now)
  }

  func read(
    _ text: String, for purpose: Challenge.Purpose = .signIn, party: String = "space.example", at now: Double = 1000
  ) throws(PasskeyError) -> Challenge {
    try Challenge(text, for: purpose, party: party, secret: secret, now: now)
  }

  @Test func `a challenge comes back as it was made, and no two are the same`() throws {
    let challenge = made()
    #expect(try read(challenge.text) == challenge)
    #expect(made().text != challenge.text)
  }

  @Test func `a challenge is good for five minutes`() throws {
    let text = made(at: 1000).text
    #expect(try read(text, at: 1299.9).end == 1300)
    for now in [1300.0, 1301, 1e9] {
      #expect(throws: PasskeyError.self) { try read(text, at: now) }
    }
  }

  @Test func `a challenge is bound to its ceremony, its person, its address and its hub`() throws {
    let text = made(for: .registration(person: 1)).text
    #expect(try read(text, for: .registration(person: 1)).text == text)
    #expect(throws: PasskeyError.self) { try read(text, for: .registration(person: 2)) }
    #expect(throws: PasskeyError.self) { try read(text, for: .signIn) }
    #expect(throws: PasskeyError.self) { try read(text, for: .registration(person: 1), party: "other.example") }
    let others = Digest.random(Challenge.secretBytes)
    #expect(throws: PasskeyError.self) {
      try Challenge(text, for: .registration(person: 1), party: "space.example", secret: others, now: 1000)
    }
  }

  @Test func `no part of a challenge can be changed`() throws {
    let bytes = try #require(Digest.bytes(base64URL: made().text))
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(throws: PasskeyError.self) { try read(Digest.base64URL(changed)) }
    }
    #expect(throws: PasskeyError.self) { try read(Digest.base64URL(bytes.dropLast())) }
    #expect(throws: PasskeyError.self) { try read(Digest.base64URL(bytes + [0])) }
    #expect(throws: PasskeyError.self) { try read("") }
  }
}
