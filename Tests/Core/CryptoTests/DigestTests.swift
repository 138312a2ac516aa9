import Crypto
import Testing

struct DigestTests {
  @Test func `digests and their spellings are the standard's`() {
    #expect(
      Digest.hex(Digest.sha256("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Digest.hex(Digest.sha1("abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(Digest.hex(Digest.md5("abc".utf8)) == "900150983cd24fb0d6963f7d28e17f72")
    #expect(Digest.base64(Array("foob".utf8)) == "Zm9vYg==")
    #expect(Digest.base64URL([0xfb, 0xff]) == "-_8")
    #expect(Digest.random(16) != Digest.random(16))
  }

  @Test(arguments: [0, 1, 63, 64, 1000])
  func `a digest of pieces is that of the whole`(count: Int) {
    let bytes = Digest.random(count)
    let running = RunningDigest()
    for start in stride(from: 0, to: count, by: 7) {
      bytes[start..<min(start + 7, count)].withUnsafeBytes { running.update($0) }
    }
    #expect(running.finish() == Digest.sha256(bytes))
  }

  @Test func `Base64 for addresses is read as it is written`() {
    for count in 0..<64 {
      let bytes = Digest.random(count)
      #expect(Digest.bytes(base64URL: Digest.base64URL(bytes)) == bytes)
    }
    #expect(Digest.bytes(base64URL: "-_8") == [0xFB, 0xFF])
  }

  @Test(arguments: ["A", "AAAAA", "AA==", "A+", "A/A", "AB", "AAB", " AA", "ÄA", "AA\n"])
  func `what is no Base64 for addresses, or a second spelling, is refused`(text: String) {
    #expect(Digest.bytes(base64URL: text) == nil)
  }

  // RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `HMAC gives what the RFC says`(key: [UInt8], text: String, code: String) {
    #expect(Digest.hex(Digest.hmacSHA256(text.utf8, key: key)) == code)
  }

  @Test func `two are equal when every byte is`() {
    #expect(Digest.areEqual([1, 2, 3], [1, 2, 3]))
    #expect(!Digest.areEqual([1, 2, 3], [1, 2, 4]))
    #expect(!Digest.areEqual([1, 2], [1, 2, 3]))
  }
}
