import APNs
import Crypto
import Store
import Testing
import Wire
import World

struct TokenTests {
  let sender = Sender()

  /// The reason for which a provider's token is refused.
  private func refused(_ authorization: String, at now: Double = Sender.now) -> RejectionReason? {
    reason {
      let token = try ProviderToken(authorization: authorization)
      try token.check(sender.provider)
      try token.check(at: now)
    }
  }

  private func claims(_ issuedAt: JSON, team: String = Sender.team) -> JSON {
    ["iss": .string(team), "iat": issuedAt]
  }

  @Test func `a token is accepted from 0 to 60 minutes after it was issued`() {
    let token = sender.token()
    for (minutes, wanted) in [(0.0, nil), (59, nil), (60, nil), (61, RejectionReason.expiredProviderToken)] {
      #expect(refused(token, at: Sender.now + minutes * 60) == wanted, "\(minutes) minutes")
    }
    #expect(refused(token, at: Sender.now + 3_601) == .expiredProviderToken)
    // As much as two right clocks may differ, and a second more.
    #expect(refused(token, at: Sender.now - 30) == nil)
    #expect(refused(token, at: Sender.now - 31) == .invalidProviderToken)
  }

  @Test func `iat is a number or its digits`() {
    let now = Int(Sender.now)
    for good: JSON in [.int(now), .string("\(now)"), .double(Sender.now - 0.25)] {
      #expect(refused(sender.token(claims: claims(good))) == nil, "\(good.text)")
    }
    for bad: JSON in ["now", "", nil, true, -1, 1e300, .string("\(now).5"), [.int(now)]] {
      #expect(refused(sender.token(claims: claims(bad))) == .invalidProviderToken, "\(bad.text)")
    }
    #expect(refused(sender.token(claims: ["iss": .string(Sender.team)])) == .invalidProviderToken)
  }

  @Test func `nothing but ES256 with the provider's own key is taken`() {
    let kid = JSON.string(Sender.keyID)
    let der = "302406"
    let spoilt: [String: String] = [
      "none": sender.token(header: ["alg": "none", "kid": kid], sign: { _ in [] }),
      "None": sender.token(header: ["alg": "None", "kid": kid], sign: { _ in [] }),
      "an HMAC with the public key": sender.token(
        header: ["alg": "HS256", "kid": kid], sign: { Digest.hmacSHA256($0, key: sender.key.publicKey.bytes) }),
      "ES384": sender.token(header: ["alg": "ES384", "kid": kid]),
      "a signature in DER": sender.token(sign: { text in Digest.bytes(hex: der)! + sender.key.sign(text) }),
      "another key": sender.token(sign: P256PrivateKey().sign),
      "a signature too short": sender.token(sign: { sender.key.sign($0).dropLast() }),
      "a signature of zeros": sender.token(sign: { _ in [UInt8](repeating: 0, count: 64) }),
      "an unknown extension": sender.token(header: ["alg": "ES256", "kid": kid, "crit": ["b64"]]),
      "another key's id": sender.token(header: ["alg": "ES256", "kid": "OTHER12345"]),
      "no key's id": sender.token(header: ["alg": "ES256"]),
      "an id of 9 characters": sender.token(header: ["alg": "ES256", "kid": "KEY123456"]),
      "an id of 11 characters": sender.token(header: ["alg": "ES256", "kid": "KEY12345678"]),
      "another team": sender.token(claims: claims(.int(Int(Sender.now)), team: "OTHER12345")),
      "no token": "bearer abc", "two parts": "bearer a.b", "four parts": "\(sender.token()).x",
      "padding": "\(sender.token())=", "two tokens": "\(sender.token()) x",
    ]
    for (name, token) in spoilt { #expect(refused(token) == .invalidProviderToken, "\(name)") }
    for (name, token) in ["basic": "basic YTpi", "empty": "", "no token": "bearer"] {
      #expect(refused(token) == .missingProviderToken, "\(name)")
    }
    #expect(refused(sender.token().replacing("bearer", with: "Bearer")) == nil)
  }

  @Test func `one connection has one team, and renews its token every 20 minutes at most`() throws {
    func token(_ seconds: Double, team: String = Sender.team, key: String = Sender.keyID) throws -> ProviderToken {
      try ProviderToken(
        authorization: sender.token(
          header: ["alg": "ES256", "kid": .string(key)], claims: claims(.int(Int(Sender.now + seconds)), team: team)))
    }
    let first = try token(0)
    func refused(_ next: ProviderToken) -> RejectionReason? { reason { try next.check(after: first) } }
    #expect(refused(try token(1_200)) == nil)
    #expect(refused(try token(1_199)) == .tooManyProviderTokenUpdates)
    #expect(refused(try token(0)) == .tooManyProviderTokenUpdates)
    #expect(refused(try token(-5)) == nil)
    #expect(refused(try token(5, key: "OTHER12345")) == nil)
    #expect(refused(try token(1_200, team: "OTHER12345")) == .unrelatedKeyIdInToken)
  }

  @Test func `a provider that a command has made is known at once, and one that is removed after the next look`()
    async throws
  {
    let world = try await ProviderWorld()
    let list = ProviderList(world.store)
    try await list.load()
    #expect(try await list.provider(keyID: Sender.keyID) == nil)
    let id = try await world.add(sender.provider)
    let found = try #require(try await list.provider(keyID: Sender.keyID))
    #expect(found.id == id && found.topics == [Sender.app] && found.team == Sender.team)
    let (_, proof) = try await ProvenSender.prove(sender.token(), after: nil, among: list, now: Sender.now)
    try await world.remove(id)
    try await list.load()
    // Nor does it help that the connection has shown the token before.
    for before in [nil, proof] {
      await #expect(throws: Rejection(.invalidProviderToken)) {
        _ = try await ProvenSender.prove(sender.token(), after: before, among: list, now: Sender.now)
      }
    }
  }

