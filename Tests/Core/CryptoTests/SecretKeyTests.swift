import Crypto
import Testing

/// Bytes in the notation of the RFCs.
func bytes(hex text: String) -> [UInt8] {
  let digits = text.utf8.map { UInt8($0 < 58 ? $0 - 48 : ($0 | 32) - 87) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

struct HKDFTests {
  // RFC 5869, appendices A.1 to A.3.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 22), Array(0x00...0x0C), Array(0xF0...0xF9),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    ),
    (
      Array(0x00...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF),
      "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
        + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
    ),
    (
      [UInt8](repeating: 0x0B, count: 22), [], [],
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    ),
  ])
  func `keys are what the RFC says`(secret: [UInt8], salt: [UInt8], info: [UInt8], key: String) {
    #expect(Digest.hex(HKDF.sha256(secret, salt: salt, info: info, count: key.utf8.count / 2)) == key)
  }

  @Test func `the longest key is as long as it was asked for, and begins as a short one`() {
    let longest = HKDF.sha256([1], salt: [2], info: [3], count: 8160)
    #expect(longest.count == 8160)
    #expect(longest.starts(with: HKDF.sha256([1], salt: [2], info: [3], count: 33)))
  }
}

struct AESGCMTests {
  static let text = bytes(
    hex: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
      + "b16aedf5aa0de657ba637b39")
  static let visible = bytes(hex: "feedfacedeadbeeffeedfacedeadbeefabaddad2")
  static let nonce = bytes(hex: "cafebabefacedbaddecaf888")
  static let key = bytes(hex: "feffe9928665731c6d6a8f9467308308")

  // Test cases 1, 4 and 16 of the GCM specification submitted to NIST.
  @Test(arguments: [
    (
      [UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 12), [UInt8](), [UInt8](),
      "58e2fccefa7e3061367f1d57a4e7455a"
    ),
    (
      key, nonce, text, visible,
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
        + "1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47"
    ),
    (
      key + key, nonce, text, visible,
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
        + "c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
    ),
  ])
  func `what is sealed is what NIST says, and opens again`(
    key: [UInt8], nonce: [UInt8], text: [UInt8], visible: [UInt8], sealed: String
  ) {
    let found = AESGCM.seal(text, key: key, nonce: nonce, visible: visible)
    #expect(Digest.hex(found) == sealed)
    #expect(AESGCM.open(found, key: key, nonce: nonce, visible: visible) == text)
  }

  @Test func `nothing opens that is not as it was`() {
    let sealed = AESGCM.seal(Self.text, key: Self.key, nonce: Self.nonce, visible: Self.visible)
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1
      #expect(AESGCM.open(changed, key: Self.key, nonce: Self.nonce, visible: Self.visible) == nil)
    }
    for count in 0..<sealed.count {
      let short = Array(sealed.prefix(count))
      #expect(AESGCM.open(short, key: Self.key, nonce: Self.nonce, visible: Self.visible) == nil)
    }
    #expect(AESGCM.open(sealed, key: Self.key, nonce: Self.nonce) == nil)
    #expect(AESGCM.open(sealed, key: Self.key, nonce: Self.visible.dropLast(8), visible: Self.visible) == nil)
    #expect(AESGCM.open(sealed, key: Digest.random(16), nonce: Self.nonce, visible: Self.visible) == nil)
  }
}
