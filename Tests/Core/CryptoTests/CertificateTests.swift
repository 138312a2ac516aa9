import Crypto
import Testing

struct CertificateTests {
  let key = P256PrivateKey()

  private var authority: Certificate {
    Certificate(authority: "Test authority", key: key, from: 1_700_000_000, until: 1_900_000_000)
  }

  @Test func `a certificate is the same after it was written as PEM and read`() throws {
    let made = Certificate(
      Certificate.Subject(.client, commonName: "client", userID: "org.example.app"), key: P256PrivateKey().publicKey,
      by: Certificate.Issuer(authority, key), from: 1_700_000_000, until: 1_800_000_000)
    let read = try #require(Certificate(pem: Array(made.pem.utf8)))
    #expect(read.bytes == made.bytes && read.fingerprint == made.fingerprint && read.end == 1_800_000_000)
    #expect(made.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(Certificate(pem: Array("-----BEGIN".utf8)) == nil && Certificate(pem: []) == nil)
    // The one behind a key in the same file is found.
    #expect(Certificate(pem: Array((key.pem + made.pem).utf8))?.bytes == made.bytes)
  }

  @Test func `no two certificates are alike`() {
    let (one, other) = (authority, authority)
    #expect(one.bytes != other.bytes && one.fingerprint.count == 32)
  }

  @Test func `a key is the same after it was written as PEM and read`() throws {
    // One in 256 begins with a zero byte.
    for _ in 0..<600 {
      let key = P256PrivateKey()
      let read = try #require(P256PrivateKey(pem: Array(key.pem.utf8)))
      #expect(read.bytes == key.bytes && read.publicKey == key.publicKey)
    }
    #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    #expect(P256PrivateKey(pem: Array(authority.pem.utf8)) == nil)
  }
}
