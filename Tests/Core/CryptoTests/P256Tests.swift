import Crypto
import Testing

struct P256Tests {
  // RFC 6979, appendix A.2.5: the key, and its signature of "sample" with SHA-256.
  static let number = bytes(hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
  static let point = bytes(
    hex: "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
      + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
  static let signature = bytes(
    hex: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
      + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")

  @Test func `a key's public half and its signature are the RFC's`() throws {
    let key = try #require(P256PrivateKey(Self.number))
    #expect(key.publicKey.bytes == Self.point)
    #expect(key.publicKey.verifies(Self.signature, of: Array("sample".utf8)))
    #expect(!key.publicKey.verifies(Self.signature, of: Array("Sample".utf8)))
  }

  @Test func `every signature is 64 bytes, verifies, and says nothing about other bytes`() {
    // One in 128 has a number that begins with a zero byte, which must be written.
    let key = P256PrivateKey()
    for _ in 0..<500 {
      let text = Digest.random(20)
      var signature = key.sign(text)
      #expect(signature.count == 64)
      #expect(key.publicKey.verifies(signature, of: text))
      #expect(!key.publicKey.verifies(signature, of: text + [0]))
      #expect(!P256PrivateKey().publicKey.verifies(signature, of: text))
      signature[Int.random(in: 0..<64)] ^= 1
      #expect(!key.publicKey.verifies(signature, of: text))
    }
  }

  @Test(arguments: [[], [0], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 255, count: 64), signature + [0]])
  func `what is no signature is none`(signature: [UInt8]) throws {
    let key = try #require(P256PublicKey(Self.point))
    #expect(!key.verifies(signature, of: Array("sample".utf8)))
  }

  @Test func `what is no point or no number of the curve is no key`() {
    #expect(P256PublicKey([]) == nil)
    #expect(P256PublicKey([0]) == nil)
    #expect(P256PublicKey([4] + [UInt8](repeating: 0, count: 64)) == nil)
    #expect(P256PublicKey([4] + [UInt8](repeating: 255, count: 64)) == nil)
    #expect(P256PublicKey(Self.point + [0]) == nil)
    // Compressed: valid, but not used by Web Push and JOSE.
    #expect(P256PublicKey([3] + Self.point[1..<33]) == nil)
    var beside = Self.point
    beside[64] ^= 1
    #expect(P256PublicKey(beside) == nil)
    let order = bytes(hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    #expect(P256PrivateKey(order) == nil)
    #expect(P256PrivateKey(order.dropLast() + [0x50]) != nil)
    #expect(P256PrivateKey([UInt8](repeating: 0, count: 32)) == nil)
    #expect(P256PrivateKey(Self.number + [0]) == nil)
  }

  @Test func `both sides agree on the same secret`() {
    let (one, other) = (P256PrivateKey(), P256PrivateKey())
    #expect(one.sharedSecret(with: other.publicKey) == other.sharedSecret(with: one.publicKey))
    #expect(one.sharedSecret(with: other.publicKey) != one.sharedSecret(with: P256PrivateKey().publicKey))
  }

  // RFC 8292, section 2.4: an application server's token for a push service.
  @Test func `a signature of the RFC on Web Push's keys verifies`() throws {
    let key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    let text =
      "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1"
      + "YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0"
    let signature = "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
    let found = try #require(Digest.bytes(base64URL: key).flatMap(P256PublicKey.init))
    #expect(found.verifies(try #require(Digest.bytes(base64URL: signature)), of: Array(text.utf8)))
  }

  // RFC 8291, appendix A: from both sides' keys to the ciphertext, with all intermediate values.
  @Test func `a message of Web Push comes out as in the RFC`() throws {
    func read(_ text: String) throws -> [UInt8] { try #require(Digest.bytes(base64URL: text)) }
    let server = try #require(P256PrivateKey(try read("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
    let browser = try #require(P256PrivateKey(try read("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")))
    let secret = server.sharedSecret(with: browser.publicKey)
    #expect(Digest.base64URL(secret) == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
    let info = Array("WebPush: info\0".utf8) + browser.publicKey.bytes + server.publicKey.bytes
    let input = HKDF.sha256(secret, salt: try read("BTBZMqHH6r4Tts7J_aSIgg"), info: info, count: 32)
    #expect(Digest.base64URL(input) == "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg")
    let salt = try read("DGv6ra1nlYgDCS1FRnbzlw")
    let key = HKDF.sha256(input, salt: salt, info: "Content-Encoding: aes128gcm\0".utf8, count: 16)
    #expect(Digest.base64URL(key) == "oIhVW04MRdy2XN9CiKLxTg")
    let nonce = HKDF.sha256(input, salt: salt, info: "Content-Encoding: nonce\0".utf8, count: 12)
    #expect(Digest.base64URL(nonce) == "4h_95klXJ5E_qnoN")
    let text = Array("When I grow up, I want to be a watermelon".utf8) + [2]
    #expect(
      Digest.base64URL(AESGCM.seal(text, key: key, nonce: nonce))
        == "8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1VhjVkHsUoEsbI_0LpXMuGvnzQ")
  }
}
