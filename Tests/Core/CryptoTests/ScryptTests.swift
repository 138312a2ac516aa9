import Crypto
import Testing

struct ScryptTests {
  // RFC 7914 section 12, the first three.
  @Test(arguments: [
    ("", "", 4, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
    ("password", "NaCl", 10, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
    (
      "pleaseletmein", "SodiumChloride", 14, 8, 1,
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
    ),
  ])
  func `scrypt gives what the RFC says`(
    password: String, salt: String, cost: Int, blockSize: Int, lanes: Int, key: String
  ) {
    let made = Scrypt.key(
      Array(password.utf8), salt: Array(salt.utf8), cost: cost, blockSize: blockSize, lanes: lanes)
    #expect(Digest.hex(made) == key)
  }

  @Test func `base64 in pieces is read as it is written`() {
    for count in 0..<50 {
      let bytes = Digest.random(count)
      let text = Array(Digest.base64(bytes).utf8)
      for step in [1, 3, 7, 100] {
        var decoder = Base64Decoder()
        var read: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: step) {
          read += decoder.decode(text[start..<min(start + step, text.count)]) ?? [0, 0]
        }
        #expect(read == bytes && decoder.isComplete)
      }
    }
    var bare = Base64Decoder()
    #expect(bare.decode("aGk".utf8) == Array("hi".utf8) && bare.isComplete)
  }

  @Test(arguments: ["A", "A===", "AAAA=", "AA=A", "AB==", "A-_A", "AA AA", "AAAAA"])
  func `what is no base64 is refused`(text: String) {
    var decoder = Base64Decoder()
    let isRead = decoder.decode(text.utf8) != nil
    #expect(!(isRead && decoder.isComplete))
  }
}
