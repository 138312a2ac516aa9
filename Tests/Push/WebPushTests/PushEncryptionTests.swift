import Crypto
import Testing
import WebPush
import Wire

/// A browser of the tests' own: the other side of the encryption.
struct Browser {
  let key: P256PrivateKey
  let authSecret: [UInt8]

  init(key: P256PrivateKey = P256PrivateKey(), authSecret: [UInt8] = Digest.random(16)) {
    self.key = key
    self.authSecret = authSecret
  }

  func subscription(
    _ url: String = "https://push.example/1", listed: [AddressRange] = []
  ) throws -> PushSubscription {
    try PushSubscription(
      endpoint: PushEndpoint(url, listed: listed), p256dh: Digest.base64URL(key.publicKey.bytes),
      auth: Digest.base64URL(authSecret))
  }

  /// Decrypts as RFC 8291 section 3.4 says; nil for what was not meant for it.
  func decrypt(_ body: [UInt8]) -> [UInt8]? {
    guard body.count >= 103, body[20] == 65, let sender = P256PublicKey(Array(body[21..<86])) else { return nil }
    let input = HKDF.sha256(
      key.sharedSecret(with: sender), salt: authSecret,
      info: Array("WebPush: info\0".utf8) + key.publicKey.bytes + sender.bytes, count: 32)
    let salt = Array(body[..<16])
    let record = AESGCM.open(
      Array(body[86...]), key: HKDF.sha256(input, salt: salt, info: "Content-Encoding: aes128gcm\0".utf8, count: 16),
      nonce: HKDF.sha256(input, salt: salt, info: "Content-Encoding: nonce\0".utf8, count: 12))
    return record.flatMap { $0.last == 2 ? $0.dropLast() : nil }
  }
}

func decoded(_ text: String) -> [UInt8] { Digest.bytes(base64URL: text)! }

struct PushEncryptionTests {
  @Test func `the example of RFC 8291 comes out bit for bit`() throws {
    // Appendix A.
    let browser = Browser(
      key: try #require(P256PrivateKey(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))),
      authSecret: decoded("BTBZMqHH6r4Tts7J_aSIgg"))
    #expect(
      Digest.base64URL(browser.key.publicKey.bytes)
        == "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    let body = PushEncryption.encrypt(
      Array("When I grow up, I want to be a watermelon".utf8), for: try browser.subscription(),
      key: try #require(P256PrivateKey(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))),
      salt: decoded("DGv6ra1nlYgDCS1FRnbzlw"))
    #expect(body.count == 144)
    #expect(
      Digest.base64URL(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test(arguments: [0, 1, 300, 3_992, 3_993])
  func `one record of at most 4096 bytes is read by its browser alone`(size: Int) throws {
    let (browser, other) = (Browser(), Browser())
    let plaintext = Digest.random(size)
    let body = PushEncryption.encrypt(plaintext, for: try browser.subscription())
    #expect(body.count == size + 103 && body.count <= 4_096)
    #expect(Array(body[16..<21]) == [0, 0, 16, 0, 65])
    #expect(browser.decrypt(body) == plaintext)
    #expect(other.decrypt(body) == nil)
    #expect(Browser(key: browser.key).decrypt(body) == nil, "the secret auth was not used")
    #expect(PushEncryption.encrypt(plaintext, for: try browser.subscription()) != body, "key and salt are used again")
  }
}