  @Test func `a token that was proven is looked at again for its age alone`() async throws {
    let world = try await ProviderWorld()
    _ = try await world.add(sender.provider)
    let (list, token) = (ProviderList(world.store), sender.token())
    let (_, proof) = try await ProvenSender.prove(token, after: nil, among: list, now: Sender.now)
    _ = try await ProvenSender.prove(token, after: proof, among: list, now: Sender.now + 3_600)
    await #expect(throws: Rejection(.expiredProviderToken)) {
      _ = try await ProvenSender.prove(token, after: proof, among: list, now: Sender.now + 3_601)
    }
  }

  @Test func `a certificate is known by its fingerprint, while it is valid`() async throws {
    let world = try await ProviderWorld()
    let bytes = Array("a certificate".utf8)
    let provider = Provider(
      team: Sender.team, credential: .certificate(fingerprint: Digest.sha256(bytes), until: Sender.now + 100),
      topics: [Sender.app], createdAt: Sender.now)
    _ = try await world.add(provider)
    let list = ProviderList(world.store)
    func refused(_ bytes: [UInt8], isValid: Bool = true, at now: Double = Sender.now) async -> RejectionReason? {
      do {
        _ = try await ProvenSender.prove(certificate: bytes, isValid: isValid, among: list, now: now)
        return nil
      } catch {
        return (error as? Rejection)?.reason
      }
    }
    #expect(await refused(bytes) == nil)
    #expect(await refused(bytes, isValid: false) == .badCertificate)
    #expect(await refused(bytes + [0]) == .badCertificate)
    #expect(await refused(bytes, at: Sender.now + 100) == .badCertificate)
  }

  @Test func `a push that is sent again is known, until it was forgotten`() async throws {
    let world = try await ProviderWorld()
    let id = [UInt8](1...16)
    #expect(try await world.remember(id, to: 7))
    #expect(try await !world.remember(id, to: 7))
    #expect(try await world.remember(id, to: 8))
    #expect(try await !world.forget(after: 3_600))
    #expect(try await !world.remember(id, to: 7))
    #expect(try await !world.forget(after: 3_601))
    #expect(try await world.remember(id, to: 7))
  }
}

/// A store with the tables of providers.
struct ProviderWorld {
  let folder = TemporaryFolder()
  let store: Store

  init() async throws {
    store = try await Store(
      path: "\(folder.path)/store.sqlite", migrations: APNsTables.migrations, time: VirtualTime())
  }

  func add(_ provider: Provider) async throws -> Int {
    try #require(try await store.write { database throws(StoreError) in try database.addProvider(provider) })
  }

  func remove(_ id: Int) async throws {
    #expect(try await store.write { database throws(StoreError) in try database.removeProvider(id) })
  }

  func remember(_ push: [UInt8], to device: Int) async throws -> Bool {
    try await store.write { database throws(StoreError) in
      try database.rememberPush(push, to: device, now: Sender.now)
    }
  }

  func forget(after seconds: Double) async throws -> Bool {
    try await store.write { database throws(StoreError) in try database.forgetPushes(now: Sender.now + seconds) }
  }
}
